# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The pipeline: order, depth, and failures."""

import io
import random
import signal
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from streamed import seal, through, unseal

from outwork.algorithms import find_cipher
from outwork.algorithms.base import Operation
from outwork.algorithms.cipher import Cipher
from outwork.device.memory import Memory
from outwork.engines.base import Engine, Key, Outcome, Request
from outwork.engines.software import SoftwareEngine
from outwork.errors import OutworkError
from outwork.files.formats.base import Chunk, Codec
from outwork.files.formats.openssl import OpensslEncoder
from outwork.files.pipeline import Pipeline
from outwork.files.streams import ByteSink, ByteSource
from outwork.lab.records import Point, Record


class ScrambledEngine(SoftwareEngine):
    """Finishes requests late and in another order, as a device may."""

    depth = 8

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[Request] = []
        self._random = random.Random(7)
        self.most_in_flight = 0

    def submit(self, requests: Sequence[Request]) -> None:
        self._waiting.extend(requests)
        self.most_in_flight = max(self.most_in_flight, len(self._waiting))
        assert len(self._waiting) <= self.depth

    def poll(self) -> list[Request]:
        if self._waiting and self._random.random() < 0.7:
            request = self._waiting.pop(self._random.randrange(len(self._waiting)))
            self.process(request)
            return [request]
        return []


class CopyCodec(Codec):
    """A format without any cipher, that can be told to fail."""

    def __init__(self, fail_in: str = "", at: int = 3) -> None:
        self.input_bytes = 100
        self.fail_in, self.at = fail_in, at
        self.threads: set[str] = set()

    def _step(self, name: str, chunk: Chunk) -> None:
        self.threads.add(f"{name} in {threading.current_thread().name}")
        if (name, chunk.index) == (self.fail_in, self.at):
            raise OutworkError(f"{name} failed.")

    def received(self, chunk: Chunk) -> None:
        self._step("received", chunk)

    def request(self, chunk: Chunk) -> Request:
        self._step("request", chunk)
        target = chunk.memory.address + chunk.destination_offset
        key = Key(find_cipher("aes-128-ctr"), None)
        return Request(key, Operation.ENCRYPT, chunk.memory.address, target, chunk.length)

    def finished(self, chunk: Chunk, engine: Engine) -> None:
        self._step("finished", chunk)

    def output(self, chunk: Chunk) -> memoryview:
        self._step("output", chunk)
        chunk.destination[: chunk.length] = chunk.source[: chunk.length]
        return chunk.destination[: chunk.length]


class NothingEngine(Engine):
    name, depth, description = "nothing", 4, "does nothing"

    def __init__(self, fails_at: int = -1) -> None:
        self._over: list[Request] = []
        self._count, self._fails_at = 0, fails_at

    def supports(self, cipher: Cipher, operation: Operation) -> bool:
        return True

    def allocate(self, size_bytes: int) -> Memory:
        return Memory(size_bytes)

    def load_key(self, cipher: Cipher, key: bytes) -> Key:
        return Key(cipher, None)

    def drop_key(self, key: Key) -> None:
        return

    def submit(self, requests: Sequence[Request]) -> None:
        for request in requests:
            request.outcome = Outcome.OK
            if self._count == self._fails_at:
                raise OutworkError("the engine broke.")
            self._count += 1
        self._over.extend(requests)

    def poll(self) -> list[Request]:
        over, self._over = self._over, []
        return over

    def measure(self, point: Point) -> Record:
        raise NotImplementedError


DATA = random.Random(1).randbytes(2345)


@pytest.mark.parametrize("name", ["aes-256-gcm", "aes-128-cbc", "aes-256-ctr"])
def test_order_survives_an_engine_that_has_none(name: str) -> None:
    data = random.Random(2).randbytes(300 * 512 + 1)
    with ScrambledEngine() as engine:
        sealed = seal(engine, name, data)
        assert engine.most_in_flight > 4
        assert unseal(engine, sealed) == data
    with SoftwareEngine() as plain:
        assert sealed == seal(plain, name, data)


def test_serial_format_has_one_chunk_in_flight() -> None:
    with ScrambledEngine() as engine:
        cipher = find_cipher("aes-128-cbc")
        through(engine, lambda _: OpensslEncoder(engine, cipher, b"password", 10), bytes(3 << 20))
        assert engine.most_in_flight == 1


def test_work_is_spread_over_threads() -> None:
    codec = CopyCodec()
    assert through(NothingEngine(), lambda _: codec, DATA) == DATA
    assert {"received in reader", "request in MainThread", "output in writer"} <= codec.threads


@pytest.mark.parametrize("place", ["received", "request", "finished", "output"])
@pytest.mark.parametrize("at", [0, 3, 23])
def test_failure_anywhere_ends_the_run(place: str, at: int) -> None:
    before = threading.active_count()
    with pytest.raises(OutworkError, match=f"{place} failed"):
        through(NothingEngine(), lambda _: CopyCodec(place, at), DATA)
    assert threading.active_count() == before


def test_failing_engine() -> None:
    with pytest.raises(OutworkError, match="the engine broke"):
        through(NothingEngine(fails_at=5), lambda _: CopyCodec(), DATA)


class SlowOutput(io.RawIOBase):
    """Slower than source and engine."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: Any, /) -> int:
        time.sleep(0.01)
        self.data += data
        return len(data)


def test_the_last_bytes_are_waited_for() -> None:
    plain, output = bytes(range(256)) * 4, SlowOutput()
    with tempfile.TemporaryFile(buffering=0) as reading:
        reading.write(plain)
        reading.seek(0)
        Pipeline(NothingEngine(), CopyCodec(), ByteSource(reading, "in"), ByteSink(output, "out")).run()
    assert len(output.data) == len(plain)


def test_progress_counts_every_byte() -> None:
    steps: list[int] = []
    with tempfile.TemporaryFile(buffering=0) as reading, tempfile.TemporaryFile(buffering=0) as writing:
        reading.write(DATA)
        reading.seek(0)
        source, sink = ByteSource(reading, "in"), ByteSink(writing, "out")
        Pipeline(NothingEngine(), CopyCodec(), source, sink, steps.append).run()
    assert sum(steps) == len(DATA)


class Interruption(Exception):
    pass


@pytest.mark.parametrize("place", ["received", "output"])
def test_a_signal_that_wakes_another_thread(place: str) -> None:
    """The main thread, which alone runs Python's handlers, looks up from its waiting all the same."""
    release, in_time = threading.Event(), []

    class StuckCodec(CopyCodec):
        def _step(self, name: str, chunk: Chunk) -> None:
            if name == place:
                in_time.append(release.wait(5))

    def interrupt(number: int, frame: object) -> None:
        release.set()
        raise Interruption

    before = signal.signal(signal.SIGUSR1, interrupt)
    killer = threading.Timer(0.3, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGUSR1))
    killer.start()
    try:
        with pytest.raises(Interruption):
            through(NothingEngine(), lambda _: StuckCodec(), DATA[:300])
    finally:
        killer.join()
        signal.signal(signal.SIGUSR1, before)
    assert all(in_time)
