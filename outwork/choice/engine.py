# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Chooses the engine: the one that the user names, the one that the policy prefers, or software if the device cannot do
the work."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from outwork import engines
from outwork.algorithms.base import Algorithm, Operation, no_software
from outwork.choice import policy
from outwork.choice.policy import Decision
from outwork.engines.base import Engine
from outwork.errors import NoDeviceError, UsageError, unknown_name
from outwork.messages import note

AUTO: Final = "auto"
DEVICE: Final = "accelerator"
SOFTWARE: Final = "software"


@dataclass(frozen=True)
class Shape:
    """The work as the policy sees it: the size of a message (a chunk of a file), and how many are in flight."""

    message_bytes: int
    depth: int

    @classmethod
    def of_file(cls, size_bytes: int | None, chunk_bytes: int, is_serial: bool) -> "Shape":
        """Returns the shape of a file. Treats an unknown size as large."""
        if size_bytes is None:
            size_bytes = chunk_bytes * DEPTH
        chunks = -(-size_bytes // chunk_bytes)
        return cls(min(size_bytes, chunk_bytes), 1 if is_serial else max(1, min(chunks, DEPTH)))


DEPTH: Final = 16  # chunks that the accelerator engine keeps in flight


@dataclass(frozen=True)
class EngineChoice:
    name: str
    board: str
    shows_statistics: bool = False
    policy_file: Path | None = None
    explains: bool = False
    boards: int = 1  # that share the work, if there is more of it than one keeps in flight

    def __post_init__(self) -> None:
        """Checks the names before the user has to type a password."""
        names = [*engines.available(), AUTO]
        if self.name not in names:
            raise unknown_name("engine", self.name, names)

    def check(self, algorithm: Algorithm) -> None:
        """Checks, before the user has to type a password, that the named engine may have the algorithm."""
        if self.name == SOFTWARE and not algorithm.has_software:
            raise no_software(algorithm)

    def open(self, algorithm: Algorithm, operation: Operation, shape: Shape) -> Engine:
        """Opens the engine. If the device cannot do the work, prints a note and opens software."""
        name = self._decide(algorithm, operation, shape)
        try:
            engine = engines.open_engine(name, self.board, self.boards if shape.depth == DEPTH else 1)
        except NoDeviceError as error:
            if self.name != AUTO or not algorithm.has_software:
                raise
            note(f"using software, because there is no device: {error}")
            engine = engines.open_engine(SOFTWARE, self.board)
        if engine.supports(algorithm, operation):
            return engine
        engine.close()
        if engine.name == SOFTWARE:
            raise no_software(algorithm)
        if not algorithm.has_software:
            raise UsageError(
                f"The device of board '{self.board}' cannot {operation} with {algorithm}, and this machine's OpenSSL has no "
                f"{algorithm}: choose a board that has it with --board."
            )
        note(f"the device of board '{self.board}' cannot {operation} with {algorithm}; using software.")
        return engines.open_engine(SOFTWARE, self.board)

    def _decide(self, algorithm: Algorithm, operation: Operation, shape: Shape) -> str:
        if self.name != AUTO:
            if self.explains:
                note(f"engine: {self.name}, because it was named.")
            return self.name
        found = policy.find(self.policy_file)
        if not algorithm.has_software:
            decision = Decision(True, f"this machine's OpenSSL has no {algorithm}")
        elif found is None:
            decision = Decision(
                False, "there is no policy yet: `outwork lab run policy && outwork lab policy` measures and writes one"
            )
        else:
            decision = found.decide(algorithm, operation, shape.message_bytes, shape.depth)
        name = DEVICE if decision.on_device else SOFTWARE
        if self.explains:
            note(f"engine: {name}, because {decision.reason}.")
        return name
