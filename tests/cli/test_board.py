# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork board`: lists boards, and says what is wrong with a board file, and in which line."""

from pathlib import Path

import pytest
from commands import good, outwork, sentence

from outwork import paths

GOOD = (paths.PROJECT / "platform/sim/boards/zcu102.toml").read_text()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    return path


def test_in_order(file: Path) -> None:
    lines = good("board", "check", file).decode().splitlines()
    assert lines[0] == f"{file}: in order; 128 bits, simulated by libow_board_128."
    assert "  read_latency = 60 cycles" in lines
    assert "  shared_bandwidth = false" in lines, "as in the file"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("read_latency = 60", 'read_latency = "60"', 'line 8, has read_latency = "60"; it must be a whole number'),
        (
            "read_latency",
            "read_latncy",
            "line 8, has 'read_latncy', which is not a board parameter. Did you mean 'read_lat",
        ),
        ("data_width = 128", "data_width = 256", "line 7, has data_width = 256; it must be 32 or 64 or 128 bits."),
        ("mmio_latency", "# mmio_latency", "lacks 'mmio_latency' (a whole number of cycles from 0 to 10,000"),
        ("read_latency = 60", "read_latency 60", "is not valid TOML"),
    ],
)
def test_faults(file: Path, old: str, new: str, words: str) -> None:
    file.write_text(GOOD.replace(old, new))
    done = outwork("board", "check", file)
    assert (done.returncode, done.stdout) == (2, b"")
    assert words in done.stderr.decode()


def test_names(file: Path) -> None:
    other = file.rename(file.with_suffix(".txt"))
    assert sentence("board", "check", other, status=2).startswith("The name of a board file ends in .toml")
    assert "Did you mean 'zcu102'?" in sentence("board", "check", "zcu103", status=2)
    for name in ("folder", "folder.toml"):
        folder = file.with_name(name)
        folder.mkdir()
        assert sentence("board", "check", folder, status=2) == f"{folder} is a folder; give a .toml file."


def test_list() -> None:
    text = good("board", "list").decode()
    assert "zcu102" in text and "microcontroller" in text


def test_without_a_command() -> None:
    assert "--listen SOCKET" in sentence("board", status=2)
