# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A round of jobs on the device: from the first doorbell to the last completion, in cycles that the device itself counts."""

from typing import Any, Final

from outwork.board import Board
from outwork.ciphers import Operation
from outwork.errors import OutworkError
from outwork.lab.samples import sample_key, sample_text
from outwork.queues import Queue
from outwork.records import KeyUse, Point

STEADY_BYTES: Final = 128 * 1024
STEADY_JOBS: Final = 1024
LINE_BYTES: Final = 64


def jobs_of_a_round(point: Point) -> int:
    """One job is measured alone; of several in flight, enough follow each other that start and end weigh little."""
    if point.jobs == 1:
        return 1
    return max(point.jobs, min(STEADY_JOBS, -(-STEADY_BYTES // point.size_bytes)))


class Round:
    """All the jobs of a point with their memory: source and destination of each on its own cache lines."""

    def __init__(self, board: Board, queue: Queue, point: Point, count: int) -> None:
        self.board, self.queue, self.point, self.count = board, queue, point, count
        cipher, mode = point.algorithm, point.algorithm.mode
        ffi, c = board.ffi, board.c
        tag_bytes = cipher.tag_bytes_default
        self.offset = point.alignment_bytes
        self.stride = -(-(self.offset + point.size_bytes + 16) // LINE_BYTES) * LINE_BYTES
        self.source = board.memory(self.stride * count)
        self.destination = board.memory(self.stride * count)
        iv_bytes = mode.iv_bytes_usual
        self.ivs = [number.to_bytes(iv_bytes, "big") if iv_bytes else b"" for number in range(1, count + 1)]
        self.keys = self._make_keys()
        self._keep: list[Any] = []
        self.jobs = ffi.new("struct ow_job[]", count)
        self.fill_sources()
        for number in range(count):
            job = self.jobs[number]
            job.opcode, job.tag_len, job.length = mode.opcode, tag_bytes, point.size_bytes
            if point.operation.is_inverse:
                job.flags = c.OW_JOB_DECRYPT | (c.OW_JOB_TAG_IN_SOURCE if mode.is_aead else 0)
            job.source = board.pointer(self.source.address + self.place(number))
            if not mode.is_mac:
                job.destination = board.pointer(self.destination.address + self.place(number))
            if iv_bytes:
                iv = ffi.new("uint8_t[]", self.ivs[number])
                self._keep.append(iv)
                job.iv, job.iv_len = iv, iv_bytes
            self._set_key(job, number)
        self.pointers = queue.pointers(self.jobs)

    def _make_keys(self) -> list[bytes]:
        cipher, slots = self.point.algorithm, self.board.capabilities.key_slots
        half = cipher.single_key_bytes
        wanted = {KeyUse.NEW_IV: 1, KeyUse.ROTATE: min(slots, self.count), KeyUse.NEW_KEY: self.count}
        keys = [sample_key(cipher.key_bytes, number) for number in range(wanted[self.point.keys])]
        if self.point.keys is not KeyUse.NEW_KEY:
            for slot, key in enumerate(keys):
                self.board.load_key(slot, key[:half], key[half:] or None)
        return keys

    def _set_key(self, job: Any, number: int) -> None:
        if self.point.keys is not KeyUse.NEW_KEY:
            job.key.slot = number % len(self.keys)
            return
        half = self.point.algorithm.single_key_bytes
        key = self.keys[number]
        job.key.bytes, job.key.key_len = self._kept(key[:half]), half
        if key[half:]:
            job.key.tweak_bytes = self._kept(key[half:])

    def _kept(self, data: bytes) -> Any:
        copy = self.board.ffi.new("uint8_t[]", data)
        self._keep.append(copy)
        return copy

    def place(self, number: int) -> int:
        """Of a job's data in the memories: on cache lines of its own, at the point's alignment."""
        return number * self.stride + self.offset

    def key_of(self, number: int) -> bytes:
        return self.keys[number % len(self.keys)]

    def plaintext(self, number: int) -> bytes:
        return sample_text(self.point.size_bytes, number)

    def fill_sources(self) -> None:
        """Plaintext; or, to be decrypted, what OpenSSL makes of it."""
        for number in range(self.count):
            data = self.plaintext(number)
            if self.point.operation is Operation.DECRYPT:
                data = self.by_software(Operation.ENCRYPT, number, data)
            self.source.view[self.place(number) : self.place(number) + len(data)] = data
            if self.point.operation is Operation.VERIFY:
                self.jobs[number].tag = self.by_software(Operation.MAC, number, data).ljust(16, b"\0")

    def by_software(self, operation: Operation, number: int, data: bytes) -> bytes:
        from outwork.engines.software import SoftwareEngine

        cipher = self.point.algorithm
        with SoftwareEngine() as engine:
            return engine.crypt(
                cipher,
                operation,
                self.key_of(number),
                self.ivs[number],
                data,
                tag_bytes=cipher.tag_bytes_default,
            )

    def run(self, count: int, in_flight: int, batch: int) -> int:
        """Cycles from the first doorbell to the last completion."""
        queue, given, start = self.queue, 0, 0
        while given < count:
            if in_flight - queue.outstanding >= min(batch, count - given):
                given += queue.submit(self.pointers + given, min(batch, count - given))
                if start == 0:
                    start = queue.start_cycle()
            else:
                queue.poll()
        queue.wait()
        cycles = queue.times()[1] - start
        if cycles <= 0:
            raise OutworkError(
                f"The device's times make no sense ({cycles} cycles): is the board's library as new as this program? "
                "Run `make build` and start again."
            )
        return cycles

    def check(self) -> None:
        """Some results, the first and the last among them, against OpenSSL: a wrong answer is not a figure."""
        for number in range(self.count):
            if self.jobs[number].status != self.board.c.OW_OK:
                raise OutworkError(
                    f"{self.point.algorithm}: job {number} ended with: {self.board.status_text(self.jobs[number].status)}"
                )
        size = self.point.size_bytes
        for number in sorted({0, self.count // 2, self.count - 1}):
            plain = self.plaintext(number)
            got = bytes(self.destination.at(self.place(number), size))
            match self.point.operation:
                case Operation.ENCRYPT:
                    expected = self.by_software(Operation.ENCRYPT, number, plain)
                    got += bytes(self.jobs[number].tag)[: len(expected) - size]
                case Operation.DECRYPT:
                    expected = plain
                case Operation.MAC:
                    expected, got = (
                        self.by_software(Operation.MAC, number, plain),
                        bytes(self.jobs[number].tag),
                    )
                case Operation.VERIFY:
                    continue
            if got != expected:
                raise OutworkError(
                    f"{self.point.algorithm}: the device's result of job {number} differs from OpenSSL's. Please report it."
                )

    def close(self) -> None:
        self.source.close()
        self.destination.close()
