# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""scripts/papers.sh: every plan that repeats a publication is run, and one report has them all."""

import shutil
import subprocess
from pathlib import Path

import pytest

from outwork.lab import plan

ROOT = Path(__file__).resolve().parents[2]
# Stands in for the command: writes down what it was asked for, and makes the file that it was told to. The plans themselves
# run in tests/cli/test_lab.py.
STAND_IN = """#!/bin/sh
echo "$*" >> asked
[ "$3" != "$FAILS" ] || exit 1
for word; do case $before in -o) echo made > "$word";; esac; before=$word; done
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    (tmp_path / ".venv/bin").mkdir(parents=True)
    shutil.copy(ROOT / "scripts/papers.sh", tmp_path / "scripts")
    (tmp_path / ".venv/bin/outwork").write_text(STAND_IN)
    (tmp_path / ".venv/bin/outwork").chmod(0o755)
    (tmp_path / "out").mkdir()
    return tmp_path


def papers(tree: Path, *words: str, fails: str = "") -> tuple[int, list[list[str]]]:
    command = [tree / "scripts/papers.sh", *words]
    done = subprocess.run(command, env={"PATH": "/usr/bin:/bin", "FAILS": fails}, stdout=subprocess.DEVNULL)
    return done.returncode, [line.split() for line in (tree / "asked").read_text().splitlines()]


def test_all_publications_and_one_report(tree: Path) -> None:
    status, asked = papers(tree, "out", "--cluster", "local:2")
    assert status == 0
    *runs, report = asked
    assert {words[2] for words in runs} == {name for name in plan.shipped() if plan.load(name).source}
    assert all(
        words == ["lab", "run", words[2], "-o", f"out/{words[2]}.jsonl", "--cluster", "local:2"] for words in runs
    )
    assert report == ["lab", "report", *(words[4] for words in runs), "-o", "out/report.html"]


def test_a_plan_that_fails_ends_it_without_a_report(tree: Path) -> None:
    status, asked = papers(tree, "out", fails="imxrt")
    assert status == 1 and asked[-1][2] == "imxrt"
    assert not (tree / "out/report.html").exists()
