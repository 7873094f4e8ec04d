# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork board`: lists boards, says what is wrong with a board file, and in which line, and serves a board."""

import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import ENVIRONMENT, good, outwork, sentence

from outwork import paths

GOOD = (paths.PROJECT / "platform/sim/boards/zcu102.toml").read_text()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    return path


def test_in_order(file: Path) -> None:
    lines = good("board", "check", file).decode().splitlines()
    assert lines[0] == f"{file}: in order; 128 bits, simulated by libow_board_128."
    assert "  read_latency = 60 cycles" in lines
    assert "  shared_bandwidth = false" in lines, "as in the file"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("read_latency = 60", 'read_latency = "60"', 'line 8, has read_latency = "60"; it must be a whole number'),
        (
            "read_latency",
            "read_latncy",
            "line 8, has 'read_latncy', which is not a board parameter. Did you mean 'read_lat",
        ),
        ("data_width = 128", "data_width = 256", "line 7, has data_width = 256; it must be 32 or 64 or 128 bits."),
        ("mmio_latency", "# mmio_latency", "lacks 'mmio_latency' (a whole number of cycles from 0 to 10,000"),
        ("read_latency = 60", "read_latency 60", "is not valid TOML"),
    ],
)
def test_faults(file: Path, old: str, new: str, words: str) -> None:
    file.write_text(GOOD.replace(old, new))
    done = outwork("board", "check", file)
    assert (done.returncode, done.stdout) == (2, b"")
    assert words in done.stderr.decode()


def test_names(file: Path) -> None:
    other = file.rename(file.with_suffix(".txt"))
    assert sentence("board", "check", other, status=2).startswith("The name of a board file ends in .toml")
    assert "Did you mean 'zcu102'?" in sentence("board", "check", "zcu103", status=2)
    for name in ("folder", "folder.toml"):
        folder = file.with_name(name)
        folder.mkdir()
        assert sentence("board", "check", folder, status=2) == f"{folder} is a folder; give a .toml file."


def test_list() -> None:
    text = good("board", "list").decode()
    assert "zcu102" in text and "microcontroller" in text


def test_without_a_command() -> None:
    assert "--listen SOCKET" in sentence("board", status=2)


@contextmanager
def serving(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server that listens."""
    command = [sys.executable, "-m", "outwork", "board", "--listen", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as running:
        try:
            assert running.stdout is not None and running.stderr is not None
            assert b" queues at " in running.stdout.readline(), running.stderr.read()
            yield running
        finally:
            running.kill()


def test_server_after_one_that_was_killed(tmp_path: Path) -> None:
    """It takes the socket that the other one has left, but not that of one that lives."""
    path = tmp_path / os.fsdecode(b"board\xff")  # a name that is not text
    with serving(path) as killed:
        killed.kill()
    assert path.is_socket()
    with serving(path) as running:
        done = outwork("board", "--listen", path)
        assert done.returncode == 1 and b"stop the server that listens there" in done.stderr
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 0
    assert not path.exists()
    path.write_bytes(b"data")
    assert b"the path exists" in outwork("board", "--listen", path).stderr
    assert path.read_bytes() == b"data"


def test_server_whose_messages_nobody_reads(tmp_path: Path) -> None:
    """It ends without leaving its socket."""
    with serving(tmp_path / "board") as running, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client:
        assert running.stdout is not None
        running.stdout.close()
        client.connect(str(tmp_path / "board"))
        client.send(struct.pack("<IHHQ", 0x4F575348, 5, 1, 1 << 16).ljust(128, b"\0"))  # HELLO of shared/src/protocol.h
        assert running.wait(60) == 1
    assert not (tmp_path / "board").exists()
