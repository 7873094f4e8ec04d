# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Processes bytes with the file formats in memory: the real pipeline, with any engine."""

import tempfile
from collections.abc import Callable

from outwork.algorithms import find_cipher
from outwork.engines.base import Engine
from outwork.files.formats.base import Codec
from outwork.files.formats.container import ContainerDecoder, ContainerEncoder
from outwork.files.formats.header import SIZE_BYTES, Header, parse
from outwork.files.kdf import Kdf, KdfKind
from outwork.files.pipeline import Pipeline
from outwork.files.streams import ByteSink, ByteSource

CHUNK_BYTES = 512
SALT = bytes(range(32))


def through(engine: Engine, make: Callable[[ByteSource], Codec], data: bytes) -> bytes:
    """What the codec makes of the bytes. `make` may read a header first."""
    with tempfile.TemporaryFile(buffering=0) as reading, tempfile.TemporaryFile(buffering=0) as writing:
        reading.write(data)
        reading.seek(0)
        source = ByteSource(reading, "the input")
        Pipeline(engine, make(source), source, ByteSink(writing, "the output")).run()
        writing.seek(0)
        return writing.read()


def seal(engine: Engine, name: str, data: bytes, key: bytes | None = None, chunk_bytes: int = CHUNK_BYTES) -> bytes:
    """A file in the Outwork format under a key, always with the same salt."""
    cipher = find_cipher(name)
    header = Header(cipher, Kdf(KdfKind.NONE), chunk_bytes, SALT)
    return through(engine, lambda _: ContainerEncoder(engine, header, key or key_for(name)), data)


def unseal(engine: Engine, data: bytes, key: bytes | None = None) -> bytes:
    def make(source: ByteSource) -> Codec:
        head = source.read(SIZE_BYTES)
        header = parse(head)
        return ContainerDecoder(engine, header, header.open(key or key_for(header.cipher.name), head))

    return through(engine, make, data)


def key_for(name: str) -> bytes:
    return bytes(range(1, find_cipher(name).key_bytes + 1))
