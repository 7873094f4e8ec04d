# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""scripts/build.sh: a build waits until another one in its folder is over."""

import fcntl
import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# Fails if another build could begin meanwhile.
CMAKE = """#!/bin/sh
if flock --nonblock folder/build.lock true; then exit 1; fi
"""


def test_builds_in_one_folder_wait(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    for name in ("build.sh", "stale_headers.sh"):
        shutil.copy(PROJECT / "scripts" / name, tmp_path / "scripts")
    cmake = tmp_path / ".venv/bin/cmake"
    cmake.parent.mkdir(parents=True)
    cmake.write_text(CMAKE)
    cmake.chmod(0o755)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/build.ninja").touch()
    with (tmp_path / "folder/build.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        build = subprocess.Popen([tmp_path / "scripts/build.sh", "folder"], stdout=subprocess.PIPE, text=True)
        assert build.stdout and build.stdout.readline() == "build: waiting for another build in folder\n"
    assert build.communicate()[0] == "build: compiling folder\n"
    assert build.returncode == 0
