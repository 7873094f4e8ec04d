# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs lists of jobs on the bench of an engine that shares the shell's ports."""

from __future__ import annotations

import dataclasses
import subprocess
from pathlib import Path

import benches
import pytest

# The engine at its smallest, as gates.
GATES = {"Gates": 1}
# What lists of jobs that name no parameters play on: the engine as the top has it.
standard: dict[str, int] = {}
# A test that plays on both (the fixture `form`).
both_forms = pytest.mark.usefixtures("form")


def build(engine: str, parameters: dict[str, int] | None = None) -> Path:
    """The bench's program; each setting is named in the CMakeLists.txt of the engine's tests."""
    return benches.program(
        "_".join([f"{engine}_bench", *(f"{k}{v}" for k, v in sorted((parameters or standard).items()))])
    )


@dataclasses.dataclass
class Played:
    """Cycles of every job's command and result, and of the marks."""

    first: dict[int, int]
    last: dict[int, int]
    marks: dict[str, int]
    cycles: int
    seconds: float
    slowest_abort: int = 0


def play(
    engine: str,
    lines: list[str],
    where: Path,
    parameters: dict[str, int] | None = None,
    **options: int,
) -> Played:
    """Runs a list; an AssertionError tells what differed and how to see it again."""
    program = build(engine, parameters)
    path = where / "jobs.txt"
    path.write_text("\n".join(lines) + "\n")
    command = [str(program), str(path), *(f"{k.rstrip('_')}={v}" for k, v in options.items())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    why = [line for line in done.stdout.splitlines() if line.startswith("FAIL") or "%Error" in line]
    assert done.returncode == 0, f"{why}{done.stderr[-600:]}\nagain: {' '.join(command)}"
    played = Played({}, {}, {}, 0, 0.0)
    for line in done.stdout.splitlines():
        what, *rest = line.split()
        if what == "job":
            played.first[int(rest[0])], played.last[int(rest[0])] = int(rest[1]), int(rest[2])
        elif what == "mark":
            played.marks[rest[0]] = int(rest[1])
        elif what == "abort":
            played.slowest_abort = int(rest[0])
        elif what == "cycles":
            played.cycles = int(rest[0])
        elif what == "seconds":
            played.seconds = float(rest[0])
    return played
