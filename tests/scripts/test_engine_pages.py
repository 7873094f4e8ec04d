# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The page of every engine has the same shape, and what it shows of C and of the command line works."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from page_blocks import blocks, run_c

from outwork.spec import Engine

ROOT = Path(__file__).resolve().parents[2]
ENGINES = [engine.name.lower() for engine in Engine if engine is not Engine.SHELL]
CARD = ("Files", "Contract", "Parameters", "Opcodes", "Standards", "Keys", "Sizes", "Capabilities")
SECTIONS = ["How it works", "How to program it", "Cycles and their limits", "Area", "Limits", "References"]


def page(engine: str) -> str:
    return (ROOT / "rtl" / engine / "README.md").read_text(encoding="utf-8")


def programs(engine: str, language: str) -> str:
    """The blocks of a language in the section that says how to program the engine."""
    return blocks(page(engine).split("\n## How to program it\n")[1].split("\n## ")[0], language)


@pytest.mark.parametrize("engine", ENGINES)
def test_shape(engine: str) -> None:
    text = page(engine)
    card, rest = text.split(f"](../../docs/images/{engine}.svg)")
    rows = re.findall(r"^\| (\w+) \|", card, re.MULTILINE)
    assert tuple(row for row in rows if row in CARD) == CARD
    assert re.findall(r"^## (.*)$", rest, re.MULTILINE) == SECTIONS
    assert (ROOT / f"docs/images/{engine}.svg").is_file()


def test_every_engine_is_in_the_first_figure() -> None:
    """That of the README and of the site's first page."""
    figure = (ROOT / "docs/images/architecture.svg").read_text(encoding="utf-8").lower()
    others = {"pka": "public keys", "combined": "also with hmac"}
    assert [engine for engine in ENGINES if others.get(engine, f">{engine}") not in figure] == []


@pytest.mark.parametrize("engine", ENGINES)
def test_job_in_c(engine: str, tmp_path: Path) -> None:
    assert run_c(programs(engine, "c"), tmp_path).startswith("Done.")


def small_plan(name: str, folder: Path) -> str:
    """Writes a shipped plan with the first of each sweep's algorithms, sizes and numbers of jobs, measured once: for all
    algorithms see test_shipped_plans_in_miniature. Returns the file's name.
    """
    text = (ROOT / f"outwork/lab/plans/{name}.toml").read_text(encoding="utf-8")
    text, rounds = re.subn(r"^rounds = \d+$", "rounds = 1", text, flags=re.MULTILINE)
    text, lists = re.subn(
        r"^(algorithms|sizes_bytes|jobs) = \[\s*([^,\]]+)[^\]]*\]$", r"\1 = [\2]", text, flags=re.MULTILINE
    )
    assert rounds and lists >= 3
    (folder / f"small-{name}.toml").write_text(text, encoding="utf-8")
    return f"small-{name}.toml"


@pytest.mark.parametrize("engine", ENGINES)
def test_job_on_the_command_line(engine: str, tmp_path: Path) -> None:
    outwork = tmp_path / "bin/outwork"
    outwork.parent.mkdir()
    outwork.write_text(f'#!/bin/sh\nexec {sys.executable} -m outwork "$@"\n', encoding="utf-8")
    outwork.chmod(0o755)
    places = {"PATH": f"{outwork.parent}:{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    # The self-test takes seconds and is the same on every page: tests/cli/test_device.py has it.
    script = "set -eo pipefail\n" + programs(engine, "sh").replace("outwork selftest\n", "")
    for name in re.findall(r"lab run (\w+)", script):
        script = script.replace(f"lab run {name}", f"lab run {small_plan(name, tmp_path)}")
    subprocess.run(["bash", "-c", script], cwd=tmp_path, env=os.environ | places, check=True)
