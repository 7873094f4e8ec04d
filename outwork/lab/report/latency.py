# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The latency of one message alone, and the points that vary too much to be reliable."""

from collections.abc import Sequence
from typing import Final

from outwork.lab import statistics
from outwork.lab.records import Record
from outwork.lab.report import theme
from outwork.lab.report.blocks import Block, Fold, Prose, Section, TableBlock
from outwork.lab.report.tables import MISSING, Cell, Column, Table, digits, duration
from outwork.lab.report.view import Line, View, Work, common_sizes, work_of

SIZES_MAX: Final = 6
WIDE_TITLE: Final = "Points that are not reliable"


def section(view: View) -> Section:
    if not view.works:
        return Section("latency", "Latency", [Prose("None of these records is of messages.")])
    blocks: list[Block] = [
        Prose(
            "The time from request to result of one message, with nothing else in progress. Device: from the doorbell to the "
            "completion record in memory, in counted cycles at the board's clock; the host's work before and after is not "
            "included. CPU: one call; the second line is the 5th to 95th percentile."
        ),
        TableBlock(_table(view, view.featured)),
    ]
    others = [work for work in view.works if work not in view.featured]
    if others:
        blocks.append(Fold(f"Other key sizes and directions ({len(others)})", [TableBlock(_table(view, others))]))
    return Section("latency", "Latency", blocks)


def _alone(view: View, work: Work) -> dict[Line, list[Record]]:
    """Returns each engine once: the latency of a message alone does not depend on the number in flight."""
    found: dict[tuple[str, str, str | None, str, int], tuple[Line, list[Record]]] = {}
    for line, rows in view.main_lines(work).items():
        name = (line.engine, line.implementation, line.board, line.keys, line.alignment_bytes)
        if name not in found or (line.jobs, -len(rows)) < (found[name][0].jobs, -len(found[name][1])):
            found[name] = (line, rows)
    return dict(found.values())


def _table(view: View, works: Sequence[Work]) -> Table:
    alone = {work: _alone(view, work) for work in works}
    sizes = common_sizes((row for lines in alone.values() for rows in lines.values() for row in rows), SIZES_MAX)
    made = Table(
        [Column("engine"), Column("setting"), *(Column(f"{size:,}", "bytes") for size in sizes)],
        caption="Median of one message alone.",
        heads=2,
    )
    for work, lines in alone.items():
        made.add_group(work.name)
        for line, rows in lines.items():
            by_size = {row.size_bytes: row for row in rows}
            words = [line.board or "", "" if line.is_plain else line.setting]
            made.add(
                line.engine_title,
                ", ".join(filter(None, words)),
                *(_cell(by_size[size]) if size in by_size else MISSING for size in sizes),
            )
    return made


def _cell(row: Record) -> Cell:
    if row.unit == "cycles":
        return Cell(duration(row.latency_seconds), row.kind.value, f"{digits(row.latency.p50)} cycles")
    low, high = duration(row.latency.p5), duration(row.latency.p95)
    is_wide = statistics.is_wide(row.latency_samples)
    return Cell(duration(row.latency_seconds), row.kind.value, f"{low} to {high}", look="wide" if is_wide else "")


def wide(view: View) -> Section:
    """Returns the points that are marked as not reliable."""
    rows = [row for row in view.records if row.is_wide]
    if not rows:
        text = f"None of {len(view.records)} points scatters by more than {statistics.WIDE:.0%}, from the 5th to the 95th percentile."
        return Section("wide", WIDE_TITLE, [Prose(text)])
    made = Table(
        [
            Column("work"),
            Column("engine"),
            Column("bytes"),
            Column("in flight"),
            Column("median", "cost of a message"),
            Column("5th", "cost of a message"),
            Column("95th", "cost of a message"),
            Column("spread"),
            Column("load", note="of the machine, one-minute average, as it was measured"),
        ],
        caption="Widest first.",
        heads=4,
    )
    for row in sorted(rows, key=_spread, reverse=True):
        scale = row.seconds / row.cost.p50
        made.add(
            work_of(row).name,
            theme.title(row.engine, row.implementation),
            f"{row.size_bytes:,}",
            str(row.jobs),
            *(Cell(duration(value * scale), row.kind.value) for value in (row.cost.p50, row.cost.p5, row.cost.p95)),
            Cell(f"{_spread(row):.0%}", row.kind.value),
            str(row.origin.get("load", "")),
        )
    text = (
        f"{len(rows)} of {len(view.records)} points scatter: their 5th and 95th percentile differ by more than "
        f"{statistics.WIDE:.0%} of the median. Measure them again on a quiet machine."
    )
    table = TableBlock(made)
    return Section("wide", WIDE_TITLE, [Prose(text), Fold("The points", [table]) if len(rows) > 12 else table])


def _spread(row: Record) -> float:
    return (row.cost.p95 - row.cost.p5) / row.cost.p50
