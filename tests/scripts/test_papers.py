# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""scripts/papers.sh: every plan that repeats a publication is run, and one report has them all."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from outwork.lab import plan

ROOT = Path(__file__).resolve().parents[2]
# Stands in for the command: writes down what it was asked for, and fails if it is told to. The plans themselves run in
# tests/cli/test_lab.py.
STAND_IN = """#!/bin/sh
echo "$*" >> asked
[ "$2" != "$FAILS" ]
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
    """One run, so that there is one estimate of the time left."""
    status, asked = papers(tree, "out", "--cluster", "local:2")
    assert status == 0
    made, report = asked
    names = made[2 : made.index("-o")]
    assert set(names) == {name for name in plan.shipped() if plan.load(name).source}
    assert made == ["lab", "run", *names, "-o", "out", "--cluster", "local:2"]
    assert report == ["lab", "report", *(f"out/{name}.jsonl" for name in names), "-o", "out/report.html"]


def test_a_run_that_fails_ends_it_without_a_report(tree: Path) -> None:
    status, asked = papers(tree, "out", fails="run")
    assert status == 1 and [words[1] for words in asked] == ["run"]


@pytest.mark.parametrize(
    ("words", "cluster"),
    [((), "--cluster local:2"), (("CLUSTER=tcp://head:8786",), "--cluster tcp://head:8786"), (("CLUSTER=none",), "")],
)
def test_make_gives_each_cpu_a_worker(words: tuple[str, ...], cluster: str) -> None:
    command = ["make", "--dry-run", *words, "papers"]
    # nproc prints OMP_NUM_THREADS where it is set, and a cluster of dask in this process has set it.
    env = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, env=env).stdout
    if (os.cpu_count() or 1) < 2 and not words:
        cluster = ""
    assert shown.rstrip().endswith(f"scripts/papers.sh build/papers {cluster}".rstrip())
