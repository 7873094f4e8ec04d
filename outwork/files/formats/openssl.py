# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Files of `openssl enc -pbkdf2`: `Salted__`, eight bytes of salt, one unauthenticated message."""

import os
from typing import Final

from outwork import algorithms
from outwork.algorithms.base import Operation
from outwork.algorithms.cipher import BLOCK_BYTES, Cipher, IvUse
from outwork.engines.base import Engine, Request
from outwork.errors import NotAuthenticError, UsageError
from outwork.files.formats.base import Chunk, Codec, pad, unpad
from outwork.files.kdf import Kdf

MAGIC: Final = b"Salted__"
SALT_BYTES: Final = 8
HEAD_BYTES: Final = len(MAGIC) + SALT_BYTES
ITERATIONS: Final = 10_000  # the default of `openssl enc -pbkdf2` without -iter
# `openssl enc` has no AEAD and no XTS.
CIPHERS: Final = tuple(
    cipher.name
    for cipher in map(algorithms.find_cipher, algorithms.FILE_CIPHERS)
    if cipher.iv_use in (IvUse.NONE, IvUse.CHAINED, IvUse.COUNTER) and cipher.has_software
)
CHUNK_BYTES: Final = 256 * 1024
COMPLAINT: Final = (
    "The password, cipher or number of iterations is wrong, or the file is damaged "
    "(this format has no tag, so the reason cannot be known)."
)


def check_cipher(cipher: Cipher) -> None:
    if cipher.name not in CIPHERS:
        raise UsageError(f"`openssl enc` has no {cipher}: --format openssl goes with --cipher {', '.join(CIPHERS)}.")


class _OpensslCodec(Codec):
    operation: Operation

    def __init__(self, engine: Engine, cipher: Cipher, password: bytes, salt: bytes, iterations: int) -> None:
        check_cipher(cipher)
        iv_bytes = cipher.iv_bytes
        material = Kdf.pbkdf2(iterations).derive(password, salt, cipher.key_bytes + iv_bytes)
        self._key = engine.load_key(cipher, material[: cipher.key_bytes])
        self._iv = material[cipher.key_bytes :]
        self._iv_use = cipher.iv_use
        self._pads = cipher.whole_blocks
        self.input_bytes = CHUNK_BYTES

    def _chunk_iv(self, chunk: Chunk) -> bytes:
        if self._iv_use is IvUse.COUNTER:
            first = int.from_bytes(self._iv, "big") + chunk.index * (CHUNK_BYTES // BLOCK_BYTES)
            return (first % (1 << 128)).to_bytes(16, "big")
        return self._iv

    def _request(self, chunk: Chunk) -> Request:
        address = chunk.memory.address
        return Request(
            self._key,
            self.operation,
            address,
            address + chunk.destination_offset,
            chunk.length,
            iv=self._chunk_iv(chunk),
        )

    def output(self, chunk: Chunk) -> memoryview:
        return chunk.destination[: chunk.length]


class OpensslEncoder(_OpensslCodec):
    operation = Operation.ENCRYPT

    def __init__(self, engine: Engine, cipher: Cipher, password: bytes, iterations: int) -> None:
        salt = os.urandom(SALT_BYTES)
        super().__init__(engine, cipher, password, salt, iterations)
        self.head = MAGIC + salt
        self.last_is_short = self._pads
        self.is_serial = self._iv_use is IvUse.CHAINED

    def request(self, chunk: Chunk) -> Request:
        if self._pads and chunk.is_last:
            chunk.length = pad(chunk.source, chunk.length)
        return self._request(chunk)

    def finished(self, chunk: Chunk, engine: Engine) -> None:
        if self._iv_use is IvUse.CHAINED:
            self._iv = bytes(chunk.destination[chunk.length - BLOCK_BYTES : chunk.length])


class OpensslDecoder(_OpensslCodec):
    operation = Operation.DECRYPT

    def __init__(self, engine: Engine, cipher: Cipher, password: bytes, head: bytes, iterations: int) -> None:
        if not head.startswith(MAGIC):
            raise NotAuthenticError("This file does not start with 'Salted__': `openssl enc -pbkdf2` did not make it.")
        if len(head) < HEAD_BYTES:
            raise NotAuthenticError("The file is truncated inside its header.")
        super().__init__(engine, cipher, password, head[len(MAGIC) : HEAD_BYTES], iterations)

    def request(self, chunk: Chunk) -> Request:
        if self._pads and (chunk.length % BLOCK_BYTES or (chunk.is_last and not chunk.length)):
            raise NotAuthenticError("The file is truncated or damaged: its length is not a multiple of 16 bytes.")
        request = self._request(chunk)
        if self._iv_use is IvUse.CHAINED and chunk.length:
            self._iv = bytes(chunk.source[chunk.length - BLOCK_BYTES : chunk.length])
        return request

    def finished(self, chunk: Chunk, engine: Engine) -> None:
        if self._pads and chunk.is_last:
            chunk.length = unpad(chunk.destination, chunk.length, COMPLAINT)
