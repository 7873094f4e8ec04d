# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Encrypts and decrypts streams: chooses engine, format and keys, then runs the pipeline."""

import os
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from outwork import algorithms, engines
from outwork.algorithms.base import Operation
from outwork.algorithms.cipher import Cipher, IvUse
from outwork.choice.engine import DEVICE, SOFTWARE, EngineChoice, Shape
from outwork.engines.base import Engine
from outwork.errors import UsageError
from outwork.files.formats import header as file_header
from outwork.files.formats import openssl
from outwork.files.formats.base import Codec
from outwork.files.formats.container import ContainerDecoder, ContainerEncoder
from outwork.files.formats.header import Header
from outwork.files.kdf import Kdf, KdfKind
from outwork.files.pipeline import Pipeline
from outwork.files.secrets import Secret
from outwork.files.streams import ByteSink, ByteSource
from outwork.messages import note, progress_bar
from outwork.simulated import software_in, watch

SAMPLE_BYTES: Final = 64 * 1024


class FileFormat(StrEnum):
    OUTWORK = "outwork"
    OPENSSL = "openssl"


def _run(
    engine: Engine, choice: EngineChoice, cipher: Cipher, codec: Codec, source: ByteSource, sink: ByteSink, title: str
) -> None:
    with progress_bar(title, source.size_bytes) as progress:
        step = watch(progress, engine.name == DEVICE, source.size_bytes, lambda length: _faster(cipher, length))
        Pipeline(engine, codec, source, sink, step).run()
    if choice.shows_statistics:
        for name, value in engine.statistics().items():
            note(f"{name}: {value}")


def _faster(cipher: Cipher, length: int) -> str:
    """Returns what this machine's OpenSSL would take, estimated from a sample; empty: it does not have the cipher."""
    with engines.open_engine(SOFTWARE, "") as engine:
        if not engine.supports(cipher, Operation.ENCRYPT):
            return ""
        begin = time.perf_counter()
        engine.crypt(
            cipher,
            Operation.ENCRYPT,
            os.urandom(cipher.key_bytes),
            bytes(cipher.iv_bytes),
            bytes(SAMPLE_BYTES),
            b"",
            cipher.tag_bytes_default if cipher.tag_lengths else 0,
        )
        return software_in((time.perf_counter() - begin) * length / SAMPLE_BYTES)


def encrypt(
    source: ByteSource,
    sink: ByteSink,
    choice: EngineChoice,
    cipher: Cipher,
    file_format: FileFormat,
    secret: Secret,
    kdf: Kdf,
) -> None:
    is_openssl = file_format is FileFormat.OPENSSL
    chunk_bytes = openssl.CHUNK_BYTES if is_openssl else file_header.CHUNK_BYTES
    shape = Shape.of_file(source.size_bytes, chunk_bytes, is_serial=is_openssl and cipher.iv_use is IvUse.CHAINED)
    with choice.open(cipher, Operation.ENCRYPT, shape) as engine:
        codec: Codec
        if is_openssl:
            codec = openssl.OpensslEncoder(engine, cipher, secret.data, kdf.cost)
        else:
            kdf = kdf if secret.is_password else Kdf(KdfKind.NONE)
            codec = ContainerEncoder(engine, Header.fresh(cipher, kdf), secret.data)
        _run(engine, choice, cipher, codec, source, sink, "encrypting")


def decrypt_openssl(
    source: ByteSource, sink: ByteSink, choice: EngineChoice, cipher: Cipher, secret: Secret, iterations: int
) -> None:
    openssl.check_cipher(cipher)
    head = source.read(openssl.HEAD_BYTES)
    shape = Shape.of_file(source.size_bytes, openssl.CHUNK_BYTES, is_serial=False)
    with choice.open(cipher, Operation.DECRYPT, shape) as engine:
        codec = openssl.OpensslDecoder(engine, cipher, secret.data, head, iterations)
        _run(engine, choice, cipher, codec, source, sink, "decrypting")


@dataclass(frozen=True)
class Opened:
    """A file whose header has been read, before the user has to type a password."""

    header: Header
    data: bytes


def read_header(source: ByteSource, expected: str | None, is_costly_allowed: bool = False) -> Opened:
    data = source.read(file_header.SIZE_BYTES)
    header = file_header.parse(data, is_costly_allowed)
    if expected is not None and algorithms.find_cipher(expected) != header.cipher:
        raise UsageError(f"The file was encrypted with {header.cipher}, not with {expected}; leave --cipher out.")
    return Opened(header, data)


def check_secret_kind(opened: Opened, has_key_file: bool) -> None:
    """Checks that a file made with a password is opened with one, and a file made with a key file with a key."""
    wants_key_file = opened.header.kdf.kind is KdfKind.NONE
    if wants_key_file and not has_key_file:
        raise UsageError("This file was encrypted with a key, not a password: give --key-file.")
    if has_key_file and not wants_key_file:
        raise UsageError("This file was encrypted with a password: give --password-file, or type it.")


def decrypt(source: ByteSource, sink: ByteSink, choice: EngineChoice, opened: Opened, secret: Secret) -> None:
    keys = opened.header.open(secret.data, opened.data)
    shape = Shape.of_file(source.size_bytes, opened.header.chunk_bytes, is_serial=False)
    with choice.open(opened.header.cipher, Operation.DECRYPT, shape) as engine:
        codec = ContainerDecoder(engine, opened.header, keys)
        _run(engine, choice, opened.header.cipher, codec, source, sink, "decrypting")
