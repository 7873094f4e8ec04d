# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The interface of a file format for the pipeline: a header, and the conversion of chunks to requests and back."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from outwork.algorithms.cipher import BLOCK_BYTES
from outwork.device.memory import Memory
from outwork.engines.base import Engine, Request
from outwork.errors import NotAuthenticError

# Space after the payload in a chunk's buffers: a block of padding and a tag.
EXTRA_BYTES = 64


@dataclass(slots=True)
class Chunk:
    """A part of the input in its buffers: first the source, then the destination."""

    memory: Memory
    destination_offset: int
    index: int = 0
    is_last: bool = False
    length: int = 0  # valid bytes of the source; changes during processing
    request: Request | None = None

    @property
    def source(self) -> memoryview:
        return self.memory.at(0, self.destination_offset)

    @property
    def destination(self) -> memoryview:
        return self.memory.at(self.destination_offset, self.destination_offset)


class Codec(ABC):
    """One direction of a format for one file. The functions are called in the order of their definition, chunk by
    chunk."""

    #: Bytes of input in every chunk but the last.
    input_bytes: int
    # : Output before the first chunk.
    head: bytes = b""
    # : Whether a chunk needs the result of the one before it.
    is_serial: bool = False
    # : Whether the last chunk must be shorter than the others, because padding follows.
    last_is_short: bool = False

    def received(self, chunk: Chunk) -> None:
        """Called after reading, in the reading thread: may hash the input."""
        return

    @abstractmethod
    def request(self, chunk: Chunk) -> Request:
        """Returns the request for the engine."""

    @abstractmethod
    def finished(self, chunk: Chunk, engine: Engine) -> None:
        """Called when the engine has finished. Raises an error if the chunk is not authentic."""

    @abstractmethod
    def output(self, chunk: Chunk) -> memoryview:
        """Returns the bytes to write, in the writing thread: may hash the output."""


def pad(view: memoryview, length: int) -> int:
    """Appends PKCS#7 padding after `length` bytes. Returns the new length."""
    count = BLOCK_BYTES - length % BLOCK_BYTES
    view[length : length + count] = bytes((count,)) * count
    return length + count


def unpad(view: memoryview, length: int, complaint: str) -> int:
    count = view[length - 1] if length else 0
    if not 1 <= count <= BLOCK_BYTES or bytes(view[length - count : length]) != bytes((count,)) * count:
        raise NotAuthenticError(complaint)
    return length - count
