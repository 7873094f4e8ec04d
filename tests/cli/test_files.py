# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork encrypt` and `decrypt` on files and pipes, in software: round trips, and nothing left after a failure."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from commands import ENVIRONMENT, good, outwork, sentence, started

from outwork.algorithms import FILE_CIPHERS, find_cipher

SOFTWARE = ("--engine", "software")
FAST = ("--kdf", "pbkdf2", "--iterations", "1000")


@pytest.mark.parametrize("name", [name for name in FILE_CIPHERS if "-256-" in name])
def test_key_file(desk: Any, name: str) -> None:
    key = desk.file("k", bytes(range(find_cipher(name).key_bytes)))
    good("encrypt", *SOFTWARE, "--cipher", name, "--key-file", key, desk.plain, desk.path("sealed"))
    good("decrypt", *SOFTWARE, "--key-file", key, desk.path("sealed"), desk.path("back"))
    assert desk.path("back").read_bytes() == desk.plain.read_bytes()
    assert desk.names() == {"plain", "key", "password", "k", "sealed", "back"}


@pytest.mark.parametrize("kdf", [(), FAST, ("--kdf", "scrypt")])
def test_password_file(desk: Any, kdf: tuple[str, ...]) -> None:
    good("encrypt", *SOFTWARE, *kdf, "--password-file", desk.password, desk.plain, desk.path("sealed"))
    good("decrypt", *SOFTWARE, "--password-file", desk.password, desk.path("sealed"), desk.path("back"))
    assert desk.path("back").read_bytes() == desk.plain.read_bytes()


def test_pipes(desk: Any) -> None:
    data = desk.plain.read_bytes()
    sealed = good("encrypt", *SOFTWARE, "--key-file", desk.key, "-", "-", stdin=data)
    assert good("decrypt", *SOFTWARE, "--key-file", desk.key, "-", "-", stdin=sealed) == data
    empty = good("encrypt", *SOFTWARE, "--key-file", desk.key, "-", "-", stdin=b"")
    assert good("decrypt", *SOFTWARE, "--key-file", desk.key, "-", "-", stdin=empty) == b""


def test_same_input_gives_other_output(desk: Any) -> None:
    arguments = ("encrypt", *SOFTWARE, "--key-file", desk.key, desk.plain, "-")
    assert good(*arguments) != good(*arguments)


def test_work_that_a_file_asks_for(desk: Any) -> None:
    """Nothing of a header is authentic before the key is made: much work needs the user's consent."""
    good("encrypt", *SOFTWARE, *FAST, "--password-file", desk.password, desk.plain, desk.path("sealed"))
    sealed = desk.path("sealed").read_bytes()
    arguments = ("decrypt", *SOFTWARE, "--password-file", desk.password, desk.path("hostile"), desk.path("out"))
    for log2_n, p in ((20, 16), (17, 2)):
        head = sealed[:12] + bytes((1, 8, p, 0)) + log2_n.to_bytes(4, "little")
        desk.file("hostile", head + sealed[len(head) :])
        text = sentence(*arguments, status=2)
        assert text.startswith(f"The file requires scrypt with {1 << log2_n - 10} MiB of memory, {p} times")
        assert "--allow-costly-kdf" in text
    assert sentence(*arguments, "--allow-costly-kdf", status=3).startswith("The password is wrong")


def test_damage_leaves_no_file(desk: Any) -> None:
    good("encrypt", *SOFTWARE, "--key-file", desk.key, desk.plain, desk.path("sealed"))
    data = bytearray(desk.path("sealed").read_bytes())
    data[-100_000] ^= 1
    desk.file("sealed", bytes(data))
    old = desk.file("old", b"what was there")
    for target in (desk.path("fresh"), old):
        arguments = ("decrypt", *SOFTWARE, "--force", "--key-file", desk.key)
        text = sentence(*arguments, desk.path("sealed"), target, status=3)
        assert text.startswith("The file is damaged in chunk 2 ")
    assert old.read_bytes() == b"what was there"
    assert desk.names() == {"plain", "key", "password", "sealed", "old"}


def test_only_good_chunks_reach_standard_output(desk: Any) -> None:
    """Documented: what came out before the error is authentic, and the exit status tells that it is not all."""
    good("encrypt", *SOFTWARE, "--key-file", desk.key, desk.plain, desk.path("sealed"))
    data = bytearray(desk.path("sealed").read_bytes())
    data[-100_000] ^= 1  # in the third and last chunk
    done = outwork("decrypt", *SOFTWARE, "--key-file", desk.key, "-", "-", stdin=bytes(data))
    assert done.returncode == 3
    assert len(done.stdout) % (256 * 1024) == 0
    assert desk.plain.read_bytes().startswith(done.stdout)
    assert len(done.stdout) <= 2 * 256 * 1024


def test_cut_and_longer_files(desk: Any) -> None:
    good("encrypt", *SOFTWARE, "--key-file", desk.key, desk.plain, desk.path("sealed"))
    data = desk.path("sealed").read_bytes()
    chunk = 256 * 1024 + 16
    arguments = ("decrypt", *SOFTWARE, "--key-file", desk.key, "-", desk.path("back"))
    assert "truncated: chunks are missing after chunk 1" in sentence(
        *arguments, stdin=data[: 112 + 2 * chunk], status=3
    )
    text = sentence(*arguments, stdin=data[:-1], status=3)
    assert "damaged in chunk 2" in text
    assert text.endswith("its tag does not match, or the file is truncated there; copy it again.")
    assert "damaged in chunk 2" in sentence(*arguments, stdin=data + b"more", status=3)
    assert "truncated inside its header" in sentence(*arguments, stdin=data[:100], status=3)
    assert "not an Outwork file: it does not begin as one. Give" in sentence(
        *arguments, stdin=desk.plain.read_bytes(), status=3
    )
    assert not desk.path("back").exists()


def test_wrong_secrets(desk: Any) -> None:
    good("encrypt", *SOFTWARE, *FAST, "--password-file", desk.password, desk.plain, desk.path("sealed"))
    other = desk.file("other", b"wrong\n")
    arguments = ("decrypt", *SOFTWARE, desk.path("sealed"), desk.path("back"))
    assert sentence(*arguments, "--password-file", other, status=3).startswith("The password is wrong")
    assert "encrypted with a password" in sentence(*arguments, "--key-file", desk.key, status=2)
    good("encrypt", *SOFTWARE, "--force", "--key-file", desk.key, desk.plain, desk.path("sealed"))
    wrong = desk.file("wrong", b"\x55" * 32)
    assert sentence(*arguments, "--key-file", wrong, status=3).startswith("The key is wrong")
    assert "give --key-file" in sentence(*arguments, "--password-file", desk.password, status=2)


def test_no_space_while_writing(desk: Any) -> None:
    """A limit on file size stands for a full disk: it fails in the middle of a large file, as ENOSPC does."""
    limit = 300_000
    done = started(
        "encrypt",
        *SOFTWARE,
        "--key-file",
        desk.key,
        desk.plain,
        desk.path("sealed"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 1
    assert b"larger than this system allows. No part of it was kept." in done.stderr
    assert desk.names() == {"plain", "key", "password"}
    full = sentence("encrypt", *SOFTWARE, "--key-file", desk.key, desk.plain, "/dev/full", status=1)
    assert full == "There is no space left for /dev/full; make room and start again."


@contextmanager
def encrypting(desk: Any, *before: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command that has begun to write, and whose input is still open."""
    with subprocess.Popen(
        [
            *before,
            sys.executable,
            "-m",
            "outwork",
            "encrypt",
            *SOFTWARE,
            "--key-file",
            desk.key,
            "-",
            desk.path("sealed"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as running:
        assert running.stdin is not None
        running.stdin.write(bytes(600_000))
        running.stdin.flush()
        deadline = time.monotonic() + 60
        while not any(name.startswith(".sealed.") for name in desk.names()):
            assert time.monotonic() < deadline, "the command did not start to write"
            time.sleep(0.05)
        yield running


def test_interruption_leaves_nothing(desk: Any) -> None:
    """Ctrl-C, kill, and a terminal that is closed; the tests themselves may run under nohup."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with encrypting(desk, "env", "--default-signal=HUP") as running:
            running.send_signal(number)
            assert running.wait(60) == 128 + number
        assert desk.names() == {"plain", "key", "password"}


def test_closed_terminal_after_nohup(desk: Any) -> None:
    with encrypting(desk, "nohup") as running:
        running.send_signal(signal.SIGHUP)
        running.communicate()
    assert running.returncode == 0
    good("decrypt", *SOFTWARE, "--key-file", desk.key, desk.path("sealed"), desk.path("back"))
    assert desk.path("back").read_bytes() == bytes(600_000)


def test_reader_that_stops_reading(desk: Any) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "outwork", "encrypt", *SOFTWARE, "--key-file", desk.key, desk.plain, "-"],
            stdout=writing,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.returncode == 1
    assert done.stderr.decode() == "outwork: The reader of standard output has closed it.\n"
