# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What a file format is to the pipeline: a head, and a way to turn each chunk into an engine's request and back."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from outwork.ciphers import BLOCK_BYTES
from outwork.engines.base import Engine, Request
from outwork.errors import NotAuthenticError
from outwork.memory import Memory

# Room behind the payload in a chunk's buffers: a block of padding and a tag.
EXTRA_BYTES = 64


@dataclass(slots=True)
class Chunk:
    """A stretch of the input in its buffers: source first, destination behind."""

    memory: Memory
    destination_offset: int
    index: int = 0
    is_last: bool = False
    length: int = 0  # bytes of the source that count; changed on the way
    request: Request | None = None

    @property
    def source(self) -> memoryview:
        return self.memory.at(0, self.destination_offset)

    @property
    def destination(self) -> memoryview:
        return self.memory.at(self.destination_offset, self.destination_offset)


class Codec(ABC):
    """One direction of a format for one file. Hooks are called in the order of their definition, chunk by chunk."""

    #: Bytes of input in every chunk but the last.
    input_bytes: int
    #: What comes before the first chunk in the output.
    head: bytes = b""
    #: A chunk needs the result of the one before it.
    is_serial: bool = False
    #: The last chunk must be shorter than the others, because padding follows.
    last_is_short: bool = False

    def received(self, chunk: Chunk) -> None:
        """After reading, in the reading thread: the place for hashing the input."""
        return

    @abstractmethod
    def request(self, chunk: Chunk) -> Request:
        """What the engine shall do."""

    @abstractmethod
    def finished(self, chunk: Chunk, engine: Engine) -> None:
        """When the engine is done: raises if the chunk is not authentic."""

    @abstractmethod
    def output(self, chunk: Chunk) -> memoryview:
        """What is written, in the writing thread: the place for hashing the output."""


def pad(view: memoryview, length: int) -> int:
    """PKCS#7 behind `length` bytes; answers the new length."""
    count = BLOCK_BYTES - length % BLOCK_BYTES
    view[length : length + count] = bytes((count,)) * count
    return length + count


def unpad(view: memoryview, length: int, complaint: str) -> int:
    count = view[length - 1] if length else 0
    if not 1 <= count <= BLOCK_BYTES or bytes(view[length - count : length]) != bytes((count,)) * count:
        raise NotAuthenticError(complaint)
    return length - count
