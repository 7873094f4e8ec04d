# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork pka` with ML-KEM keys: new keys, both directions against another implementation, and every form of a key."""

import stat
from base64 import b64decode
from pathlib import Path
from typing import Any

import cryptography_vectors
import pytest
from commands import device_jobs, good, sentence
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM768PublicKey
from lattice import mlkem

from outwork.pka import mlkem_keys
from outwork.pka.mlkem_keys import MlKemPrivate

SEED = bytes(range(64))
EK, DK = mlkem.keygen(mlkem.BY_NAME["ML-KEM-768"], SEED[:32], SEED[32:])
FORMS = {
    "seed": MlKemPrivate(3, SEED, b""),
    "expanded": MlKemPrivate(3, b"", DK),
    "both": MlKemPrivate(3, SEED, DK),
}


def test_another_implementation(desk: Any) -> None:
    key, public = desk.path("key.pem"), desk.path("key.pub")
    assert device_jobs("pka", "genkey", "ml-kem-768", key, "--public", public) >= 3
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    theirs = serialization.load_pem_public_key(public.read_bytes())
    assert isinstance(theirs, MLKEM768PublicKey)
    secret, ciphertext = theirs.encapsulate()
    text, ours = desk.file("text", ciphertext), desk.path("ours")
    assert device_jobs("pka", "decapsulate", key, text, ours) == 2
    assert ours.read_bytes() == secret
    assert device_jobs("pka", "encapsulate", public, text, ours, "--force") >= 1
    found = mlkem_keys.read(b64decode(b"".join(key.read_bytes().splitlines()[1:-1])))
    assert isinstance(found, MlKemPrivate) and found.expanded[-32:] == found.seed[32:]
    private = MLKEM768PrivateKey.from_seed_bytes(found.seed)
    assert private.decapsulate(text.read_bytes()) == ours.read_bytes()


@pytest.mark.parametrize("name", ["ml-kem-512", pytest.param("ml-kem-1024", marks=pytest.mark.slow)])
def test_round_trip(desk: Any, name: str) -> None:
    key, public, text = desk.path("key.der"), desk.path("key.pub"), desk.path("text")
    assert device_jobs("pka", "genkey", name, key, "--public", public, "--der") >= 3
    assert device_jobs("pka", "encapsulate", public, text, desk.path("sent")) >= 1
    assert device_jobs("pka", "decapsulate", key, text, desk.path("received")) == 2
    assert desk.path("sent").read_bytes() == desk.path("received").read_bytes()
    assert len(desk.path("sent").read_bytes()) == 32


@pytest.mark.parametrize(
    "form", ["expanded", *(pytest.param(form, marks=pytest.mark.slow) for form in ("seed", "both"))]
)
def test_forms_of_a_key(desk: Any, form: str) -> None:
    key, text = desk.file("key.der", mlkem_keys.write_private(FORMS[form])), desk.path("text")
    secret, ciphertext = MLKEM768PublicKey.from_public_bytes(EK).encapsulate()
    text.write_bytes(ciphertext)
    assert device_jobs("pka", "decapsulate", key, text, desk.path("secret")) == (1 if form == "expanded" else 2)
    assert desk.path("secret").read_bytes() == secret


def test_keys_of_others(desk: Any) -> None:
    """A key of `cryptography`'s, plain and encrypted; the software decapsulates with it too."""
    file = Path(cryptography_vectors.__file__).parent / "asymmetric/MLKEM/mlkem768.pem"
    private = serialization.load_pem_private_key(file.read_bytes(), None)
    assert isinstance(private, MLKEM768PrivateKey)
    secret, ciphertext = private.public_key().encapsulate()
    text = desk.file("text", ciphertext)
    protection = serialization.BestAvailableEncryption(desk.password.read_bytes().strip())
    encrypted = desk.file(
        "encrypted",
        private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, protection),
    )
    for name, more in (
        (file, ()),
        (encrypted, ("--password-file", desk.password)),
        (file, ("--engine", "software")),
    ):
        good("pka", "decapsulate", name, text, desk.path("secret"), "--force", *more)
        assert desk.path("secret").read_bytes() == secret


def test_what_is_refused(desk: Any) -> None:
    spoilt = bytes([SEED[0] ^ 1]) + SEED[1:]
    key = desk.file("key.der", mlkem_keys.write_private(MlKemPrivate(3, spoilt, DK)))
    text = desk.file("text", bytes(1088))
    assert "do not belong together" in sentence("pka", "decapsulate", key, text, "-", status=2)
    key.write_bytes(mlkem_keys.write_private(MlKemPrivate(3, b"", DK[:-33] + bytes([DK[-33] ^ 1]) + DK[-32:])))
    assert "refuses the key" in sentence("pka", "decapsulate", key, text, "-", status=2)
    key.write_bytes(mlkem_keys.write_private(FORMS["both"]))
    assert "has 1088 bytes" in sentence("pka", "decapsulate", key, desk.password, "-", status=2)
    assert "encapsulate" in sentence("pka", "sign", key, desk.plain, "-", status=2)
    assert "Both keys must be" in sentence("pka", "derive", key, key, "-", status=2)
    assert "two files" in sentence("pka", "encapsulate", key, "same", "same", status=2)
    key.write_bytes(key.read_bytes()[:-1])
    assert "no usable key" in sentence("pka", "decapsulate", key, text, "-", status=3)
    assert "no ML-KEM-512" in sentence(
        "pka", "genkey", "ml-kem-512", desk.path("new"), "--engine", "software", status=2
    )
    assert not desk.path("new").exists()
