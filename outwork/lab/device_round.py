# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures a round of jobs on the device: counted cycles from the first doorbell to the last completion."""

from typing import Any, Final

from outwork.algorithms.base import Algorithm, Operation
from outwork.algorithms.combined import Combined
from outwork.algorithms.digest import Mac
from outwork.algorithms.radio import RadioAlgorithm
from outwork.device.board import Board
from outwork.device.queues import Queue
from outwork.errors import OutworkError
from outwork.lab import expected
from outwork.lab.records import KeyUse, Point
from outwork.lab.samples import sample_key, sample_text

STEADY_BYTES: Final = 128 * 1024
STEADY_JOBS: Final = 1024
LINE_BYTES: Final = 64


def jobs_of_a_round(point: Point) -> int:
    """Returns the number of jobs in a round: one job is measured alone; of several in flight, enough that start and end
    do not matter."""
    if point.jobs == 1:
        return 1
    return max(point.jobs, min(STEADY_JOBS, -(-STEADY_BYTES // point.size_bytes)))


def _job_iv(algorithm: Algorithm, iv: bytes) -> bytes:
    return algorithm.job_iv(iv) if isinstance(algorithm, RadioAlgorithm) else iv


class Round:
    """All jobs of a point and their memory: source and destination of each have cache lines of their own."""

    def __init__(self, board: Board, queue: Queue, point: Point, count: int) -> None:
        self.board, self.queue, self.point, self.count = board, queue, point, count
        algorithm = point.algorithm
        ffi, c = board.ffi, board.c
        self.offset = point.alignment_bytes
        room = self.offset + point.size_bytes + algorithm.tag_bytes_default
        self.stride = -(-room // LINE_BYTES) * LINE_BYTES
        self.source = board.memory(self.stride * count)
        self.destination = board.memory(self.stride * count)
        iv_bytes = algorithm.iv_bytes
        self.ivs = [number.to_bytes(iv_bytes, "big") if iv_bytes else b"" for number in range(1, count + 1)]
        self.keys = self._make_keys()
        self._keep: list[Any] = []
        self.jobs = ffi.new("struct ow_job[]", count)
        self.fill_sources()
        for number in range(count):
            job = self.jobs[number]
            job.opcode, job.tag_len, job.length = algorithm.opcode, algorithm.tag_bytes_default, point.size_bytes
            if point.operation.is_inverse:
                job.flags = c.OW_JOB_DECRYPT | (c.OW_JOB_TAG_IN_SOURCE if algorithm.is_aead else 0)
            elif isinstance(algorithm, RadioAlgorithm | Combined) and algorithm.is_aead:
                job.flags = c.OW_JOB_APPEND_TAG  # as in a packet
            job.source = board.pointer(self.source.address + self.place(number))
            if not algorithm.is_mac:
                job.destination = board.pointer(self.destination.address + self.place(number))
            if iv_bytes:
                iv = _job_iv(algorithm, self.ivs[number])
                job.iv, job.iv_len = self._kept(iv), len(iv)
            self._set_key(job, number)
        self.pointers = queue.pointers(self.jobs)

    def _make_keys(self) -> list[bytes]:
        algorithm, slots = self.point.algorithm, self.board.capabilities.key_slots
        half = algorithm.single_key_bytes
        wanted = {KeyUse.NEW_IV: 1, KeyUse.ROTATE: min(slots, self.count), KeyUse.NEW_KEY: self.count}
        keys = [sample_key(algorithm.key_bytes, number) for number in range(wanted[self.point.keys])]
        if self.point.keys is not KeyUse.NEW_KEY and algorithm.key_bytes:
            for slot, key in enumerate(keys):
                if isinstance(algorithm, Mac):
                    self.board.load_mac_key(slot, algorithm.opcode, key)
                elif isinstance(algorithm, Combined):
                    self.board.load_key_pair(slot, algorithm.opcode, key[:half], key[half:])
                else:
                    self.board.load_key(slot, key[:half], key[half:] or None, kind=algorithm.key_kind)
        return keys

    def _set_key(self, job: Any, number: int) -> None:
        if self.point.keys is not KeyUse.NEW_KEY:
            job.key.slot = number % len(self.keys)
            return
        key = self.keys[number]
        if not key:
            return
        half = self.point.algorithm.single_key_bytes or len(key)
        job.key.bytes, job.key.key_len = self._kept(key[:half]), half
        if key[half:]:
            job.key.tweak_bytes = self._kept(key[half:])

    def _kept(self, data: bytes) -> Any:
        copy = self.board.ffi.new("uint8_t[]", data)
        self._keep.append(copy)
        return copy

    def place(self, number: int) -> int:
        """Returns the place of a job's data in the memories: on cache lines of its own, with the point's alignment."""
        return number * self.stride + self.offset

    def plaintext(self, number: int) -> bytes:
        return sample_text(self.point.size_bytes, number)

    def sealed(self, number: int) -> tuple[bytes, bytes]:
        """Returns the result of an independent implementation: payload, and tag, MAC or digest."""
        key = self.keys[number % len(self.keys)]
        return expected.seal(self.point.algorithm, key, self.ivs[number], self.plaintext(number))

    def fill_sources(self) -> None:
        """Writes the sources: plaintext; for decryption, ciphertext and its tag."""
        for number in range(self.count):
            data = self.plaintext(number)
            if self.point.operation is Operation.DECRYPT:
                data = b"".join(self.sealed(number))
            self.source.view[self.place(number) : self.place(number) + len(data)] = data
            if self.point.operation is Operation.VERIFY:
                self.jobs[number].tag = self.sealed(number)[1].ljust(64, b"\0")

    def run(self, count: int, in_flight: int, batch: int) -> int:
        """Returns the cycles from the first doorbell to the last completion."""
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
                f"The device's times are not valid ({cycles} cycles): the board's library may be older than this program. "
                "Run `make build` and start again."
            )
        return cycles

    def check(self) -> None:
        """Raises an error unless all jobs have succeeded; compares some results, including the first and the last."""
        for number in range(self.count):
            if self.jobs[number].status != self.board.c.OW_OK:
                raise OutworkError(
                    f"{self.point.algorithm}: job {number} ended with: {self.board.status_text(self.jobs[number].status)}"
                )
        for number in sorted({0, self.count // 2, self.count - 1}):
            if not self._is_right(number):
                raise OutworkError(
                    f"{self.point.algorithm}: the device's result of job {number} is not that of a second "
                    "implementation. Please report it."
                )

    def _is_right(self, number: int) -> bool:
        result = bytes(self.destination.at(self.place(number), self.point.size_bytes))
        match self.point.operation:
            case Operation.DECRYPT:
                return result == self.plaintext(number)
            case Operation.VERIFY:
                return True  # checked by its status
        text, tag = self.sealed(number)
        return (self.point.algorithm.is_mac or result == text) and self._tag(number, len(tag)) == tag

    def _tag(self, number: int, length: int) -> bytes:
        if isinstance(self.point.algorithm, Combined):  # longer than a completion record's
            return bytes(self.destination.at(self.place(number) + self.point.size_bytes, length))
        return bytes(self.jobs[number].tag)[:length]

    def close(self) -> None:
        self.source.close()
        self.destination.close()
