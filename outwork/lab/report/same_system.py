# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A publication's question asked again on the system on chip: how many times faster its accelerator is than software and
than the CPU's instructions, theirs in their system and ours in ours, each on one clock."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from outwork.device.profiles import Environment
from outwork.lab.published import Figure, Source
from outwork.lab.records import Record
from outwork.lab.report.one_clock import THROUGH_A_LIBRARY
from outwork.lab.report.tables import MISSING, Cell, Column, Table, number
from outwork.lab.report.view import Work

RIVALS: Final = {"software": "than software", "cpu": "than instructions"}
NAMES: Final = {
    Environment.BARE_METAL: "bare metal",
    Environment.FREERTOS: "FreeRTOS",
    Environment.LINUX: "Linux",
    Environment.LINUX_QUEUE: "Linux, own queue",
    Environment.LINUX_KERNEL: "Linux, crypto API",
}
LENT: Final = " Software beside a queue of its own is that of a process without one: it does not touch the device."
LESS_IS_BETTER: Final = ("cycles/byte", "ms")
NO_SPEEDS: Final = ("LUT", "FF", "BRAM18K", "MHz", "cycles/block")
RATIO: Final = "speed-up"  # of the accelerator over software
FILE: Final = "file, "  # how the environment of a record of files begins
FILES: Final = "-files"  # how its implementation ends

# The accelerators of the system on chip, by implementation, and what tells them from the first one.
DEVICES: Final = {"outwork": "", "lite": " by registers"}

# Their platform and environment, algorithm, operation, bytes; None: they name no size, so theirs is beside each of ours.
Place = tuple[str, str, str, str, int | None]
Point = tuple[str, str, int]
Ours = dict[tuple[Environment, Point], dict[str, float]]


def table(source: Source, figures: Sequence[Figure], records: Iterable[Record]) -> Table | None:
    """Returns the ratios of the source's figures and of the records on the system on chip; None if there are none."""
    ours, theirs = _ours(source, records), _theirs(figures)
    has_lent = _lend_software(ours)
    rows = [(place, size) for place in theirs for size in _sizes(source, place, ours)]
    there = [
        (name, device)
        for name in NAMES
        for device in DEVICES
        if any(device in _nearest(source, ours, name, (*place[2:4], size))[1] for place, size in rows)
    ]
    if not there:
        return None
    works = list(dict.fromkeys(place[2:4] for place in theirs))
    rows.sort(key=lambda row: works.index(row[0][2:4]))
    rivals = [rival for rival in RIVALS if any(rival in by_engine for by_engine in theirs.values())]
    made = Table([Column("bytes"), Column("their system")], heads=2, caption=_caption(source, has_lent))
    for group in ("theirs", *(f"ours{DEVICES[device]}, {NAMES[name]}" for name, device in there)):
        made.columns += [Column(RIVALS[rival], group) for rival in rivals]
    last = None
    for place, size in rows:
        platform, environment, algorithm, operation, _ = place
        work = Work(algorithm, operation)
        if work != last:
            made.add_group(work.name)
            last = work
        cells = [Cell(f"{size:,}"), Cell(f"{platform}, {environment}")]
        cells += [_ratio(theirs[place], "accelerator", rival, "published") for rival in rivals]
        for name, device in there:
            ours_size, costs = _nearest(source, ours, name, (algorithm, operation, size))
            other = None if ours_size == size else ours_size
            cells += [_ratio(costs, device, rival, "counted", other) for rival in rivals]
        made.add(*cells)
    return made


def _sizes(source: Source, place: Place, ours: Ours) -> list[int]:
    """Returns the sizes of the rows of a place of theirs: its own if there is one of ours for it, or all of ours."""
    algorithm, operation, size = place[2:]
    if size is None:
        return sorted({point[2] for _, point in ours if point[:2] == (algorithm, operation)})
    return [size] if any(_nearest(source, ours, name, (algorithm, operation, size))[1] for name in NAMES) else []


def _has_files(source: Source) -> bool:
    return any(name.endswith(FILES) for name in source.ours.get("accelerator", []))


def _caption(source: Source, has_lent: bool) -> str:
    files = " Files are read from memory and written there." if _has_files(source) else ""
    return (
        f"How many times faster the accelerator is, one message at a time: in {source.name} by its own figures, and on the "
        f"system on chip in cycles of its one clock, driver and caches included.{files}{LENT if has_lent else ''}"
    )


def _ratio(costs: dict[str, float], device: str, rival: str, kind: str, size: int | None = None) -> Cell:
    """Returns the ratio; `size`: of ours, where it is not theirs."""
    if rival not in costs or device not in costs:
        return MISSING
    cell = number(costs[rival] / costs[device], kind)
    return cell if size is None else Cell(f"{cell.text} at {size:,}", kind)


def _theirs(figures: Iterable[Figure]) -> dict[Place, dict[str, float]]:
    """Returns by engine what a byte costs, in any unit; of several variants and places, the fastest as printed."""
    units: dict[Place, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for figure in figures:
        if figure.unit in NO_SPEEDS or (figure.unit == RATIO and figure.size_bytes is None):
            continue
        place = (figure.platform, figure.environment, figure.algorithm, figure.operation, figure.size_bytes)
        by_engine = units[place][figure.unit]
        if figure.unit == RATIO:
            by_engine |= {"software": figure.value, "accelerator": 1.0}
            continue
        cost = figure.value if figure.unit in LESS_IS_BETTER else 1 / figure.value
        by_engine[figure.engine] = min(cost, by_engine.get(figure.engine, cost))
    return {place: next(iter(by_unit.values())) for place, by_unit in units.items()}


def _ours(source: Source, records: Iterable[Record]) -> Ours:
    """Returns what a message or file costs, by engine, an accelerator's by its implementation."""
    found: Ours = defaultdict(dict)
    for row in records:
        if not row.is_on_soc or row.keys != source.keys or row.jobs != 1 or row.alignment_bytes:
            continue
        if row.implementation in THROUGH_A_LIBRARY:
            continue
        if row.environment.startswith(FILE) == _has_files(source):
            place = (Environment(row.environment.removeprefix(FILE)), (row.algorithm, row.operation, row.size_bytes))
            device = row.implementation.removesuffix(FILES)
            found[place][device if row.engine == "accelerator" else row.engine] = row.cost.p50
    return found


def _lend_software(ours: Ours) -> bool:
    """Puts the software of a process beside a queue of its own, where none was measured there. Returns whether it has."""
    has_lent = False
    for (environment, point), costs in list(ours.items()):
        if environment is Environment.LINUX_QUEUE:
            of_process = ours.get((Environment.LINUX, point), {})
            lent = {rival: of_process[rival] for rival in RIVALS if rival in of_process and rival not in costs}
            costs |= lent
            has_lent = has_lent or bool(lent)
    return has_lent


def _nearest(source: Source, ours: Ours, name: Environment, point: Point) -> tuple[int, dict[str, float]]:
    """Returns size and costs of our point; of files, if there is none of this size, those of our largest smaller one."""
    algorithm, operation, size = point
    if (name, point) in ours or not _has_files(source):
        return size, ours.get((name, point), {})
    sizes = [of for where, (*work, of) in ours if where is name and work == [algorithm, operation] and of < size]
    return (max(sizes), ours[name, (algorithm, operation, max(sizes))]) if sizes else (size, {})
