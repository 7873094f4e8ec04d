# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The short answer: the message size from which the device is faster than each engine, and where it never is."""

from collections.abc import Sequence
from typing import Final

from outwork.lab import costs
from outwork.lab.costs import BreakEven
from outwork.lab.report import break_even_figure, sentence, theme
from outwork.lab.report.blocks import Block, Figure, Fold, Key, Legend, Prose, Section, TableBlock, Terms
from outwork.lab.report.drawing import size_text
from outwork.lab.report.tables import MISSING, Cell, Column, Table, number
from outwork.lab.report.view import View, Work, order_of_engines

TITLE: Final = "The short answer"
COMPARED: Final = "the device's cycles at its board's clock against CPU time of this machine"
MODELLED: Final = "counted against modelled cycles, at the board's clock"
Row = tuple[Work, str, int]  # with board and jobs
Rows = dict[Row, dict[str, BreakEven]]  # by rival


def sections(view: View) -> list[Section]:
    """Returns the answer in a sentence with its figure, and the break-evens in detail."""
    found = costs.break_evens(view.records)
    spoken = sentence.of_operations(view)
    if not found:
        text = (
            "These records cannot say where the break-even lies: no work was measured both on the device and on this "
            "CPU, each with three message sizes or more. `outwork lab run wp512` measures both."
        )
        return [Section("answer", TITLE, [Prose(spoken, "answer"), Prose(text, "note")] if spoken else [Prose(text)])]
    shown = _shown(view, found)
    messages = {row: entries for row, entries in shown.items() if row[0] in view.featured and not row[0].is_file}
    blocks: list[Block] = []
    if shown:
        blocks.append(Prose(sentence.of_messages(messages or shown), "answer"))
    if messages:
        rivals = _rivals(messages)
        keys = [_key(rival) for rival in rivals]
        drawn = [(label(row), entries) for row, entries in messages.items()]
        blocks += [
            Figure(
                "break-even",
                "Where the device wins",
                lambda colour: break_even_figure.draw(colour, drawn, rivals),
                _numbers(messages, rivals),
                "Marker: the break-even; it is hollow if it is outside the measured sizes. Thick line: its 95 % interval. Thin "
                "line: the sizes at which the device wins. An arrow to the left: the device wins up to that size.",
                image="break-even",
                keys=keys,
                narrow=lambda colour: break_even_figure.draw(colour, drawn, rivals, is_narrow=True),
            ),
            Legend(keys),
        ]
    return [Section("answer", TITLE, blocks), _details(view, shown, found)]


def _details(view: View, shown: Rows, found: Sequence[BreakEven]) -> Section:
    featured = {row: entries for row, entries in shown.items() if row[0] in view.featured}
    blocks: list[Block] = [
        Prose(
            "From which message size on the device is faster than this CPU. A setting is a row of the table below: an "
            "algorithm, a direction, and how many messages are in flight at once."
        ),
        Terms([(rival_title(rival), _sentence(shown, rival)) for rival in _rivals(shown)], "long"),
        *_tables(featured),
    ]
    if len(shown) > len(featured):
        blocks.append(Fold(f"All {len(shown)} settings", _tables(shown)))
    if len(found) > sum(map(len, shown.values())):
        text = f"All boards, key uses, alignments and modelled designs ({len(found)} rows)"
        blocks.append(Fold(text, [TableBlock(_full(found))]))
    blocks.append(
        Prose(
            f"Every break-even compares two kinds of figures: {COMPARED}. It is true of this CPU only. Against the slower CPU "
            "of a system-on-chip the device wins at smaller sizes; run the same plans there to know the sizes. The intervals "
            "are found by resampling: of the samples, and of the errors of the [cost model](#model).",
            "note",
        )
    )
    return Section("break-evens", "Break-evens", blocks)


def _rivals(rows: Rows) -> list[str]:
    return sorted({rival for entries in rows.values() for rival in entries}, key=order_of_engines)


def _tables(rows: Rows) -> list[Block]:
    """Returns the tables of messages and of whole files, which have different rivals."""
    parts = [{row: of for row, of in rows.items() if row[0].is_file is is_file} for is_file in (False, True)]
    tables = [matrix(part, _rivals(part)) for part in parts if part]
    if parts[1]:
        tables[-1].caption += " The CPU time includes reading and writing the files; the device's cycles do not."
    return [TableBlock(table) for table in tables]


def _board(entry: BreakEven) -> str:
    return entry.device.rpartition(" on ")[2]


def _work(entry: BreakEven) -> Work:
    return Work(entry.setting.algorithm, entry.setting.operation, "-files on " in entry.device)


def _shown(view: View, found: Sequence[BreakEven]) -> Rows:
    """Selects what to show: one board and one use of keys for each work (a new IV for every message, if measured)."""
    rows: Rows = {}
    keys: dict[Work, str] = {}
    for entry in found:
        if keys.setdefault(_work(entry), entry.setting.keys) != "new-iv" and entry.setting.keys == "new-iv":
            keys[_work(entry)] = "new-iv"
    for entry in found:
        work, setting = _work(entry), entry.setting
        if work not in view.lines or _board(entry) != view.board(work) or entry.rival.startswith("accelerator/"):
            continue
        if setting.keys == keys[work] and not setting.alignment_bytes and setting.batch == setting.jobs:
            rows.setdefault((work, _board(entry), setting.jobs), {})[entry.rival] = entry
    places = {work: place for place, work in enumerate(view.works)}
    return dict(sorted(rows.items(), key=lambda item: (places[item[0][0]], -item[0][2])))


def rival_title(rival: str) -> str:
    return theme.title(*rival.split("/", 1))


def label(row: Row) -> str:
    work, _, jobs = row
    return f"{work.name}, {f'{jobs} in flight' if jobs > 1 else 'one at a time'}"


def _key(rival: str) -> Key:
    style = theme.style(*rival.split("/", 1))
    return Key(f"against {rival_title(rival)}", style.shade, style.marker)


def _sentence(shown: Rows, rival: str) -> str:
    """Returns a sentence: in how many settings the device wins against a rival, and from which sizes."""
    entries = [row[rival] for row in shown.values() if rival in row]
    settings = f"{len(entries)} setting{'s' if len(entries) > 1 else ''}"
    wins = []
    for outcome, words in (("always", "at any size"), ("from", "from {} on"), ("until", "only up to {}")):
        same = [entry for entry in entries if entry.outcome == outcome]
        if same:
            sizes = sorted(entry.size_bytes for entry in same if entry.size_bytes is not None)
            ends = list(dict.fromkeys(size_text(size) for size in (*sizes[:1], *sizes[-1:])))
            size = f"a size between {' and '.join(ends)}" if len(ends) > 1 else "".join(ends)
            wins.append(f"{words.format(size)} in {len(same)} of {settings}")
    if not wins:
        return f"The device **never wins**, in none of {settings}."
    never = sum(entry.outcome == "never" for entry in entries)
    rest = f"; it **never wins** in {never} of {settings}" if never else ""
    return f"The device wins {'; '.join(wins)}{rest}."


def matrix(rows: Rows, rivals: Sequence[str]) -> Table:
    """Returns the main table: a row for each work and number in flight, a column for each rival."""
    boards = {board for _, board, _ in rows}
    table = Table([Column("messages"), *(Column(*_heads(rival)) for rival in rivals)])
    where = f" Board: {boards.copy().pop()}." if len(boards) == 1 else ""
    table.caption = f"Break-evens with their 95 % intervals: {COMPARED}.{where} *: beyond the measured sizes."
    last = None
    for (work, board, jobs), entries in rows.items():
        if work != last:
            table.add_group(work.name)
        last = work
        depth = f"{jobs} in flight" if jobs > 1 else "one at a time"
        depth += f", {board}" if len(boards) > 1 else ""
        keys = next(iter(entries.values())).setting.keys
        depth += "" if keys == "new-iv" else f", {keys.replace('-', ' ')}"
        table.add(depth, *(_cell(entries[rival]) if rival in entries else MISSING for rival in rivals))
    return table


def _heads(rival: str) -> tuple[str, str]:
    engine, _, implementation = rival.partition("/")
    return theme.short_title(implementation), f"wins against a CPU {theme.FAMILIES.get(engine, engine)}"


def _cell(entry: BreakEven) -> Cell:
    compared = MODELLED if entry.rival.startswith("accelerator/") else COMPARED
    if entry.size_bytes is None:
        words = "at any size" if entry.outcome == "always" else entry.outcome
        return Cell(words, "mixed", note=compared, look="wins" if entry.outcome == "always" else "loses")
    low = "less" if entry.low_bytes is None else f"{entry.low_bytes:,.0f}"
    high = "more" if entry.high_bytes is None else f"{entry.high_bytes:,.0f}"
    note = compared + ("; beyond the measured sizes" if entry.is_extrapolated else "")
    look = "wins" if entry.outcome == "from" else ""
    beyond = " *" if entry.is_extrapolated else ""
    return Cell(f"{entry.outcome} {entry.size_bytes:,.0f} B{beyond}", "mixed", f"{low} to {high}", note, look)


def _numbers(rows: Rows, rivals: Sequence[str]) -> Table:
    table = Table(
        [
            Column("against"),
            Column("wins"),
            Column("break-even", "bytes"),
            Column("95 % from", "bytes"),
            Column("to", "bytes"),
            Column("measured sizes"),
        ],
        caption=f"Break-evens in bytes: {COMPARED}.",
    )
    for row, entries in rows.items():
        table.add_group(label(row))
        for rival in rivals:
            if rival in entries:
                entry = entries[rival]
                values = (entry.size_bytes, entry.low_bytes, entry.high_bytes)
                table.add(
                    rival_title(rival),
                    entry.outcome,
                    *(MISSING if value is None else number(value, "mixed") for value in values),
                    "no, beyond them" if entry.is_extrapolated else "",
                )
    return table


def _full(found: Sequence[BreakEven]) -> Table:
    titles = ("work", "in flight", "batch", "keys", "bytes off", "device", "against")
    table = Table(
        [*map(Column, titles), Column("the device wins")], caption=f"All break-evens: {COMPARED}.", heads=len(titles)
    )
    for entry in found:
        setting = entry.setting
        settings = (setting.jobs, setting.batch, setting.keys.replace("-", " "), setting.alignment_bytes)
        table.add(_work(entry).name, *map(str, settings), entry.device, rival_title(entry.rival), _cell(entry))
    return table
