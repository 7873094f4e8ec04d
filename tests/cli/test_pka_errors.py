# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork pka` with invalid input: a sentence that says what to do, and no output."""

from pathlib import Path
from typing import Any

import pytest
from commands import good, sentence

SOFTWARE = ("--engine", "software")


@pytest.fixture
def keys(desk: Any) -> dict[str, Path]:
    made = {name: desk.path(name) for name in ("rsa-1024", "p-256", "p-384")}
    for name, path in made.items():
        good("pka", "genkey", name, path, *SOFTWARE, "--public", f"{path}.pub")
    return made | {f"{name}.pub": Path(f"{path}.pub") for name, path in made.items()}


def test_wrong_keys(desk: Any, keys: dict[str, Path]) -> None:
    def of(*words: str | Path) -> str:
        return sentence("pka", *words, status=2)

    assert "public key" in of("sign", keys["rsa-1024.pub"], desk.plain, "-")
    assert "no padding" in of("sign", keys["p-256"], desk.plain, "-", "--padding", "pss")
    assert "Only RSA" in of("encrypt", keys["p-256"], desk.plain, "-")
    assert "Only RSA" in of("decrypt", keys["p-256"], desk.plain, "-")
    assert "on a curve" in of("derive", keys["rsa-1024"], keys["p-256"], "-")
    assert "p-384" in of("derive", keys["p-256"], keys["p-384"], "-")
    for command in ("sign", "encrypt"):
        text = sentence("pka", command, desk.key, desk.plain, "-", status=3)
        assert text == f"{desk.key} contains no usable key in PEM or DER. Make one with `outwork pka genkey`."
    assert "cannot be read" in sentence("pka", "sign", desk.path("nothing"), desk.plain, "-", status=1)
    broken = desk.file("broken", keys["p-256"].read_bytes()[:80])
    text = sentence("pka", "sign", broken, desk.plain, "-", status=3)
    assert "no usable key" in text and text.endswith("Make one with `outwork pka genkey`.")
    closed = desk.path("closed")
    good("pka", "genkey", "p-256", closed, *SOFTWARE, "--password-file", desk.password)
    text = sentence("pka", "sign", closed, desk.plain, "-", "--password-file", desk.file("other", b"wrong"), status=3)
    assert "no usable key" in text and "genkey" not in text


def test_wrong_options(desk: Any, keys: dict[str, Path]) -> None:
    def of(*words: str | Path) -> str:
        return sentence("pka", *words, status=2)

    rsa = keys["rsa-1024"]
    assert "and rsa-BITS such as rsa-2048." in of("genkey", "dsa", "-")
    assert "multiple of 32" in of("genkey", "rsa-8192", "-")
    assert "does not have 'md5'" in of("sign", rsa, desk.plain, "-", "--digest", "md5")
    assert "not with sha3-256" in of("sign", rsa, desk.plain, "-", "--padding", "pss", "--digest", "sha3-256")
    assert "for encryption" in of("sign", rsa, desk.plain, "-", "--padding", "oaep")
    assert "for signatures" in of("encrypt", rsa, desk.key, "-", "--padding", "pss")
    assert "neither mask" in of("sign", rsa, desk.plain, "-", "--salt", "3")
    assert "no engine 'abacus'" in of("sign", rsa, desk.plain, "-", "--engine", "abacus")
    long = desk.file("long", bytes(63))
    assert "63 bytes; this key and padding take 62" in of("encrypt", rsa, long, "-")
    assert "Only one" in of("verify", rsa, "-", "-")


def test_numbers_out_of_range(desk: Any, keys: dict[str, Path]) -> None:
    """A salt that no signature has room for reaches the driver, which refuses it."""
    text = sentence("pka", "sign", keys["rsa-1024"], desk.plain, "-", "--padding", "pss", "--salt", "95", status=2)
    assert "out of range" in text


def test_a_name_that_is_almost_right(tmp_path: Path) -> None:
    said = sentence("pka", "genkey", "p-265", tmp_path / "key.pem", status=2)
    assert said.startswith("There is no key 'p-265'. Did you mean 'p-256'? There are: p-256,") and "rsa-BITS" in said
