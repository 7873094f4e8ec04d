# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Digests and MACs of streams with this machine's OpenSSL, one stream after the other."""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from typing import Any, Final, Protocol

from outwork.algorithms.base import no_software
from outwork.algorithms.digest import Hash, Mac
from outwork.engines.hashing import HashTask, Result, Stream
from outwork.errors import OutworkError, UsageError
from outwork.openssl import libcrypto

CHUNK_BYTES: Final = 1 << 20
OSSL_PARAM_UNSIGNED_INTEGER: Final = 2
KMAC_KEY_BYTES_MIN: Final = 4  # OpenSSL's limit; SP 800-185 has no use for shorter keys either


class _Running(Protocol):
    def update(self, data: memoryview, /) -> None: ...


def hash_streams(task: HashTask, streams: Iterable[Stream]) -> Iterator[Result]:
    chunk = memoryview(bytearray(CHUNK_BYTES))
    for stream in streams:
        running = _begin(task)
        try:
            count = len(chunk)
            while count == len(chunk):
                count = stream.read_into(chunk)
                running.update(chunk[:count])
                stream.hashed(count)
            yield _end(task, running)
        except OutworkError as error:
            yield error


def _begin(task: HashTask) -> Any:
    algorithm = task.algorithm
    name = algorithm.function.library_name
    if name is None:
        raise no_software(algorithm)
    if isinstance(algorithm, Hash):
        return hashlib.new(name)
    return _Kmac(algorithm, task) if algorithm.is_kmac else hmac.new(task.key, digestmod=name)


def _end(task: HashTask, running: Any) -> bytes:
    is_extendable = isinstance(task.algorithm, Hash) and task.algorithm.function.is_extendable
    result = running.digest(task.output_bytes) if is_extendable else running.digest()
    return bytes(result[: task.output_bytes])


def kmac(mac: Mac, key: bytes, data: bytes, output_bytes: int) -> bytes:
    running = _Kmac(mac, HashTask(mac, key, output_bytes))
    running.update(memoryview(data))
    return running.digest()


class _Kmac:
    """KMAC through OpenSSL, because Python's library does not have it."""

    def __init__(self, mac: Mac, task: HashTask) -> None:
        if len(task.key) < KMAC_KEY_BYTES_MIN:
            raise UsageError(f"OpenSSL takes keys of {KMAC_KEY_BYTES_MIN} bytes or more for {mac}.")
        library = libcrypto.load()
        self._ffi, self._c = library.ffi, library.c
        null = self._ffi.NULL
        fetched = self._c.EVP_MAC_fetch(null, mac.name.upper().encode(), null)
        if fetched == null:
            raise UsageError(f"This machine's OpenSSL has no {mac}.")
        self._context = self._ffi.gc(self._c.EVP_MAC_CTX_new(fetched), self._c.EVP_MAC_CTX_free)
        self._size = task.output_bytes
        size = self._ffi.new("size_t *", self._size)
        name = self._ffi.new("char[]", b"size")
        parameters = self._ffi.new("OSSL_PARAM[2]")
        parameters[0].key, parameters[0].data_type = name, OSSL_PARAM_UNSIGNED_INTEGER
        parameters[0].data, parameters[0].data_size = size, self._ffi.sizeof("size_t")
        self._check(self._c.EVP_MAC_init(self._context, task.key, len(task.key), parameters))

    def update(self, data: memoryview) -> None:
        self._check(self._c.EVP_MAC_update(self._context, self._ffi.from_buffer(data), len(data)))

    def digest(self) -> bytes:
        out, written = self._ffi.new("unsigned char[]", self._size), self._ffi.new("size_t *")
        self._check(self._c.EVP_MAC_final(self._context, out, written, self._size))
        return bytes(out)

    def _check(self, status: int) -> None:
        if status != 1:
            raise OutworkError("OpenSSL's KMAC failed; please report it.")
