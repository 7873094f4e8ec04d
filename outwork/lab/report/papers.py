# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The papers' tables side by side with ours: what they printed, what these records say, and by how much they differ.

Software is compared in MB/s of two different CPUs, accelerators in cycles per byte of each one's own clock; the heads of
the columns say so. Nothing is divided that has no common unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from outwork.lab import published
from outwork.lab.published import Figure, Source
from outwork.lab.report import paper_figures, theme
from outwork.lab.report.blocks import Block, Grid, Heading, Prose, Section, TableBlock
from outwork.lab.report.coverage import Coverage
from outwork.lab.report.tables import MISSING, Cell, Column, Table, digits, join, number
from outwork.lab.report.view import View, Work
from outwork.profiles import DEFAULT_BOARD
from outwork.records import Record

JOBS = (1, 16)
_HEADS = {"software": "software", "cpu": "CPU instructions", "accelerator": "accelerator"}
_COMPARABLE = ("MB/s", "Mb/s", "KB/s", "cycles/byte")


@dataclass(frozen=True)
class Ours:
    """The records that stand beside a source's figures of one engine."""

    engine: str
    implementation: str
    board: str | None
    jobs: int

    @property
    def title(self) -> str:
        name = theme.title(self.engine, self.implementation)
        if self.engine != "accelerator":
            return name
        return f"{name} on {self.board}, {f'{self.jobs} in flight' if self.jobs > 1 else 'one at a time'}"


class Beside:
    """Finds our record for a published figure."""

    def __init__(self, view: View, source: Source) -> None:
        self.source = source
        self._rows = {
            (Ours(row.engine, row.implementation, row.board, row.jobs), row.algorithm, row.operation, row.size_bytes): row
            for row in view.records
            if row.keys == "new-iv" and not row.alignment_bytes and row.batch == row.jobs
        }
        self._ours = {ours for ours, *_ in self._rows}

    def ours(self, engine: str) -> list[Ours]:
        """For a CPU the likest implementation that was measured; of the device each one, on the likest board."""
        names = self.source.ours.get(engine, [])
        if engine != "accelerator":
            return [Ours(engine, name, None, 1) for name in names if Ours(engine, name, None, 1) in self._ours][:1]
        boards = [*self.source.boards, DEFAULT_BOARD]
        found = []
        for name in names:
            board = next((board for board in boards if any(self._has(name, board, jobs) for jobs in JOBS)), None)
            found += [Ours(engine, name, board, jobs) for jobs in JOBS if board and self._has(name, board, jobs)]
        return found

    def _has(self, name: str, board: str, jobs: int) -> bool:
        """Whether that board has any of the source's works."""
        works = {(figure.algorithm, figure.operation) for figure in published.select(self.source.key)}
        return any(
            ours == Ours("accelerator", name, board, jobs) and (algorithm, operation) in works
            for ours, algorithm, operation, _ in self._rows
        )

    def record(self, ours: Ours, figure: Figure) -> Record | None:
        """Of the figure's size; the largest of ours for a figure that names none."""
        if figure.size_bytes is not None:
            return self._rows.get((ours, figure.algorithm, figure.operation, figure.size_bytes))
        same = [
            row
            for (other, algorithm, operation, _), row in self._rows.items()
            if (other, algorithm, operation) == (ours, figure.algorithm, figure.operation)
        ]
        return max(same, key=lambda row: row.size_bytes, default=None)


def section(view: View, coverage: Sequence[Coverage]) -> Section:
    blocks: list[Block] = [
        Prose(
            "Five publications asked the same question, each on one board. Their figures stand here as printed (◆), beside "
            "those of these records. For software and CPU instructions the ratio is ours ÷ theirs in MB/s: it compares two "
            "different CPUs, whose clocks the sources mostly do not state. For accelerators it is theirs ÷ ours in cycles per "
            "byte, which takes the clocks out of it: 10 means that theirs needs ten times the cycles. It divides a published "
            "figure, which includes a driver, by one that the simulated device counts, which does not. A dash is a point that "
            "these records do not have."
        )
    ]
    plans = {entry.plan: entry for entry in coverage}
    for source in published.sources().values():
        blocks += _source(view, source, plans.get(source.key))
    return Section("papers", "Beside the papers", blocks)


def _source(view: View, source: Source, plan: Coverage | None) -> list[Block]:
    beside = Beside(view, source)
    figures = published.select(source.key)
    differs = " ".join(f"**{_HEADS[engine].capitalize()}**: {text}." for engine, text in source.differs.items())
    blocks: list[Block] = [
        Heading(f"{source.name} ({source.year})", f"paper-{source.key}"),
        Prose(source.citation),
        Prose(f"**Their setting.** {source.setting} **What differs with us.** {differs}"),
    ]
    drawn = paper_figures.figures(view, source, beside.ours("accelerator"))
    if drawn:
        blocks.append(Grid(drawn))
    comparable = [figure for figure in figures if figure.unit in _COMPARABLE]
    blocks.append(TableBlock(_table(beside, comparable)))
    speed_ups = [figure for figure in figures if figure.unit == "speed-up"]
    if speed_ups:
        blocks.append(TableBlock(_speed_ups(beside, speed_ups)))
    others = [figure for figure in figures if figure.unit not in (*_COMPARABLE, "speed-up")]
    if others:
        blocks.append(TableBlock(_others(others)))
    blocks.append(_missing(beside, comparable, source, plan))
    return blocks


def _variant(figure: Figure) -> str:
    """`DCP, no optimisation` stands in the row of `no optimisation`."""
    return figure.variant.rpartition(", ")[2] if figure.source.key == "imxrt" else figure.variant


def _table(beside: Beside, figures: Sequence[Figure]) -> Table:
    """A row for each work, size and variant of the source; for each engine theirs, ours and the ratio."""
    engines = [engine for engine in _HEADS if any(figure.engine == engine for figure in figures)]
    ours = {engine: beside.ours(engine) for engine in engines}
    has_variants = beside.source.key in ("imxrt", "wp437")
    table = Table([Column("where"), Column("work"), Column("bytes")], heads=3)
    if has_variants:
        table.columns.append(Column("built"))
        table.heads = 4
    for engine in engines:
        head = f"{_HEADS[engine]}: cycles per byte" if engine == "accelerator" else f"{_HEADS[engine]}: MB/s"
        table.columns.append(Column("theirs", head))
        for entry in ours[engine] or [None]:
            table.columns.append(Column(entry.title if entry else "ours", head))
            table.columns.append(Column("theirs ÷ ours" if engine == "accelerator" else "ours ÷ theirs", head))
    rows: dict[tuple[object, ...], dict[str, list[Figure]]] = {}
    for figure in figures:
        key = (figure.place, _where(figure), figure.algorithm, figure.operation, figure.size_bytes)
        key += (_variant(figure) if has_variants else "",)
        rows.setdefault(key, {}).setdefault(figure.engine, []).append(figure)
    for (_, where, algorithm, operation, size, variant), by_engine in rows.items():
        cells: list[Cell | str] = [str(where), Work(str(algorithm), str(operation)).name]
        cells.append(f"{size:,}" if isinstance(size, int) else "not said")
        if has_variants:
            cells.append(str(variant))
        for engine in engines:
            cells += _cells(beside, by_engine.get(engine, []), ours[engine], engine)
        table.add(*cells)
    table.caption = (
        "◆ published, as printed below where the unit differs. Ours: "
        + (join(entry.title for engine in engines for entry in ours[engine]) or "not in these records")
        + "."
    )
    return table


def _where(figure: Figure) -> str:
    words = [figure.place, figure.platform if figure.source.key == "imxrt" else "", figure.environment]
    return ", ".join(filter(None, words[: 3 if figure.source.key == "wp512" else 2]))


def _cells(beside: Beside, figures: Sequence[Figure], ours: Sequence[Ours], engine: str) -> list[Cell]:
    blank = [Cell("")] * (2 * max(len(ours), 1))
    if not figures:
        return [Cell(""), *blank]
    # A source that prints speed and cycles per byte of the same run has the row once, in cycles per byte.
    figure = next((entry for entry in figures if entry.unit == "cycles/byte"), figures[0])
    printed = "; ".join(_printed(entry) for entry in figures)
    if engine == "accelerator":
        theirs = figure.cycles_per_byte
        cells = [
            Cell("no clock stated", "published", printed)
            if theirs is None
            else number(theirs, "published", small=printed, note=_clock(figure))
        ]
    else:
        theirs = figure.megabytes_per_second
        cells = [MISSING if theirs is None else number(theirs, "published", small=printed, note=_clock(figure))]
    for entry in ours:
        cells += _pair(figure, beside.record(entry, figure), theirs, engine)
    return cells + [MISSING] * (0 if ours else 2)


def _pair(figure: Figure, row: Record | None, theirs: float | None, engine: str) -> list[Cell]:
    """Ours and the ratio."""
    if row is None:
        return [MISSING, MISSING]
    size = f"{row.size_bytes:,} bytes" if figure.size_bytes is None else ""
    if engine != "accelerator":
        mine = row.megabytes_per_second
        cell = number(mine, row.kind, small=size)
        return [cell, MISSING if theirs is None else number(mine / theirs, "mixed", note="MB/s of two different CPUs")]
    assert row.cycles_per_byte is not None and row.clock_hz is not None
    mine = row.cycles_per_byte
    speed = f"{digits(row.megabytes_per_second)} MB/s at {row.clock_hz / 1e6:g} MHz"
    cell = number(mine, row.kind, small=", ".join(filter(None, (speed, size))))
    if theirs is not None:
        return [cell, number(theirs / mine, "mixed", note="cycles per byte, published ÷ counted")]
    note = "MB/s, ours ÷ theirs, at different clocks: theirs is not stated"
    share = row.megabytes_per_second / (figure.megabytes_per_second or 1)
    return [cell, number(share, "mixed", small="in MB/s, ours ÷ theirs", note=note)]


def _printed(figure: Figure) -> str:
    span = f"{figure.low:g} to {figure.high:g}" if figure.low is not None and figure.high is not None else ""
    value = f"{figure.value:,.10g}"
    return f"{span or value} {figure.unit}"


def _clock(figure: Figure) -> str:
    return f"at {figure.clock_hz / 1e6:g} MHz" if figure.clock_hz else "at a clock that is not stated"


def _speed_ups(beside: Beside, figures: Sequence[Figure]) -> Table:
    table = Table(
        [Column("where"), Column("work"), Column("bytes"), Column("theirs"), Column("ours", note="counted ÷ measured")],
        caption="How many times faster the accelerator is than software. Ours divides two kinds: CPU time of this machine by "
        "the time that the simulated device counts at its board's clock.",
        heads=3,
    )
    ours, software = beside.ours("accelerator"), beside.ours("software")
    for figure in figures:
        theirs = f"less than {figure.high:g}" if figure.low is None and figure.high is not None else _span(figure)
        row = beside.record(ours[0], figure) if ours else None
        other = beside.record(software[0], figure) if software else None
        mine = number(other.seconds / row.seconds, "mixed") if row and other else MISSING
        work = Work(figure.algorithm, figure.operation).name
        table.add(figure.place, work, f"{figure.size_bytes or 0:,}", Cell(theirs, "published"), mine)
    return table


def _span(figure: Figure) -> str:
    return f"{figure.low:g} to {figure.high:g}" if figure.low is not None else f"{figure.value:g}"


def _others(figures: Sequence[Figure]) -> Table:
    table = Table(
        [Column("where"), Column("what"), Column("built"), Column("theirs")],
        caption="Also published. This version of the lab does not measure these.",
        heads=3,
    )
    for figure in figures:
        work = figure.algorithm.upper() + (f" {figure.operation}" if figure.operation not in ("area", "core") else "")
        table.add(
            ", ".join(filter(None, (figure.place, figure.environment))),
            work,
            f"{_HEADS[figure.engine]}, {figure.variant}",
            number(figure.value, "published", unit=figure.unit),
        )
    return table


def _missing(beside: Beside, figures: Sequence[Figure], source: Source, plan: Coverage | None) -> Prose:
    """What these records cannot set beside the source, why, and what to run."""
    lacking = [
        figure
        for figure in figures
        if not any(beside.record(entry, figure) for entry in beside.ours(figure.engine))
    ]
    if not lacking:
        return Prose("Every figure of this source has ours beside it.", "note")
    works = join(f"{Work(figure.algorithm, figure.operation).name} ({_HEADS[figure.engine]})" for figure in lacking)
    why = f" {' '.join(f'{text}.' for text in plan.missing)}" if plan and plan.missing else ""
    return Prose(
        f"**Missing beside {len(lacking)} of {len(figures)} figures**: {works}.{why} "
        f"What this version and this machine have is measured by `outwork lab run {source.key}`.",
        "note",
    )
