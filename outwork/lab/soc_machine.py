# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where a program of the lab runs on the system on chip: from reset on the bare machine, or under a Linux that has been
booted once, as a process or for the kernel's crypto API."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from outwork.device.profiles import Environment, Profile
from outwork.errors import OutworkError
from outwork.soc import linux, memory_map, module
from outwork.soc import program as programs
from outwork.soc.copies import in_copy
from outwork.soc.system import System

Result = TypeVar("Result")
READY: Final = re.compile(rb"point: ready ?([0-9a-f]*)\n$")  # POINT_READY
MODULE: Final = re.compile(rb"module: code at 0x([0-9a-f]+)\n")  # of guest_say_module()
ENDED: Final = re.compile(rb"point: ended (\d+)\n")  # POINT_ENDED
AFTER: Final = "init: "  # what the first process says when the program has ended
STEP_CYCLES: Final = 100_000  # between two looks at the console
STACK_BYTES: Final = 1 << 20
PIECE_BYTES: Final = 4 << 20  # what a kernel has in one piece
RING_BYTES: Final = 256 << 10  # of linux_queue.c

IN_LINUX: Final = (Environment.LINUX, Environment.LINUX_QUEUE, Environment.LINUX_KERNEL)


@dataclass(frozen=True)
class Place:
    """Where a point is, by the addresses of its program, and how much memory there is for it and its messages."""

    base: int  # POINT_BASE
    bytes: int


class Ended(NamedTuple):
    console: str  # what the program has printed
    status: int


def place_of(environment: Environment) -> Place:
    if environment is Environment.LINUX_KERNEL:
        return Place(0, PIECE_BYTES)  # addresses count from the point
    if environment is Environment.LINUX_QUEUE:
        begin, length = memory_map.PROCESS
        return Place(begin + length // 2, PIECE_BYTES - RING_BYTES)
    begin, length = memory_map.program_memory(environment is Environment.LINUX)
    return Place(begin + length // 2, length // 2 - STACK_BYTES)


class Machine:
    """Runs a program of an environment again and again, each time from the same state."""

    def __init__(self, elf: Path, profile: Profile, environment: Environment) -> None:
        self.elf, self.profile, self._environment = elf, profile, environment
        place = place_of(environment)
        self.point_base, self.point_bytes = place.base, place.bytes
        self._physical = place.base  # where the point is
        self._module_address: int | None = None
        self._booted: System | None = None
        self._code: tuple[programs.Program, ...] = ()

    @property
    def has_module(self) -> bool:
        """Whether Linux runs with the kernel module."""
        return self._environment in (Environment.LINUX_QUEUE, Environment.LINUX_KERNEL)

    def keep_boot(self) -> None:
        """Makes the checkpoint of a booted Linux, if the program runs under it and there is none."""
        if self._environment in IN_LINUX:
            linux.keep_booted(module.boot(self.has_module), self.profile)

    def start(self) -> System | None:
        """Boots Linux, if the program runs under it and it is not there yet. Returns the system that waits; None: each run
        has one of its own."""
        if self._booted is None and self._environment in IN_LINUX:
            self._booted = self._boot()
        return self._booted

    def run(self, task: Callable[[System], Result]) -> Result:
        """Returns what `task` makes of a system whose program has not looked at its point yet."""
        booted = self.start()
        if booted is None:
            with System(programs.load(self.elf), self.profile) as system:
                return task(system)
        return in_copy(lambda: task(booted))

    def load(self, system: System, address: int, data: bytes) -> None:
        """Writes to memory, at an address of the program."""
        system.load(address - self.point_base + self._physical, data)

    def read(self, system: System, address: int, length_bytes: int) -> bytes:
        """Reads memory, at an address of the program."""
        return system.read(address - self.point_base + self._physical, length_bytes)

    def _boot(self) -> System:
        system, console = linux.booted(module.boot(self.has_module), self.profile), b""
        linux.deliver(system, self.elf)
        while (ready := READY.search(console)) is None:
            console += system.run(STEP_CYCLES).replace(b"\r", b"")
            if system.finished:
                system.close()
                raise OutworkError(f"Linux has not started {self.elf.stem}: {console.decode(errors='replace').strip()}")
        self._physical = int(ready[1], 16) if ready[1] else self.point_base
        found = MODULE.search(console)
        self._module_address = int(found[1], 16) if found else None
        return system

    def code(self) -> tuple[programs.Program, ...]:
        """Returns the code whose functions have names, under a Linux with the module: the program's, the module's and the
        kernel's. Boots it, if it is not there yet."""
        if not self._code:
            self.start()
            if self._module_address is None:
                raise OutworkError("The kernel module has not said where its code is.")
            own = (programs.load(self.elf),) if self._environment is Environment.LINUX_QUEUE else ()
            of_module = programs.load_module(module.MODULE, self._module_address)
            self._code = (*own, of_module, programs.load(module.KERNEL_SYMBOLS))
        return self._code

    def finish(self, system: System) -> Ended:
        """Runs to the end of the program, or until it says that it is there."""
        console = b""
        while (ended := ENDED.search(console)) is None and not system.finished:
            console += system.run(STEP_CYCLES).replace(b"\r", b"")
        status = system.status if ended is None else int(ended[1])
        text = console if ended is None else console[: ended.start()]
        return Ended(text.decode(errors="replace").split(AFTER)[0].strip(), status)

    def close(self) -> None:
        if self._booted is not None:
            self._booted.close()
            self._booted = None
