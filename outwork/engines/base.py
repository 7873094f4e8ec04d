# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The interface of an engine, which encrypts messages and reports what it can do and how fast it was."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from types import TracebackType
from typing import Any, Self

from outwork.algorithms.base import Algorithm, Operation
from outwork.algorithms.cipher import Cipher
from outwork.device.memory import Memory
from outwork.engines.hashing import HashTask, Result, Stream
from outwork.errors import NotAuthenticError, UsageError


class Outcome(Enum):
    """How a request ended. Every other result is an exception."""

    OPEN = auto()
    OK = auto()
    NOT_AUTHENTIC = auto()


@dataclass(slots=True)
class Key:
    """A key that an engine has prepared for a cipher. `handle` belongs to the engine."""

    cipher: Cipher
    handle: Any


@dataclass(slots=True)
class Request:
    """One message. Addresses are in memory from the engine's `allocate`; source and destination may be the same.

    With an AEAD the tag follows the payload: in the destination when encrypting, in the source when decrypting.
    `tag` has the MAC that was computed, or the one to verify.
    """

    key: Key
    operation: Operation
    source: int
    destination: int
    length_bytes: int
    iv: bytes = b""
    aad: bytes = b""
    tag_bytes: int = 0
    tag: bytes = b""
    outcome: Outcome = Outcome.OPEN


class Engine(ABC):
    """Encrypts messages. Close it, or use it in a `with` block. Only one thread may use it at a time."""

    name: str
    # : How many requests should be in flight at once.
    depth: int
    # : One line that describes what does the work.
    description: str

    @abstractmethod
    def supports(self, algorithm: Algorithm, operation: Operation) -> bool: ...

    @abstractmethod
    def allocate(self, size_bytes: int) -> Memory:
        """Returns page-aligned memory that the engine can access."""

    @abstractmethod
    def load_key(self, cipher: Cipher, key: bytes) -> Key: ...

    @abstractmethod
    def drop_key(self, key: Key) -> None: ...

    @abstractmethod
    def submit(self, requests: Sequence[Request]) -> None:
        """Submits a request; at most `depth` may be in flight. Results may come in another order."""

    @abstractmethod
    def poll(self) -> list[Request]:
        """Returns the requests that are over. Advances the work if there are none."""

    def hash_streams(self, task: HashTask, streams: Iterable[Stream]) -> Iterator[Result]:
        """Returns digests or MACs in the order of the streams, which are read as capacity allows. No request may be in
        flight."""
        raise UsageError(f"The engine '{self.name}' cannot compute digests and MACs of files.")

    def close(self) -> None:
        """Closes the engine and wipes its keys."""
        return

    def run(self, request: Request) -> None:
        """Runs one request to its end; no other may be in flight."""
        self.submit([request])
        while request.outcome is Outcome.OPEN:
            self.poll()

    def crypt(
        self,
        cipher: Cipher,
        operation: Operation,
        key: bytes,
        iv: bytes,
        message: bytes,
        aad: bytes = b"",
        tag_bytes: int = 0,
    ) -> bytes:
        """Processes one whole message and returns the output: the tag of an AEAD follows its ciphertext, a MAC is the only output, `verify`
        takes message and MAC."""
        tag = b""
        payload_bytes = len(message)
        if cipher.tag_lengths and operation.is_inverse:
            if len(message) < tag_bytes:
                raise NotAuthenticError(
                    f"The input has {len(message)} bytes, fewer than its tag of {tag_bytes} bytes: it is truncated."
                )
            payload_bytes -= tag_bytes
            if cipher.is_mac:
                tag = message[payload_bytes:]
        handle = self.load_key(cipher, key)
        try:
            with self.allocate(len(message) + tag_bytes) as memory:
                memory.view[: len(message)] = message
                request = Request(
                    handle, operation, memory.address, memory.address, payload_bytes, iv, aad, tag_bytes, tag
                )
                self.run(request)
                if request.outcome is Outcome.NOT_AUTHENTIC:
                    raise NotAuthenticError(
                        "The tag does not match: wrong key or IV, or the data was changed. Nothing was written."
                    )
                if operation is Operation.MAC:
                    return request.tag[:tag_bytes]
                if operation is Operation.VERIFY:
                    return b""
                length = payload_bytes + (tag_bytes if operation is Operation.ENCRYPT else 0)
                return bytes(memory.view[:length])
        finally:
            self.drop_key(handle)

    def statistics(self) -> dict[str, str]:
        """Returns counters since the engine was opened, as text."""
        return {"done by": self.description}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class EngineInfo:
    """How to open an engine. `open` takes the name of a board, and how many boards share the requests; engines without a
    board ignore both."""

    name: str
    summary: str
    open: Callable[[str, int], Engine]
