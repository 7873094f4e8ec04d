# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Points to measure, one after the other, and the table and JSON of their records."""

import json
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from outwork import ciphers, published
from outwork.ciphers import Operation
from outwork.engines.base import Engine
from outwork.errors import OutworkError, UsageError
from outwork.records import KeyUse, Kind, Point, Record

if TYPE_CHECKING:
    from rich.table import Table

SIZE_BYTES_MAX = 64 * 1024 * 1024
DEFAULT_SIZES = (16, 64, 256, 1024, 4096, 16384, 65536)


def points(
    names: Iterable[str],
    operations: Iterable[str],
    sizes_bytes: Iterable[int],
    jobs: int,
    batch: int | None,
    keys: KeyUse,
    rounds: int,
) -> Iterator[Point]:
    """Every combination that has a meaning. Both operations of a cipher unless some are named."""
    chosen = [ciphers.find(name) for name in names]
    wanted = [_operation(name) for name in operations]
    if jobs < 1 or rounds < 1 or (batch is not None and not 1 <= batch <= jobs):
        raise UsageError("--jobs and --rounds are at least 1, and --batch is from 1 to --jobs.")
    for cipher, size in product(chosen, sizes_bytes):
        if not 1 <= size <= SIZE_BYTES_MAX:
            raise UsageError(f"--size is from 1 to {SIZE_BYTES_MAX} bytes, not {size}.")
        ciphers.check_length(cipher, size)
        fitting = [operation for operation in cipher.operations if not wanted or operation in wanted]
        if not fitting:
            raise UsageError(f"{cipher} knows {' and '.join(cipher.operations)}, not {', '.join(wanted)}.")
        for operation in fitting:
            yield Point(cipher, operation, size, jobs, batch or jobs, keys, rounds)


def _operation(name: str) -> Operation:
    try:
        return Operation(name)
    except ValueError as error:
        raise UsageError(f"There is no operation '{name}'. There are: {', '.join(Operation)}.") from error


def check_supported(engine: Engine, wanted: Iterable[Point]) -> None:
    for point in wanted:
        if not engine.supports(point.cipher, point.operation):
            raise UsageError(f"The engine '{engine.name}' cannot {point.operation} with {point.cipher}.")


def write_json(path: Path, records: Iterable[Record]) -> None:
    """One record a line; `-` is standard output."""
    text = "".join(json.dumps(record.as_json()) + "\n" for record in records)
    if str(path) == "-":
        print(text, end="")
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutworkError(f"The records cannot be written to {path}: {error.strerror}.") from error


def table(records: Iterable[tuple[Point, Record]]) -> "Table":
    """What a person reads. Device figures are counted cycles at a board's clock, CPU figures are thread CPU time."""
    rows = list(records)
    has_published = any(published.beside(point) for point, _ in rows)
    from rich.table import Table

    view = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("engine", "algorithm", "operation"):
        view.add_column(title, no_wrap=True)
    for title in ("bytes", "jobs", "batch", "cycles", "bytes/cycle", "MB/s", "latency"):
        view.add_column(title, justify="right", no_wrap=True)
    if has_published:
        view.add_column("published", no_wrap=True)
    for point, record in rows:
        is_counted = record.kind is Kind.COUNTED
        view.add_row(
            f"{record.engine} ({record.board})" if record.board else record.engine,
            record.algorithm,
            record.operation,
            f"{record.size_bytes}",
            f"{record.jobs}",
            f"{record.batch}",
            f"{record.cycles:.0f}" if is_counted else "",
            f"{record.bytes_per_cycle:.2f}" if is_counted else "",
            f"{record.megabytes_per_second:.1f}",
            f"{record.latency_cycles:.0f} cycles" if is_counted else f"{record.latency_seconds * 1e9:.0f} ns",
            *([_published(point) if is_counted else ""] if has_published else []),
        )
    return view


def _published(point: Point) -> str:
    figure = published.beside(point)
    if figure is None:
        return ""
    return f"{figure.bytes_per_cycle:.2g} B/cycle, {figure.megabytes_per_second:.4g} MB/s, {figure.source}"


def caption(engine: Engine) -> str:
    if engine.name == "accelerator":
        return (
            f"Device cycles counted on {engine.description}, from the first doorbell to the last completion; "
            "MB/s at that clock. Not the simulator's speed."
        )
    return f"Thread CPU time of {engine.description}, one message a call with a new IV, median of rounds."
