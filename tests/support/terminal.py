# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the `outwork` command at a terminal of its own, and types answers."""

import os
import pty
import sys
from collections.abc import Mapping
from pathlib import Path

from commands import ENVIRONMENT


def at_terminal(
    *words: str | Path,
    answers: Mapping[str, str] | None = None,
    errors: Path | None = None,
    columns: int = 200,
) -> tuple[int, str]:
    """Exit status, and what was on the screen. `errors`: a file that takes standard error instead. An answer is given when
    its question has appeared."""
    arguments = [sys.executable, "-m", "outwork", *map(str, words)]
    child, screen = pty.fork()
    if child == 0:
        if errors is not None:
            os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
        os.execve(sys.executable, arguments, ENVIRONMENT | {"TERM": "xterm", "COLUMNS": str(columns)})
    waiting = list((answers or {}).items())
    said, answered = b"", 0
    while True:
        try:
            part = os.read(screen, 4096)
        except OSError:  # Linux's way to say that the other side is closed
            break
        if not part:
            break
        said += part
        if waiting and waiting[0][0].encode() in said[answered:]:
            answered = len(said)
            os.write(screen, waiting.pop(0)[1].encode())
    os.close(screen)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode(errors="replace")
