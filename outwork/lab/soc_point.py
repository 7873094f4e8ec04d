# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A point of the lab on the system on chip: one program, whose memory has the messages, and what it has counted.

The program is the loop of the CPU libraries with an adapter (platform/soc/lab). This file writes its `struct point`
(point.h) to memory, runs it, reads the structure again, and compares results with an independent implementation.
"""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from outwork.errors import OutworkError
from outwork.lab import expected, soc_shares
from outwork.lab.engines.base import Sample, Work
from outwork.lab.records import KeyUse, Point
from outwork.lab.samples import sample_key, sample_text
from outwork.lab.soc_machine import Machine
from outwork.lab.soc_shares import FEW, MANY
from outwork.soc.system import System

KEYS: Final = 16
KEY_BYTES: Final = 96
KEYS_BYTES: Final = KEY_BYTES * KEYS
MESSAGES: Final = 128
LINE_BYTES: Final = 64
BLOCK_BYTES: Final = 16  # of AES
BLOCK_WORDS: Final = 4
# Of `struct point`, from its beginning: what is asked, what is counted, keys of the contexts, messages.
ASKED: Final = struct.Struct("<17I")
COUNTED: Final = struct.Struct("<9I")
MESSAGE: Final = struct.Struct("<2I16s64s64s64s")
BYTES: Final = ASKED.size + COUNTED.size + KEYS_BYTES + MESSAGE.size * MESSAGES
KEY_USES: Final = {KeyUse.KEPT: 0, KeyUse.NEW_IV: 1, KeyUse.ROTATE: 1, KeyUse.NEW_KEY: 2, KeyUse.NEW_CONTEXT: 3}
SHORT_BYTES: Final = 4096  # up to this size a point takes more turns


class Device(StrEnum):
    """What an adapter works on, and so what has to have counted the messages."""

    NONE = "none"
    RINGS = "rings"  # its job counter
    LITE = "lite"  # the words of results that it gave, which the simulation counts


@dataclass(frozen=True)
class Counted:
    """Results of `struct point`."""

    wrong: int
    cycles: int
    alone_cycles: int
    polling_cycles: int
    empty_cycles: int
    jobs: int
    other_work: int
    other_alone: int
    other_alone_cycles: int
    lite_results: int = 0

    @property
    def cpu_cycles(self) -> int:
        """Cycles of the CPU's own: of all, what did not go into vain polls or another task."""
        idle = self.polling_cycles
        if self.other_alone:
            idle = round(self.other_work * self.other_alone_cycles / self.other_alone)
        return max(0, self.cycles - idle)


def refuses(machine: Machine, point: Point) -> str:
    """Returns why no program can measure this point; empty if one may."""
    if point.jobs > MESSAGES:
        return f"at most {MESSAGES} messages can be in flight"
    if Memory(machine, point).end > machine.point_base + machine.point_bytes:
        return f"messages in flight and their results have at most {machine.point_bytes >> 20} MiB together"
    if point.jobs > 1 and point.keys in (KeyUse.KEPT, KeyUse.NEW_CONTEXT):
        return f"{point.keys} has one message in flight"
    return ""


def why_not(machine: Machine, point: Point, name: bytes = b"") -> str:
    """Returns what the program's adapter has against this point, without a turn of the loop; empty: nothing."""
    memory = Memory(machine, point, name)

    def ask(system: System) -> str:
        memory.write_name(system)
        machine.load(system, memory.base, memory.asked(0, 0, 0) + bytes(COUNTED.size))
        ended = machine.finish(system)
        return ended.console if ended.status else ""

    return machine.run(ask)


class Memory:
    """Where a point's structure and data are, and what they contain at first.

    `name` is what a program wants to know beside it: it is behind the structure.
    """

    def __init__(self, machine: Machine, point: Point, name: bytes = b"") -> None:
        self.point, self._name = point, name
        self.machine, self.base = machine, machine.point_base
        room = point.alignment_bytes + point.size_bytes + LINE_BYTES
        self._stride = -(-room // LINE_BYTES) * LINE_BYTES

    def message(self, number: int) -> int:
        return self.base + ASKED.size + COUNTED.size + KEYS_BYTES + number * MESSAGE.size

    def source(self, number: int) -> int:
        return self.base + -(-BYTES // 4096) * 4096 + number * 2 * self._stride + self.point.alignment_bytes

    def destination(self, number: int) -> int:
        return self.source(number) + self._stride

    @property
    def end(self) -> int:
        return self.destination(self.point.jobs)

    @property
    def is_sealed(self) -> bool:
        """Whether messages have a tag to verify: it fits one key and one IV, so these stay the same."""
        return self.point.operation.is_inverse and self.point.algorithm.tag_bytes_default > 0

    def key(self, number: int) -> bytes:
        return sample_key(self.point.algorithm.key_bytes, 0 if self.is_sealed else number)

    @property
    def _contexts(self) -> int:
        keys = self.point.keys
        return {KeyUse.ROTATE: KEYS, KeyUse.NEW_KEY: min(KEYS, self.point.jobs)}.get(keys, 1)

    def asked(self, warm: int, turns: int, alone: int) -> bytes:
        point, algorithm = self.point, self.point.algorithm
        return ASKED.pack(
            BYTES,
            algorithm.opcode,
            point.operation.is_inverse,
            point.keys is KeyUse.KEPT,
            algorithm.is_mac,
            algorithm.key_bytes,
            algorithm.iv_bytes,
            algorithm.tag_bytes_default,
            point.size_bytes,
            self._contexts,
            point.jobs,
            min(point.batch, point.jobs),
            KEY_USES[point.keys],
            not self.is_sealed,
            warm,
            turns,
            alone,
        )

    def write_name(self, system: System) -> None:
        self.machine.load(system, self.base + BYTES, self._name)

    def write(self, system: System, asked: bytes) -> None:
        machine = self.machine
        self.write_name(system)
        keys = b"".join(self.key(number).ljust(KEY_BYTES, b"\0") for number in range(self._contexts))
        machine.load(system, self.base, asked + bytes(COUNTED.size) + keys)
        for number in range(self.point.jobs):
            self._write_message(system, number)

    def _write_message(self, system: System, number: int) -> None:
        machine = self.machine
        algorithm = self.point.algorithm
        iv = (number + 1).to_bytes(algorithm.iv_bytes, "big") if algorithm.iv_bytes else b""
        text, tag = sample_text(self.point.size_bytes, number), b""
        if self.is_sealed:
            sealed, tag = expected.seal(algorithm, self.key(number), iv, text)
            text = sealed or text
        row = MESSAGE.pack(self.source(number), self.destination(number), iv, self.key(number), b"", tag)
        machine.load(system, self.message(number), row)
        machine.load(system, self.source(number), text + (b"" if algorithm.is_mac else tag))


def turns(point: Point, is_profiled: bool) -> tuple[int, int, int]:
    """Returns how many messages warm up, are measured, and are measured alone: none, if all are. Software takes long. The
    kernel module loads a key into a slot with its second use, which is over after two turns."""
    is_long = point.size_bytes > SHORT_BYTES and point.jobs == 1
    warm, measured = (1, 1) if is_long else (2 * point.jobs, 4 * point.jobs)
    if is_profiled:
        warm, measured = 2 * point.jobs, point.jobs * max(2, -(-FEW // point.jobs))
    if point.jobs == 1:
        return warm, measured, 0
    return warm, measured, 1 if point.size_bytes > SHORT_BYTES else 4


class SocWork(Work):
    """A point, measured once: cycles are exact."""

    def __init__(self, machine: Machine, point: Point, device: Device, name: bytes = b"") -> None:
        self._memory = Memory(machine, point, name)
        self._is_profiled = device is Device.RINGS and machine.has_module
        self._stages: dict[str, float] = {}
        self._warm, self.messages, self._alone = turns(point, self._is_profiled)
        self._counted, self._functions = self._run(self.messages)
        messages = self._warm + self.messages + 2 * self._alone
        jobs = messages if device is Device.RINGS else 0
        words = messages * -(-point.size_bytes // BLOCK_BYTES) * BLOCK_WORDS if device is Device.LITE else 0
        if self._counted.jobs != jobs:
            raise OutworkError(f"The device has counted {self._counted.jobs} jobs, but {jobs} were submitted.")
        if self._counted.lite_results != words:
            raise OutworkError(
                f"Outwork lite has given {self._counted.lite_results} words of results, and not {words}."
            )
        clock_hz = machine.profile.clock_hz
        self.overhead_seconds = self._counted.empty_cycles / self.messages / clock_hz

    def _run(self, turns: int) -> tuple[Counted, Counter[str]]:
        """Measures so many messages. Returns also the cycles by function, if the point is profiled."""
        machine, memory, point = self._memory.machine, self._memory, self._memory.point
        asked = memory.asked(self._warm, turns, self._alone)
        code = machine.code() if self._is_profiled else ()  # read here: what a copy reads is lost with it

        def task(system: System) -> tuple[Counted, Counter[str]]:
            memory.write(system, asked)
            found: Counter[str] = Counter()
            if self._is_profiled:
                ended, found = soc_shares.profiled(machine, system, code)
            else:
                ended = machine.finish(system)
            counted = Counted(*COUNTED.unpack(machine.read(system, memory.base + ASKED.size, COUNTED.size)))
            if ended.status != 0 or system.protocol_error or counted.wrong:
                why = ended.console or system.protocol_error or f"{counted.wrong} messages were refused"
                raise OutworkError(f"{machine.elf.stem}: {point.algorithm} {point.operation} has failed: {why}.")
            self._compare(system)
            return replace(counted, lite_results=system.statistics.lite_results), found

        return machine.run(task)

    def sample(self) -> Sample:
        cost = self._counted.cycles / self.messages
        return Sample(cost, self._counted.alone_cycles / self._alone if self._alone else cost)

    def cpu_cycles(self) -> float:
        """Returns the CPU's cycles for a message."""
        return self._counted.cpu_cycles / self.messages

    def stages(self) -> dict[str, float] | None:
        """Returns where the cycles of a message go under Linux with the kernel module."""
        if not self._is_profiled:
            return None
        if not self._stages:
            more, longer = (MANY - 1) * self.messages, self._run(MANY * self.messages)
            total = (longer[0].cycles - self._counted.cycles) / more
            self._stages = soc_shares.grouped(soc_shares.difference(self._functions, longer[1], more), total)
        return self._stages

    def close(self) -> None:
        return

    def _compare(self, system: System) -> None:
        """Compares the first message and the last one, for the key and the IV that they were given last."""
        machine = self._memory.machine
        memory, point, algorithm = self._memory, self._memory.point, self._memory.point.algorithm
        if point.keys in (KeyUse.KEPT, KeyUse.ROTATE):  # which key or IV was the last is not in the message
            return
        for number in sorted({0, point.jobs - 1}):
            _, _, iv, key, tag, _ = MESSAGE.unpack(machine.read(system, memory.message(number), MESSAGE.size))
            if point.keys is KeyUse.NEW_IV:
                key = memory.key(0)
            key, iv = key[: algorithm.key_bytes], iv[: algorithm.iv_bytes]
            source = machine.read(system, memory.source(number), point.size_bytes)
            result = machine.read(system, memory.destination(number), point.size_bytes)
            made = b""
            if point.operation.is_inverse:
                text = b"" if algorithm.is_mac else expected.open_unsealed(algorithm, key, iv, source)
            else:
                text, made = expected.seal(algorithm, key, iv, source)
            if tag[: len(made)] != made or (not algorithm.is_mac and result != text):
                raise OutworkError(f"{algorithm} {point.operation} gives a wrong result. Please report it.")
