# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What is measured (a point) and what is written down (a record): one documented shape for every engine.

`docs/records.md` describes each field. A record is one line of JSON; everything else (tables, break-evens, the report, the
policy) is made from records alone.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from outwork.algorithms import Algorithm
from outwork.ciphers import Operation

SCHEMA: Final = 1


class KeyUse(StrEnum):
    """What changes from one message to the next."""

    KEPT = "kept"  # nothing: the next piece of one long message, no IV is set
    NEW_IV = "new-iv"  # the IV; one key, prepared before
    ROTATE = "rotate"  # the IV, and the key to another one that was prepared before (key slot)
    NEW_KEY = "new-key"  # the IV and the key
    NEW_CONTEXT = "new-context"  # everything: a context is made, used once and freed


class Kind(StrEnum):
    """Where a figure comes from. Figures of different kinds are not divided by each other without saying so."""

    COUNTED = "counted"  # cycles that the simulated device counted; seconds at the clock of its board profile
    MEASURED = "measured"  # CPU time on this machine: of the thread, or of the process that moves a file
    MODELLED = "modelled"  # put together from counted and published parts: a design that is not in Outwork
    PUBLISHED = "published"  # somebody else's, with its source


@dataclass(frozen=True)
class Point:
    """One setting to measure, on whichever engine."""

    algorithm: Algorithm
    operation: Operation
    size_bytes: int
    jobs: int = 1  # messages in flight at once
    batch: int = 1  # messages announced together
    keys: KeyUse = KeyUse.NEW_IV
    alignment_bytes: int = 0  # source and destination start so many bytes past a multiple of 64

    def key(self) -> dict[str, Any]:
        """The fields by which a point is found again in another run."""
        return {
            "algorithm": self.algorithm.name,
            "operation": self.operation.value,
            "size_bytes": self.size_bytes,
            "jobs": self.jobs,
            "batch": self.batch,
            "keys": self.keys.value,
            "alignment_bytes": self.alignment_bytes,
        }


@dataclass(frozen=True)
class Spread:
    """Of the samples: 5th, 50th and 95th percentile."""

    p5: float
    p50: float
    p95: float


@dataclass(frozen=True)
class Record:
    """One measured point. What an engine cannot know is None.

    `cost` is what one message takes with `jobs` in flight (the inverse of throughput), `latency` what one alone takes from
    request to result; both in `unit`: "cycles" of the device (kind counted) or "seconds" of thread CPU time (measured).
    """

    kind: Kind
    engine: str  # software, cpu, accelerator
    implementation: str  # openssl, mbedtls, outwork, ...
    library: str  # the implementation's own name and version
    constant_time: bool | None  # as its authors say; None: they do not say
    board: str | None
    environment: str  # host, simulated board
    algorithm: str
    key_bits: int
    operation: str
    size_bytes: int
    jobs: int
    batch: int
    keys: str
    alignment_bytes: int
    unit: str
    clock_hz: int | None  # of the device, or as measured of this CPU (None: could not be)
    messages: int  # that a sample is the mean of
    cost: Spread
    latency: Spread
    cost_samples: tuple[float, ...]
    latency_samples: tuple[float, ...]
    is_wide: bool  # the samples scatter too much to rely on the median
    overhead_seconds: float | None  # of the cost: what the measuring loop itself takes (CPU engines)
    stages: dict[str, float] | None  # device cycles of an average job in each stage (accelerator)
    parameters: dict[str, Any] = field(default_factory=dict)  # of the board profile and the device's build
    origin: dict[str, Any] = field(default_factory=dict)  # machine, versions, commit, load, time: see lab/origin.py
    schema: int = SCHEMA

    @property
    def seconds(self) -> float:
        """One message with `jobs` in flight."""
        return self._in_seconds(self.cost.p50)

    @property
    def latency_seconds(self) -> float:
        return self._in_seconds(self.latency.p50)

    @property
    def megabytes_per_second(self) -> float:
        return self.size_bytes / self.seconds / 1e6

    @property
    def cycles_per_byte(self) -> float | None:
        """Of the device, or of this CPU at the frequency that was measured."""
        if self.unit == "cycles":
            return self.cost.p50 / self.size_bytes
        return None if self.clock_hz is None else self.cost.p50 * self.clock_hz / self.size_bytes

    @property
    def bytes_per_cycle(self) -> float | None:
        cycles_per_byte = self.cycles_per_byte
        return None if cycles_per_byte is None else 1 / cycles_per_byte

    def _in_seconds(self, value: float) -> float:
        if self.unit == "seconds":
            return value
        assert self.clock_hz is not None, "a counted record has its clock"
        return value / self.clock_hz

    def key(self) -> dict[str, Any]:
        """The fields by which the same measurement is found in another run."""
        return {name: getattr(self, name) for name in KEY_FIELDS}

    @property
    def id(self) -> str:
        return record_id(self.key())

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, **asdict(self), "megabytes_per_second": self.megabytes_per_second}

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> "Record":
        """Raises ValueError with what is wrong. Fields of later versions are passed over."""
        if row.get("schema") != SCHEMA:
            raise ValueError(f"its schema is {row.get('schema')!r}; this program reads {SCHEMA}")
        known = {entry.name for entry in fields(cls)}
        values = {name: value for name, value in row.items() if name in known}
        lacking = known - values.keys()
        if lacking:
            raise ValueError(f"it lacks {', '.join(sorted(lacking))}")
        try:
            values["kind"] = Kind(values["kind"])
            for name in ("cost", "latency"):
                values[name] = Spread(**{part: float(number) for part, number in values[name].items()})
                values[f"{name}_samples"] = tuple(float(number) for number in values[f"{name}_samples"])
            _check_types(cls, values)
            if not values["cost"].p50 > 0 or not values["size_bytes"] > 0:
                raise ValueError("its cost and its size must be more than zero")
            if values["unit"] not in ("cycles", "seconds"):
                raise ValueError(f"its unit is {values['unit']!r}, neither cycles nor seconds")
            if values["unit"] == "cycles" and not values["clock_hz"]:
                raise ValueError("it counts cycles of a clock that it does not name")
        except (TypeError, AttributeError) as error:
            raise ValueError(f"a field has the wrong type ({error})") from error
        return cls(**values)


def _check_types(record: type, values: dict[str, Any]) -> None:
    for name, hint in get_type_hints(record).items():
        parts = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        allowed = {get_origin(part) or part for part in parts}
        kind = type(values[name])
        if kind not in allowed and not (kind is int and float in allowed):
            raise TypeError(f"{name} is {values[name]!r}")


KEY_FIELDS: Final = (
    "engine",
    "implementation",
    "board",
    "environment",
    "algorithm",
    "operation",
    "size_bytes",
    "jobs",
    "batch",
    "keys",
    "alignment_bytes",
)


def record_id(key: dict[str, Any]) -> str:
    """Sixteen digits that name a measurement, the same in every run."""
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:16]
