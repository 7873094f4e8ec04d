# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork pka` with ML-DSA keys: signatures both ways against other implementations, every form of a key, what is refused."""

import stat
import subprocess
from base64 import b64decode
from pathlib import Path
from typing import Any

import cryptography_vectors
import pytest
from commands import device_jobs, good, sentence
from cryptography.hazmat.primitives import serialization
from lattice import mldsa

from outwork.pka import mldsa_keys
from outwork.pka.mldsa_keys import MlDsaPrivate, MlDsaPublic

SEED = bytes(range(32))
PK, SK = mldsa.keygen(mldsa.BY_NAME["ML-DSA-44"], SEED)
FORMS = {
    "seed": MlDsaPrivate(4, SEED, b""),
    "expanded": MlDsaPrivate(4, b"", SK),
    "both": MlDsaPrivate(4, SEED, SK),
}
MESSAGE = b"message"
OPTIONS = ("--context", "0c0d", "--prehash", "sha512")
SOFTWARE = ("--engine", "software")
PARAMETERS = mldsa.BY_NAME["ML-DSA-44"]


def public_file(desk: Any) -> Path:
    path: Path = desk.file("key.pub", mldsa_keys.write_public(MlDsaPublic(4, PK)))
    return path


@pytest.mark.parametrize("k", [6, *(pytest.param(k, marks=pytest.mark.slow) for k in (4, 8))])
def test_another_implementation(desk: Any, k: int) -> None:
    key, public, signature = desk.path("key.pem"), desk.path("key.pub"), desk.path("signature")
    message = desk.file("message", MESSAGE)
    assert device_jobs("pka", "genkey", mldsa_keys.NAMES[k], key, "--public", public) >= 4
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    theirs = serialization.load_pem_public_key(public.read_bytes())
    assert isinstance(theirs, mldsa_keys.PUBLIC_CLASSES[k])
    # The key from its seed, mu, the signature, and random bytes.
    assert device_jobs("pka", "sign", key, message, signature) > 3
    theirs.verify(signature.read_bytes(), MESSAGE)
    found = mldsa_keys.read(b64decode(b"".join(key.read_bytes().splitlines()[1:-1])))
    assert isinstance(found, MlDsaPrivate) and found.seed and found.expanded
    private = mldsa_keys.PRIVATE_CLASSES[k].from_seed_bytes(found.seed)
    signature.write_bytes(private.sign(MESSAGE, b"\x0c"))
    assert device_jobs("pka", "verify", public, message, signature, "--context", "0c") == 3
    for words in ((), ("--context", "0d"), ("--context", "0c", "--prehash", "sha512")):
        assert "is not a signature" in sentence("pka", "verify", public, message, signature, *words, status=3)


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_a_key(desk: Any, form: str) -> None:
    """A deterministic signature is the golden model's: mu and the signature are a job each, the key of a seed is another."""
    key, signature = desk.file("key.der", mldsa_keys.write_private(FORMS[form])), desk.path("signature")
    message = desk.file("message", MESSAGE)
    count = device_jobs("pka", "sign", key, message, signature, "--deterministic")
    assert count == (2 if form == "expanded" else 3)
    assert signature.read_bytes() == mldsa.sign(PARAMETERS, SK, MESSAGE)
    good("pka", "verify", public_file(desk) if form == "expanded" else key, message, signature)
    assert device_jobs("pka", "sign", key, message, signature, "--deterministic", "--force", *OPTIONS) == count + 1
    assert signature.read_bytes() == mldsa.sign(PARAMETERS, SK, MESSAGE, b"\x0c\x0d", pre_hash="SHA2-512")


@pytest.mark.parametrize("options", [(), OPTIONS])
def test_device_and_software(desk: Any, options: tuple[str, ...]) -> None:
    """Each takes the other's signatures."""
    key, public, signature = desk.path("key.pem"), public_file(desk), desk.path("signature")
    key.write_bytes(mldsa_keys.write_private(FORMS["both"]))
    for by, checked in ((SOFTWARE, ()), ((), SOFTWARE)):
        good("pka", "sign", key, desk.plain, signature, "--force", *options, *by)
        good("pka", "verify", public, desk.plain, signature, *options, *checked)
        assert "is not a signature" in sentence(
            "pka", "verify", public, desk.key, signature, *options, *checked, status=3
        )


def test_keys_of_others(desk: Any) -> None:
    """A key of `cryptography`'s, plain and encrypted, and one that this command has encrypted."""
    file = Path(cryptography_vectors.__file__).parent / "asymmetric/MLDSA/mldsa44_priv.der"
    private = serialization.load_der_private_key(file.read_bytes(), None)
    assert isinstance(private, mldsa_keys.PRIVATE_CLASSES[4])
    protection = serialization.BestAvailableEncryption(desk.password.read_bytes().strip())
    encrypted = desk.file(
        "encrypted",
        private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, protection),
    )
    signature, password = desk.path("signature"), ("--password-file", desk.password)
    for name, more in ((file, ()), (encrypted, password)):
        good("pka", "sign", name, desk.key, signature, "--force", *more)
        private.public_key().verify(signature.read_bytes(), desk.key.read_bytes())
    good("pka", "genkey", "ml-dsa-87", desk.path("new"), "--public", desk.path("new.pub"), *password)
    good("pka", "sign", desk.path("new"), desk.key, signature, "--force", *password)
    good("pka", "verify", desk.path("new.pub"), desk.key, signature)


def openssl(*words: str | Path) -> bytes:
    """Runs the command of OpenSSL, 3.5 or later."""
    version = subprocess.run(["openssl", "version"], capture_output=True, check=True).stdout.split()[1].decode()
    if tuple(int(part) for part in version.split(".")[:2]) < (3, 5):
        pytest.skip(f"openssl on the PATH is {version}; ML-DSA needs 3.5")
    return subprocess.run(["openssl", *map(str, words)], capture_output=True, check=True).stdout


def test_openssl(desk: Any) -> None:
    """Keys of OpenSSL 3.5 as it writes them (both), and signatures both ways."""
    theirs, signature = desk.path("theirs.pem"), desk.path("signature")
    openssl("genpkey", "-algorithm", "ML-DSA-65", "-out", theirs)
    good("pka", "sign", theirs, desk.key, signature)
    openssl("pkeyutl", "-verify", "-rawin", "-inkey", theirs, "-in", desk.key, "-sigfile", signature)
    good("pka", "genkey", "ml-dsa-65", desk.path("ours.pem"), "--public", desk.path("ours.pub"))
    openssl("pkeyutl", "-sign", "-rawin", "-inkey", desk.path("ours.pem"), "-in", desk.key, "-out", signature)
    good("pka", "verify", desk.path("ours.pub"), desk.key, signature)
    assert openssl("pkey", "-in", desk.path("ours.pem")) == desk.path("ours.pem").read_bytes()
    assert openssl("pkey", "-in", desk.path("ours.pem"), "-pubout") == desk.path("ours.pub").read_bytes()


def test_keys_that_are_refused(desk: Any) -> None:
    key, nothing = desk.path("key.der"), desk.path("nothing")
    words = ("pka", "sign", key, desk.key, nothing)
    for expanded in (SK[:-1] + bytes([SK[-1] ^ 1]), SK[:33] + bytes([SK[33] ^ 1]) + SK[34:]):
        key.write_bytes(mldsa_keys.write_private(MlDsaPrivate(4, SEED, expanded)))
        assert "do not belong together" in sentence(*words, status=2)
    # A coefficient of s1 that is out of range.
    key.write_bytes(mldsa_keys.write_private(MlDsaPrivate(4, b"", SK[:128] + b"\xff" + SK[129:])))
    assert "refuses the key" in sentence(*words, status=2)
    key.write_bytes(mldsa_keys.write_private(FORMS["expanded"]))
    assert "only the expanded form" in sentence("pka", "verify", key, desk.key, desk.key, status=2)
    assert "needs the seed" in sentence(*words, *SOFTWARE, status=2)
    assert "keys of RSA, Ed25519 and ML-DSA have no" in sentence("pka", "derive", key, public_file(desk), "-", status=2)
    assert "Only RSA encrypts" in sentence("pka", "encrypt", public_file(desk), desk.key, "-", status=2)
    assert "Only an ML-KEM key" in sentence("pka", "decapsulate", key, desk.key, "-", status=2)
    key.write_bytes(key.read_bytes()[:-1])
    assert "no usable key" in sentence(*words, status=3)
    key.write_bytes(mldsa_keys.write_private(MlDsaPrivate(4, SEED[:-1], b"")))
    assert "the seed has 31 bytes, not 32" in sentence(*words, status=3)
    assert not nothing.exists()


def test_options_that_are_refused(desk: Any) -> None:
    key, nothing = desk.file("key.der", mldsa_keys.write_private(FORMS["both"])), desk.path("nothing")
    words = ("pka", "sign", key, desk.key, nothing)
    good("pka", "sign", key, desk.key, desk.path("longest"), "--context", "00" * 255)
    assert "at most 255 bytes, not 256" in sentence(*words, "--context", "00" * 256, status=2)
    assert "pairs of hexadecimal digits" in sentence(*words, "--context", "0", status=2)
    assert "does not have 'md5'" in sentence(*words, "--prehash", "md5", status=2)
    assert "sha224 is too weak" in sentence(*words, "--prehash", "sha224", status=2)
    assert "no padding" in sentence(*words, "--digest", "sha256", status=2)
    assert "no deterministic" in sentence(*words, "--deterministic", *SOFTWARE, status=2)
    assert "has no ML-DSA" in sentence(*words, "--board", "zc706-edge", status=2)
    good("pka", "genkey", "ed25519", desk.path("ed"), *SOFTWARE)
    for options in (("--context", "00"), ("--prehash", "sha512"), ("--deterministic",)):
        assert "leave them out" in sentence("pka", "sign", desk.path("ed"), desk.key, nothing, *options, status=2)
    public = public_file(desk)
    for wrong in (b"", bytes(2419), bytes(2420), bytes(2421)):
        file = desk.file("wrong", wrong)
        assert "is not a signature" in sentence("pka", "verify", public, desk.key, file, status=3)
        assert "is not a signature" in sentence("pka", "verify", public, desk.key, file, *SOFTWARE, status=3)
    assert not nothing.exists()
