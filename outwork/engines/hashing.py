# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Digests and MACs of streams: the request to an engine, and HMAC with a key that is too long for a job."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from outwork.algorithms.digest import Hash, Mac
from outwork.errors import OutworkError


class Stream(Protocol):
    def read_into(self, view: memoryview) -> int:
        """Fills the view and returns the number of bytes; less than its length only at the end."""

    def hashed(self, count_bytes: int) -> None:
        """Reports how many bytes the engine has hashed."""


class BytesStream:
    """A stream of bytes that are in memory."""

    def __init__(self, data: bytes = b"") -> None:
        self._rest = memoryview(data)

    def read_into(self, view: memoryview) -> int:
        count = min(len(view), len(self._rest))
        view[:count], self._rest = self._rest[:count], self._rest[count:]
        return count

    def hashed(self, count_bytes: int) -> None:
        return


@dataclass(frozen=True)
class HashTask:
    """The output for every stream: `output_bytes` bytes."""

    algorithm: Hash | Mac
    key: bytes
    output_bytes: int
    customization: bytes = b""  # the string of a customizable function (Function.customization_bytes_max)


Result = bytes | OutworkError  # of a stream that cannot be read


class StreamHasher(Protocol):
    def hash_streams(self, task: HashTask, streams: Iterable[Stream]) -> Iterator[Result]:
        """Returns the results in the order of the streams, which are read as capacity allows."""


@dataclass(frozen=True)
class LongKey:
    """HMAC (FIPS 198-1) with the plain hash: H(outer || H(inner || text))."""

    function: Hash
    inner: bytes
    outer: bytes

    @classmethod
    def of(cls, mac: Mac, key: bytes, hashed: bytes) -> "LongKey":
        """Prepares the key. hashed: the key's digest, if the key is longer than a block."""
        block = mac.function.block_bytes
        k0 = (hashed if len(key) > block else key).ljust(block, b"\0")
        return cls(Hash(mac.function), bytes(b ^ 0x36 for b in k0), bytes(b ^ 0x5C for b in k0))
