# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The Outwork file format: every size around a chunk is decrypted correctly, and every change is detected."""

import hashlib
import random
from collections.abc import Iterator

import a_toy
import pytest
from streamed import CHUNK_BYTES, seal, unseal

from outwork.algorithms import CIPHERS, FILE_CIPHERS, find_cipher
from outwork.algorithms.cipher import Cipher
from outwork.engines.base import Engine
from outwork.engines.software import SoftwareEngine
from outwork.errors import NotAuthenticError, OutworkError
from outwork.files.formats.container import PADDED, chunk_iv
from outwork.files.formats.header import SIZE_BYTES, Header, parse
from outwork.files.kdf import Kdf

AEAD, MAC_THEN = "aes-256-gcm", "aes-128-ctr"
SIZES = (0, 1, 15, 16, 17, 511, 512, 513, 1023, 1024, 1025, 20 * 512, 20 * 512 + 7)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with SoftwareEngine() as made:
        yield made


def data_of(length: int) -> bytes:
    return random.Random(length).randbytes(length)


def overhead(name: str, length: int) -> int:
    """Header, padding, and a tag for each chunk, as docs/file-format.md says."""
    cipher = find_cipher(name)
    padded = length - length % 16 + 16 if cipher.iv_use in PADDED else length
    chunks = max(1, -(-padded // CHUNK_BYTES))
    return SIZE_BYTES + padded - length + chunks * (16 if cipher.is_aead else 32)


@pytest.mark.parametrize(("cipher", "prefix_bytes"), [(find_cipher("aes-256-gcm"), 7), (a_toy.AEAD, 11)], ids=str)
def test_nonces_of_chunks_have_the_usual_length(cipher: Cipher, prefix_bytes: int) -> None:
    header = Header.fresh(cipher, Kdf.pbkdf2(1000))
    keys = header.seal(b"password")[1]
    place = bytes((0, 0, 1, 2, 1))
    assert chunk_iv(header, keys, 0x102, is_last=True) == keys.nonce[:prefix_bytes] + place


@pytest.mark.parametrize("name", [name for name in FILE_CIPHERS if CIPHERS[name].has_software])
def test_every_size_comes_back(engine: Engine, name: str) -> None:
    for size in SIZES:
        sealed = seal(engine, name, data_of(size))
        assert len(sealed) == size + overhead(name, size), size
        assert unseal(engine, sealed) == data_of(size), size


@pytest.mark.parametrize("name", [AEAD, MAC_THEN, "aes-256-cbc", "aes-128-ccm", "aes-256-xts", "aes-128-ecb"])
def test_any_flipped_bit_is_noticed(engine: Engine, name: str) -> None:
    sealed = seal(engine, name, data_of(3 * CHUNK_BYTES + 5))
    places = [
        *range(SIZE_BYTES),
        *random.Random(1).sample(range(SIZE_BYTES, len(sealed)), 100),
        len(sealed) - 1,
    ]
    for place in places:
        damaged = bytearray(sealed)
        damaged[place] ^= 1 << place % 8
        with pytest.raises(OutworkError):
            unseal(engine, bytes(damaged))


@pytest.mark.parametrize("name", [AEAD, MAC_THEN, "aes-192-cbc"])
def test_any_cut_is_noticed(engine: Engine, name: str) -> None:
    sealed = seal(engine, name, data_of(3 * CHUNK_BYTES))
    for length in range(len(sealed)):
        with pytest.raises(OutworkError):
            unseal(engine, sealed[:length])


def chunks_of(name: str, sealed: bytes) -> tuple[bytes, list[bytes]]:
    step = CHUNK_BYTES + (16 if find_cipher(name).is_aead else 32)
    body = sealed[SIZE_BYTES:]
    return sealed[:SIZE_BYTES], [body[start : start + step] for start in range(0, len(body), step)]


@pytest.mark.parametrize("name", [AEAD, MAC_THEN])
def test_chunks_keep_their_places(engine: Engine, name: str) -> None:
    head, chunks = chunks_of(name, seal(engine, name, data_of(4 * CHUNK_BYTES)))
    assert len(chunks) == 4
    first, second, third, last = chunks
    moved = [
        [second, first, third, last],
        [first, third, second, last],
        [first, first, second, third, last],
        [first, third, last],
        [first, second, last, third],
        [first, second, third, last, last],
        [last],
        [],
    ]
    for order in moved:
        with pytest.raises(NotAuthenticError):
            unseal(engine, head + b"".join(order))


@pytest.mark.parametrize("name", [AEAD, MAC_THEN])
def test_complaints_say_what_is_wrong(engine: Engine, name: str) -> None:
    sealed = seal(engine, name, data_of(4 * CHUNK_BYTES))
    head, chunks = chunks_of(name, sealed)
    with pytest.raises(NotAuthenticError, match="truncated: chunks are missing after chunk 2"):
        unseal(engine, head + b"".join(chunks[:3]))
    with pytest.raises(NotAuthenticError, match="bytes after its end, which is chunk 3"):
        unseal(engine, sealed + b"more" * 10)
    damaged = bytearray(sealed)
    place = SIZE_BYTES + 2 * len(chunks[0]) + 9
    damaged[place] ^= 1
    with pytest.raises(NotAuthenticError, match=f"chunk 2 .from byte {SIZE_BYTES + 2 * len(chunks[0])} on.: its tag"):
        unseal(engine, bytes(damaged))


def test_chunks_of_another_file_do_not_fit(engine: Engine) -> None:
    """The same key and data, another salt."""
    data = data_of(3 * CHUNK_BYTES)
    head, chunks = chunks_of(AEAD, seal(engine, AEAD, data))
    other_key = b"\x55" * 32
    _, others = chunks_of(AEAD, seal(engine, AEAD, data, other_key))
    with pytest.raises(NotAuthenticError):
        unseal(engine, head + chunks[0] + others[1] + chunks[2])


def test_wrong_key_and_changed_header_are_told_apart(engine: Engine) -> None:
    sealed = seal(engine, AEAD, b"data")
    with pytest.raises(NotAuthenticError, match="The key is wrong"):
        unseal(engine, sealed, b"\x00" * 32)
    # The cipher's byte: another cipher with the same key length.
    changed = sealed[:10] + bytes((find_cipher("aes-256-ctr").opcode,)) + sealed[11:]
    with pytest.raises(NotAuthenticError, match="header has been changed"):
        unseal(engine, changed)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not an Outwork file"),
        (b"plain text", "not an Outwork file"),
        (b"Salted__12345678", "made by .openssl enc"),
        (b"\x93OUTWORK", "truncated inside its header"),
    ],
)
def test_other_files(data: bytes, words: str) -> None:
    with pytest.raises(OutworkError, match=words):
        parse(data)


def test_version_and_work_of_a_hostile_header() -> None:
    header, _ = Header.fresh(find_cipher(AEAD), Kdf.pbkdf2(1000)).seal(b"password")
    with pytest.raises(OutworkError, match="format version 2; this program reads version 1"):
        parse(header[:8] + b"\x02" + header[9:])
    # scrypt with 2^30 blocks would take a terabyte: refused before a password is asked for.
    hostile = header[:12] + b"\x01\x08\x01" + header[15:16] + (30).to_bytes(4, "little") + header[20:]
    with pytest.raises(NotAuthenticError, match="unreasonable"):
        parse(hostile)


def test_the_format_does_not_change(engine: Engine) -> None:
    """Files of today must open tomorrow: the digests of one file a mode, made when version 1 was defined."""
    digests = {
        name: hashlib.sha256(seal(engine, name, bytes(range(256)) * 5)).hexdigest()[:16]
        for name in ("aes-256-gcm", "aes-128-ccm", "aes-192-ctr", "aes-256-cbc", "aes-128-ecb", "aes-256-xts")
    }
    assert digests == {
        "aes-256-gcm": "828496ff28078b15",
        "aes-128-ccm": "fb08e96274c51cbf",
        "aes-192-ctr": "5887c4897383b036",
        "aes-256-cbc": "0a1e8090d03abd2a",
        "aes-128-ecb": "ff1023b02b74e0b1",
        "aes-256-xts": "4efd5afec9d9692e",
    }
