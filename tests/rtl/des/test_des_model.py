# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model of DES and the TDEA against NIST's vectors and against OpenSSL."""

from __future__ import annotations

import random

import models
import nist
import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher, modes

des = models.load("des")


def test_the_classic_example() -> None:
    key, plain = bytes.fromhex("133457799bbcdff1"), bytes.fromhex("0123456789abcdef")
    assert des.cipher(key, plain).hex() == "85e813540f0ab405"


@pytest.mark.parametrize("size", [8, 16, 24])
def test_against_openssl(size: int) -> None:
    rng = random.Random(f"des {size}")
    for number in range(60):
        # Equal parts of a key, too: two of them make single DES.
        key = rng.randbytes(8) * (size // 8) if number % 5 == 0 else rng.randbytes(size)
        block = rng.randbytes(8)
        encryptor = Cipher(TripleDES((key * 3)[:24]), modes.ECB()).encryptor()
        expected = encryptor.update(block)
        assert des.cipher(key, block) == expected
        assert des.cipher(key, expected, decrypt=True) == block


def test_nist_known_answers() -> None:
    """The ECB files of the TDES validation suite: variable plaintext, variable key, permutation, substitution table."""
    seen = 0
    for path in sorted((nist.ROOT / "ciphers/3DES/ECB").glob("*.rsp")):
        for record in nist.records(path):
            if "keys" in record:
                key = bytes.fromhex(record["keys"])
            else:
                key = bytes.fromhex(record["key1"] + record["key2"] + record["key3"])
            plain, cipher = bytes.fromhex(record["plaintext"]), bytes.fromhex(record["ciphertext"])
            for i in range(0, len(plain), 8):
                assert des.cipher(key, plain[i : i + 8]) == cipher[i : i + 8]
                assert des.cipher(key, cipher[i : i + 8], decrypt=True) == plain[i : i + 8]
            seen += 1
    assert seen == 530
