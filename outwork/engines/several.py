# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Several simulated boards as one engine: each computes in a thread of its own, so on a processor of its own."""

import queue
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from outwork.algorithms.base import Algorithm, Operation
from outwork.algorithms.cipher import Cipher
from outwork.device.memory import Memory
from outwork.device.profiles import Profile
from outwork.engines.accelerator import AcceleratorEngine
from outwork.engines.base import Engine, EngineInfo, Key, Request

# The caller wakes up at this interval: a signal may wake another thread, or come just before a wait.
LOOK_UP_SECONDS: Final = 0.5


class SeveralBoards(Engine):
    """Gives each request to the board that has room first. Keys are loaded into all boards, and memory is that of all.

    A board belongs to its thread while requests are in flight: keys may be loaded and dropped before and after.
    """

    name = AcceleratorEngine.name

    def __init__(self, profile: Profile | str, count: int) -> None:
        self._engines: list[AcceleratorEngine] = []
        self._waiting: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._over: queue.SimpleQueue[Request | BaseException] = queue.SimpleQueue()
        self._in_flight = 0
        self._closing = threading.Event()
        try:
            for _ in range(count):
                self._engines.append(AcceleratorEngine(profile))
        except BaseException:
            self._close_engines()
            raise
        self.depth = sum(engine.depth for engine in self._engines)
        self.description = f"{count} boards; each is {self._engines[0].description}"
        self._threads = [
            threading.Thread(target=self._work, args=(engine,), name=f"board {index}", daemon=True)
            for index, engine in enumerate(self._engines)
        ]
        for thread in self._threads:
            thread.start()

    def supports(self, algorithm: Algorithm, operation: Operation) -> bool:
        return self._engines[0].supports(algorithm, operation)

    def allocate(self, size_bytes: int) -> Memory:
        memory = self._engines[0].allocate(size_bytes)
        try:
            for engine in self._engines[1:]:
                engine.board.share(memory)
        except BaseException:
            memory.close()
            raise
        return memory

    def load_key(self, cipher: Cipher, key: bytes) -> Key:
        loaded = Key(cipher, {})
        try:
            for engine in self._engines:
                loaded.handle[id(engine)] = engine.load_key(cipher, key)
        except BaseException:
            self.drop_key(loaded)
            raise
        return loaded

    def drop_key(self, key: Key) -> None:
        for engine in self._engines:
            if id(engine) in key.handle:
                engine.drop_key(key.handle[id(engine)])

    def submit(self, requests: Sequence[Request]) -> None:
        self._in_flight += len(requests)
        for request in requests:
            self._waiting.put(request)

    def poll(self) -> list[Request]:
        """Returns the requests that are over. Waits for one, but not for longer than `LOOK_UP_SECONDS`."""
        finished: list[Request] = []
        try:
            while True:
                ended = self._over.get(bool(self._in_flight and not finished), LOOK_UP_SECONDS)
                if isinstance(ended, BaseException):
                    raise ended
                self._in_flight -= 1
                finished.append(ended)
        except queue.Empty:
            return finished

    def _work(self, engine: AcceleratorEngine) -> None:
        try:
            self._serve(engine)
        except BaseException as failure:
            self._over.put(failure)

    def _serve(self, engine: AcceleratorEngine) -> None:
        """A board's thread: takes requests while the board has room, until the engine is closed."""
        originals: dict[int, Request] = {}  # by the identity of the board's own requests
        while not self._closing.is_set():
            if len(originals) < engine.depth:
                # One at a time: what waits is for all boards.
                with suppress(queue.Empty):
                    request = self._waiting.get(not originals)
                    if request is None:
                        return
                    own = _for_board(request, engine)
                    originals[id(own)] = request
                    engine.submit([own])
            for own in engine.poll():
                request = originals.pop(id(own))
                request.tag, request.outcome = own.tag, own.outcome
                self._over.put(request)

    def statistics(self) -> dict[str, str]:
        """Returns the counters of each board, with its number before their names."""
        found = {"done by": self.description}
        for index, engine in enumerate(self._engines, 1):
            own = engine.statistics()
            del own["done by"]
            found |= {f"board {index}: {name}": value for name, value in own.items()}
        return found

    def close(self) -> None:
        self._closing.set()
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()
        self._close_engines()

    def _close_engines(self) -> None:
        for engine in self._engines:
            engine.close()


def _for_board(request: Request, engine: AcceleratorEngine) -> Request:
    """Returns the request with the board's own key."""
    return Request(
        request.key.handle[id(engine)],
        request.operation,
        request.source,
        request.destination,
        request.length_bytes,
        request.iv,
        request.aad,
        request.tag_bytes,
        request.tag,
    )


def _open(board: str, boards: int) -> Engine:
    return AcceleratorEngine(board) if boards == 1 else SeveralBoards(board, boards)


ENGINE = EngineInfo("accelerator", "the device of a board (simulated)", _open)
