# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The model of Ascon-AEAD128 against known answers: LWC_AEAD_KAT_128_128.txt of the designers' reference for SP 800-232."""

import models
import pytest

model = models.load("seal")

KEY = bytes(range(16))
# Plaintext and associated data count up from zero, key and nonce are 00 to 0f; counts 1, 2, 5, 33, 68, 69, 153, 1057.
KNOWN = [
    (0, 0, "4427D64B8E1E1451FC445960F0839BB0"),
    (0, 1, "103AB79D913A0321287715A979BB8585"),
    (0, 4, "C6FF3CF70575B144B955820D9BC7685E"),
    (0, 32, "22133A313FBF0B38029A45870AADC542"),
    (2, 1, "25FB41D2732019820A0F8BAB4248B35E7B0B"),
    (2, 2, "49E57017A30E8073D1FA284AC8346110F89F"),
    (4, 20, "C305EB0E9A9A7833C5F6FB36BD82F1C78C322678"),
    (32, 0, "E770D289D2A44AEE7CD0A48ECE5274E381BAD7E163DCC4970F7873610DEBBEB1A28657F6E82FE53D08B09EFF9330BD2B"),
]


@pytest.mark.parametrize(("length", "aad", "answer"), KNOWN)
def test_known_answers(length: int, aad: int, answer: str) -> None:
    plaintext, associated = bytes(range(length)), bytes(range(aad))
    ciphertext, tag = model.encrypt(KEY, KEY, associated, plaintext)
    assert (ciphertext + tag).hex().upper() == answer
    assert model.decrypt(KEY, KEY, associated, ciphertext, tag) == plaintext


def test_another_nonce() -> None:
    """NIST's form of the test: nonce 10 to 1f, plaintext 20 to 2f, associated data 30 to 3f."""
    ciphertext, tag = model.encrypt(KEY, bytes(range(16, 32)), bytes(range(48, 64)), bytes(range(32, 48)))
    assert (ciphertext + tag).hex() == "6373ebb28be97c9bac090cf399c13ef13abfc0d209e8f4844c90814d13f32c59"


def test_every_bit_counts() -> None:
    ciphertext, tag = model.encrypt(KEY, KEY, b"bound to this", bytes(48))
    for text, associated, expected in (
        (ciphertext, b"bound to that", tag),
        (ciphertext[:-1] + b"?", b"bound to this", tag),
    ):
        assert model.decrypt(KEY, KEY, associated, text, expected) is None
    for bit in range(128):
        wrong = (int.from_bytes(tag, "big") ^ 1 << bit).to_bytes(16, "big")
        assert model.decrypt(KEY, KEY, b"bound to this", ciphertext, wrong) is None
