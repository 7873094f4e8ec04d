# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What an engine is: something that encrypts messages, and says what it can do and how fast it did it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from types import TracebackType
from typing import Any, Self

from outwork.algorithms import Algorithm
from outwork.ciphers import Cipher, Operation
from outwork.engines.hashing import HashTask, Result, Stream
from outwork.errors import NotAuthenticError, UsageError
from outwork.memory import Memory


class Outcome(Enum):
    """How a request ended. Anything else is an exception."""

    OPEN = auto()
    OK = auto()
    NOT_AUTHENTIC = auto()


@dataclass(slots=True)
class Key:
    """A key that an engine holds ready for a cipher. `handle` is the engine's own."""

    cipher: Cipher
    handle: Any


@dataclass(slots=True)
class Request:
    """One message. Addresses are of memory from the engine's `allocate`; they may be equal.

    With an AEAD the tag stands behind the payload: in the destination when encrypting, in the source when decrypting.
    A MAC comes out in `tag`, and one to verify stands there before.
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
    """Close it, or use it in a `with` block. For one thread at a time."""

    name: str
    #: Requests that are worth having in flight at once.
    depth: int
    #: One line for a person: what does the work.
    description: str

    @abstractmethod
    def supports(self, algorithm: Algorithm, operation: Operation) -> bool: ...

    @abstractmethod
    def allocate(self, size_bytes: int) -> Memory:
        """Page-aligned memory that the engine reaches."""

    @abstractmethod
    def load_key(self, cipher: Cipher, key: bytes) -> Key: ...

    @abstractmethod
    def drop_key(self, key: Key) -> None: ...

    @abstractmethod
    def submit(self, requests: Sequence[Request]) -> None:
        """Takes at most `depth` requests in flight; order in, but not always order out."""

    @abstractmethod
    def poll(self) -> list[Request]:
        """Requests that are over. Moves the work on when there are none."""

    def hash_streams(self, task: HashTask, streams: Iterable[Stream]) -> Iterator[Result]:
        """Digests or MACs in the order of the streams, which are taken as there is room for them. Alone: no request may be
        in flight."""
        raise UsageError(f"The engine '{self.name}' makes no digests and no MACs of files.")

    def close(self) -> None:
        """Keys are gone after this."""
        return

    def run(self, request: Request) -> None:
        """One request alone, until it is over."""
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
        """One whole message: AEAD ciphertext is followed by its tag, a MAC comes alone, `verify` takes message and MAC."""
        tag = b""
        payload_bytes = len(message)
        if cipher.mode.tag_bytes and operation.is_inverse:
            if len(message) < tag_bytes:
                raise NotAuthenticError(
                    f"The input has {len(message)} bytes, fewer than its tag of {tag_bytes} bytes: it is cut off."
                )
            payload_bytes -= tag_bytes
            if cipher.mode.is_mac:
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
        """What the engine counted since it was opened, for a person."""
        return {"done by": self.description}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class EngineInfo:
    """How to open an engine. `open` takes the name of a board, which only engines with a board look at."""

    name: str
    summary: str
    open: Callable[[str], Engine]
