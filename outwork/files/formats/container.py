# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The Outwork file format: chunks, each with a tag that also covers its position (docs/file-format.md).

AEAD ciphers follow the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015): the nonce of a chunk is prefix,
number, and whether it is the last. The others are encrypted, then authenticated with HMAC-SHA-256.
"""

import hmac
from typing import Final

from outwork.algorithms.base import Operation
from outwork.algorithms.cipher import BLOCK_BYTES, TAG_BYTES_MAX, IvUse
from outwork.engines.base import Engine, Key, Outcome, Request
from outwork.errors import NotAuthenticError, OutworkError
from outwork.files.formats.base import Chunk, Codec, pad, unpad
from outwork.files.formats.header import FileKeys, Header
from outwork.files.kdf import HASH_BYTES

CHUNKS_MAX: Final = 1 << 32
# The last chunk must be whole blocks, or at least one block.
PADDED: Final = (IvUse.NONE, IvUse.CHAINED, IvUse.UNIT)


def trailer_bytes(header: Header) -> int:
    """Bytes of the tag after each chunk."""
    return TAG_BYTES_MAX if header.cipher.is_aead else HASH_BYTES


def chunk_iv(header: Header, keys: FileKeys, index: int, is_last: bool) -> bytes:
    cipher = header.cipher
    if cipher.is_aead:
        place = index.to_bytes(4, "big") + bytes((is_last,))  # the last bytes of the nonce; the others are the file's
        return keys.nonce[: cipher.iv_bytes - len(place)] + place
    if cipher.iv_use is IvUse.COUNTER:
        first = int.from_bytes(keys.nonce, "big") + index * (header.chunk_bytes // BLOCK_BYTES)
        return (first % (1 << 128)).to_bytes(16, "big")
    if cipher.iv_use is IvUse.CHAINED:
        return hmac.digest(keys.iv_key, index.to_bytes(8, "little"), "sha256")[:BLOCK_BYTES]
    if cipher.iv_use is IvUse.UNIT:
        return index.to_bytes(16, "little")
    return b""


def chunk_mac(keys: FileKeys, index: int, is_last: bool, ciphertext: memoryview) -> bytes:
    mac = hmac.new(keys.mac_key, index.to_bytes(8, "little") + bytes((is_last,)), "sha256")
    mac.update(ciphertext)
    return mac.digest()


class _ContainerCodec(Codec):
    operation: Operation

    def __init__(self, engine: Engine, header: Header, keys: FileKeys) -> None:
        self._header, self._keys = header, keys
        self._is_aead = header.cipher.is_aead
        self._key: Key = engine.load_key(header.cipher, keys.cipher_key)
        self._pads = header.cipher.iv_use in PADDED
        self._tag_bytes = TAG_BYTES_MAX if self._is_aead else 0

    def _request(self, chunk: Chunk, is_last: bool) -> Request:
        return Request(
            self._key,
            self.operation,
            chunk.memory.address,
            chunk.memory.address + chunk.destination_offset,
            chunk.length,
            iv=chunk_iv(self._header, self._keys, chunk.index, is_last),
            tag_bytes=self._tag_bytes,
        )


class ContainerEncoder(_ContainerCodec):
    operation = Operation.ENCRYPT

    def __init__(self, engine: Engine, header: Header, secret: bytes) -> None:
        self.head, keys = header.seal(secret)
        super().__init__(engine, header, keys)
        self.input_bytes = header.chunk_bytes
        self.last_is_short = self._pads

    def request(self, chunk: Chunk) -> Request:
        if chunk.index >= CHUNKS_MAX:
            raise OutworkError(f"The input is longer than {CHUNKS_MAX} chunks of {self.input_bytes} bytes.")
        if self._pads and chunk.is_last:
            chunk.length = pad(chunk.source, chunk.length)
        return self._request(chunk, chunk.is_last)

    def finished(self, chunk: Chunk, engine: Engine) -> None:
        return

    def output(self, chunk: Chunk) -> memoryview:
        if self._is_aead:
            return chunk.destination[: chunk.length + TAG_BYTES_MAX]
        mac = chunk_mac(self._keys, chunk.index, chunk.is_last, chunk.destination[: chunk.length])
        chunk.destination[chunk.length : chunk.length + HASH_BYTES] = mac
        return chunk.destination[: chunk.length + HASH_BYTES]


class ContainerDecoder(_ContainerCodec):
    operation = Operation.DECRYPT

    def __init__(self, engine: Engine, header: Header, keys: FileKeys) -> None:
        super().__init__(engine, header, keys)
        self._trailer_bytes = trailer_bytes(header)
        self.input_bytes = header.chunk_bytes + self._trailer_bytes

    def received(self, chunk: Chunk) -> None:
        length = chunk.length - self._trailer_bytes
        if length < 0 or (self._pads and (length % BLOCK_BYTES or (chunk.is_last and not length))):
            raise NotAuthenticError(self._complaint(chunk, "the file is truncated here, or bytes were added"))
        if not self._is_aead:
            stored = bytes(chunk.source[length : chunk.length])
            ciphertext = chunk.source[:length]
            if not hmac.compare_digest(stored, chunk_mac(self._keys, chunk.index, chunk.is_last, ciphertext)):
                other = chunk_mac(self._keys, chunk.index, not chunk.is_last, ciphertext)
                self._refuse(chunk, is_only_the_end=hmac.compare_digest(stored, other))
        chunk.length = length

    def request(self, chunk: Chunk) -> Request:
        return self._request(chunk, chunk.is_last)

    def finished(self, chunk: Chunk, engine: Engine) -> None:
        assert chunk.request is not None
        if chunk.request.outcome is Outcome.NOT_AUTHENTIC:
            # Finds out whether the chunk is valid at another position: then only the end of the file is wrong.
            other = self._request(chunk, not chunk.is_last)
            engine.run(other)
            self._refuse(chunk, is_only_the_end=other.outcome is Outcome.OK)
        if self._pads and chunk.is_last:
            chunk.length = unpad(chunk.destination, chunk.length, self._complaint(chunk, "its padding is wrong"))

    def output(self, chunk: Chunk) -> memoryview:
        return chunk.destination[: chunk.length]

    def _complaint(self, chunk: Chunk, why: str) -> str:
        return f"The file is damaged in chunk {chunk.index} (from byte {self._offset(chunk)} on): {why}."

    def _offset(self, chunk: Chunk) -> int:
        from outwork.files.formats.header import SIZE_BYTES

        return SIZE_BYTES + chunk.index * self.input_bytes

    def _refuse(self, chunk: Chunk, is_only_the_end: bool) -> None:
        if not is_only_the_end:
            cut = ", or the file is truncated there; copy it again" if chunk.is_last else ""
            raise NotAuthenticError(self._complaint(chunk, f"its tag does not match{cut}"))
        if chunk.is_last:
            raise NotAuthenticError(f"The file is truncated: chunks are missing after chunk {chunk.index}.")
        raise NotAuthenticError(f"The file has bytes after its end, which is chunk {chunk.index}.")
