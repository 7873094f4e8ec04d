# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The work of `outwork bench`: measurement points from the options, the table of results, comparison with an older run."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from outwork import algorithms
from outwork.device import profiles
from outwork.device.profiles import Environment, Profile
from outwork.errors import OutworkError, UsageError
from outwork.files import streams
from outwork.lab import engines, plan, published, statistics
from outwork.lab.engines.base import Candidate
from outwork.lab.plan import Task
from outwork.lab.records import KeyUse, Kind, Point, Record
from outwork.lab.words import join

if TYPE_CHECKING:
    from rich.table import Table

DEFAULT_SIZES = (16, 64, 256, 1024, 4096, 16384, 65536)


def points(
    names: Iterable[str],
    operations: Iterable[str],
    sizes_bytes: Iterable[int],
    jobs: int,
    batch: int | None,
    keys: KeyUse,
    alignment_bytes: int = 0,
) -> list[Point]:
    """Returns every valid combination of the options. Without named operations: both operations of a cipher."""
    chosen = [algorithms.find(name) for name in names]
    wanted = list(operations)
    if jobs < 1 or (batch is not None and not 1 <= batch <= jobs):
        raise UsageError("--jobs is at least 1, and --batch is from 1 to --jobs.")
    if not 0 <= alignment_bytes < 64:
        raise UsageError("--align is from 0 to 63.")
    found: list[Point] = []
    sizes = list(sizes_bytes)
    for cipher, size in [(entry, size) for entry in chosen for size in plan.sizes_of(entry, sizes)]:
        plan.check_size(cipher, size)
        fitting = plan.operations_of(cipher, wanted)
        if not fitting:
            several = "s" if len(cipher.operations) > 1 else ""
            raise UsageError(f"{cipher} has the operation{several} {join(cipher.operations)}, not {', '.join(wanted)}.")
        found.extend(
            Point(cipher, operation, size, jobs, batch or jobs, keys, alignment_bytes) for operation in fitting
        )
    return found


def tasks(
    wanted: Iterable[Point],
    engine_names: Iterable[str],
    boards: Iterable[str],
    presets: Iterable[str] = (),
    environments: Iterable[Environment] = (),
) -> list[Task]:
    """Returns the tasks of all engines, on each board with each preset, in each environment (default: the board's own).
    Raises an error if an engine cannot be used here, because the user has named it."""
    loaded = [profiles.load(board) for board in boards]
    if chosen_presets := list(presets):
        loaded = [profiles.with_preset(board, preset) for board in loaded for preset in chosen_presets]
    places: dict[Environment, list[Profile]] = {}
    named = list(environments)
    for board in loaded:
        for environment in named or [board.environment]:
            places.setdefault(environment, []).append(profiles.in_environment(board, environment))
    chosen: dict[Candidate, list[Profile]] = {}
    for environment, of_environment in places.items():
        for name in engine_names:
            found = engines.choose(name, environment)
            usable = [entry for entry in found if not entry.missing]
            if not usable:
                raise OutworkError(f"{found[0].name} cannot be measured here: {found[0].missing}.")
            # `cpu` alone means one implementation, the first: enough for a quick measurement.
            chosen[usable[0]] = of_environment
    return [
        Task(point, candidate, profile)
        for point in wanted
        for candidate, of_environment in chosen.items()
        for profile in (of_environment if candidate.has_board else [None])
    ]


def write_json(path: Path, records: Iterable[Record], force: bool = False) -> None:
    """Writes one JSON record per line; `-` is standard output."""
    text = "".join(json.dumps(record.as_json()) + "\n" for record in records)
    streams.write_text(path, text, force)


def _name(record: Record) -> str:
    """Returns the engine, with implementation and board where there can be several."""
    if record.is_on_soc:
        return f"{record.engine}/{record.implementation} ({record.board})"
    name = record.engine if record.kind is Kind.COUNTED else f"{record.engine}/{record.implementation}"
    return f"{name} ({record.board})" if record.board else name


def table(records: Sequence[Record]) -> "Table":
    """Returns the table for the terminal. Device figures are counted cycles at a board's clock, CPU figures are thread
    CPU time."""
    beside = [
        published.beside(record.algorithm, record.operation, record.size_bytes)
        if record.kind is Kind.COUNTED and record.engine == "accelerator"
        else None
        for record in records
    ]
    from rich.table import Table

    view = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("engine", "algorithm", "operation"):
        view.add_column(title, no_wrap=True)
    for title in ("bytes", "jobs", "batch", "cycles/byte", "bytes/cycle", "MB/s", "a second", "±", "latency"):
        view.add_column(title, justify="right", no_wrap=True)
    has_cpu = any(record.is_on_soc for record in records)
    if has_cpu:
        view.add_column("CPU cycles", justify="right", no_wrap=True)
    if any(beside):
        view.add_column("published", no_wrap=True)
    for record, figure in zip(records, beside, strict=True):
        # An algorithm with one message length needs no figure in bytes.
        is_fixed = algorithms.find(record.algorithm).message_bytes != 0
        per_byte, per_cycle = (None, None) if is_fixed else (record.cycles_per_byte, record.bytes_per_cycle)
        view.add_row(
            _name(record),
            record.algorithm,
            record.operation,
            f"{record.size_bytes}",
            f"{record.jobs}",
            f"{record.batch}",
            "" if per_byte is None else f"{per_byte:.3g}",
            "" if per_cycle is None else f"{per_cycle:.2f}",
            "" if is_fixed else f"{record.megabytes_per_second:.1f}",
            f"{1 / record.seconds:,.0f}",
            _scatter(record),
            f"{record.latency.p50:.0f} cycles" if record.unit == "cycles" else f"{record.latency_seconds * 1e9:.0f} ns",
            *([f"{record.cpu_cycles:,.0f}" if record.is_on_soc else ""] if has_cpu else []),
            *([_published(figure, record.size_bytes)] if any(beside) else []),
        )
    return view


def _scatter(record: Record) -> str:
    """Returns half the distance from the 5th to the 95th percentile; `!` marks a median that is not reliable. Empty: one
    sample of what scatters."""
    if record.kind is Kind.MEASURED and len(record.cost_samples) < 2:
        return ""
    share = (record.cost.p95 - record.cost.p5) / 2 / record.cost.p50
    return "exact" if share == 0 else f"{share:.1%}{'!' if record.is_wide else ''}"


def _published(figure: published.Figure | None, size_bytes: int) -> str:
    """Returns a figure with its source, and with its size if that is not the record's."""
    if figure is None:
        return ""
    size = "" if figure.size_bytes == size_bytes else f" ({figure.size_bytes} bytes)"
    return f"{figure.bytes_per_cycle:.2g} B/cycle, {figure.megabytes_per_second:.4g} MB/s, {figure.source.name}{size}"


def captions(records: Iterable[Record]) -> list[str]:
    """Returns a line for each engine that says what kind its figures are."""
    by_name: dict[str, list[Record]] = {}
    for record in records:
        by_name.setdefault(_name(record), []).append(record)
    return [f"{name}: {_caption(alike)}" for name, alike in by_name.items()]


def _caption(alike: Sequence[Record]) -> str:
    first = alike[0]
    clocks = [record.clock_hz for record in alike if record.clock_hz is not None]
    if first.kind is Kind.MODELLED:
        return f"{first.library}."
    if first.is_on_soc:
        return (
            f"{first.library}; cycles of the one clock of CPU and device, caches and the loop over the messages included; "
            f"{first.parameters.get('data_width')}-bit port, MB/s at {first.device_clock}."
        )
    if first.kind is Kind.COUNTED:
        return (
            "device cycles, counted from the first doorbell to the last completion; "
            f"{first.parameters.get('data_width')}-bit port, MB/s at {first.device_clock}. Not the simulator's speed."
        )
    at = f", cycles at the measured {median(clocks) / 1e9:.2f} GHz" if clocks else ""
    return f"{first.library}; CPU time on this machine, one message a call{at}."


def check_tolerance(tolerance: float) -> None:
    if not tolerance >= 0:  # also NaN
        raise UsageError("--tolerance is a share such as 0.05, not below zero.")


def against(old: Sequence[Record], new: Sequence[Record], tolerance: float) -> tuple["Table", list[float]]:
    """Returns a table with the ratio of each cost to the older one and its interval. Raises an error if something is
    slower."""
    from rich.table import Table

    before = {record.id: record for record in old}
    view = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("engine", "algorithm", "operation"):
        view.add_column(title, no_wrap=True)
    for title in ("bytes", "jobs", "new/old time", "95 % interval", ""):
        view.add_column(title, justify="right", no_wrap=True)
    ratios: list[float] = []
    for record in new:
        other = before.get(record.id)
        if other is None or other.unit != record.unit:
            continue
        found = statistics.ratio(record.cost_samples, other.cost_samples)
        ratios.append(found.value)
        view.add_row(
            _name(record),
            record.algorithm,
            record.operation,
            f"{record.size_bytes}",
            f"{record.jobs}",
            f"{found.value:.3f}",
            f"{found.low:.3f} to {found.high:.3f}",
            "slower" if found.value > 1 + tolerance else "",
        )
    if not ratios:
        raise UsageError("The older run has none of these points. Measure both runs with the same options.")
    return view, ratios


def check_none_slower(ratios: Sequence[float], tolerance: float, old: Path) -> None:
    worse = sum(ratio > 1 + tolerance for ratio in ratios)
    if worse:
        raise OutworkError(f"{worse} of {len(ratios)} points are more than {tolerance:.0%} slower than in {old}.")
