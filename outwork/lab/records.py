# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Points (what is measured) and records (results): one documented format for every engine.

`docs/records.md` describes each field. A record is one line of JSON; everything else (tables, break-evens, the report, the
policy) is made from records alone.
"""

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import asdict, astuple, dataclass, field, fields
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from outwork.algorithms import ALGORITHMS
from outwork.algorithms.base import Algorithm, Operation
from outwork.device import profiles

SCHEMA: Final = 1
FIGURE_MAX: Final = 1 << 63
# Of what is calculated with, or compared.
ORIGIN_TYPES: Final = {
    "cpu": (str,),
    "cpus": (int,),
    "load": (int, float),
    "points_left": (int,),
    "took_seconds": (int, float),
}


class KeyUse(StrEnum):
    """What changes from one message to the next."""

    KEPT = "kept"  # nothing: the next piece of one long message, no new IV
    NEW_IV = "new-iv"  # the IV; one prepared key
    ROTATE = "rotate"  # the IV, and the key to another prepared one (key slot)
    NEW_KEY = "new-key"  # the IV and the key
    NEW_CONTEXT = "new-context"  # everything: a context is created, used once and freed


class Kind(StrEnum):
    """The origin of a figure. A ratio of figures of different kinds must say so."""

    COUNTED = "counted"  # cycles that the simulated device counted; seconds at the clock of its board profile
    MEASURED = "measured"  # CPU time on this machine: of the thread, or of the process that moves a file
    MODELLED = "modelled"  # calculated from counted and published parts: a design that is not in Outwork
    PUBLISHED = "published"  # published by others, with its source


@dataclass(frozen=True)
class Point:
    """A setting to measure, on any engine."""

    algorithm: Algorithm
    operation: Operation
    size_bytes: int
    jobs: int = 1  # messages in flight at once
    batch: int = 1  # messages announced together
    keys: KeyUse = KeyUse.NEW_IV
    alignment_bytes: int = 0  # offset of source and destination from a multiple of 64 bytes

    def key(self) -> dict[str, Any]:
        """The fields that identify a point in another run."""
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
    """The 5th, 50th and 95th percentile of the samples."""

    p5: float
    p50: float
    p95: float


@dataclass(frozen=True)
class Record:
    """A measured point. What an engine does not know is None.

    `cost` is what one message takes with `jobs` in flight (the inverse of throughput), `latency` what one alone takes from
    request to result; both in `unit`: "cycles" of the device (kind counted) or "seconds" of thread CPU time (measured).
    """

    kind: Kind
    engine: str  # software, cpu, accelerator
    implementation: str  # openssl, mbedtls, outwork, ...
    library: str  # the implementation's own name and version
    constant_time: bool | None  # as its authors say; None: unknown
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
    clock_hz: int | None  # of the device, or of this CPU as measured (None: not measurable)
    messages: int  # per sample, whose cost is their mean
    cost: Spread
    latency: Spread
    cost_samples: tuple[float, ...]
    latency_samples: tuple[float, ...]
    is_wide: bool  # the samples vary too much for a reliable median
    overhead_seconds: float | None  # part of the cost: the measuring loop itself (CPU engines)
    stages: dict[str, float] | None  # device cycles of an average job in each stage (accelerator)
    cpu_cycles: float | None = None  # of the CPU for a message, where CPU and device have one clock
    parameters: dict[str, Any] = field(default_factory=dict)  # of the board profile and the device's build
    origin: dict[str, Any] = field(default_factory=dict)  # machine, versions, commit, load, time: see lab/origin.py
    schema: int = SCHEMA

    @property
    def seconds(self) -> float:
        """Seconds per message, with `jobs` in flight."""
        return self._in_seconds(self.cost.p50)

    @property
    def latency_seconds(self) -> float:
        return self._in_seconds(self.latency.p50)

    @property
    def megabytes_per_second(self) -> float:
        return self.size_bytes / self.seconds / 1e6

    @property
    def cycles_per_byte(self) -> float | None:
        """Cycles per byte of the device, or of this CPU at its measured clock."""
        if self.unit == "cycles":
            return self.cost.p50 / self.size_bytes
        return None if self.clock_hz is None else self.cost.p50 * self.clock_hz / self.size_bytes

    @property
    def bytes_per_cycle(self) -> float | None:
        cycles_per_byte = self.cycles_per_byte
        return None if cycles_per_byte is None else 1 / cycles_per_byte

    @property
    def device_clock(self) -> str:
        """The device's clock with its unit, and whether it is assumed."""
        return profiles.clock_text(self.clock_hz or 0, str(self.parameters.get("clock_source", "")))

    @property
    def is_on_soc(self) -> bool:
        """Whether CPU and device have one clock: all engines are counted in its cycles, the driver included."""
        return self.cpu_cycles is not None

    def _in_seconds(self, value: float) -> float:
        if self.unit == "seconds":
            return value
        assert self.clock_hz is not None, "a counted record has its clock"
        return value / self.clock_hz

    def key(self) -> dict[str, Any]:
        """The fields that identify the same measurement in another run."""
        return {name: getattr(self, name) for name in KEY_FIELDS}

    @property
    def id(self) -> str:
        return record_id(self.key())

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, **asdict(self), "megabytes_per_second": self.megabytes_per_second}

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> "Record":
        """Parses a record. Raises ValueError with the reason. Ignores fields of later versions."""
        if row.get("schema") != SCHEMA:
            raise ValueError(f"its schema is {row.get('schema')!r}; this program reads {SCHEMA}")
        known = {entry.name for entry in fields(cls)}
        values = {name: value for name, value in row.items() if name in known}
        lacking = known - values.keys() - {"cpu_cycles"}  # records of earlier versions lack it
        if lacking:
            raise ValueError(f"it lacks {', '.join(sorted(lacking))}")
        values.setdefault("cpu_cycles", None)
        try:
            values["kind"] = Kind(values["kind"])
            for name in ("cost", "latency"):
                values[name] = Spread(**{part: float(number) for part, number in values[name].items()})
                values[f"{name}_samples"] = tuple(float(number) for number in values[f"{name}_samples"])
            _check_types(cls, values)
            _check_figures(values)
            if values["algorithm"] not in ALGORITHMS:
                raise ValueError(f"this version does not have the algorithm '{values['algorithm']}'")
            Operation(values["operation"])
            if values["unit"] not in ("cycles", "seconds"):
                raise ValueError(f"its unit is {values['unit']!r}, neither cycles nor seconds")
            if values["unit"] == "cycles" and not values["clock_hz"]:
                raise ValueError("it counts cycles of a clock that it does not name")
        except (TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"a field has the wrong type ({error})") from error
        return cls(**values)


def device_clocks(records: Iterable[Record]) -> list[str]:
    """Returns the clocks of devices, the slowest first, each once."""
    return list(dict.fromkeys(row.device_clock for row in sorted(records, key=lambda row: row.clock_hz or 0)))


def _check_types(record: type, values: dict[str, Any]) -> None:
    for name, hint in get_type_hints(record).items():
        parts = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        allowed = {get_origin(part) or part for part in parts}
        kind = type(values[name])
        if kind not in allowed and not (kind is int and float in allowed):
            raise TypeError(f"{name} is {values[name]!r}")
    for name, kinds in ORIGIN_TYPES.items():
        if not isinstance(values["origin"].get(name), (*kinds, NoneType)):
            raise TypeError(f"{name} of its origin is {values['origin'][name]!r}")


def _check_figures(values: dict[str, Any]) -> None:
    """Raises ValueError for figures that nothing can be calculated from. Infinity is valid JSON here, and so is NaN."""
    for name in ("cost", "latency"):
        samples = values[f"{name}_samples"]
        if not samples or not all(0 < figure < math.inf for figure in (*astuple(values[name]), *samples)):
            raise ValueError(f"its {name} must be numbers above zero")
    for name in ("size_bytes", "jobs", "batch", "clock_hz"):
        if values[name] is not None and not 0 < values[name] < FIGURE_MAX:
            raise ValueError(f"its {name} must be above zero, and less than 2^63")
    cycles = (values["cpu_cycles"] or 0, *(values["stages"] or {}).values())
    if not all(type(figure) in (int, float) and 0 <= figure < FIGURE_MAX for figure in cycles):
        raise ValueError("its cycles must be numbers, zero or more")


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
    """Returns sixteen digits that identify a measurement, the same in every run."""
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:16]
