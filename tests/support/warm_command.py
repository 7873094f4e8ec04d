# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Loads what the `outwork` command loads while it runs: importing this takes the time that each fork then saves (commands.py)."""

import contextlib
import io
import sys

from outwork.cli import main
from outwork.device import binding


def run(*words: str) -> None:
    """Runs the command in this process; its output goes nowhere."""
    given = sys.argv
    sys.argv = ["outwork", *words]
    with (
        contextlib.suppress(SystemExit),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        main()
    sys.argv = given


run("digest", "sha-256", "/dev/null", "--engine", "software")
run("digest", "--help")
run("digest", "no-such-algorithm")
# The declarations of the driver, parsed; no board is opened.
binding.interface()
