# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The accelerator engine: the device of a simulated board, with many jobs in flight."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from outwork.algorithms.base import Algorithm, Operation
from outwork.algorithms.cipher import Cipher
from outwork.algorithms.combined import Combined
from outwork.device.board import Board
from outwork.device.memory import Memory
from outwork.device.profiles import Profile
from outwork.engines.base import Engine, Key, Outcome, Request
from outwork.engines.device_hash import DeviceHasher
from outwork.engines.hashing import HashTask, Result, Stream
from outwork.errors import NoDeviceError, OutworkError

# The driver copies AAD and IVs up to this length; longer ones must be in memory that the device can access.
COPIED_BYTES_MAX = 64
RING_LOG2 = 6
# A device that finishes nothing in this time is considered dead. The slowest build needs a tenth of it for `depth`
# chunks of 256 KiB together.
STALL_CYCLES = 40_000_000
# Cycles per poll of an empty ring: enough that Python does not slow down the simulation.
RELAX_CYCLES = 512


class AcceleratorEngine(Engine):
    name = "accelerator"
    depth = 16

    def __init__(self, profile: Profile | str) -> None:
        self.board = Board(profile, relax_cycles=RELAX_CYCLES)
        self._ffi, self._c = self.board.ffi, self.board.c
        self.queue = self.board.queue(0, RING_LOG2)
        self._free_slots = list(range(self.board.capabilities.key_slots))
        self._free_jobs = [self._ffi.new("struct ow_job *") for _ in range(self.depth)]
        self._pointers = self._ffi.new("struct ow_job *[]", self.depth)
        self._flying: list[tuple[Request, Any, tuple[Any, ...]]] = []
        self._progress_cycle = 0  # when the last job ended, or the first one after an idle time was submitted
        self.stall_cycles = STALL_CYCLES
        self.description = (
            f"board {self.board.profile.name}: {self.board.capabilities.bus_bytes * 8}-bit port, "
            f"{self.board.clock}, {self.board.capability('aes', 'stages')} AES stages"
        )

    def supports(self, algorithm: Algorithm, operation: Operation) -> bool:
        return self.board.supports(algorithm.opcode, operation.is_inverse)

    def allocate(self, size_bytes: int) -> Memory:
        return self.board.memory(size_bytes)

    def load_key(self, cipher: Cipher, key: bytes) -> Key:
        """Loads a key into a slot while there are free ones; later keys travel with each job."""
        half = cipher.single_key_bytes
        main, tweak = key[:half], key[half:] or None
        if not self._free_slots:
            if isinstance(cipher, Combined):
                raise OutworkError(f"{cipher} takes keys in slots only, and all slots are in use.")
            return Key(cipher, (None, self._ffi.new("uint8_t[]", main), tweak and self._ffi.new("uint8_t[]", tweak)))
        slot = self._free_slots.pop(0)
        if isinstance(cipher, Combined):
            self.board.load_key_pair(slot, cipher.opcode, key[:half], key[half:])
            return Key(cipher, (slot, None, None))
        self.board.load_key(slot, main, tweak, kind=cipher.key_kind)
        return Key(cipher, (slot, None, None))

    def drop_key(self, key: Key) -> None:
        slot = key.handle[0]
        if slot is not None:
            self.board.zeroise(slot)
            self._free_slots.append(slot)

    def submit(self, requests: Sequence[Request]) -> None:
        if len(requests) > len(self._free_jobs):
            raise OutworkError(f"More than {self.depth} requests are in flight.")
        if not self._flying:
            self._note_progress()
        for index, request in enumerate(requests):
            job = self._free_jobs.pop()
            kept = self._fill(job, request)
            self._pointers[index] = job
            self._flying.append((request, job, kept))
        if self.queue.submit(self._pointers, len(requests)) != len(requests):
            raise OutworkError("The device's ring is full; this should not happen. Please report it.")

    def _fill(self, job: Any, request: Request) -> tuple[Any, ...]:
        """Fills in a job. Returns the objects that must stay alive until it is over."""
        ffi, c, cipher = self._ffi, self._c, request.key.cipher
        slot, key, tweak = request.key.handle
        ffi.memmove(job, bytes(ffi.sizeof("struct ow_job")), ffi.sizeof("struct ow_job"))
        job.opcode = cipher.opcode
        job.tag_len = request.tag_bytes
        job.flags = c.OW_JOB_DECRYPT if request.operation.is_inverse else 0
        if cipher.is_aead:
            job.flags |= c.OW_JOB_TAG_IN_SOURCE if request.operation.is_inverse else c.OW_JOB_APPEND_TAG
        if slot is None:
            job.key.bytes, job.key.key_len = key, cipher.single_key_bytes
            if tweak is not None:
                job.key.tweak_bytes = tweak
        else:
            job.key.slot = slot
        job.length = request.length_bytes
        job.source = self.board.pointer(request.source)
        if not cipher.is_mac:
            job.destination = self.board.pointer(request.destination)
        iv, iv_keep = self._reachable(request.iv)
        aad, aad_keep = self._reachable(request.aad)
        job.iv, job.iv_len = iv, len(request.iv)
        job.aad, job.aad_len = aad, len(request.aad)
        if request.operation is Operation.VERIFY:
            job.tag = request.tag.ljust(64, b"\0")
        return (iv_keep, aad_keep)

    def _reachable(self, data: bytes) -> tuple[Any, Any]:
        if not data:
            return self._ffi.NULL, None
        if len(data) <= COPIED_BYTES_MAX:
            copy = self._ffi.new("uint8_t[]", data)
            return copy, copy
        memory = self.allocate(len(data))
        memory.view[:] = data
        return self._ffi.cast("uint8_t *", memory.address), memory

    def poll(self) -> list[Request]:
        self.queue.poll()
        finished: list[Request] = []
        still: list[tuple[Request, Any, tuple[Any, ...]]] = []
        for entry in self._flying:
            request, job, kept = entry
            if job.status == self._c.OW_PENDING:
                still.append(entry)
                continue
            self._finish(request, job)
            self._free_jobs.append(job)
            for memory in kept:
                if isinstance(memory, Memory):
                    memory.close()
            finished.append(request)
        self._flying = still
        if finished:
            self._note_progress()
        elif still:
            self._check_alive()
        return finished

    def hash_streams(self, task: HashTask, streams: Iterable[Stream]) -> Iterator[Result]:
        self._note_progress()
        slot = self._free_slots.pop(0)
        try:
            hasher = DeviceHasher(self.board, self.queue, self.depth, slot, self._note_progress, self._check_alive)
            yield from hasher.hash_streams(task, streams)
        finally:
            self._free_slots.append(slot)

    def _note_progress(self) -> None:
        self._progress_cycle = self.board.cycles

    def _check_alive(self) -> None:
        """Raises an error if the device has halted or does not respond, because its jobs would never end."""
        if self.queue.is_halted():
            raise OutworkError(f"The device has stopped its queue: {self.queue.halt_reason()}")
        waited_cycles = self.board.cycles - self._progress_cycle
        if waited_cycles > self.stall_cycles:
            raise NoDeviceError(f"The device has finished nothing for {waited_cycles} cycles; it does not respond.")

    def _finish(self, request: Request, job: Any) -> None:
        if job.status == self._c.OW_OK:
            request.outcome = Outcome.OK
            if request.operation is Operation.MAC:
                request.tag = bytes(job.tag)[: request.tag_bytes]
        elif job.status == self._c.OW_AUTH_FAILED:
            request.outcome = Outcome.NOT_AUTHENTIC
        else:
            raise OutworkError(f"The device did not do the job: {self.board.status_text(job.status)}")

    def statistics(self) -> dict[str, str]:
        counters = self.queue.counters()
        cycles, clock_hz = counters["busy_cycles"], self.board.clock_hz
        uncounted = counters["jobs"] and not cycles  # on a build without these counters
        speed = f" = {counters['bytes'] * clock_hz / cycles / 1e6:.1f} MB/s at {self.board.clock}" if cycles else ""
        errors = sum(value for name, value in counters.items() if name.startswith("error"))
        kept = {name: value for name, value in self.queue.fallbacks().items() if value}
        return {
            "done by": self.description,
            "jobs on the device": f"{counters['jobs']}, and {errors} that failed",
            "bytes on the device": f"{counters['bytes']}",
            "device cycles with a job in flight": "not counted by this build" if uncounted else f"{cycles}{speed}",
            "kept from the device": ", ".join(f"{value} ({name})" for name, value in kept.items()) or "nothing",
        }

    def close(self) -> None:
        self.board.close()
