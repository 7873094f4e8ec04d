# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The publications' tables next to our figures: the published values, ours, and the ratios.

Software is compared in MB/s of two different CPUs, accelerators in cycles per byte of each one's own clock; the
column heads say so. Ratios have one unit only.
"""

from collections.abc import Sequence
from typing import Final

from outwork.lab import published
from outwork.lab.published import Figure, Source
from outwork.lab.records import Record
from outwork.lab.report import beside, one_system_figures, paper_figures, same_system
from outwork.lab.report.beside import Beside
from outwork.lab.report.blocks import Block, Fold, Grid, Heading, Prose, Section, TableBlock, Terms
from outwork.lab.report.coverage import Coverage
from outwork.lab.report.tables import MISSING, Cell, Column, Table, number
from outwork.lab.report.view import View, Work
from outwork.lab.words import by_reason, join

HEADS: Final = {"software": "Software", "cpu": "CPU instructions", "accelerator": "Accelerator"}
OPERATIONS: Final = "ms"  # of one operation on a public key
COMPARABLE: Final = ("MB/s", "Mb/s", "KB/s", "cycles/byte")
Row = tuple[str, str, int | None, str]  # algorithm, operation, size, variant


def section(view: View, coverage: Sequence[Coverage], on_soc: Sequence[Record] = ()) -> Section:
    """Returns the section; `on_soc` are the records of the system on chip, which the view does not have."""
    blocks: list[Block] = [
        Prose(
            "Five publications asked the same question, each for one board. Here are their figures as printed, beside those "
            "of these records. For **software** and **CPU instructions** the ratio is ours ÷ theirs in MB/s; the two CPUs are "
            "different, and most sources do not state the clock of theirs. For **accelerators** the ratio is theirs ÷ ours in "
            "cycles per byte, each at its own clock: 10 means that theirs needs ten times the cycles. Their figures include a "
            "driver's time; ours are what the simulated device counts, without the host. The head of a table names our board. "
            "A dash is a point that these records do not have."
        )
    ]
    plans = {entry.plan: entry for entry in coverage}
    for source in published.sources().values():
        blocks += _source(view, source, plans.get(source.key), on_soc)
    return Section("papers", "Beside the papers", blocks)


def _source(view: View, source: Source, plan: Coverage | None, on_soc: Sequence[Record]) -> list[Block]:
    finder = Beside(view, source)
    figures = published.select(source.key)
    comparable = [figure for figure in figures if figure.unit in COMPARABLE]
    speed_ups = [figure for figure in figures if figure.unit == "speed-up"]
    operations = [figure for figure in figures if figure.unit == OPERATIONS]
    others = [figure for figure in figures if figure not in (*comparable, *speed_ups, *operations)]
    blocks: list[Block] = [
        Terms(
            [
                ("Source", source.citation),
                ("Their setting", source.setting),
                *((f"{HEADS[engine]}, ours", text) for engine, text in source.differs.items()),
            ]
        ),
    ]
    drawn = paper_figures.figures(view, finder)
    if drawn:
        blocks.append(Grid(drawn))
    blocks += [TableBlock(comparison(finder, part)) for part in _parts(comparable)]
    if speed_ups:
        blocks.append(TableBlock(_speed_ups(finder, speed_ups)))
    if operations:
        blocks.append(TableBlock(_operations(finder, operations)))
    same = same_system.table(source, figures, on_soc)
    if same:
        blocks.append(TableBlock(same))
        if in_one_system := one_system_figures.figures(source, figures, on_soc):
            blocks.append(Grid(in_one_system))
    if others:
        blocks.append(TableBlock(_others(others)))
    blocks.append(_missing(finder, comparable, plan))
    name = f"{source.name}, {source.year}"
    if same or any(finder.ours(engine, [*comparable, *speed_ups, *operations]) for engine in HEADS):
        return [Heading(name, f"paper-{source.key}"), *blocks]
    return [Fold(f"{name}: nothing in these records to compare", blocks)]


def _parts(figures: Sequence[Figure]) -> list[list[Figure]]:
    """Returns the source's tables; those with the same engines are combined, because their columns are the same."""
    engines: dict[str, set[str]] = {}
    for figure in figures:
        engines.setdefault(figure.place, set()).add(figure.engine)
    parts: dict[frozenset[str], list[Figure]] = {}
    for figure in figures:
        parts.setdefault(frozenset(engines[figure.place]), []).append(figure)
    return list(parts.values())


def comparison(finder: Beside, figures: Sequence[Figure]) -> Table:
    """Returns a row for each size and variant of the source; for each engine the published value, ours and the ratio."""
    engines = [engine for engine in HEADS if any(figure.engine == engine for figure in figures)]
    ours = {engine: finder.ours(engine, figures) for engine in engines}
    has_variants = any(_variant(figure) for figure in figures)
    groups: dict[str, dict[Row, dict[str, list[Figure]]]] = {}
    for figure in figures:
        row = (figure.algorithm, figure.operation, figure.size_bytes, _variant(figure))
        groups.setdefault(_group(figure), {}).setdefault(row, {}).setdefault(figure.engine, []).append(figure)
    # A heading for every single row would be too much.
    has_groups = any(len(rows) > 1 for rows in groups.values())
    heads = [*([] if has_groups else ["work"]), "bytes", *(["theirs is"] if has_variants else [])]
    table = Table([Column(name) for name in heads], heads=len(heads))
    for engine in engines:
        table.columns += _columns(finder, engine, ours[engine])
    for group, rows in groups.items():
        if has_groups:
            table.add_group(group)
        for (_, _, size, variant), by_engine in rows.items():
            cells = [Cell(group)] if not has_groups else []
            cells += [Cell("not stated" if size is None else f"{size:,}"), *([Cell(variant)] if has_variants else [])]
            for engine in engines:
                cells += _cells(finder, by_engine.get(engine, []), ours[engine], engine)
            table.add(*cells)
    beside_it = join(entry.title for engine in engines for entry in ours[engine])
    table.caption = f"Ours: {beside_it}." if beside_it else "Ours: not in these records."
    return table


def _columns(finder: Beside, engine: str, ours: Sequence[beside.Ours]) -> list[Column]:
    if engine == "accelerator":
        group, names = f"Accelerator, cycles per byte{_on(finder, ours)}", [entry.short_title for entry in ours]
        found = [Column("printed as", group), Column("theirs", group)]
    else:
        group, names = f"{HEADS[engine]}, MB/s", [entry.short_title for entry in ours]
        found = [Column("theirs", group)]
    for name in names:
        ratio = "theirs ÷ ours" if engine == "accelerator" else "ours ÷ theirs"
        found += [Column(f"ours, {name}", group), Column(ratio, group)]
    return found


def _on(finder: Beside, ours: Sequence[beside.Ours]) -> str:
    where = finder.board_text(ours)
    return f" (ours: {where})" if where else ""


def _cells(finder: Beside, figures: Sequence[Figure], ours: Sequence[beside.Ours], engine: str) -> list[Cell]:
    if not figures:
        return [Cell("")] * (2 * len(ours) + (2 if engine == "accelerator" else 1))
    cells, figure = beside.theirs(figures)
    for entry in ours:
        cells += beside.ours(finder.record(entry, figure), figure)
    return cells


def _variant(figure: Figure) -> str:
    """Returns the variant's row: `DCP, no optimisation` belongs to `no optimisation`. Empty if all rows have the same."""
    if figure.source.key in ("imxrt", "wp437"):
        return figure.variant.rpartition(", ")[2]
    return "" if figure.source.key in ("wp512", "cowart2017") else figure.variant


def _group(figure: Figure) -> str:
    where = figure.platform if figure.source.key == "imxrt" else figure.environment
    return f"{figure.place}: {Work(figure.algorithm, figure.operation).name}, {where}"


def _speed_ups(finder: Beside, figures: Sequence[Figure]) -> Table:
    device, software = finder.ours("accelerator", figures), finder.ours("software", figures)
    group = f"times faster than software{_on(finder, device)}"
    table = Table(
        [
            Column("where"),
            Column("work"),
            Column("bytes"),
            Column("theirs", group),
            Column("ours", group, "measured ÷ counted"),
        ],
        caption="How many times faster the accelerator is than software. Ours divides two kinds of figures: CPU time of this "
        "machine by the time that the simulated device counts at its board's clock; the device's time does not include "
        "reading and writing files.",
        heads=3,
    )
    for figure in figures:
        row = finder.record(device[0], figure) if device else None
        other = finder.record(software[0], figure) if software else None
        mine = number(other.seconds / row.seconds, "mixed") if row and other else MISSING
        work = Work(figure.algorithm, figure.operation).name
        table.add(figure.place, work, f"{figure.size_bytes or 0:,}", Cell(_span(figure), "published"), mine)
    return table


def _span(figure: Figure) -> str:
    if figure.low is None and figure.high is not None:
        return f"less than {figure.high:g}"
    return f"{figure.value:g}" if figure.low is None else f"{figure.low:g} to {figure.high:g}"


def _operations(finder: Beside, figures: Sequence[Figure]) -> Table:
    """Compares times of single operations: of CPUs in milliseconds, of accelerators in cycles, each at its own clock."""
    engines = [engine for engine in HEADS if any(figure.engine == engine for figure in figures)]
    table = Table(
        [Column("operation")],
        caption="One operation on a public key. Software: milliseconds of two different CPUs. Accelerators: cycles, each at its "
        "own clock; theirs includes a driver's time.",
    )
    ours = {engine: finder.ours(engine, figures) for engine in engines}
    for engine in engines:
        group = f"{HEADS[engine]}{_on(finder, ours[engine])}"
        unit, ratio = ("cycles", "theirs ÷ ours") if engine == "accelerator" else ("ms", "theirs ÷ ours, ms")
        table.columns += [
            Column(f"theirs, {unit}", group),
            Column(f"ours, {unit}", group),
            Column(ratio, group),
        ]
    groups: dict[str, dict[str, dict[str, Figure]]] = {}
    for figure in figures:
        work = f"{figure.algorithm.upper()} {figure.operation}"
        groups.setdefault(f"{figure.place}, {figure.environment}", {}).setdefault(work, {})[figure.engine] = figure
    for group, rows in groups.items():
        table.add_group(group)
        for work, by_engine in rows.items():
            cells = [cell for engine in engines for cell in _operation(finder, ours[engine], by_engine.get(engine))]
            table.add(work, *cells)
    return table


def _operation(finder: Beside, ours: Sequence[beside.Ours], figure: Figure | None) -> list[Cell]:
    if figure is None:
        return [Cell("")] * 3
    row = finder.record(ours[0], figure) if ours else None
    is_device, clock = figure.engine == "accelerator", figure.clock_hz
    theirs = figure.value * 1e-3 * clock if is_device and clock else figure.value
    if row is None:
        return [Cell(f"{theirs:,.10g}", "published"), MISSING, MISSING]
    mine = row.latency.p50 if is_device else row.latency_seconds * 1e3
    where = ours[0].title
    return [Cell(f"{theirs:,.10g}", "published"), number(mine, row.kind, note=where), number(theirs / mine, "mixed")]


def _others(figures: Sequence[Figure]) -> Table:
    """Returns the other figures: by engine if they have one unit (time of an operation), else by unit (area)."""
    units = list(dict.fromkeys(figure.unit for figure in figures))
    is_one = len(units) == 1
    columns = list(dict.fromkeys(figure.engine for figure in figures)) if is_one else units
    table = Table(
        [
            Column("what"),
            *(Column(HEADS.get(name, name), f"theirs{f', {units[0]}' if is_one else ''}") for name in columns),
        ],
        caption="Also published. This version of the lab does not measure these.",
    )
    groups: dict[str, dict[str, dict[str, Figure]]] = {}
    for figure in figures:
        group = ", ".join(filter(None, (figure.place, figure.environment)))
        work = figure.algorithm.upper() + ("" if figure.operation in ("area", "core") else f" {figure.operation}")
        name = work if is_one else f"{work}, {figure.variant}"
        groups.setdefault(group, {}).setdefault(name, {})[figure.engine if is_one else figure.unit] = figure
    for group, rows in groups.items():
        table.add_group(group)
        for name, by_column in rows.items():
            cells = [
                Cell(f"{by_column[column].value:,.10g}", "published") if column in by_column else Cell("")
                for column in columns
            ]
            table.add(name, *cells)
    return table


def _missing(finder: Beside, figures: Sequence[Figure], plan: Coverage | None) -> Prose:
    """Says which figures of the source these records lack, why, and what to run."""
    lacking = [
        figure
        for figure in figures
        if not any(finder.record(entry, figure) for entry in finder.ours(figure.engine, [figure]))
    ]
    if not lacking:
        return Prose("Every comparable figure of this source has ours beside it.", "note")
    works = join(f"{Work(figure.algorithm, figure.operation).name} ({figure.engine})" for figure in lacking)
    algorithms = {figure.algorithm for figure in lacking}
    reasons = by_reason(text for text in (plan.missing if plan else []) if text.partition(":")[0] in algorithms)
    why = f" {'. '.join(reasons)}." if reasons else ""
    return Prose(
        f"**{len(lacking)} of {len(figures)} figures have none of ours beside them**: {works}.{why} "
        f"`outwork lab run {finder.source.key}` measures what this version and this machine can.",
        "note",
    )
