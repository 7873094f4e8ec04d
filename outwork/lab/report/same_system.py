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
from outwork.lab.report.tables import MISSING, Cell, Column, Table, number
from outwork.lab.report.view import Work

RIVALS: Final = {"software": "than software", "cpu": "than instructions"}
NAMES: Final = {Environment.BARE_METAL: "bare metal", Environment.FREERTOS: "FreeRTOS", Environment.LINUX: "Linux"}
LESS_IS_BETTER: Final = ("cycles/byte", "ms")
NO_SPEEDS: Final = ("speed-up", "LUT", "FF", "BRAM18K", "MHz", "cycles/block")

# The accelerators of the system on chip, by implementation, and what tells them from the first one.
DEVICES: Final = {"outwork": "", "lite": " by registers"}

# Their platform and environment, algorithm, operation, bytes; None: they name no size, so theirs is beside each of ours.
Place = tuple[str, str, str, str, int | None]
Point = tuple[str, str, int]
Ours = dict[tuple[Environment, Point], dict[str, float]]


def table(source: Source, figures: Sequence[Figure], records: Iterable[Record]) -> Table | None:
    """Returns the ratios of the source's figures and of the records on the system on chip; None if there are none."""
    ours, theirs = _ours(source, records), _theirs(figures)
    rows = [(place, size) for place in theirs for size in _sizes(place, ours)]
    there = [
        (name, device)
        for name in NAMES
        for device in DEVICES
        if any(device in ours.get((name, (*place[2:4], size)), {}) for place, size in rows)
    ]
    if not there:
        return None
    works = list(dict.fromkeys(place[2:4] for place in theirs))
    rows.sort(key=lambda row: works.index(row[0][2:4]))
    rivals = [rival for rival in RIVALS if any(rival in by_engine for by_engine in theirs.values())]
    made = Table([Column("bytes"), Column("their system")], heads=2, caption=_caption(source))
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
            costs = ours.get((name, (algorithm, operation, size)), {})
            cells += [_ratio(costs, device, rival, "counted") for rival in rivals]
        made.add(*cells)
    return made


def _sizes(place: Place, ours: Ours) -> list[int]:
    """Returns the sizes of ours that belong to a place of theirs."""
    sizes = {point[2] for _, point in ours if point[:2] == place[2:4]}
    return sorted(size for size in sizes if place[4] in (None, size))


def _caption(source: Source) -> str:
    return (
        f"How many times faster the accelerator is, one message at a time: in {source.name} by its own figures, and on the "
        "system on chip in cycles of its one clock, driver and caches included."
    )


def _ratio(costs: dict[str, float], device: str, rival: str, kind: str) -> Cell:
    if rival not in costs or device not in costs:
        return MISSING
    return number(costs[rival] / costs[device], kind)


def _theirs(figures: Iterable[Figure]) -> dict[Place, dict[str, float]]:
    """Returns by engine what a byte costs, in any unit; of several variants and places, the fastest as printed."""
    units: dict[Place, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for figure in figures:
        if figure.unit in NO_SPEEDS:
            continue
        cost = figure.value if figure.unit in LESS_IS_BETTER else 1 / figure.value
        place = (figure.platform, figure.environment, figure.algorithm, figure.operation, figure.size_bytes)
        by_engine = units[place][figure.unit]
        by_engine[figure.engine] = min(cost, by_engine.get(figure.engine, cost))
    return {place: next(iter(by_unit.values())) for place, by_unit in units.items()}


def _ours(source: Source, records: Iterable[Record]) -> Ours:
    """Returns what a message costs, by engine, an accelerator's by its implementation."""
    found: dict[tuple[Environment, Point], dict[str, float]] = defaultdict(dict)
    for row in records:
        if row.is_on_soc and row.keys == source.keys and row.jobs == 1 and not row.alignment_bytes:
            place = (Environment(row.environment), (row.algorithm, row.operation, row.size_bytes))
            found[place][row.implementation if row.engine == "accelerator" else row.engine] = row.cost.p50
    return found
