# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the list that an engine's bench plays (job_list.h): keys, questions to the planner, jobs with their results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import engine_bench


class Ended(Protocol):
    """How a job ends, by the golden model."""

    status: int
    tag: bytes


class JobLines:
    """Each engine's list makes the fields of its jobs: opcode, key, tag length, flags, lengths, IV, key information, plan."""

    engine: str  # whose bench plays it

    def __init__(self, **parameters: int) -> None:
        self.lines: list[str] = []
        self.slots: dict[int, Any] = {}  # keys that are loaded
        self.count = 0  # jobs, of which the next has this number
        self.parameters = parameters

    def note(self, line: str) -> None:
        self.lines.append(line)

    def load_key(self, slot: int, opcode: int, sizes: int, data: bytes, refused: bool) -> None:
        self.lines.append(f"K {slot} {opcode} {sizes} {data.hex() or '-'} {int(refused)}")

    def load(self, slot: int, opcode: int, key: bytes, refused: bool = False) -> None:
        """Loads a key of one part for one opcode."""
        self.slots.pop(slot, None)
        if not refused:
            self.slots[slot] = opcode, key
        self.load_key(slot, opcode, len(key), key, refused)

    def _line(self, letter: str, fields: Sequence[object]) -> None:
        self.lines.append(" ".join(str(int(f) if isinstance(f, bool) else f) for f in [letter, self.count, *fields]))

    def ask(self, fields: Sequence[object]) -> None:
        """Only asks the planner."""
        self._line("Q", [*fields, -1, 0, "-", "-", 0, 0])

    def run(
        self,
        fields: Sequence[object],
        ended: Ended,
        given: Sequence[bytes],
        out: Sequence[bytes],
        abort: int = -1,
        made: str = "-",
    ) -> None:
        """Runs a job: words that come, words that must leave, the key that it makes (job_list.h); aborts it `abort` cycles
        after its command."""
        words = [len(given), *(w.hex() for w in given), len(out), *(x for w in out for x in (len(w), w.hex()))]
        self._line("J", [*fields, abort, ended.status, ended.tag.hex(), made, *words])
        self.count += 1

    def play(self, where: Path, **options: int) -> engine_bench.Played:
        return engine_bench.play(self.engine, self.lines, where, self.parameters, **options)
