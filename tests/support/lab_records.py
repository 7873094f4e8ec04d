# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Artificial records for tests: an engine that costs `fixed` and `per_byte` seconds, with `noise`."""

import random
from collections.abc import Iterable
from dataclasses import replace

from outwork.lab import statistics
from outwork.lab.records import Kind, Record

CLOCK_HZ = 100_000_000


def record(
    size_bytes: int,
    seconds: Iterable[float],
    *,
    engine: str = "cpu",
    implementation: str = "openssl",
    board: str | None = None,
    environment: str = "host",
    algorithm: str = "aes-256-gcm",
    operation: str = "encrypt",
    jobs: int = 1,
    keys: str = "new-iv",
    kind: Kind | None = None,
) -> Record:
    is_device = engine == "accelerator"
    samples = tuple(value * CLOCK_HZ if is_device else value for value in seconds)
    return Record(
        kind=kind or (Kind.COUNTED if is_device else Kind.MEASURED),
        engine=engine,
        implementation=implementation,
        library="made up",
        constant_time=True,
        board=board,
        environment=environment,
        algorithm=algorithm,
        key_bits=256,
        operation=operation,
        size_bytes=size_bytes,
        jobs=jobs,
        batch=jobs,
        keys=keys,
        alignment_bytes=0,
        unit="cycles" if is_device else "seconds",
        clock_hz=CLOCK_HZ if is_device else None,
        messages=1,
        cost=statistics.spread(samples),
        latency=statistics.spread(samples),
        cost_samples=samples,
        latency_samples=samples,
        is_wide=statistics.is_wide(samples),
        overhead_seconds=None,
        stages={"data": 1.0} if is_device else None,
        parameters={"data_width": 128} if is_device else {},
        origin={"cpu": "a CPU", "time": "2026-01-01T00:00:00+00:00"},
    )


def on_soc(size_bytes: int, cycles: float, **fields: object) -> Record:
    """A record of the system on chip, where software too is counted in cycles of the board's clock."""
    where = {"board": "soc", "environment": "bare-metal", "kind": Kind.COUNTED, **fields}
    made = record(size_bytes, [cycles / CLOCK_HZ] * 3, **where)  # type: ignore[arg-type]
    samples = (cycles,) * 3
    return replace(
        made,
        unit="cycles",
        clock_hz=CLOCK_HZ,
        cost=statistics.spread(samples),
        latency=statistics.spread(samples),
        cost_samples=samples,
        latency_samples=samples,
        cpu_cycles=cycles / 2,
    )


def series(
    fixed: float, per_byte: float, sizes: Iterable[int], *, noise: float = 0.0, seed: int = 1, **fields: object
) -> list[Record]:
    source = random.Random(seed)
    return [
        record(
            size,
            [(fixed + per_byte * size) * (1 + source.uniform(-noise, noise)) for _ in range(7)],
            **fields,  # type: ignore[arg-type]
        )
        for size in sizes
    ]


def device(fixed: float, per_byte: float, sizes: Iterable[int], **fields: object) -> list[Record]:
    where = {"engine": "accelerator", "implementation": "outwork", "board": "reference"}
    return series(fixed, per_byte, sizes, **{**where, "environment": "simulated board", **fields})
