# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What the lab asks of whatever it measures.

A module of this folder with a function `candidates() -> list[Candidate]` is an engine: that one file is all that a new one
needs. The lab opens candidates that are not missing, prepares a point on each, takes samples in interleaved rounds, and
makes the record; an engine only says what it can do and how long it took.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple, Self

from outwork.profiles import Profile
from outwork.records import Kind, Point


class Sample(NamedTuple):
    """One round. Seconds of thread CPU time, or cycles of the device: the engine's `unit`."""

    cost: float  # of one message, with the point's `jobs` in flight
    latency: float  # of one message alone


class Work(ABC):
    """A point made ready on an engine: memory, keys and contexts exist, and the result was found right.

    `prepare` has checked the answer against an independent implementation: a wrong answer is no figure.
    """

    messages: int  # that the cost of a sample is the mean of
    overhead_seconds: float | None = None  # of the cost: the measuring loop with a call that does nothing

    @abstractmethod
    def sample(self) -> Sample: ...

    def stages(self) -> dict[str, float] | None:
        """Device cycles of an average job in each stage, over all samples."""
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
    #: Samples repeat exactly, so that few are enough.
    is_exact: bool = False

    @abstractmethod
    def refuses(self, point: Point) -> str:
        """Why this point cannot be measured here; empty if it can."""

    @abstractmethod
    def prepare(self, point: Point) -> Work: ...

    def clock_hz(self) -> int | None:
        """Of the device, or of this CPU as measured now."""
        return None

    def parameters(self) -> dict[str, Any]:
        """Of the board profile and the device's build."""
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
    """An implementation that may be measured on this machine, or the reason why not."""

    engine: str  # software: no crypto instructions; cpu: with them; accelerator: the device
    implementation: str  # openssl, mbedtls, ...
    library: str  # its own name and version; empty when missing
    constant_time: bool | None  # as its authors say; None: they do not say
    open: Callable[[Profile | None], LabEngine]  # the profile is for engines with a board
    note: str = ""  # what a reader of its figures must know, such as which instructions are masked
    missing: str = ""  # why it cannot be used here, and what to install; else empty
    has_board: bool = False
    #: Whether the engine's name alone (`accelerator`) means this one too; else it is measured only when named in full.
    answers_to_family: bool = True

    @property
    def name(self) -> str:
        return f"{self.engine}/{self.implementation}"
