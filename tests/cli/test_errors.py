# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Every error is a sentence that says what to do, on standard error, with a status; never a traceback."""

from typing import Any

import pytest
from commands import good, outwork, sentence

from outwork.algorithms import ALGORITHMS, CIPHERS

SOFTWARE = ("--engine", "software")
KEY = "00" * 16
AEADS = [name for name, cipher in CIPHERS.items() if cipher.is_aead]


def test_unknown_names(desk: Any) -> None:
    text = sentence("encrypt", "--cipher", "des", desk.plain, "-", status=2)
    assert text.startswith("There is no cipher 'des'. There are: aes-128-ecb, ")
    text = sentence("encrypt", "--engine", "abacus", "--key-file", desk.key, desk.plain, "-", status=2)
    assert text == "There is no engine 'abacus'. There are: accelerator, software, auto."
    text = sentence("selftest", "--engine", "auto", status=2)
    assert text == "There is no engine 'auto'. There are: accelerator, software."
    text = sentence("encrypt", "--board", "bread", "--key-file", desk.key, desk.plain, "-", status=2)
    assert text.startswith("There is no board 'bread'. There are: ")
    text = sentence("encrypt", "--board", "zcu103", "--key-file", desk.key, desk.plain, "-", status=2)
    assert text.startswith("There is no board 'zcu103'. Did you mean 'zcu102'? There are: ")
    text = sentence("encrypt", "--cipher", "aes-128-cmac", "--key-file", desk.key, desk.plain, "-", status=2)
    assert "does not encrypt files" in text


def test_misspelt_ciphers(desk: Any) -> None:
    """The one that was meant, and only those that the command takes."""
    text = sentence("encrypt", "--cipher", "aes-256-gmc", desk.plain, "-", status=2)
    assert text.startswith("There is no cipher 'aes-256-gmc'. Did you mean 'aes-256-gcm'? There are: aes-128-ecb, ")
    assert "aes-128-xts" in text and "cmac" not in text and "gmac" not in text
    for command in ("encrypt", "decrypt"):
        text = sentence(command, "--format", "openssl", "--cipher", "aes-256-crt", desk.plain, "-", status=2)
        assert "Did you mean 'aes-256-ctr'?" in text and "gcm" not in text and "xts" not in text
    text = sentence("crypt", "--cipher", "aes-128-cmax", "--key", KEY, status=2)
    assert "Did you mean 'aes-128-cmac'?" in text


def test_values_of_a_wrong_kind(desk: Any) -> None:
    """Sentences of the project, not those of the library that reads the command line."""
    text = sentence("bench", "--environment", "lunix", status=2)
    assert text == (
        "--environment has no 'lunix'. Did you mean 'linux'? "
        "There are: host, bare-metal, freertos, linux, linux-queue, linux-kernel."
    )
    text = sentence("encrypt", "--kdf", "scypt", desk.plain, "-", status=2)
    assert text == "--kdf has no 'scypt'. Did you mean 'scrypt'? There are: scrypt, pbkdf2."
    assert sentence("bench", "--size", "1k", status=2) == "--size takes a whole number, not '1k'."
    assert sentence("encrypt", "--iterations", "1.5", desk.plain, "-", status=2) == (
        "--iterations takes a whole number, not '1.5'."
    )
    assert sentence("bench", "--tolerance", "little", status=2) == "--tolerance takes a number, not 'little'."


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("encrypt", "Missing argument 'IN'. `outwork encrypt --help` says what the command takes."),
        (
            "encrypt a b c",
            "Got unexpected extra argument(s) (c). `outwork encrypt --help` says what the command takes.",
        ),
        ("bench --size", "Option '--size' requires an argument. `outwork bench --help` says what the command takes."),
        ("pk genkey", "No such command 'pk'. Did you mean 'pka'? `outwork --help` says what the command takes."),
        (
            "pka genky",
            "No such command 'genky'. Did you mean 'genkey'? `outwork pka --help` says what the command takes.",
        ),
    ],
)
def test_wrong_command_lines(words: str, text: str) -> None:
    assert sentence(*words.split(), status=2) == text


def test_misspelt_options() -> None:
    text = sentence("encrypt", "--froce", "a", "b", status=2)
    assert "--froce" in text and "Did you mean --force?" in text and "`outwork encrypt --help`" in text


def test_operations_that_an_algorithm_lacks() -> None:
    text = sentence("bench", "--algorithm", "sha-256", "--operation", "encrypt", status=2)
    assert text == "sha-256 has the operation digest, not encrypt."
    text = sentence("bench", "--algorithm", "ml-kem-768", "--operation", "sign", status=2)
    assert text == "ml-kem-768 has the operations keygen, encapsulate and decapsulate, not sign."


def test_the_lab_s_names_are_listed_by_a_command() -> None:
    """A hundred names are no help in an error."""
    text = sentence("bench", "--algorithm", "aes-256-gmc", status=2)
    assert text == (
        "There is no algorithm 'aes-256-gmc'. Did you mean 'aes-256-gcm'? `outwork lab algorithms` lists all "
        f"{len(ALGORITHMS)}."
    )
    assert sentence("lab", "algorithms", "md5", status=2) == (
        f"There is no algorithm 'md5'. `outwork lab algorithms` lists all {len(ALGORITHMS)}."
    )


def test_wrong_engine_is_told_before_a_password_is_asked(desk: Any) -> None:
    assert "no engine 'gpu'" in sentence("encrypt", "--engine", "gpu", desk.plain, desk.path("out"), status=2)


def test_secrets_that_do_not_go_together(desk: Any) -> None:
    both = ("--key-file", desk.key, "--password-file", desk.password)
    assert "not both" in sentence("encrypt", *both, desk.plain, "-", status=2)
    assert "cannot be used with it" in sentence(
        "encrypt", "--key-file", desk.key, "--kdf", "scrypt", desk.plain, "-", status=2
    )
    text = sentence("encrypt", "--password-file", desk.password, "--iterations", "5", desk.plain, "-", status=2)
    assert text == "--iterations goes with --kdf pbkdf2."
    text = sentence("encrypt", *SOFTWARE, desk.plain, desk.path("out"), status=2)
    assert text == "There is no terminal to ask for a password: give --password-file or --key-file."
    assert not desk.path("out").exists()


def test_key_files(desk: Any) -> None:
    short = desk.file("short", b"\x01" * 31)
    text = sentence("encrypt", *SOFTWARE, "--key-file", short, desk.plain, "-", status=2)
    assert text == (f"The key file {short} does not fit: aes-256-gcm takes a key of 32 bytes; this one has 31.")
    text = sentence("encrypt", *SOFTWARE, "--key-file", desk.path("none"), desk.plain, "-", status=1)
    assert text.endswith("cannot be read: No such file or directory.")
    desk.key.chmod(0o644)
    done = outwork("encrypt", *SOFTWARE, "--key-file", desk.key, desk.plain, desk.path("out"))
    assert done.returncode == 0
    assert b"warning: the key file" in done.stderr and b"chmod 600" in done.stderr


def test_files(desk: Any) -> None:
    secret = ("--key-file", desk.key)
    text = sentence("encrypt", *SOFTWARE, *secret, desk.plain, desk.plain, status=2)
    assert text.endswith("are the same file; give the result another name.")
    assert "cannot be read: No such file" in sentence("encrypt", *secret, desk.path("none"), "-", status=1)
    assert "is a folder, not a file" in sentence("encrypt", *secret, desk.folder, "-", status=1)
    assert "is a folder; name a file in it" in sentence("encrypt", *secret, desk.plain, desk.folder, status=2)
    for command in ("encrypt", "decrypt"):
        assert sentence(command, *secret, desk.plain, "", status=2) == "OUT is empty: name a file."
    assert "No file can be made in" in sentence("encrypt", *secret, desk.plain, desk.path("no/file"), status=1)


def test_missing_board_library(desk: Any) -> None:
    empty = desk.folder / "empty"
    empty.mkdir()
    arguments = ("encrypt", "--key-file", desk.key, desk.plain, desk.path("out"))
    text = sentence(*arguments, status=4, environment={"OUTWORK_LIBRARY_PATH": str(empty)})
    assert text.startswith("The simulated board is not built")
    assert "Run `make build`" in text and "--engine software" in text
    broken = empty / "libow_board_128.so"
    broken.write_bytes(b"no library")
    text = sentence(*arguments, status=4, environment={"OUTWORK_LIBRARY_PATH": str(empty)})
    assert "cannot be loaded" in text
    assert not desk.path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--key", f"{KEY[:-1]}z"), "--key takes pairs of hexadecimal digits, not 'z'."),
        (("--key", KEY[:-1]), "--key takes pairs of hexadecimal digits, and has 31 digits."),
        (("--key", "00"), "aes-128-gcm takes a key of 16 bytes; this one has 1."),
        (("--key", KEY), "aes-128-gcm needs an IV (usually 12 bytes)."),
        (
            ("--key", KEY, "--iv", "00", "--tag-length", "5"),
            "aes-128-gcm has tags of 4, 8, 12, 13, 14, 15, 16 bytes, not 5.",
        ),
        (
            ("--key", KEY, "--iv", "00" * 12, "--cipher", "aes-128-cbc"),
            "aes-128-cbc takes an IV of 16 bytes; this one has 12.",
        ),
        (("--key", KEY, "--iv", "00", "--cipher", "aes-128-ecb"), "aes-128-ecb takes no IV."),
        (
            ("--key", KEY, "--iv", "00" * 16, "--cipher", "aes-128-ctr", "--aad", "00"),
            f"aes-128-ctr takes no --aad; what does: {', '.join(AEADS)}.",
        ),
        (
            ("--key", KEY, "--iv", "00" * 16, "--cipher", "aes-128-ctr", "--tag-length", "16"),
            "aes-128-ctr has no tag.",
        ),
        (
            ("--key", KEY * 2, "--iv", "00" * 16, "--cipher", "aes-128-xts"),
            "The two halves of a key for aes-128-xts must differ.",
        ),
    ],
)
def test_crypt_arguments(arguments: tuple[str, ...], words: str) -> None:
    assert sentence("crypt", *SOFTWARE, "--cipher", "aes-128-gcm", *arguments, stdin=b"data", status=2) == words


def test_lengths_of_messages() -> None:
    iv = ("--iv", "00" * 16)
    text = sentence("crypt", *SOFTWARE, "--cipher", "aes-128-cbc", "--key", KEY, *iv, stdin=b"x" * 17, status=2)
    assert text == "aes-128-cbc takes whole blocks of 16 bytes; 17 bytes are 1 too many."
    key = KEY + "11" * 16
    text = sentence("crypt", *SOFTWARE, "--cipher", "aes-128-xts", "--key", key, *iv, stdin=b"x" * 15, status=2)
    assert text == "aes-128-xts takes at least 16 bytes."


def test_bench_arguments() -> None:
    assert "A size is from 1" in sentence("bench", "--size", "0", status=2)
    assert "There is no operation" in sentence("bench", "--operation", "hash", status=2)
    assert "whole blocks" in sentence("bench", "--algorithm", "aes-128-cbc", "--size", "17", status=2)


def test_command_line_itself() -> None:
    """Mistakes that the parser finds: its own words, status 2, no traceback."""
    for arguments in (
        ("encrypt",),
        ("nothing",),
        ("crypt", "--tag-length", "x"),
        ("encrypt", "--kdf", "md5", "a", "b"),
    ):
        done = outwork(*arguments)
        assert done.returncode == 2, arguments
        assert b"Traceback" not in done.stderr and done.stderr


def test_help_and_version() -> None:
    assert good("--version").startswith(b"outwork 0.")
    for command in ("encrypt", "decrypt", "crypt", "bench", "status", "selftest"):
        assert b"xample" in good(command, "--help"), command
