# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The cost model t(n) = a + b n of an engine, and the size from which the device is faster than another engine.

Two kinds of seconds are compared here: the device's cycles at the clock of its board, and CPU time of this machine. A
text that shows a break-even must say so.
"""

import random
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from outwork.lab.records import Kind, Record
from outwork.lab.statistics import SEED, percentile

RESAMPLES: Final = 400
SIZES_MIN: Final = 3
# A break-even above this size counts as none.
SIZE_MAX: Final = float(1 << 40)

Outcome = Literal["from", "until", "always", "never"]


@dataclass(frozen=True)
class CostModel:
    """t(n) = fixed_seconds + seconds_per_byte n, for a message of n bytes."""

    fixed_seconds: float
    seconds_per_byte: float
    sizes_bytes: tuple[int, ...]  # sizes that the model was fitted to
    residuals: tuple[float, ...]  # relative, one per size: (measured - model) / measured

    def seconds(self, size_bytes: float) -> float:
        return self.fixed_seconds + self.seconds_per_byte * size_bytes


@dataclass(frozen=True)
class Setting:
    """The settings that two engines must share to be compared."""

    algorithm: str
    operation: str
    jobs: int
    batch: int
    keys: str
    alignment_bytes: int


@dataclass(frozen=True)
class BreakEven:
    """`from`: the device is faster from `size_bytes` on; `until`: up to `size_bytes`; `always`, `never`: at every size."""

    setting: Setting
    device: str  # implementation and board
    rival: str  # engine/implementation
    outcome: Outcome
    size_bytes: float | None
    low_bytes: float | None  # of the 95 % interval; None: no lower end
    high_bytes: float | None  # None: no upper end
    is_extrapolated: bool  # outside the measured sizes
    device_model: CostModel
    rival_model: CostModel


def fit(sizes_bytes: Sequence[int], seconds: Sequence[float]) -> CostModel:
    """Fits by least squares of the relative error, so that small and large messages count the same; no cost is below
    zero."""
    fixed, per_byte = _solve(sizes_bytes, seconds)
    residuals = tuple((time - fixed - per_byte * size) / time for size, time in zip(sizes_bytes, seconds, strict=True))
    return CostModel(fixed, per_byte, tuple(sizes_bytes), residuals)


def _solve(sizes: Sequence[int], seconds: Sequence[float]) -> tuple[float, float]:
    # Minimises sum (1 - a u - b v)^2 with u = 1/t, v = n/t.
    u1 = v1 = uu = uv = vv = 0.0
    for size, time in zip(sizes, seconds, strict=True):
        u = 1 / time
        v = size * u
        u1, v1, uu, uv, vv = u1 + u, v1 + v, uu + u * u, uv + u * v, vv + v * v
    determinant = uu * vv - uv * uv
    if determinant > 1e-12 * uu * vv:
        fixed = (u1 * vv - v1 * uv) / determinant
        per_byte = (v1 * uu - u1 * uv) / determinant
        if fixed >= 0 and per_byte >= 0:
            return fixed, per_byte
        if per_byte < 0:
            return u1 / uu, 0.0
    return 0.0, v1 / vv


def model_of(records: Sequence[Record]) -> CostModel | None:
    """Returns the model of records that differ in size only; None if there are too few sizes."""
    if len(records) < SIZES_MIN:
        return None
    ordered = sorted(records, key=lambda record: record.size_bytes)
    return fit([record.size_bytes for record in ordered], [record.seconds for record in ordered])


def crossing(device: CostModel, rival: CostModel) -> tuple[Outcome, float | None]:
    fixed = device.fixed_seconds - rival.fixed_seconds
    slope = rival.seconds_per_byte - device.seconds_per_byte
    size = fixed / slope if slope else 0.0
    if (fixed <= 0 and slope >= 0) or (slope > 0 and size < 1):
        return "always", None
    if (fixed >= 0 and slope <= 0) or (slope > 0 and size > SIZE_MAX):
        return "never", None
    if slope < 0 and size > SIZE_MAX:
        return "always", None
    if slope < 0 and size < 1:
        return "never", None
    return ("from" if slope > 0 else "until"), size


def _medians(samples: Sequence[float], source: random.Random) -> list[float]:
    """Returns the medians of samples drawn with replacement."""
    if min(samples) == max(samples):
        return [samples[0]] * RESAMPLES
    count = len(samples)
    drawn = source.choices(samples, k=count * RESAMPLES)
    return [statistics.median(drawn[place : place + count]) for place in range(0, len(drawn), count)]


class _Line:
    """The records of an engine that differ in size only: the model, and its bootstrap, computed once for all rivals."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = sorted(records, key=lambda record: record.size_bytes)
        self.sizes = [record.size_bytes for record in self.records]
        self.model = model_of(self.records)

    @cached_property
    def drawn(self) -> list[CostModel]:
        """Returns bootstrap models: raw samples and the model's residuals are both drawn with replacement."""
        assert self.model is not None
        # A seed of its own, so that engines are drawn independently, whatever the order of the records.
        source = random.Random(f"{SEED} {self.records[0].id}")
        misfit = [1 + share for share in self.model.residuals]
        columns = [_medians(record.cost_samples, source) for record in self.records]
        scales = [record.seconds / record.cost.p50 for record in self.records]
        found = []
        for medians in zip(*columns, strict=True):
            seconds = [
                scale * median * share
                for scale, median, share in zip(scales, medians, source.choices(misfit, k=len(scales)), strict=True)
            ]
            found.append(CostModel(*_solve(self.sizes, seconds), (), ()))
        return found


def _break_even(setting: Setting, device: _Line, rival: _Line) -> BreakEven | None:
    """Returns the break-even; None if one of the two has too few sizes for a model."""
    if device.model is None or rival.model is None:
        return None
    outcome, size = crossing(device.model, rival.model)
    low = high = None
    if size is not None:
        drawn = [crossing(*models) for models in zip(device.drawn, rival.drawn, strict=True)]
        # If the device always wins in a draw, the break-even is below all sizes; if it never wins, above all.
        ends = {"from": {"always": 0.0, "never": SIZE_MAX}, "until": {"never": 0.0, "always": SIZE_MAX}}[outcome]
        sizes = [found if found is not None and kind == outcome else ends.get(kind, SIZE_MAX) for kind, found in drawn]
        low, high = percentile(sizes, 0.025), percentile(sizes, 0.975)
    measured = [*device.sizes, *rival.sizes]
    return BreakEven(
        setting,
        f"{device.records[0].implementation} on {device.records[0].board}",
        f"{rival.records[0].engine}/{rival.records[0].implementation}",
        outcome,
        size,
        low if low is None or low >= 1 else None,
        high if high is None or high < SIZE_MAX else None,
        size is not None and not min(measured) <= size <= max(measured),
        device.model,
        rival.model,
    )


def break_evens(records: Iterable[Record]) -> list[BreakEven]:
    """Returns the break-evens of every device against every other engine, for each setting in which both were measured;
    files only against files, a system on chip only against itself.

    A CPU engine without records of several jobs in flight is compared with its records of one job, because it processes
    one message at a time.
    """
    devices: dict[tuple[Setting, str], list[Record]] = defaultdict(list)
    rivals: dict[str, dict[Setting, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        name = f"{record.engine}/{record.implementation} {record.board} {record.environment}"
        if record.kind is Kind.COUNTED and record.engine == "accelerator":
            devices[setting_of(record), name].append(record)
        else:
            rivals[name][setting_of(record)].append(record)
    lines = {name: {setting: _Line(rows) for setting, rows in of.items()} for name, of in rivals.items()}
    found = []
    for (setting, _), rows in devices.items():
        device = _Line(rows)
        for by_setting in lines.values():
            rival = by_setting.get(setting) or by_setting.get(replace(setting, jobs=1, batch=1))
            if rival and _world(rival.records[0]) == _world(rows[0]):
                result = _break_even(setting, device, rival)
                if result is not None:
                    found.append(result)
    return found


def setting_of(record: Record) -> Setting:
    return Setting(record.algorithm, record.operation, record.jobs, record.batch, record.keys, record.alignment_bytes)


def _world(record: Record) -> tuple[bool, str | None]:
    """Returns what two records must have in common to be compared: whether they are of files, and on a system on chip
    its board."""
    return record.environment.startswith("file"), record.board if record.is_on_soc else None


def in_words(entry: BreakEven) -> str:
    """Returns a break-even as text: `from 1,240 bytes (1,180 to 1,310)`, `never`."""
    if entry.outcome in ("always", "never"):
        return f"{entry.outcome}{' at any size' if entry.outcome == 'always' else ''}"
    assert entry.size_bytes is not None
    low = "less" if entry.low_bytes is None else f"{entry.low_bytes:,.0f}"
    high = "more" if entry.high_bytes is None else f"{entry.high_bytes:,.0f}"
    beyond = ", beyond the measured sizes" if entry.is_extrapolated else ""
    return f"{entry.outcome} {entry.size_bytes:,.0f} bytes ({low} to {high}{beyond})"
