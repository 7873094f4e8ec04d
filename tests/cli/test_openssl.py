# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`--format openssl` and `openssl enc -pbkdf2` read each other's files, both ways."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from commands import good, sentence
from streamed import through

from outwork.algorithms import find_cipher
from outwork.engines.software import SoftwareEngine
from outwork.files.formats.base import Codec
from outwork.files.formats.openssl import OpensslDecoder, OpensslEncoder
from outwork.files.streams import ByteSource

SOFTWARE = ("--engine", "software")
CIPHERS = ("aes-128-ecb", "aes-192-ctr", "aes-256-cbc")
# Around a block and around a chunk of 256 KiB.
SIZES = (0, 1, 15, 16, 17, 262_143, 262_144, 262_145, 700_001)


def openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", "enc", *map(str, words)], check=True, capture_output=True)


@pytest.mark.parametrize("name", CIPHERS)
def test_both_ways(desk: Any, name: str) -> None:
    password = f"file:{desk.password}"
    ours = ("--format", "openssl", "--cipher", name, "--password-file", desk.password, *SOFTWARE)
    good("encrypt", *ours, desk.plain, desk.path("ours"))
    openssl("-d", f"-{name}", "-pbkdf2", "-pass", password, "-in", desk.path("ours"), "-out", desk.path("back"))
    assert desk.path("back").read_bytes() == desk.plain.read_bytes()
    openssl(
        f"-{name}",
        "-pbkdf2",
        "-iter",
        "77",
        "-pass",
        password,
        "-in",
        desk.plain,
        "-out",
        desk.path("theirs"),
    )
    good("decrypt", *ours, "--iterations", "77", desk.path("theirs"), desk.path("again"))
    assert desk.path("again").read_bytes() == desk.plain.read_bytes()


@pytest.mark.parametrize("name", ["aes-192-ecb", "aes-256-cbc", "aes-128-ctr"])
def test_sizes(desk: Any, name: str) -> None:
    """In this process, for speed."""
    cipher, password = find_cipher(name), desk.password.read_bytes().strip()
    with SoftwareEngine() as engine:

        def reader(source: ByteSource) -> Codec:
            return OpensslDecoder(engine, cipher, password, source.read(16), 10_000)

        for size in SIZES:
            plain = bytes(number * 31 & 0xFF for number in range(size))
            sized = desk.file("sized", plain)
            secret = ("-pbkdf2", "-pass", f"file:{desk.password}")
            openssl(f"-{name}", *secret, "-in", sized, "-out", desk.path("theirs"))
            assert through(engine, reader, desk.path("theirs").read_bytes()) == plain, size
            ours = through(engine, lambda _: OpensslEncoder(engine, cipher, password, 10_000), plain)
            assert len(ours) == desk.path("theirs").stat().st_size, size
            openssl("-d", f"-{name}", *secret, "-in", desk.file("ours", ours), "-out", desk.path("back"))
            assert desk.path("back").read_bytes() == plain, size


def test_default_cipher_is_one_that_openssl_has(desk: Any) -> None:
    good(
        "encrypt",
        "--format",
        "openssl",
        "--password-file",
        desk.password,
        *SOFTWARE,
        desk.plain,
        desk.path("ours"),
    )
    password = f"file:{desk.password}"
    openssl(
        "-d",
        "-aes-256-cbc",
        "-pbkdf2",
        "-pass",
        password,
        "-in",
        desk.path("ours"),
        "-out",
        desk.path("back"),
    )
    assert desk.path("back").read_bytes() == desk.plain.read_bytes()


def test_what_does_not_go(desk: Any) -> None:
    form = ("--format", "openssl", *SOFTWARE)
    secret = ("--password-file", desk.password)
    assert "has no aes-256-gcm" in sentence(
        "encrypt", *form, *secret, "--cipher", "aes-256-gcm", desk.plain, "-", status=2
    )
    # Before it asks for a password.
    assert "has no aes-256-xts" in sentence("decrypt", *form, "--cipher", "aes-256-xts", desk.plain, "-", status=2)
    assert "does not support scrypt" in sentence(
        "encrypt", *form, *secret, "--kdf", "scrypt", desk.plain, "-", status=2
    )
    assert "not --key-file" in sentence("encrypt", *form, "--key-file", desk.key, desk.plain, "-", status=2)
    assert "give --cipher" in sentence("decrypt", *form, *secret, desk.plain, "-", status=2)
    cipher = ("--cipher", "aes-128-cbc")
    assert "does not start with 'Salted__'" in sentence("decrypt", *form, *secret, *cipher, desk.plain, "-", status=3)
    good("encrypt", *form, *secret, *cipher, desk.plain, desk.path("ours"))
    cut = desk.file("cut", desk.path("ours").read_bytes()[:-1])
    assert "not a multiple of 16" in sentence("decrypt", *form, *secret, *cipher, cut, desk.path("back"), status=3)
    wrong = ("--password-file", desk.file("wrong", b"wrong\n"))
    # One wrong password in 256 gives padding that looks right; this one does not.
    text = sentence("decrypt", *form, *wrong, *cipher, desk.path("ours"), desk.path("back"), status=3)
    assert "the reason cannot be known" in text
    assert not desk.path("back").exists()
    assert "made by `openssl enc`" in sentence("decrypt", *SOFTWARE, *secret, desk.path("ours"), "-", status=3)
