# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The interface of everything that the lab measures.

A module of this folder with a function `candidates() -> list[Candidate]` is an engine; a new engine needs only this one
file. The lab opens candidates that are not missing, prepares a point on each, takes samples in interleaved rounds, and
makes the record; an engine reports what it can do and how long it took.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from outwork.algorithms.combined import Combined
from outwork.device.profiles import Environment, Profile
from outwork.lab.records import KeyUse, Kind, Point

EXACT_ROUNDS: Final = 3
KEYS_IN_SLOTS: Final = "AES with HMAC takes its keys from slots; measure new-iv or rotate instead"


def wants_inline_keys(point: Point) -> bool:
    """Returns whether a job of the device would have to bring keys along that it can only have in a slot."""
    return isinstance(point.algorithm, Combined) and point.keys is KeyUse.NEW_KEY


class Sample(NamedTuple):
    """The result of one round. Seconds of thread CPU time, or cycles of the device: see the engine's `unit`."""

    cost: float  # per message, with the point's `jobs` in flight
    latency: float  # of one message alone


class Work(ABC):
    """A prepared point of an engine: memory, keys and contexts exist, and the result has been checked.

    `prepare` has compared the result with that of an independent implementation: only correct results are measured.
    """

    messages: int  # per sample, whose cost is their mean
    overhead_seconds: float | None = None  # part of the cost: the measuring loop with a call that does nothing

    @abstractmethod
    def sample(self) -> Sample: ...

    def stages(self) -> dict[str, float] | None:
        """Device cycles of an average job in each stage, over all samples."""
        return None

    def cpu_cycles(self) -> float | None:
        """Cycles for a message that the CPU spent, where both have one clock."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Frees everything and wipes keys."""


class LabEngine(ABC):
    """An opened implementation. For one thread."""

    kind: Kind
    unit: str  # "seconds" or "cycles"
    environment: str = "host"
    board: str | None = None
    # : Whether samples repeat exactly, so that few are enough.
    is_exact: bool = False

    @abstractmethod
    def refuses(self, point: Point) -> str:
        """Returns why this point cannot be measured; empty if it can."""

    def rules_out(self, point: Point) -> str:
        """Returns what `refuses` does, as far as it is known without running the engine's program, which may take long."""
        return self.refuses(point)

    def keep_boot(self) -> None:
        """Makes what this engine starts from in every process, if it is not there: it takes long, and is kept."""
        return

    def make_ready(self, point: Point) -> None:
        """Does what is needed once to measure such points and takes long: its time is not theirs."""
        return

    @abstractmethod
    def prepare(self, point: Point) -> Work: ...

    def rounds(self, point: Point, wanted: int) -> int:
        """Returns how many samples to take of a point, at most as many as are wanted."""
        return min(wanted, EXACT_ROUNDS) if self.is_exact else wanted

    def clock_hz(self) -> int | None:
        """Returns the clock of the device, or of this CPU as measured now."""
        return None

    def parameters(self) -> dict[str, Any]:
        """Returns the parameters of the board profile and of the device's build."""
        return {}

    def close(self) -> None:
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class Candidate:
    """An implementation that can be measured on this machine, or the reason why it cannot."""

    engine: str  # software: no crypto instructions; cpu: with them; accelerator: the device
    implementation: str  # openssl, mbedtls, ...
    library: str  # its own name and version; empty when missing
    constant_time: bool | None  # as its authors say; None: unknown
    open: Callable[[Profile | None], LabEngine]  # the profile is for engines with a board
    note: str = ""  # what readers of its figures must know, for example which instructions are masked
    missing: str = ""  # why it cannot be used here, and what to install; empty: it can
    has_board: bool = False
    environment: Environment = Environment.HOST
    # : Whether the engine's name alone (`accelerator`) includes this one; else it is measured only by its full name.
    answers_to_family: bool = True

    @property
    def name(self) -> str:
        return f"{self.engine}/{self.implementation}"

    @property
    def place(self) -> tuple[str, str]:
        """Returns its name and its environment: what tells it from all others."""
        return self.name, self.environment.value
