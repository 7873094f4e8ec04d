# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What was measured, when, where and with what, and what these records lack."""

from collections.abc import Sequence
from dataclasses import dataclass

from outwork.lab import engines
from outwork.lab.records import Kind, Record, device_clocks
from outwork.lab.report import theme, whatif
from outwork.lab.report.blocks import Block, Heading, Items, Prose, Section, TableBlock, Terms
from outwork.lab.report.coverage import Coverage
from outwork.lab.report.tables import Cell, Column, Table
from outwork.lab.report.view import View
from outwork.lab.words import by_reason, join

_TIME = "T"


@dataclass(frozen=True)
class Fact:
    name: str
    text: str
    small: str = ""


def facts(records: Sequence[Record]) -> list[Fact]:
    """Lists the settings. Where the records differ, lists all values."""
    times = sorted(str(row.origin["time"]) for row in records if row.origin.get("time"))
    loads = [float(row.origin["load"]) for row in records if row.origin.get("load") is not None]
    kinds = [f"{sum(row.kind is kind for row in records):,} {kind.value}" for kind in Kind if _has(records, kind)]
    boards = sorted({row.board for row in records if row.board})
    clocks = device_clocks([row for row in records if row.board and row.clock_hz])
    found = [
        Fact("Points", f"{len(records):,}", join(kinds)),
        Fact("Measured", _when(times), f"load {min(loads):g} to {max(loads):g}" if loads else ""),
        Fact("This CPU", _values(records, "cpu"), _machine(records)),
        Fact("System", _values(records, "system"), _values(records, "kernel")),
        Fact("Boards, simulated", join(boards) or "none", f"at {join(clocks)}" if boards else ""),
        Fact("Outwork", _values(records, "outwork"), f"commit {_commits(records)}"),
        Fact("Compiler", _values(records, "compiler"), f"Python {_values(records, 'python')}"),
    ]
    return [fact for fact in found if fact.text]


def _has(records: Sequence[Record], kind: Kind) -> bool:
    return any(row.kind is kind for row in records)


def _when(times: Sequence[str]) -> str:
    if not times:
        return "at an unknown time"
    first, last = (time.replace(_TIME, " ")[:16] for time in (times[0], times[-1]))
    if first == last:
        return f"{first} UTC"
    return f"{first} to {last[11:] if first[:10] == last[:10] else last} UTC"


def _values(records: Sequence[Record], name: str) -> str:
    return join(sorted({str(row.origin[name]) for row in records if row.origin.get(name)}))


def _machine(records: Sequence[Record]) -> str:
    cpus = _values(records, "cpus")
    return ", ".join(filter(None, (f"{cpus} CPUs" if cpus else "", _values(records, "architecture"))))


def _commits(records: Sequence[Record]) -> str:
    text = _values(records, "commit") or "unknown"
    return f"{text} (+: with changes since)" if "+" in text else text


def section(view: View, coverage: Sequence[Coverage]) -> Section:
    missing = by_reason(text for entry in coverage for text in entry.missing)
    blocks: list[Block] = [
        Terms([(fact.name, f"{fact.text}{f' ({fact.small})' if fact.small else ''}") for fact in facts(view.records)]),
        Heading("Engines", "engines"),
        TableBlock(_engines(view.records)),
        Heading("Boards", "boards"),
        TableBlock(whatif.board_table(view.records)),
        Heading("Plans", "plans"),
        Prose(
            "How many points of each plan that comes with the project are in these records. A plan that was interrupted continues "
            "where it stopped."
        ),
        TableBlock(_plans(coverage)),
    ]
    if missing:
        blocks += [Heading("Missing on this machine", "missing"), Items(missing)]
    return Section("setting", "What was measured, and what was not", blocks)


def _engines(records: Sequence[Record]) -> Table:
    said = {True: "yes", False: "no", None: "not said"}
    made = Table(
        [
            Column("engine"),
            Column("library"),
            Column("kind"),
            Column("constant time", note="as its authors say"),
            Column("where"),
            Column("clock", note="of the device; of this CPU as measured"),
            Column("points"),
        ],
        caption="Every engine of these records.",
    )
    # This machine's notes on its engines, for records from the same libraries.
    notes = {(entry.engine, entry.implementation, entry.library): entry.note for entry in engines.discover()}
    groups: dict[tuple[object, ...], list[Record]] = {}
    for row in records:
        groups.setdefault((row.engine, row.implementation, row.library, row.environment), []).append(row)
    for rows in groups.values():
        row = rows[0]
        clocks = {row.clock_hz for row in rows if row.clock_hz}
        measured = {round(clock / 1e8) / 10 for clock in clocks}
        clock = (
            join(device_clocks([row for row in rows if row.clock_hz]))
            if row.kind is not Kind.MEASURED
            else join(f"{clock:g} GHz" for clock in sorted(measured)[:: max(len(measured) - 1, 1)])
        )
        made.add(
            theme.title(row.engine, row.implementation),
            Cell(row.library, small=notes.get((row.engine, row.implementation, row.library), "")),
            row.kind.value,
            said[row.constant_time],
            row.environment,
            clock or "not measured",
            str(len(rows)),
        )
    return made


def _plans(coverage: Sequence[Coverage]) -> Table:
    made = Table(
        [
            Column("plan"),
            Column("what it does"),
            Column("points here"),
            Column("of"),
            Column("to run it"),
        ]
    )
    for entry in coverage:
        done = entry.measured == entry.points and not entry.problem
        made.add(
            entry.plan,
            Cell(entry.title, small=entry.problem),
            str(entry.measured),
            str(entry.points),
            "" if done else Cell(entry.command, look="code"),
        )
    return made
