# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where a program of the lab runs on the system on chip: from reset on the bare machine, or as a process of a Linux that
has been booted once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from outwork.device.profiles import Environment, Profile
from outwork.errors import OutworkError
from outwork.soc import linux, memory_map
from outwork.soc import program as programs
from outwork.soc.copies import in_copy
from outwork.soc.system import System

Result = TypeVar("Result")
READY: Final = b"point: ready\n"  # POINT_READY
AFTER: Final = "init: "  # what the first process says when the program has ended
BOOT_STEP_CYCLES: Final = 100_000
STACK_BYTES: Final = 1 << 20


class Machine:
    """Runs a program of an environment again and again, each time from the same state."""

    def __init__(self, elf: Path, profile: Profile, environment: Environment) -> None:
        self.elf, self.profile = elf, profile
        self._is_linux = environment is Environment.LINUX
        begin, length = memory_map.program_memory(self._is_linux)
        self.point_base = begin + length // 2  # POINT_BASE
        self.point_bytes = length // 2 - STACK_BYTES
        self._booted: System | None = None

    def run(self, task: Callable[[System], Result]) -> Result:
        """Returns what `task` makes of a system whose program has not looked at its point yet."""
        if not self._is_linux:
            with System(programs.load(self.elf), self.profile) as system:
                return task(system)
        if self._booted is None:
            self._booted = self._boot()
        booted = self._booted
        return in_copy(lambda: task(booted))

    def _boot(self) -> System:
        system, console = linux.booted(self.profile), b""
        linux.deliver(system, self.elf)
        while not console.endswith(READY):
            console += system.run(BOOT_STEP_CYCLES).replace(b"\r", b"")
            if system.finished:
                system.close()
                raise OutworkError(f"Linux has not started {self.elf.stem}: {console.decode(errors='replace').strip()}")
        return system

    def finish(self, system: System) -> str:
        """Runs to the end of the program. Returns what it has printed."""
        console = b""
        while not system.finished:
            console += system.run()
        return console.decode(errors="replace").split(AFTER)[0].strip()

    def close(self) -> None:
        if self._booted is not None:
            self._booted.close()
            self._booted = None
