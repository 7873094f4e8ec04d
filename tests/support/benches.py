# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the programs that play jobs on blocks of the RTL (cmake/RtlBench.cmake), built from the sources as they are."""

import fcntl
import functools
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("OUTWORK_TEST_BUILD", "build/release")


@functools.cache
def program(name: str) -> Path:
    """Returns the path of a bench, a target of the build folder; builds it first if a source has changed."""
    assert (BUILD / "tests/rtl").exists(), f"{BUILD} is not configured for tests: run `make test-build`"
    # Several test processes may want one at once, and one build folder takes one build at a time (scripts/build.sh).
    with (BUILD / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [ROOT / ".venv/bin/cmake", "--build", BUILD, "--target", name, "--", "--quiet"]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
    why = built.stdout + built.stderr
    assert "unknown target" not in why, f"there is no bench {name}: add it to a CMakeLists.txt of tests/rtl"
    assert built.returncode == 0, why
    return BUILD / "bin/benches" / name
