# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Precompiled headers are removed when a system header is installed after them, whatever date it has."""

import os
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("is_installed_later", [True, False])
def test_precompiled_headers(tmp_path: Path, is_installed_later: bool) -> None:
    includes, build = tmp_path / "include", tmp_path / "build" / "model"
    includes.mkdir()
    build.mkdir(parents=True)
    header, precompiled = includes / "stddef.h", build / "cmake_pch.hxx.pch"
    for path in (precompiled, header) if is_installed_later else (header, precompiled):
        path.write_text("")
        time.sleep(0.02)
    if is_installed_later:
        os.utime(header, (0, 0))  # as a package manager does
    script = ROOT / "scripts/stale_headers.sh"
    done = subprocess.run([script, build.parent, includes], check=True, capture_output=True, text=True)
    assert precompiled.exists() != is_installed_later
    assert ("precompiling again" in done.stdout) == is_installed_later


def test_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    subprocess.run([ROOT / "scripts/stale_headers.sh", tmp_path / "none"], check=True)
