# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Two commands at the same time: what is printed, the exit status, and an interruption."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/beside.sh"


@pytest.mark.parametrize(("first", "second", "status"), [(0, 0, 0), (3, 0, 2), (0, 4, 1), (5, 6, 1)])
def test_says_which_failed(tmp_path: Path, first: int, second: int, status: int) -> None:
    log = tmp_path / "logs" / "first"
    done = subprocess.run(
        [SCRIPT, log, "bash", "-c", f"echo one; exit {first}", "--", "bash", "-c", f"echo two; exit {second}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (status, "two\none\n")
    assert log.read_text() == "one\n"


def test_they_run_at_the_same_time(tmp_path: Path) -> None:
    """Each waits for the other."""
    a, b = tmp_path / "a", tmp_path / "b"
    meet = "touch {mine}; until [ -e {theirs} ]; do sleep 0.01; done"
    first, second = meet.format(mine=a, theirs=b), meet.format(mine=b, theirs=a)
    subprocess.run([SCRIPT, tmp_path / "log", "bash", "-c", first, "--", "bash", "-c", second], check=True, timeout=60)


def test_an_interruption_ends_both(tmp_path: Path) -> None:
    number = tmp_path / "number"
    first = f"echo $$ > {number}.new; mv {number}.new {number}; exec sleep 600"
    running = subprocess.Popen(
        [SCRIPT, tmp_path / "log", "bash", "-c", first, "--", "sleep", "600"], start_new_session=True
    )
    while not number.exists():
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGTERM)  # not SIGINT, which whoever runs this may ignore
    assert running.wait(60) != 0
    process = Path("/proc") / number.read_text().strip()
    deadline = time.monotonic() + 60
    while process.exists() and process.joinpath("stat").read_text().split()[2] != "Z":
        assert time.monotonic() < deadline, "the first command goes on"
        time.sleep(0.01)
