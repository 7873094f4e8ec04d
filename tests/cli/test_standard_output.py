# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Standard output that takes nothing: a full disk is one sentence, a reader that has gone is none. Streams that are closed."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import pytest
from commands import ENVIRONMENT, good

FULL = "outwork: There is no space left for standard output; make room and start again.\n"
SOFTWARE = ("--engine", "software")
COMMANDS = [
    ("--version",),
    ("--help",),
    ("digest", *SOFTWARE, "sha-256", "plain"),
    ("mac", *SOFTWARE, "hmac-sha-256", "--key-file", "key", "plain"),
    ("encrypt", *SOFTWARE, "--key-file", "key", "plain", "-"),
    ("bench", *SOFTWARE, "--size", "16", "--jobs", "1", "--rounds", "1"),
    ("bench", *SOFTWARE, "--size", "16", "--jobs", "1", "--rounds", "1", "--json", "-"),
    ("lab", "plans"),
    ("board", "list"),
    ("selftest", *SOFTWARE),
    ("status",),
]


def run(words: Sequence[str], folder: Path, output: IO[bytes] | int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "outwork", *words],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        cwd=folder,
        check=False,
        text=True,
    )


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_full_disk(desk: Any, words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run(words, desk.folder, full)
    assert (done.returncode, done.stderr) == (1, FULL)


@pytest.mark.parametrize("words", [("--version",), ("lab", "plans"), ("digest", *SOFTWARE, "sha-256", "plain")])
def test_reader_that_has_gone(desk: Any, words: tuple[str, ...]) -> None:
    """As after `| head`, which wants no more."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run(words, desk.folder, writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    ("words", "closed", "status", "error"),
    [
        (("encrypt", *SOFTWARE, "--key-file", "key", "-", "out"), "<&-", 1, "Reading standard input failed"),
        (("encrypt", *SOFTWARE, "--key-file", "-", "plain", "out"), "<&-", 1, "The key file - cannot be read"),
        (("encrypt", *SOFTWARE, "--key-file", "key", "plain", "-"), ">&-", 1, "Writing standard output failed"),
        (("digest", *SOFTWARE, "sha-256", "plain"), ">&-", 1, "Writing standard output failed"),
        (("encrypt", *SOFTWARE, "--key-file", "key", "plain", "out"), "<&- >&- 2>&-", 0, ""),
    ],
)
def test_closed_streams(desk: Any, words: tuple[str, ...], closed: str, status: int, error: str) -> None:
    """One sentence if the stream is needed. If not, no file of the command takes its place."""
    command = f"exec {shlex.join([sys.executable, '-m', 'outwork', *words])} {closed}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, env=ENVIRONMENT, cwd=desk.folder, check=False, text=True
    )
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith(f"outwork: {error}" if error else "") and len(done.stderr.splitlines()) == bool(error)
    assert (desk.path("out") in desk.folder.iterdir()) == (status == 0)


def test_warning_without_standard_error(desk: Any) -> None:
    """It does not get into the output."""
    words = ("encrypt", *SOFTWARE, "--cipher", "aes-256-ecb", "--key-file", "key", "plain", "-")
    command = f"exec {shlex.join([sys.executable, '-m', 'outwork', *words])} 2>&-"
    sealed = subprocess.run(["bash", "-c", command], capture_output=True, env=ENVIRONMENT, cwd=desk.folder, check=True)
    assert good("decrypt", *SOFTWARE, "--key-file", desk.key, "-", "-", stdin=sealed.stdout) == desk.plain.read_bytes()
