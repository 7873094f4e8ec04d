# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Keys from passwords and keys from keys, against the RFCs' own examples."""

import pytest

from outwork.errors import NotAuthenticError, UsageError
from outwork.files.kdf import Kdf, KdfKind, hkdf_expand, hkdf_extract


def test_hkdf_rfc5869_a1() -> None:
    root = hkdf_extract(bytes(range(13)), b"\x0b" * 22)
    assert root.hex() == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"
    expanded = hkdf_expand(root, bytes(range(0xF0, 0xFA)), 42)
    assert expanded.hex() == ("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")


def test_scrypt_rfc7914() -> None:
    kdf = Kdf(KdfKind.SCRYPT, cost=10, block_size=8, parallel=16)
    assert kdf.derive(b"password", b"NaCl", 64).hex().startswith("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830")


def test_pbkdf2_rfc7914() -> None:
    derived = Kdf.pbkdf2(80_000).derive(b"Password", b"NaCl", 64)
    assert derived.hex().startswith("4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56")


def test_key_file_is_taken_as_it_is() -> None:
    assert Kdf(KdfKind.NONE).derive(b"key", b"salt", 32) == b"key"


@pytest.mark.parametrize(
    "kdf",
    [
        Kdf(KdfKind.SCRYPT, 31, 8, 1),
        Kdf(KdfKind.SCRYPT, 17, 0, 1),
        Kdf(KdfKind.SCRYPT, 16, 1, 1),
        Kdf(KdfKind.SCRYPT, 17, 8, 0),
        Kdf(KdfKind.SCRYPT, 17, 8, 255),
        Kdf(KdfKind.SCRYPT, 200, 8, 1),
        Kdf(KdfKind.PBKDF2, 0),
        Kdf(KdfKind.PBKDF2, 4_000_000_000),
        Kdf(KdfKind.NONE, 1),
    ],
)
def test_hostile_parameters(kdf: Kdf) -> None:
    with pytest.raises(NotAuthenticError, match="unreasonable"):
        kdf.check()


@pytest.mark.parametrize(
    ("kdf", "words"),
    [
        (Kdf(KdfKind.SCRYPT, 18, 8, 1), "scrypt with 256 MiB of memory, 1 times"),
        (Kdf(KdfKind.SCRYPT, 17, 9, 1), "scrypt with 144 MiB of memory, 1 times"),
        (Kdf(KdfKind.SCRYPT, 20, 8, 16), "scrypt with 1024 MiB of memory, 16 times"),
        (Kdf(KdfKind.SCRYPT, 17, 8, 2), "scrypt with 128 MiB of memory, 2 times"),
        (Kdf(KdfKind.PBKDF2, 5_000_001), "5000001 iterations of PBKDF2"),
        (Kdf(KdfKind.PBKDF2, 100_000_000), "100000000 iterations of PBKDF2"),
    ],
)
def test_costly_parameters_need_consent(kdf: Kdf, words: str) -> None:
    with pytest.raises(UsageError, match=f"requires {words} .*--allow-costly-kdf"):
        kdf.check()
    kdf.check(is_costly_allowed=True)


def test_most_without_consent() -> None:
    Kdf(KdfKind.SCRYPT, 17, 8, 1).check()
    Kdf(KdfKind.SCRYPT, 13, 8, 16).check()
    Kdf(KdfKind.PBKDF2, 5_000_000).check()


def test_defaults_are_reasonable() -> None:
    Kdf.scrypt().check()
    Kdf.pbkdf2().check()
    with pytest.raises(UsageError):
        Kdf.pbkdf2(0)


def test_smallest_blocks_that_scrypt_takes() -> None:
    kdf = Kdf(KdfKind.SCRYPT, 15, 1, 1)
    kdf.check()
    assert len(kdf.derive(b"password", b"salt", 32)) == 32
