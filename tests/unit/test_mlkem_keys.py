# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM keys as DER: the bytes that others write, and no byte that may change unnoticed."""

import lattice_key_forms
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM1024PrivateKey

from outwork.pka import mlkem_keys
from outwork.pka.mlkem_keys import MlKemPrivate, MlKemPublic

SEED = bytes(range(64))
DER = serialization.Encoding.DER


@pytest.mark.parametrize("k", [3, 4])
def test_bytes_of_another_implementation(k: int) -> None:
    private = {3: MLKEM768PrivateKey, 4: MLKEM1024PrivateKey}[k].from_seed_bytes(SEED)
    plain = serialization.NoEncryption()
    theirs = private.private_bytes(DER, serialization.PrivateFormat.PKCS8, plain)
    assert mlkem_keys.write_private(MlKemPrivate(k, SEED, b"")) == theirs
    public = private.public_key()
    theirs = public.public_bytes(DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    assert mlkem_keys.write_public(MlKemPublic(k, public.public_bytes_raw())) == theirs


def test_both_as_openssl_writes_it() -> None:
    """PKCS#8 of ML-KEM-768: the seed and the expanded key in a sequence (RFC 9935, 6)."""
    head = "308209be020100300b0609608648016503040402048209aa308209a60440"
    expected = bytes.fromhex(head) + SEED + bytes.fromhex("04820960") + bytes(2400)
    assert mlkem_keys.write_private(MlKemPrivate(3, SEED, bytes(2400))) == expected


@pytest.mark.parametrize("k", [2, 3, 4])
def test_every_form_is_read(k: int) -> None:
    expanded = bytes(range(256)) * (3 * k) + bytes(96)
    for key in (MlKemPrivate(k, SEED, b""), MlKemPrivate(k, b"", expanded), MlKemPrivate(k, SEED, expanded)):
        lattice_key_forms.check_private(mlkem_keys, key)
    lattice_key_forms.check_nothing_behind(mlkem_keys, mlkem_keys.SETS[k])
    lattice_key_forms.check_lengths(mlkem_keys, mlkem_keys.SETS[k], MlKemPrivate, MlKemPublic)
    public = MlKemPublic(k, bytes(384 * k + 32))
    assert mlkem_keys.read(mlkem_keys.write_public(public)) == public


def test_keys_of_other_algorithms_are_left_to_others() -> None:
    assert mlkem_keys.read(b"") is None
    assert mlkem_keys.read(b"-----BEGIN PRIVATE KEY-----") is None
    x25519 = bytes.fromhex("302e020100300506032b656e04220420") + bytes(32)
    assert mlkem_keys.read(x25519) is None
