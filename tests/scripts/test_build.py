# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""scripts/build.sh: two builds in one folder are done one after the other."""

import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# Fails if another one is at work in the folder.
CMAKE = """#!/bin/sh
mkdir busy || exit 1
sleep 0.3
rmdir busy
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
    builds = [
        subprocess.Popen(
            [tmp_path / "scripts/build.sh", "folder"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for _ in range(2)
    ]
    said = sorted((build.communicate()[0] for build in builds), key=len)
    assert [build.returncode for build in builds] == [0, 0], said
    assert said == [
        "build: compiling folder\n",
        "build: waiting for another build in folder\nbuild: compiling folder\n",
    ]
