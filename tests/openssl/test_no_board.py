# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A provider that cannot reach its board says so once, on standard error, and stops nobody."""

import subprocess

import pytest
from openssl_host import CONFIGURATION, Host

WORDS = ("openssl", "dgst", "-sha256", CONFIGURATION, CONFIGURATION)


def errors(host: Host, **environment: str) -> str:
    """What a program with two messages says on standard error; its output must be right."""
    done = subprocess.run(WORDS, capture_output=True, text=True, env=host.environment() | environment, check=True)
    assert done.stdout.count("SHA2-256(") == 2
    return done.stderr


@pytest.fixture
def without_board(host: Host) -> Host:
    drop_in = host.folder / "outwork.cnf"
    drop_in.write_text(drop_in.read_text().replace("libow_board_128", "libow_board_absent"))
    return host


def test_said_once(without_board: Host) -> None:
    text = errors(without_board)
    assert text.count("outwork: ") == 1
    assert "the simulated board's library cannot be loaded (key `library`). Run `outwork doctor`" in text
    assert without_board.jobs() == {}


def test_quiet(without_board: Host) -> None:
    assert errors(without_board, OUTWORK_QUIET="1") == ""
    assert "outwork: " in errors(without_board, OUTWORK_QUIET="0")
    drop_in = without_board.folder / "outwork.cnf"
    drop_in.write_text(drop_in.read_text().replace("#quiet = 1", "quiet = 1"))
    assert errors(without_board) == ""


def test_nothing_is_said_of_a_board_that_is_not_needed(without_board: Host) -> None:
    without_board.configure("never")
    assert errors(without_board) == ""


def test_no_word_into_a_connection(without_board: Host) -> None:
    """A daemon may have given the number of standard error to a socket."""
    import socket

    ours, theirs = socket.socketpair()
    with ours, theirs:
        subprocess.run(WORDS, stdout=subprocess.PIPE, stderr=theirs, env=without_board.environment(), check=True)
        theirs.close()
        assert ours.recv(100) == b""
