# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A file of the lab on the system on chip: a process under Linux reads, ciphers and writes it (platform/soc/lab/files.c).

This file writes what the program needs to the memory of `struct point`, runs it, and compares the result with an independent
implementation.
"""

from __future__ import annotations

from typing import Final

from outwork.algorithms.cipher import BLOCK_BYTES, Cipher, IvUse
from outwork.errors import OutworkError
from outwork.lab import expected
from outwork.lab.engines.base import Sample, Work
from outwork.lab.records import KeyUse, Point
from outwork.lab.samples import sample_key, sample_text
from outwork.lab.soc_machine import Machine
from outwork.lab.soc_point import ASKED, BYTES, COUNTED, KEYS_BYTES, LINE_BYTES, MESSAGE, MESSAGES, Counted
from outwork.soc.system import System

PIECE_BYTES: Final = 16_384
BUFFERS: Final = 4
WARM_PIECES: Final = 1
IV_USES: Final = (IvUse.NONE, IvUse.CHAINED, IvUse.COUNTER)
FILES_BYTES: Final = 12 << 20  # what source and result may have together: Linux keeps them in its 28 MiB


def refuses(machine: Machine, point: Point) -> str:
    """Returns why no program can measure this point; empty if one may."""
    cipher = point.algorithm
    if not isinstance(cipher, Cipher) or cipher.iv_use not in IV_USES or cipher.block_bytes != BLOCK_BYTES:
        return f"files are ciphered with AES in ECB, CBC and CTR, not with {cipher}"
    if (point.jobs, point.batch, point.keys, point.alignment_bytes) != (1, 1, KeyUse.NEW_IV, 0):
        return "jobs, batch, key use and alignment do not apply to files"
    if point.size_bytes % min(PIECE_BYTES, point.size_bytes) or point.size_bytes % BLOCK_BYTES:
        return f"a file has whole pieces of {PIECE_BYTES:,} bytes, or is one piece of whole blocks"
    layout = Layout(machine, point)
    if 2 * point.size_bytes > FILES_BYTES or layout.end > machine.point_base + machine.point_bytes:
        return f"Linux has {FILES_BYTES >> 20} MiB for a file and its result"
    return ""


class Layout:
    """Where the structure, the buffers of the pieces, the file and its result are."""

    def __init__(self, machine: Machine, point: Point) -> None:
        self.point, self.base = point, machine.point_base
        self.piece_bytes = min(PIECE_BYTES, point.size_bytes)
        self.pieces = point.size_bytes // self.piece_bytes
        self._stride = -(-(self.piece_bytes + LINE_BYTES) // LINE_BYTES) * LINE_BYTES  # 16 more bytes may be written

    @property
    def keys(self) -> int:
        return self.base + ASKED.size + COUNTED.size

    def message(self, number: int) -> int:
        return self.keys + KEYS_BYTES + number * MESSAGE.size

    def buffer(self, number: int) -> int:
        return self.base + -(-BYTES // 4096) * 4096 + number * self._stride

    @property
    def file(self) -> int:
        return self.buffer(2 * BUFFERS)

    @property
    def result(self) -> int:
        return self.file + -(-self.point.size_bytes // 4096) * 4096

    @property
    def end(self) -> int:
        return self.result + self.point.size_bytes

    def asked(self, pieces: int) -> bytes:
        point, algorithm = self.point, self.point.algorithm
        size = (algorithm.key_bytes, algorithm.iv_bytes, 0, self.piece_bytes)
        return ASKED.pack(
            BYTES,
            algorithm.opcode,
            point.operation.is_inverse,
            0,
            0,
            *size,
            1,
            BUFFERS,
            1,
            0,
            0,
            WARM_PIECES,
            pieces,
            0,
        )


def why_not(machine: Machine, point: Point) -> str:
    """Returns what the program's adapter has against this point; empty: nothing."""
    layout = Layout(machine, point)

    def ask(system: System) -> str:
        machine.load(system, layout.base, layout.asked(0) + bytes(COUNTED.size))
        ended = machine.finish(system)
        return ended.console if ended.status else ""

    return machine.run(ask)


class SocFileWork(Work):
    """A file, measured once: cycles are exact."""

    messages = 1

    def __init__(self, machine: Machine, point: Point, on_device: bool) -> None:
        self._layout = Layout(machine, point)
        algorithm = point.algorithm
        self._key = sample_key(algorithm.key_bytes, 0)
        self._iv = bytes(range(algorithm.iv_bytes))
        self._text = sample_text(point.size_bytes, 0)
        self._counted = machine.run(lambda system: self._measure(machine, system))
        wanted = WARM_PIECES + self._layout.pieces if on_device else 0
        if self._counted.jobs != wanted:
            raise OutworkError(f"The device has counted {self._counted.jobs} jobs, but {wanted} were submitted.")

    def _measure(self, machine: Machine, system: System) -> Counted:
        layout, point = self._layout, self._layout.point
        for number in range(BUFFERS):
            row = MESSAGE.pack(layout.buffer(2 * number), layout.buffer(2 * number + 1), b"", b"", b"", b"")
            machine.load(system, layout.message(number), row)
        whole = MESSAGE.pack(layout.file, layout.result, self._iv, b"", b"", b"")
        machine.load(system, layout.message(MESSAGES - 1), whole)
        machine.load(system, layout.file, self._text)
        machine.load(system, layout.keys, self._key)
        machine.load(system, layout.base, layout.asked(layout.pieces) + bytes(COUNTED.size))
        ended = machine.finish(system)
        if ended.status != 0 or system.protocol_error:
            why = ended.console or system.protocol_error
            raise OutworkError(f"{machine.elf.stem}: {point.algorithm} {point.operation} has failed: {why}.")
        self._compare(machine.read(system, layout.result, point.size_bytes))
        return Counted(*COUNTED.unpack(machine.read(system, layout.base + ASKED.size, COUNTED.size)))

    def _compare(self, result: bytes) -> None:
        point, algorithm = self._layout.point, self._layout.point.algorithm
        if point.operation.is_inverse:
            text = expected.open_unsealed(algorithm, self._key, self._iv, self._text)
        else:
            text, _ = expected.seal(algorithm, self._key, self._iv, self._text)
        if result != text:
            raise OutworkError(f"{algorithm} {point.operation} gives a wrong file. Please report it.")

    def sample(self) -> Sample:
        return Sample(self._counted.cycles, self._counted.cycles)

    def cpu_cycles(self) -> float:
        """Returns the CPU's cycles for the file: all but those of vain polls."""
        return self._counted.cycles - self._counted.polling_cycles

    def close(self) -> None:
        return
