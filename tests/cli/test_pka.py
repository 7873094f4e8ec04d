# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork pka` and `openssl`: each accepts what the other has made."""

import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from commands import good, outwork, sentence

CURVES = {"p-256": "P-256", "p-384": "P-384", "p-521": "P-521", "secp256k1": "secp256k1"}


def openssl(*words: str | Path, status: int = 0) -> bytes:
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, timeout=120, check=False)
    assert done.returncode == status, done.stderr.decode()
    return done.stdout


@pytest.fixture
def rsa(desk: Any) -> Path:
    """A private key of OpenSSL's; its public key lies beside it."""
    key = desk.path("rsa.pem")
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", key)
    openssl("pkey", "-in", key, "-pubout", "-out", desk.path("rsa.pub"))
    return key


def curve_pair(desk: Any, name: str, curve: str) -> tuple[Path, Path]:
    key, public = desk.path(name), desk.path(f"{name}.pub")
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{CURVES[curve]}", "-out", key)
    openssl("pkey", "-in", key, "-pubout", "-out", public)
    return key, public


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ((), ()),
        (("--digest", "sha512"), ("-sha512",)),
        (("--digest", "sha3-384"), ("-sha3-384",)),
        (("--padding", "pss"), ("-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest")),
        (
            ("--padding", "pss", "--salt", "11", "--mgf-digest", "sha1"),
            ("-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:11", "-sigopt", "rsa_mgf1_md:sha1"),
        ),
    ],
)
def test_rsa_signatures(desk: Any, rsa: Path, ours: tuple[str, ...], theirs: tuple[str, ...]) -> None:
    theirs = theirs if theirs and theirs[0].startswith("-sha") else ("-sha256", *theirs)
    signature, public = desk.path("signature"), desk.path("rsa.pub")
    good("pka", "sign", rsa, desk.plain, signature, *ours)
    openssl("dgst", *theirs, "-verify", public, "-signature", signature, desk.plain)
    openssl("dgst", *theirs, "-sign", rsa, "-out", signature, desk.plain)
    assert good("pka", "verify", public, desk.plain, signature, *ours) == b""
    data = bytearray(signature.read_bytes())
    data[50] ^= 1
    signature.write_bytes(data)
    assert "not a signature" in sentence("pka", "verify", public, desk.plain, signature, *ours, status=3)


@pytest.mark.parametrize("curve", ["p-256", "p-384"])
def test_ecdsa(desk: Any, curve: str) -> None:
    key, public = curve_pair(desk, "ec.pem", curve)
    signature = desk.path("signature")
    for digest in ("sha256", "sha3-256"):
        good("pka", "sign", "--force", key, desk.plain, signature, "--digest", digest)
        openssl("dgst", f"-{digest}", "-verify", public, "-signature", signature, desk.plain)
        openssl("dgst", f"-{digest}", "-sign", key, "-out", signature, desk.plain)
        good("pka", "verify", public, desk.plain, signature, "--digest", digest)
    assert "not a signature" in sentence("pka", "verify", public, desk.key, signature, status=3)


def test_x25519(desk: Any) -> None:
    """Keys of either, and the same secret; a key for X25519 neither signs nor agrees with one on a curve."""
    ours, theirs, secret = desk.path("ours.pem"), desk.path("theirs.pem"), desk.path("secret")
    good("pka", "genkey", "x25519", ours, "--public", desk.path("ours.pub"))
    openssl("genpkey", "-algorithm", "X25519", "-out", theirs)
    openssl("pkey", "-in", theirs, "-pubout", "-outform", "DER", "-out", desk.path("theirs.pub"))
    assert openssl("pkey", "-in", ours, "-pubout") == desk.path("ours.pub").read_bytes()
    good("pka", "derive", ours, desk.path("theirs.pub"), secret)
    derived = openssl("pkeyutl", "-derive", "-inkey", theirs, "-peerkey", desk.path("ours.pub"))
    assert secret.read_bytes() == derived
    assert "does not sign" in sentence("pka", "sign", ours, desk.plain, "-", status=2)
    key, _ = curve_pair(desk, "ec.pem", "p-256")
    assert "One key is on" in sentence("pka", "derive", key, desk.path("ours.pub"), "-", status=2)


def test_ed25519(desk: Any) -> None:
    """A signature is the same by either, of the file itself; OpenSSL before 3.4 takes it with -rawin."""
    key, public, theirs = desk.path("ed.pem"), desk.path("ed.pub"), desk.path("theirs")
    good("pka", "genkey", "ed25519", key, "--public", public)
    assert openssl("pkey", "-in", key, "-pubout") == public.read_bytes()
    signature = desk.path("signature")
    good("pka", "sign", key, desk.plain, signature)
    openssl("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", desk.plain, "-out", theirs)
    assert signature.read_bytes() == theirs.read_bytes()
    good("pka", "verify", public, desk.plain, signature)
    assert "not a signature" in sentence("pka", "verify", public, desk.key, signature, status=3)
    assert "no padding" in sentence("pka", "sign", key, desk.plain, "-", "--digest", "sha256", status=2)
    assert "no shared secret" in sentence("pka", "derive", key, public, "-", status=2)


@pytest.mark.parametrize("algorithm", ["p-256", "secp256k1", "rsa-1024"])
def test_new_keys(desk: Any, algorithm: str) -> None:
    key, public, signature = desk.path("new.pem"), desk.path("new.pub"), desk.path("signature")
    good("pka", "genkey", algorithm, key, "--public", public)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert openssl("pkey", "-in", key, "-pubout") == public.read_bytes()
    openssl("pkey", "-in", key, "-check", "-noout")
    openssl("dgst", "-sha256", "-sign", key, "-out", signature, desk.plain)
    good("pka", "verify", key, desk.plain, signature)


def test_encrypted_keys_and_der(desk: Any) -> None:
    key, der = desk.path("new.pem"), desk.path("new.der")
    good("pka", "genkey", "p-256", key, "--password-file", desk.password)
    assert b"ENCRYPTED" in key.read_bytes()
    openssl("pkey", "-in", key, "-passin", f"file:{desk.password}", "-outform", "DER", "-out", der)
    assert "--password-file" in sentence("pka", "sign", key, desk.plain, "-", status=2)
    assert "not encrypted" in sentence("pka", "sign", der, desk.plain, "-", "--password-file", desk.password, status=2)
    for name, more in ((key, ("--password-file", desk.password)), (der, ())):
        assert good("pka", "sign", name, desk.plain, "-", *more)
    # The forms before PKCS#8.
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", key)
    assert b"EC PRIVATE KEY" in key.read_bytes()
    assert good("pka", "sign", key, desk.plain, "-")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ((), ("rsa_padding_mode:oaep", "rsa_oaep_md:sha256")),
        (
            ("--digest", "sha256", "--mgf-digest", "sha1", "--label", "0102ff"),
            ("rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha1", "rsa_oaep_label:0102ff"),
        ),
        (("--padding", "pkcs1"), ("rsa_padding_mode:pkcs1",)),
    ],
)
def test_encryption(desk: Any, rsa: Path, ours: tuple[str, ...], theirs: tuple[str, ...]) -> None:
    message, text, back = desk.file("message", b"a session key"), desk.path("text"), desk.path("back")
    settings = [word for setting in theirs for word in ("-pkeyopt", setting)]
    public = desk.path("rsa.pub")
    good("pka", "encrypt", public, message, text, *ours)
    assert openssl("pkeyutl", "-decrypt", "-inkey", rsa, "-in", text, *settings) == b"a session key"
    openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", public, "-in", message, "-out", text, *settings)
    good("pka", "decrypt", rsa, text, back, *ours)
    assert back.read_bytes() == b"a session key"
    text.write_bytes(bytes(127) + b"\7")
    back.unlink()
    assert "not encrypted for this key" in sentence("pka", "decrypt", rsa, text, back, *ours, status=3)
    assert not back.exists()


@pytest.mark.parametrize("curve", CURVES)
def test_derivation(desk: Any, curve: str) -> None:
    (one, one_public), (two, two_public) = (curve_pair(desk, name, curve) for name in ("one", "two"))
    wanted = openssl("pkeyutl", "-derive", "-inkey", one, "-peerkey", two_public)
    assert good("pka", "derive", two, one_public, "-") == wanted
    assert good("pka", "derive", one, two_public, "-", "--engine", "software") == wanted


def test_statistics_show_that_the_device_worked(desk: Any, rsa: Path) -> None:
    done = outwork("pka", "sign", rsa, desk.plain, desk.path("signature"), "--stats")
    assert done.returncode == 0
    lines = done.stderr.decode().splitlines()
    assert any(line.startswith("outwork: jobs on the device: 6, and 0") for line in lines), lines
