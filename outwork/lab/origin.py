# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where a record comes from: program, commit, machine, compiler, and how busy the machine was."""

import os
import platform
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from outwork import __version__
from outwork.paths import PROJECT


def cpu_name() -> str:
    """Returns the CPU's name, or the best description available."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("model name", "Model")):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _first_line(*command: str) -> str | None:
    """Returns the first line that a program prints; None if it is missing or fails."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True, cwd=PROJECT)
    except (OSError, subprocess.SubprocessError):
        return None
    return next(iter(done.stdout.splitlines()), "")


def _commit() -> str | None:
    """Returns the commit of this program's source tree, with a + if files have changed since; None outside a tree."""
    if not (PROJECT / ".git").exists():
        return None
    commit = _first_line("git", "rev-parse", "--short=12", "HEAD")
    changed = _first_line("git", "status", "--porcelain", "--untracked-files=no")
    return f"{commit}+" if commit and changed else commit


@cache
def fixed() -> dict[str, Any]:
    """Returns the facts that do not change while the program runs."""
    system = platform.freedesktop_os_release() if sys.platform == "linux" else {}
    return {
        "outwork": __version__,
        "commit": _commit(),
        "cpu": cpu_name(),
        "cpus": os.cpu_count(),
        "architecture": platform.machine(),
        "system": system.get("PRETTY_NAME", platform.system()),
        "kernel": platform.release(),
        "compiler": _first_line(os.environ.get("CC", "cc"), "--version"),
        "python": platform.python_version(),
    }


def origin() -> dict[str, Any]:
    return {
        **fixed(),
        "load": round(os.getloadavg()[0], 2),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }
