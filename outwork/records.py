# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What `outwork bench` measures (a point) and what it writes down (a record): one documented shape for every engine."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from outwork.ciphers import Cipher, Operation


class KeyUse(StrEnum):
    """How keys change from job to job."""

    SAME = "same"  # one key, prepared before
    ROTATE = "rotate"  # another prepared key (key slot) in every job
    INLINE = "inline"  # a new key in every job


class Kind(StrEnum):
    """Where a figure comes from. Figures of different kinds are not divided by each other."""

    COUNTED = "counted"  # device cycles, at the clock of a board profile
    MEASURED = "measured"  # thread CPU time on this machine
    PUBLISHED = "published"


@dataclass(frozen=True)
class Point:
    """One setting to measure."""

    cipher: Cipher
    operation: Operation
    size_bytes: int
    jobs: int = 1  # in flight at once
    batch: int = 1  # jobs announced together
    keys: KeyUse = KeyUse.SAME
    rounds: int = 3


@dataclass(frozen=True)
class Record:
    """One measured point. What an engine cannot know is None."""

    kind: Kind
    engine: str
    implementation: str
    board: str | None
    environment: str
    algorithm: str
    operation: str
    size_bytes: int
    jobs: int
    batch: int
    keys: str
    rounds: int
    jobs_total: int  # of a round
    cycles: float | None  # for all of them, from the first doorbell to the last completion: median
    bytes_per_cycle: float | None
    clock_hz: int | None
    megabytes_per_second: float
    latency_cycles: float | None  # doorbell to completion of one such job alone: median of rounds
    seconds: float  # that the jobs of a round took: cycles at the clock, or CPU time
    latency_seconds: float  # of one message alone
    call_overhead_seconds: float | None  # of it: what calling from Python costs (CPU engines)
    stages: dict[str, float] | None  # cycles of an average job in each stage (accelerator)
    machine: str
    version: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
