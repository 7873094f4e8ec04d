# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Processes a stream with an engine: one thread reads, one writes, and many chunks are in flight between them."""

import queue
import threading
from collections.abc import Callable
from typing import Final

from outwork.engines.base import Engine, Request
from outwork.files.formats.base import EXTRA_BYTES, Chunk, Codec
from outwork.files.streams import ByteSink, ByteSource

# Chunks that wait to be read or written, in addition to those in the engine.
SPARE_CHUNKS: Final = 4
JOIN_SECONDS: Final = 5.0
# The main thread also wakes up at this interval: a signal may wake another thread, or come just before a wait.
LOOK_UP_SECONDS: Final = 0.5


class _Stop(Exception):
    """Stops a thread because another one has failed; carries no further information."""


class Pipeline:
    """One run over one stream. Calls `progress` with the input bytes of each finished chunk."""

    def __init__(
        self,
        engine: Engine,
        codec: Codec,
        source: ByteSource,
        sink: ByteSink,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self._engine, self._codec, self._source, self._sink = engine, codec, source, sink
        self._progress = progress or (lambda _: None)
        self._depth = 1 if codec.is_serial else engine.depth
        self._free: queue.SimpleQueue[Chunk | None] = queue.SimpleQueue()
        self._read: queue.SimpleQueue[Chunk | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Chunk | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._failures: list[BaseException] = []

    def run(self) -> None:
        """Runs the pipeline. Raises the first error; then the output must be discarded."""
        room = -(-(self._codec.input_bytes + EXTRA_BYTES) // 4096) * 4096
        memories = [self._engine.allocate(2 * room) for _ in range(self._depth + SPARE_CHUNKS)]
        for memory in memories:
            self._free.put(Chunk(memory, room))
        threads = [
            threading.Thread(target=self._guard, args=(work,), name=name, daemon=True)
            for name, work in (("reader", self._read_all), ("writer", self._write_all))
        ]
        for thread in threads:
            thread.start()
        try:
            self._process()
            self._done.put(None)
            while threads[1].is_alive():
                threads[1].join(LOOK_UP_SECONDS)
            self._raise_failure()
        except BaseException:
            self._stop()
            # The first failure in a thread is the cause of what happened here.
            self._raise_failure()
            raise
        finally:
            self._stop()
            for thread in threads:
                thread.join(JOIN_SECONDS if not self._source.may_block else 0.1)
        for memory in memories:
            memory.close()

    def _stop(self) -> None:
        self._stopping.set()
        for waiting in (self._free, self._done):
            waiting.put(None)

    def _raise_failure(self) -> None:
        if self._failures:
            raise self._failures[0]

    def _guard(self, work: Callable[[], None]) -> None:
        try:
            work()
        except _Stop:
            pass
        except BaseException as failure:
            self._failures.append(failure)
            self._read.put(None)

    def _take(self, waiting: "queue.SimpleQueue[Chunk | None]") -> Chunk:
        chunk = waiting.get()
        if chunk is None or self._stopping.is_set():
            raise _Stop
        return chunk

    def _read_all(self) -> None:
        """Reads all chunks. Stays one chunk ahead, because the last chunk is treated differently."""
        size, index = self._codec.input_bytes, 0
        chunk = self._take(self._free)
        chunk.length = self._source.read_into(chunk.source[:size])
        while True:
            following = None
            if chunk.length == size:
                following = self._take(self._free)
                following.length = self._source.read_into(following.source[:size])
                if not following.length and not self._codec.last_is_short:
                    following = None
            chunk.index, chunk.is_last = index, following is None
            self._codec.received(chunk)
            self._read.put(chunk)
            if following is None:
                return
            chunk, index = following, index + 1

    def _process(self) -> None:
        """The engine's thread: submits chunks, polls for finished ones, passes them on in order."""
        flying: dict[int, Chunk] = {}  # by the identity of their requests
        over: dict[int, Chunk] = {}
        next_index, last_index = 0, -1
        while next_index - 1 != last_index or last_index < 0:
            requests: list[Request] = []
            while len(flying) < self._depth and last_index < 0:
                try:
                    chunk = self._read.get(not flying, LOOK_UP_SECONDS)
                except queue.Empty:
                    break
                if chunk is None:
                    self._raise_failure()
                    raise _Stop
                if chunk.is_last:
                    last_index = chunk.index
                chunk.request = self._codec.request(chunk)
                flying[id(chunk.request)] = chunk
                requests.append(chunk.request)
            if requests:
                self._engine.submit(requests)
            for request in self._engine.poll():
                finished = flying.pop(id(request), None)
                if finished is not None:  # None: it belongs to a run that was abandoned
                    over[finished.index] = finished
            while next_index in over:
                chunk = over.pop(next_index)
                self._codec.finished(chunk, self._engine)
                self._progress(chunk.length)
                self._done.put(chunk)
                next_index += 1
            self._raise_failure()

    def _write_all(self) -> None:
        self._sink.write(self._codec.head)
        while True:
            chunk = self._done.get()
            if chunk is None or self._stopping.is_set():
                return
            self._sink.write(self._codec.output(chunk))
            chunk.request = None
            self._free.put(chunk)
