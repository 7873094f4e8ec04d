# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Digests and MACs of streams on the device: many streams at once, each a chain of jobs that pass on its state."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from outwork import spec
from outwork.algorithms.digest import Hash, Mac
from outwork.device.board import Board
from outwork.device.memory import Memory
from outwork.device.queues import Queue
from outwork.engines.hashing import BytesStream, HashTask, LongKey, Result, Stream
from outwork.errors import OutworkError

CHUNK_BYTES: Final = 256 * 1024
KEY_BYTES_MAX: Final = 64  # that a key slot can contain
CONTEXT_BYTES: Final = -(-spec.HASH_CONTEXT_SIZE // 64) * 64


@dataclass
class _Pass:
    """One hash over a prefix and the rest of a stream; an HMAC key that is too long needs a second one."""

    opcode: int
    output_bytes: int
    prefix: bytes = b""
    slot: int | None = None
    iv: Memory | None = None  # the customization string


@dataclass(eq=False)
class _Lane:
    """A stream that is being hashed: while the device processes one chunk, the next is read."""

    job: Any
    memory: Memory  # context, two chunks, the result
    stream: Stream | None = None
    current: _Pass | None = None
    chunk: int = 0
    filled: list[int | None] = field(default_factory=lambda: [None, None])
    started: bool = False  # the context contains a state
    in_flight: bool = False
    result: Result | None = None

    def view(self, chunk: int) -> memoryview:
        return self.memory.at(CONTEXT_BYTES + chunk * CHUNK_BYTES, CHUNK_BYTES)


class DeviceHasher:
    """Hashes on an idle queue, and leaves it idle. May use key slot `key_slot`. Calls one function when a job has
    ended, the other when none has."""

    def __init__(
        self,
        board: Board,
        queue: Queue,
        depth: int,
        key_slot: int,
        note_progress: Callable[[], None],
        check_alive: Callable[[], None],
    ) -> None:
        self._board, self._queue, self._depth, self._slot = board, queue, depth, key_slot
        self._note_progress, self._check_alive = note_progress, check_alive
        self._ffi, self._c = board.ffi, board.c

    def hash_streams(self, task: HashTask, streams: Iterable[Stream]) -> Iterator[Result]:
        algorithm, key = task.algorithm, task.key
        first = _Pass(algorithm.opcode, task.output_bytes)
        long_key: LongKey | None = None
        if isinstance(algorithm, Mac) and len(key) <= KEY_BYTES_MAX:
            self._board.load_mac_key(self._slot, algorithm.opcode, key)
            first.slot = self._slot
        elif isinstance(algorithm, Mac):
            if algorithm.is_kmac:
                raise OutworkError(f"The device takes keys of at most {KEY_BYTES_MAX} bytes for {algorithm}.")
            plain = Hash(algorithm.function)
            hashed = b""
            if len(key) > algorithm.function.block_bytes:
                hashed = self._whole(plain.opcode, key, plain.function.digest_bytes)
            long_key = LongKey.of(algorithm, key, hashed)
            first = _Pass(plain.opcode, plain.function.digest_bytes, long_key.inner)
        if task.customization:
            first.iv = self._board.memory(len(task.customization))
            first.iv.view[:] = task.customization
        try:
            for result in self._run(first, streams, task.output_bytes):
                if long_key is not None and isinstance(result, bytes):
                    outer = self._whole(first.opcode, long_key.outer + result, first.output_bytes)
                    yield outer[: task.output_bytes]
                else:
                    yield result
        finally:
            if first.slot is not None:
                self._board.zeroise(self._slot)
            if first.iv is not None:
                first.iv.close()

    def _whole(self, opcode: int, data: bytes, output_bytes: int) -> bytes:
        (result,) = self._run(_Pass(opcode, output_bytes, data), [BytesStream()], output_bytes)
        if isinstance(result, OutworkError):
            raise result
        return result

    def _run(self, task: _Pass, streams: Iterable[Stream], output_bytes: int) -> Iterator[Result]:
        waiting = iter(streams)
        order: deque[_Lane] = deque()
        free: list[_Lane] = []
        more = True
        try:
            while more or order:
                while more and len(order) < self._depth:
                    stream = next(waiting, None)
                    more = stream is not None
                    if stream is not None:
                        if not free:
                            free.append(self._lane(output_bytes))
                        lane = free.pop()
                        self._start(lane, stream, task)
                        order.append(lane)
                for lane in order:
                    self._advance(lane)
                while order and order[0].result is not None:
                    lane = order.popleft()
                    assert lane.result is not None
                    yield lane.result
                    free.append(lane)
                if any(lane.in_flight for lane in order):
                    if self._queue.poll():
                        self._note_progress()
                    else:
                        self._check_alive()
        finally:
            if any(lane.in_flight for lane in order):
                self._queue.reset()
            for lane in (*order, *free):
                lane.memory.close()

    def _lane(self, output_bytes: int) -> _Lane:
        memory = self._board.memory(CONTEXT_BYTES + 2 * CHUNK_BYTES + output_bytes)
        return _Lane(self._ffi.new("struct ow_job *"), memory)

    def _start(self, lane: _Lane, stream: Stream, task: _Pass) -> None:
        lane.stream, lane.current, lane.chunk = stream, task, 0
        lane.started, lane.in_flight, lane.result = False, False, None
        lane.filled = [None, None]

    def _read(self, lane: _Lane, chunk: int) -> None:
        assert lane.stream is not None and lane.current is not None
        view, prefix = lane.view(chunk), b""
        if not lane.started and not lane.in_flight:
            prefix = lane.current.prefix
            view[: len(prefix)] = prefix
        lane.filled[chunk] = len(prefix) + lane.stream.read_into(view[len(prefix) :])

    def _advance(self, lane: _Lane) -> None:
        """Takes the result of a finished job, submits the next one, and reads ahead."""
        if lane.result is not None:
            return
        try:
            if lane.in_flight and lane.job.status != self._c.OW_PENDING:
                self._take(lane)
            if lane.result is None and not lane.in_flight:
                if lane.filled[lane.chunk] is None:
                    self._read(lane, lane.chunk)
                self._give(lane)
            ahead = 1 - lane.chunk
            if lane.in_flight and lane.filled[lane.chunk] == CHUNK_BYTES and lane.filled[ahead] is None:
                self._read(lane, ahead)
        except OutworkError as error:
            if lane.in_flight:
                self._queue.wait(lane.job)
                lane.in_flight = False
            lane.result = error

    def _give(self, lane: _Lane) -> None:
        c, job, task = self._c, lane.job, lane.current
        assert task is not None
        length = lane.filled[lane.chunk]
        assert length is not None
        self._ffi.memmove(job, bytes(self._ffi.sizeof("struct ow_job")), self._ffi.sizeof("struct ow_job"))
        job.opcode, job.length = task.opcode, length
        job.key.slot = task.slot or 0
        job.source = self._board.pointer(lane.memory.address + CONTEXT_BYTES + lane.chunk * CHUNK_BYTES)
        job.context = self._board.pointer(lane.memory.address)
        job.flags = c.OW_JOB_LOAD_STATE if lane.started else 0
        if task.iv is not None and not lane.started:  # the saved state contains it
            job.iv, job.iv_len = self._ffi.cast("uint8_t *", task.iv.address), task.iv.size_bytes
        if length == CHUNK_BYTES:
            job.flags |= c.OW_JOB_SAVE_STATE
        elif task.output_bytes <= len(job.tag):
            job.tag_len = task.output_bytes
        else:
            job.destination = self._board.pointer(lane.memory.address + CONTEXT_BYTES + 2 * CHUNK_BYTES)
            job.destination_len = task.output_bytes
        lane.in_flight = True
        if self._queue.submit(self._ffi.new("struct ow_job *[]", [job]), 1) != 1:
            raise OutworkError("The device's ring is full; this should not happen. Please report it.")

    def _take(self, lane: _Lane) -> None:
        job, task = lane.job, lane.current
        assert task is not None
        lane.in_flight = False
        if job.status != self._c.OW_OK:
            raise OutworkError(f"The device did not do the job: {self._board.status_text(job.status)}")
        filled = lane.filled[lane.chunk]
        assert lane.stream is not None and filled is not None
        lane.stream.hashed(filled if lane.started else filled - len(task.prefix))
        if filled != CHUNK_BYTES:
            if task.output_bytes <= len(job.tag):
                lane.result = bytes(job.tag)[: task.output_bytes]
            else:
                lane.result = bytes(lane.memory.at(CONTEXT_BYTES + 2 * CHUNK_BYTES, task.output_bytes))
            return
        lane.started = True
        lane.filled[lane.chunk] = None
        lane.chunk = 1 - lane.chunk
