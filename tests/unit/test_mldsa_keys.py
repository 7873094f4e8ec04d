# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-DSA keys as DER: RFC 9881's examples, the bytes that others write, no byte that may change unnoticed; contexts and hashes."""

import hashlib
from pathlib import Path

import cryptography_vectors
import lattice_key_forms
import pytest
from cryptography.hazmat.primitives import serialization
from lattice import mldsa

from outwork.errors import UsageError
from outwork.pka import keys, mldsa_keys
from outwork.pka.mldsa_keys import PREHASHES, MlDsaChoice, MlDsaPrivate, MlDsaPublic

SEED = bytes(range(32))
DER = serialization.Encoding.DER
# SHA-256 of the examples of RFC 9881, appendix C, in DER: seed, expanded, both, public key. Their seed is SEED.
RFC_9881 = {
    4: (
        "c823cb6a31172daa8af670a22c0f049af972bf1cb39a4a95971aa8c0c659dff4",
        "35cb529103b3a9ed502fecb438a671ff11bb05fb4afa99301d06240883a74106",
        "e355e29f28e537fcf3aff28354016415146d7f801a57136c241bb6e9addfaa30",
        "837832708c5236d951581f1fddf2b79991b3424a0486d16da1ddad0fd69701be",
    ),
    6: (
        "af965903772933b6acc59764f335fcad9b5c61cdab2b368eabf224e7c29e31ac",
        "fae10810e47ed4b41851065b40bb60547e816ebf31b0738b4ed4af57337706ec",
        "5259463f8ec68e21b8c179a7e49dba184fd24280080bd5bb78af94d7a2a0ac81",
        "b8b62131bfbe84433efb2273d7f5b87f7a22854a2cfd366fc2aead86d837c52d",
    ),
    8: (
        "72cc4260a8d3d7622801ea98636123866d00e236d5f77221039c862325e02754",
        "8e2e40f141d1d6788d074de4124a744ee3106697ae6c01faccf855510079ecb3",
        "c71913419ea426e99da06330e3b06b2ab47448f1aff520479358e3cb71f5c1d6",
        "07e57c4f14dbad1267f621ec3777b4e2e6c4fbc4c22fbb87510ff8e0b3c6a642",
    ),
}
every_set = pytest.mark.parametrize("k", RFC_9881)


def pair(k: int) -> tuple[bytes, bytes]:
    return mldsa.keygen(mldsa.BY_NAME[mldsa_keys.NAMES[k].upper()], SEED)


@every_set
def test_examples_of_the_standard(k: int) -> None:
    pk, sk = pair(k)
    written = [
        *(mldsa_keys.write_private(MlDsaPrivate(k, *parts)) for parts in ((SEED, b""), (b"", sk), (SEED, sk))),
        mldsa_keys.write_public(MlDsaPublic(k, pk)),
    ]
    assert tuple(hashlib.sha256(der).hexdigest() for der in written) == RFC_9881[k]
    assert MlDsaPrivate(k, SEED, sk).public == MlDsaPrivate(k, SEED, b"").public == MlDsaPublic(k, pk)


@every_set
def test_every_form_is_read(k: int) -> None:
    expanded = bytes(range(256)) * 20
    expanded = expanded[: mldsa_keys.SETS[k].expanded_bytes]
    for key in (MlDsaPrivate(k, SEED, b""), MlDsaPrivate(k, b"", expanded), MlDsaPrivate(k, SEED, expanded)):
        lattice_key_forms.check_private(mldsa_keys, key)
    lattice_key_forms.check_nothing_behind(mldsa_keys, mldsa_keys.SETS[k])
    lattice_key_forms.check_lengths(mldsa_keys, mldsa_keys.SETS[k], MlDsaPrivate, MlDsaPublic)
    public = MlDsaPublic(k, bytes(mldsa_keys.SETS[k].public_bytes))
    assert mldsa_keys.read(mldsa_keys.write_public(public)) == public
    assert mldsa_keys.read(b"") is None


@every_set
def test_bytes_of_another_implementation(k: int) -> None:
    private = mldsa_keys.PRIVATE_CLASSES[k].from_seed_bytes(SEED)
    theirs = private.private_bytes(DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    assert mldsa_keys.write_private(MlDsaPrivate(k, SEED, b"")) == theirs
    public = private.public_key()
    theirs = public.public_bytes(DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    assert keys.write_public(MlDsaPublic(k, public.public_bytes_raw()), is_der=True) == theirs


def test_files_of_another_implementation() -> None:
    folder = Path(cryptography_vectors.__file__).parent / "asymmetric/MLDSA"
    private = keys.read((folder / "mldsa44_priv.der").read_bytes(), "mldsa44_priv.der", None)
    assert isinstance(private, MlDsaPrivate) and keys.name_of(private) == "ml-dsa-44"
    assert keys.read((folder / "mldsa44_pub.der").read_bytes(), "mldsa44_pub.der", None) == private.public
    expanded = keys.read((folder / "mldsa65_noseed_priv.der").read_bytes(), "mldsa65_noseed_priv.der", None)
    assert isinstance(expanded, MlDsaPrivate) and not expanded.seed and len(expanded.expanded) == 4032
    with pytest.raises(UsageError, match="only the expanded form"):
        _ = expanded.public


def test_halves_that_differ() -> None:
    """The first bad example of RFC 9881, C.4: a seed, and the expanded key of another one."""
    _, other = mldsa.keygen(mldsa.BY_NAME["ML-DSA-44"], bytes(32))
    with pytest.raises(UsageError, match="do not belong together"):
        _ = MlDsaPrivate(4, SEED, other).public


def test_mu() -> None:
    """Of every hash, against the golden model."""
    names = {
        "sha512-224": "SHA2-512/224",
        "sha512-256": "SHA2-512/256",
        "shake128": "SHAKE-128",
        "shake256": "SHAKE-256",
    }
    assert len(PREHASHES) == len(mldsa.PRE_HASHES)
    for context, message in ((b"", b""), (b"c", b"message"), (bytes(255), bytes(300))):
        for name in ("", *PREHASHES):
            golden = names.get(name, name.upper() if "-" in name else name.upper().replace("SHA", "SHA2-")) or None
            mu = mldsa_keys.mu_of(MlDsaPublic(4, b"public"), message, MlDsaChoice(context, name))
            assert mu == mldsa.mu_of(b"public", mldsa.formatted(message, context, golden))


def test_choices_that_are_none() -> None:
    for k, weak, strong in ((4, "sha224", "shake128"), (6, "shake128", "sha3-384"), (8, "sha384", "shake256")):
        mldsa_keys.check_choice(k, MlDsaChoice(bytes(255), strong))
        with pytest.raises(UsageError, match=f"{weak} is too weak"):
            mldsa_keys.check_choice(k, MlDsaChoice(b"", weak))
    with pytest.raises(UsageError, match="at most 255 bytes, not 256"):
        mldsa_keys.check_choice(4, MlDsaChoice(bytes(256)))
    with pytest.raises(UsageError, match="does not have 'sha1'"):
        mldsa_keys.check_choice(4, MlDsaChoice(b"", "sha1"))
