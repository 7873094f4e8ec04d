# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""docs/add-a-plan.md, docs/add-a-board.md and docs/add-a-baseline.md, carried out as they stand there."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

import pytest
from commands import good, outwork, sentence
from page_blocks import blocks

from outwork.paths import has_library

ROOT = Path(__file__).resolve().parents[2]


PLACE = ["export OUTWORK=/path/to/your/clone", "export PATH=$OUTWORK/.venv/bin:$PATH"]


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def run(text: str, folder: Path) -> list[bytes]:
    """Runs the lines of the page's `sh` blocks, all of which are commands of outwork but for those that set its place; what
    each has printed."""
    shown = blocks(text, "sh").splitlines()
    assert shown[:2] == PLACE
    lines = [shlex.split(line, comments=True) for line in shown[2:]]
    assert lines and all(words[0] == "outwork" for words in lines)
    return [good(*words[1:], cwd=folder) for words in lines]


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    folder = tmp_path_factory.mktemp("plan")
    text = page("add-a-plan.md")
    (folder / "slow-memory.toml").write_text(blocks(text, "toml"))
    return folder, run(text, folder)


@pytest.mark.slow
def test_the_plan_of_the_page_answers_its_question(planned: tuple[Path, list[bytes]]) -> None:
    folder, (tried, shown, ran, break_even, report) = planned
    # Three sizes: two engines of this CPU, and the device on two boards.
    assert tried.startswith(b"12 points measured: try.jsonl") and b"sha-256" in shown
    assert ran.startswith(b"12 points measured: build/lab/slow-memory.jsonl")
    boards = {row["board"] for row in records(folder / "build/lab/slow-memory.jsonl") if row["board"]}
    assert boards == {"reference, read latency 40", "reference, read latency 160"}
    assert sum(b"read latency" in line for line in break_even.splitlines()) == 4
    assert report == b"build/lab/report.html\n"
    assert "SHA-256 behind a slow memory" in (folder / "build/lab/report.html").read_text(encoding="utf-8")


def test_the_error_of_the_page_is_what_the_command_says(tmp_path: Path) -> None:
    text = page("add-a-plan.md")
    first, mark, second = blocks(text, "toml").rpartition("sizes_bytes = [64, 1024, 8192]")
    (tmp_path / "slow-memory.toml").write_text(f'{first}sizes_bytes = "64"{second}')
    assert mark
    said = sentence("lab", "run", "slow-memory.toml", status=2, cwd=tmp_path)
    assert f"\noutwork: {said}\n" in text


BOARDS = ROOT / "platform/sim/boards"


def my_board(folder: Path) -> Path:
    """The board file of the page: a copy of the nearest one with the page's values."""
    values, _, _ = blocks(page("add-a-board.md"), "toml").partition("title = ")
    path, text = folder / "my-board.toml", (BOARDS / "zcu102.toml").read_text()
    for line in values.splitlines():
        text, found = re.subn(rf"^{line.split(' = ')[0]} = .*$", line, text, flags=re.MULTILINE)
        assert found == 1, line
    path.write_text(text)
    return path


def test_the_board_page_names_files_and_parameters_that_are_there(tmp_path: Path) -> None:
    text = page("add-a-board.md")
    table, parameters = text.split("## 2.")[0], text.split("## 2.")[1].split("## 3.")[0]
    assert blocks(text, "sh").splitlines()[:2] == PLACE
    (copy,) = [line for line in blocks(text, "sh").splitlines() if line.startswith("cp ")]
    assert (ROOT / copy.split()[1].removeprefix("$OUTWORK/")).is_file()
    assert all((BOARDS / name).is_file() for name in re.findall(r"`([\w-]+\.toml)`", table))
    named = {
        name for row in re.findall(r"^\| (`\w.*?) \|", parameters, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    with (BOARDS / "reference.toml").open("rb") as file:
        assert named | {"description"} == tomllib.load(file).keys()
    board = my_board(tmp_path)
    board.write_text(board.read_text().replace("read_latency", "read_latancy"))
    said = outwork("bench", "--board", "my-board.toml", cwd=tmp_path)
    assert said.returncode == 2 and f"\n{said.stderr.decode()}" in text


@pytest.mark.slow
@pytest.mark.skipif(not has_library("ow_board_64"), reason="the board of 64 bits is not built: make build")
def test_the_board_of_the_page_is_measured_and_changed(tmp_path: Path) -> None:
    text, board = page("add-a-board.md"), my_board(tmp_path)
    plan = blocks(text, "toml")
    (tmp_path / "my-plan.toml").write_text(plan[plan.index("title = ") :])
    lines = [shlex.split(line)[1:] for line in blocks(text, "sh").splitlines() if line.startswith("outwork ")]
    bench, ran, break_even, report, policy = [good(*words, cwd=tmp_path) for words in lines[:5]]
    assert b"my-board" in bench and b"zcu102" in bench
    first = records(tmp_path / "build/lab/my-plan.jsonl")
    assert ran.startswith(f"{len(first)} points measured: ".encode())
    assert {row["board"] for row in first if row["board"]} == {
        "my-board", "zcu102", "my-board, read latency 60", "my-board, read latency 120",
    }  # fmt: skip
    assert b"my-board" in break_even and report == b"build/lab/report.html\n" and policy
    assert "The same work on other boards" in (tmp_path / "build/lab/report.html").read_text(encoding="utf-8")
    assert (tmp_path / "my-policy.txt").read_text().startswith("outwork-policy 1\n# ")
    board.write_text(board.read_text().replace("read_latency = 85", "read_latency = 90"))
    assert f"\noutwork: {sentence(*lines[1], status=2, cwd=tmp_path)}\n" in text
    again, compare = lines[5:]
    good(*again, cwd=tmp_path)
    # Status 1: the rows of the board have changed.
    assert b"my-board" in outwork(*compare, cwd=tmp_path).stdout


# What the page takes as given: a library with this one call.
LIBRARY_H = "#include <stddef.h>\n#include <stdint.h>\nvoid tiny_sha256(uint8_t digest[32], const uint8_t *data, size_t length);\n"
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(guide C)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include_directories(SYSTEM library)
add_library(ow_radio STATIC library/tinyhash.c)
add_library(tinyhash STATIC library/tinyhash.c)
target_link_libraries(tinyhash PUBLIC m)
add_subdirectory(outwork/lab/native)
"""


def build(tree: Path) -> None:
    tools = Path(sys.prefix) / "bin"
    quiet: dict[str, Any] = {"cwd": tree, "check": True, "stdout": subprocess.DEVNULL}
    generator = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tools}/ninja", "--log-level=ERROR"]
    subprocess.run([tools / "cmake", "-S", ".", "-B", "build", *generator], **quiet)
    subprocess.run([tools / "cmake", "--build", "build", "--target", "ow_lab", "ow_lab_tinyhash"], **quiet)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, with the page's two files and its line, and the library."""
    root, text = tmp_path_factory.mktemp("tree"), page("add-a-baseline.md")
    shutil.copytree(ROOT / "outwork", root / "outwork", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("driver", "platform", "rtl"):
        (root / folder).symlink_to(ROOT / folder)
    native = root / "outwork/lab/native"
    (native / "tinyhash.c").write_text(blocks(text, "c"))
    (root / "outwork/lab/engines/tinyhash.py").write_text(blocks(text, "python"))
    lines = (native / "CMakeLists.txt").read_text()
    before, mark, after = lines.rpartition("foreach(target ${targets})")
    (native / "CMakeLists.txt").write_text(before + blocks(text, "cmake") + mark + after)
    (root / "CMakeLists.txt").write_text(PROJECT)
    (root / "tiny.toml").write_text(blocks(text, "toml"))
    (root / "library").mkdir()
    (root / "library/tinyhash.h").write_text(LIBRARY_H)
    shutil.copy(ROOT / "tests/scripts/tiny_sha256.c", root / "library/tinyhash.c")
    build(root)
    return root


def outwork_of(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs the command of the copy. -S: without what makes `import outwork` find the project's own package."""
    paths = os.pathsep.join([str(tree), sysconfig.get_path("purelib")])
    environment = dict(os.environ, PYTHONPATH=paths, OUTWORK_LIBRARY_PATH=str(tree / "build/lib"))
    command = [sys.executable, "-S", "-m", "outwork", *words]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)


@pytest.mark.slow
def test_the_baseline_of_the_page_is_measured(tree: Path) -> None:
    text = page("add-a-baseline.md")
    lines = [shlex.split(line) for line in blocks(text, "sh").splitlines()]
    engines, ran, shown = [outwork_of(tree, *words[1:]) for words in lines]
    assert any("software/tinyhash" in line and "tinyhash 1.0" in line for line in engines.stdout.splitlines())
    assert ran.stdout.startswith("3 points measured: build/lab/tiny.jsonl"), ran.stderr
    # This copy has no simulated board, which is said too.
    assert ran.stderr.splitlines()[-1] == "outwork: left out, 3 points: software/tinyhash: it has SHA-256 only"
    assert "`it has SHA-256 only`" in text and "tinyhash" in shown.stdout
    found = records(tree / "build/lab/tiny.jsonl")
    assert [(row["engine"], row["library"], row["kind"]) for row in found] == [
        ("software", "tinyhash 1.0", "measured")
    ] * 3


@pytest.mark.slow
def test_a_wrong_result_ends_the_run_as_the_page_says(tree: Path) -> None:
    library = tree / "library/tinyhash.c"
    right = library.read_text()
    library.write_text(right.replace("0x6a09e667", "0x6a09e668"))
    assert library.read_text() != right
    build(tree)
    done = outwork_of(tree, "lab", "run", "tiny.toml", "--fresh", "-o", "wrong.jsonl")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] in page("add-a-baseline.md")
