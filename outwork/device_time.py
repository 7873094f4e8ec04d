# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Counts device cycles: a round of jobs, from the first doorbell to the last completion, as the device itself says."""

import platform
import statistics
from typing import Any, Final

from outwork import __version__
from outwork.board import Board
from outwork.ciphers import Operation
from outwork.errors import OutworkError, UsageError
from outwork.memory import Memory
from outwork.profiles import Profile
from outwork.queues import Queue
from outwork.records import KeyUse, Kind, Point, Record

# A look at an empty ring lets so few cycles pass that the ring is refilled at once, as by a fast CPU.
RELAX_CYCLES: Final = 16
STEADY_BYTES: Final = 128 * 1024
STEADY_JOBS: Final = 1024
STAGES: Final = ("wait", "prepare", "data", "write", "complete")


def jobs_of_a_round(point: Point) -> int:
    """One job is measured alone; of several in flight, enough follow each other that start and end weigh little."""
    if point.jobs == 1:
        return 1
    return max(point.jobs, min(STEADY_JOBS, -(-STEADY_BYTES // point.size_bytes)))


class _Round:
    """All the jobs of a point with their memory: source and destination of each on its own cache lines."""

    def __init__(self, board: Board, queue: Queue, point: Point, count: int) -> None:
        self.board, self.queue, self.point, self.count = board, queue, point, count
        cipher, mode = point.cipher, point.cipher.mode
        ffi, c = board.ffi, board.c
        tag_bytes = cipher.tag_bytes_default
        self.stride = -(-(point.size_bytes + 16) // 64) * 64
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
            job.source = board.pointer(self.source.address + number * self.stride)
            if not mode.is_mac:
                job.destination = board.pointer(self.destination.address + number * self.stride)
            if iv_bytes:
                iv = ffi.new("uint8_t[]", self.ivs[number])
                self._keep.append(iv)
                job.iv, job.iv_len = iv, iv_bytes
            self._set_key(job, number)
        self.pointers = queue.pointers(self.jobs)

    def _make_keys(self) -> list[bytes]:
        from outwork.cpu_time import sample_key

        cipher, slots = self.point.cipher, self.board.capabilities.key_slots
        half = cipher.single_key_bytes
        wanted = {KeyUse.SAME: 1, KeyUse.ROTATE: min(slots, self.count), KeyUse.INLINE: self.count}
        keys = [sample_key(cipher.key_bytes, number) for number in range(wanted[self.point.keys])]
        if self.point.keys is not KeyUse.INLINE:
            for slot, key in enumerate(keys):
                self.board.load_key(slot, key[:half], key[half:] or None)
        return keys

    def _set_key(self, job: Any, number: int) -> None:
        if self.point.keys is not KeyUse.INLINE:
            job.key.slot = number % len(self.keys)
            return
        half = self.point.cipher.single_key_bytes
        key = self.keys[number]
        job.key.bytes, job.key.key_len = self._kept(key[:half]), half
        if key[half:]:
            job.key.tweak_bytes = self._kept(key[half:])

    def _kept(self, data: bytes) -> Any:
        copy = self.board.ffi.new("uint8_t[]", data)
        self._keep.append(copy)
        return copy

    def key_of(self, number: int) -> bytes:
        return self.keys[number % len(self.keys)]

    def plaintext(self, number: int) -> bytes:
        pattern = bytes((number * 7 + position) & 0xFF for position in range(251))
        return (pattern * (self.point.size_bytes // 251 + 1))[: self.point.size_bytes]

    def fill_sources(self) -> None:
        """Plaintext; or, to be decrypted, what OpenSSL makes of it."""
        for number in range(self.count):
            data = self.plaintext(number)
            if self.point.operation is Operation.DECRYPT:
                data = self.by_software(Operation.ENCRYPT, number, data)
            self.source.view[number * self.stride : number * self.stride + len(data)] = data
            if self.point.operation is Operation.VERIFY:
                self.jobs[number].tag = self.by_software(Operation.MAC, number, data).ljust(16, b"\0")

    def by_software(self, operation: Operation, number: int, data: bytes) -> bytes:
        from outwork.engines.software import SoftwareEngine

        cipher = self.point.cipher
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
                    f"{self.point.cipher}: job {number} ended with: {self.board.status_text(self.jobs[number].status)}"
                )
        size = self.point.size_bytes
        for number in sorted({0, self.count // 2, self.count - 1}):
            plain = self.plaintext(number)
            got = bytes(self.destination.at(number * self.stride, size))
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
                    f"{self.point.cipher}: the device's result of job {number} differs from OpenSSL's. Please report it."
                )

    def memories(self) -> tuple[Memory, Memory]:
        return self.source, self.destination


def measure_device(profile: Profile, point: Point) -> Record:
    """On a board of its own, fresh from reset."""
    count = jobs_of_a_round(point)
    with Board(profile, relax_cycles=RELAX_CYCLES) as board:
        log2_entries = max(1, (point.jobs - 1).bit_length())
        if log2_entries > board.capabilities.ring_log2_max:
            raise UsageError(f"The device's ring holds {1 << board.capabilities.ring_log2_max} jobs, not {point.jobs}.")
        if not board.supports(point.cipher.mode.opcode, point.operation.is_inverse):
            raise OutworkError(f"The device of board '{profile.name}' cannot {point.operation} with {point.cipher}.")
        queue = board.queue(0, log2_entries)
        work = _Round(board, queue, point, count)
        work.run(count, point.jobs, point.batch)  # keys get ready here
        work.check()
        before = queue.counters()
        cycles = statistics.median(work.run(count, point.jobs, point.batch) for _ in range(point.rounds))
        after = queue.counters()
        latency = statistics.median(work.run(1, 1, 1) for _ in range(point.rounds))
        jobs_done = after["jobs"] - before["jobs"]
        stages = {name: (after[f"{name}_cycles"] - before[f"{name}_cycles"]) / max(jobs_done, 1) for name in STAGES}
        stages_text = f"{board.capabilities.aes_stages} AES stages"
        bytes_per_cycle = count * point.size_bytes / cycles
        return Record(
            kind=Kind.COUNTED,
            engine="accelerator",
            implementation=f"outwork {__version__}, {stages_text}, simulated",
            board=profile.name,
            environment="simulated board",
            algorithm=point.cipher.name,
            operation=point.operation.value,
            size_bytes=point.size_bytes,
            jobs=point.jobs,
            batch=point.batch,
            keys=point.keys.value,
            rounds=point.rounds,
            jobs_total=count,
            cycles=cycles,
            bytes_per_cycle=bytes_per_cycle,
            clock_hz=board.clock_hz,
            megabytes_per_second=bytes_per_cycle * board.clock_hz / 1e6,
            latency_cycles=latency,
            seconds=cycles / board.clock_hz,
            latency_seconds=latency / board.clock_hz,
            call_overhead_seconds=None,
            stages=stages,
            machine=platform.machine(),
            version=__version__,
        )
