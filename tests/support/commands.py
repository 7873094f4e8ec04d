# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the `outwork` command as a user does."""

import os
import subprocess
import sys
from pathlib import Path

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("OUTWORK_") or "PATH" in name}


def outwork(
    *words: str | Path, stdin: bytes = b"", environment: dict[str, str] | None = None, **settings: object
) -> subprocess.CompletedProcess[bytes]:
    """Never a terminal: standard input is a pipe, and the session has none to ask on."""
    return subprocess.run(
        [sys.executable, "-m", "outwork", *map(str, words)],
        input=stdin,
        capture_output=True,
        env=ENVIRONMENT | (environment or {}),
        start_new_session=True,
        timeout=600,
        check=False,
        **settings,  # type: ignore[call-overload]
    )


def good(*words: str | Path, stdin: bytes = b"", **settings: object) -> bytes:
    """Standard output of a command that must end well."""
    done = outwork(*words, stdin=stdin, **settings)  # type: ignore[arg-type]
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def sentence(*words: str | Path, stdin: bytes = b"", status: int, **settings: object) -> str:
    """The error of a command that must end badly: one line, no traceback, nothing on standard output."""
    done = outwork(*words, stdin=stdin, **settings)  # type: ignore[arg-type]
    text = done.stderr.decode()
    assert done.returncode == status, (done.returncode, text)
    assert "Traceback" not in text
    assert done.stdout == b""
    lines = [line for line in text.splitlines() if not line.startswith("outwork: warning:")]
    assert len(lines) == 1, text
    assert lines[0].startswith("outwork: ") and lines[0].endswith("."), text
    return lines[0].removeprefix("outwork: ")
