# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Outputs: no file is replaced without --force, no terminal gets binary data, streams are written directly."""

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import ENVIRONMENT, good, outwork, sentence
from terminal import at_terminal

SOFTWARE = ("--engine", "software")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_private_key_is_not_replaced(desk: Any) -> None:
    key, public = desk.path("key.pem"), desk.path("key.pub")
    arguments = ("pka", "genkey", *SOFTWARE, "p-256", key, "--public", public)
    good(*arguments)
    first = key.read_bytes(), public.read_bytes()
    assert sentence(*arguments, status=1) == f"{public} exists already: give another name, or --force to replace it."
    assert sentence(*arguments[:-2], status=1).startswith(f"{key} exists already")
    assert (key.read_bytes(), public.read_bytes()) == first
    key.chmod(0o644)
    good(*arguments, "--force")
    assert key.read_bytes() != first[0] and public.read_bytes() != first[1]
    assert mode(key) == 0o600


def test_public_key_does_not_replace_the_private_one(desk: Any) -> None:
    key = desk.path("key.pem")
    text = sentence("pka", "genkey", *SOFTWARE, "--force", "p-256", key, "--public", key, status=2)
    assert "are the same file" in text and not key.exists()


def test_files_are_not_replaced(desk: Any) -> None:
    sealed, old = desk.path("sealed"), desk.file("old", b"what was there", 0o604)
    key = (*SOFTWARE, "--key-file", desk.key)
    good("encrypt", *key, desk.plain, sealed)
    for command, source in (("encrypt", desk.plain), ("decrypt", sealed)):
        assert sentence(command, *key, source, old, status=1).startswith(f"{old} exists already")
        assert old.read_bytes() == b"what was there"
        good(command, *key, "--force", source, old)
        assert old.read_bytes() != b"what was there" and mode(old) == 0o604
        desk.file("old", b"what was there", 0o604)


def test_existing_target_is_seen_before_a_password_is_asked(desk: Any) -> None:
    text = sentence("encrypt", *SOFTWARE, desk.plain, desk.key, status=1)
    assert text.startswith(f"{desk.key} exists already")


@pytest.mark.parametrize("words", [("sign", "key", "plain"), ("derive", "key", "key"), ("decrypt", "rsa", "sealed")])
def test_public_key_commands_replace_nothing(desk: Any, words: tuple[str, ...]) -> None:
    """Least of all a key that they read, whatever is forced."""
    good("pka", "genkey", *SOFTWARE, "p-256", desk.path("p-256.pem"))
    names = {"key": desk.path("p-256.pem"), "rsa": desk.path("rsa.pem"), "sealed": desk.plain, "plain": desk.plain}
    good("pka", "genkey", *SOFTWARE, "rsa-1024", names["rsa"])
    command, key, source = words[0], names[words[1]], names[words[2]]
    old = desk.file("old", b"what was there")
    assert "exists already" in sentence("pka", command, *SOFTWARE, key, source, old, status=1)
    assert "are the same file" in sentence("pka", command, *SOFTWARE, "--force", key, source, key, status=2)
    assert old.read_bytes() == b"what was there"


def test_packets_and_measurements_are_not_replaced(desk: Any) -> None:
    batch = ("radio", "batch", desk.plain, *SOFTWARE, "--generate", "3")
    assert sentence(*batch, status=1).startswith(f"{desk.plain} exists already")
    measure = ("bench", *SOFTWARE, "--size", "16", "--operation", "encrypt", "--rounds", "1", "--json", desk.plain)
    assert sentence(*measure, status=1).startswith(f"{desk.plain} exists already")
    good(*batch, "--force")


def test_standard_output_by_its_name(desk: Any) -> None:
    """/dev/stdout, whatever it is: a pipe, or a file to which the shell appends."""
    key = (*SOFTWARE, "--key-file", desk.key)
    sealed = good("encrypt", *key, desk.plain, "/dev/stdout")
    assert good("decrypt", *key, "-", "/dev/stdout", stdin=sealed) == desk.plain.read_bytes()
    log = desk.file("log", b"before ")
    with log.open("ab") as file:
        command = [sys.executable, "-m", "outwork", "decrypt", *map(str, key), "-", "/dev/stdout"]
        subprocess.run(command, input=sealed, stdout=file, env=ENVIRONMENT, check=True)
    assert log.read_bytes() == b"before " + desk.plain.read_bytes()


@pytest.mark.parametrize("target", ["-", "/dev/stdout", "/dev/tty"])
def test_no_binary_data_goes_to_a_terminal(desk: Any, target: str) -> None:
    small = desk.file("small", b"hello")
    arguments = ("encrypt", *SOFTWARE, "--key-file", desk.key, small, target)
    status, said = at_terminal(*arguments)
    assert status == 2
    assert (
        said
        == "outwork: The result is binary and does not go to a terminal: name a file or a pipe, or add --force.\r\n"
    )
    status, said = at_terminal("pka", "genkey", *SOFTWARE, "--der", "p-256", target)
    assert (status, "does not go to a terminal" in said) == (2, True)


def test_text_goes_to_a_terminal(desk: Any) -> None:
    small, sealed = desk.file("small", b"hello"), desk.path("sealed")
    key = (*SOFTWARE, "--key-file", desk.key)
    good("encrypt", *key, small, sealed)
    assert at_terminal("decrypt", *key, sealed, "-", errors=desk.path("errors")) == (0, "hello")
    assert "BEGIN PRIVATE KEY" in at_terminal("pka", "genkey", *SOFTWARE, "p-256", "-")[1]


def test_forced_terminal(desk: Any) -> None:
    arguments = ("encrypt", *SOFTWARE, "--force", "--key-file", desk.key, desk.file("small", b"hello"), "-")
    status, said = at_terminal(*arguments)
    assert status == 0 and "OUTWORK" in said


def test_permissions_follow_the_input(desk: Any) -> None:
    """A private file stays private, there and back; the umask limits the rest."""
    key = (*SOFTWARE, "--key-file", desk.key)
    for wanted in (0o600, 0o640):
        desk.plain.chmod(wanted)
        sealed, back = desk.path(f"sealed-{wanted}"), desk.path(f"back-{wanted}")
        good("encrypt", *key, desk.plain, sealed)
        good("decrypt", *key, sealed, back)
        assert (mode(sealed), mode(back)) == (wanted, wanted)
    desk.plain.chmod(0o666)
    good("encrypt", *key, desk.plain, desk.path("open"))
    assert mode(desk.path("open")) == 0o644
    good("encrypt", *key, "-", desk.path("piped"), stdin=b"hello")
    assert mode(desk.path("piped")) == 0o644


def test_signatures_ciphertexts_and_packets_follow_their_input(desk: Any) -> None:
    key, public, packets = desk.path("key.pem"), desk.path("key.pub"), desk.path("packets")
    good("pka", "genkey", *SOFTWARE, "rsa-1024", key, "--public", public)
    small = desk.file("small", b"hello", 0o640)
    good("radio", "batch", packets, *SOFTWARE, "--generate", "3")
    packets.chmod(0o600)
    good("pka", "sign", *SOFTWARE, key, small, desk.path("signature"))
    good("pka", "encrypt", *SOFTWARE, public, small, desk.path("sealed"))
    good("radio", "batch", packets, *SOFTWARE, "--algorithm", "nea1", "--output", desk.path("enciphered"))
    assert [mode(desk.path(name)) for name in ("signature", "sealed", "enciphered")] == [0o640, 0o640, 0o600]
    good("pka", "sign", *SOFTWARE, key, "-", desk.path("piped"), stdin=b"hello")
    assert mode(desk.path("piped")) == 0o644


def test_a_replaced_key_is_kept(desk: Any) -> None:
    key = desk.path("key.pem")
    arguments = ("pka", "genkey", *SOFTWARE, "p-256", key)
    good(*arguments)
    first = key.read_bytes()
    good(*arguments, "--force")
    second = key.read_bytes()
    assert desk.path("key.pem.bak").read_bytes() == first != second and mode(desk.path("key.pem.bak")) == 0o600
    good(*arguments, "--force")
    assert desk.path("key.pem.bak").read_bytes() == second
    assert {name for name in desk.names() if name.startswith("key.pem")} == {"key.pem", "key.pem.bak"}


@pytest.mark.parametrize(
    ("words", "redirection", "names"),
    [
        (("plain", "-"), ">>plain", "plain and standard output"),
        (("-", "-"), "<plain >>plain", "standard input and standard output"),
        (("-", "plain"), "<plain", "standard input and plain"),
        (("plain", "/dev/stdout"), ">>plain", "plain and /dev/stdout"),
    ],
)
def test_output_behind_its_own_input(desk: Any, words: tuple[str, ...], redirection: str, names: str) -> None:
    """What is appended to a file would be read again, without an end."""
    before = desk.plain.read_bytes()
    command = shlex.join(
        [sys.executable, "-m", "outwork", "encrypt", *SOFTWARE, "--force", "--key-file", "key", *words]
    )
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 100000; {command} {redirection}"],
        capture_output=True,
        env=ENVIRONMENT,
        cwd=desk.folder,
        check=False,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == f"outwork: {names} are the same file; give the result another name.\n"
    assert desk.plain.read_bytes() == before


def test_names_that_no_file_can_have(desk: Any) -> None:
    """They are refused before the work."""
    long = "x" * 300
    assert sentence("encrypt", *SOFTWARE, desk.plain, desk.path(long), status=1) == (
        f"Writing {desk.path(long)} failed: File name too long."
    )
    for words in (
        ("bench", *SOFTWARE, "--json", long),
        ("lab", "report", "-o", long, desk.plain),
        ("lab", "policy", "-o", long, desk.plain),
    ):
        assert sentence(*words, status=1) == f"Writing {long} failed: File name too long."
    done = outwork("digest", *SOFTWARE, "sha-256", long, desk.plain)
    assert done.returncode == 1 and str(desk.plain).encode() in done.stdout
    assert done.stderr.decode().splitlines() == [
        f"outwork: {long} cannot be read: File name too long.",
        "outwork: 1 of 2 files could not be read.",
    ]


@pytest.mark.skipif(os.getuid() == 0, reason="root may read every folder")
def test_folder_that_cannot_be_read(desk: Any) -> None:
    closed = desk.path("closed")
    closed.mkdir(0)
    assert sentence("encrypt", *SOFTWARE, desk.plain, closed / "a", status=1).endswith("failed: Permission denied.")
    assert "Permission denied" in outwork("digest", *SOFTWARE, "sha-256", closed / "a").stderr.decode()
    closed.chmod(0o700)
