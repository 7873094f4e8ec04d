# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Counters of processes: files that any program may have written into the folder."""

import os
from pathlib import Path

import pytest

from outwork.choice import process_statistics
from outwork.choice.process_statistics import FILE_BYTES, HEADER, HEADER_BYTES, REASONS_MAX, ROW_BYTES


def write(path: Path, reasons_len: int, program: bytes = b"nginx") -> None:
    head = HEADER.pack(process_statistics.MAGIC, 7, b"openssl", program, reasons_len)
    row = (5).to_bytes(8, "little") + (80).to_bytes(8, "little")
    body = head.ljust(HEADER_BYTES, b"\0") + bytes(0x13 * ROW_BYTES) + row
    path.write_bytes(body.ljust(FILE_BYTES, b"\0"))


def test_counters_are_read(tmp_path: Path) -> None:
    write(tmp_path / "a.counters", REASONS_MAX)
    (found,) = process_statistics.read_all(tmp_path)
    assert (found.pid, found.host, found.program, found.jobs) == (7, "openssl", "nginx", 5)


@pytest.mark.parametrize("reasons_len", [REASONS_MAX + 1, 1000, 1 << 40, (1 << 64) - 1])
def test_more_reasons_than_a_row_has_room_for(tmp_path: Path, reasons_len: int) -> None:
    write(tmp_path / "a.counters", reasons_len)
    assert not list(process_statistics.read_all(tmp_path))


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.counters")
    (tmp_path / "b.counters").mkdir()
    (tmp_path / "c.counters").symlink_to("/dev/zero")
    (tmp_path / "d.counters").symlink_to("nowhere")
    write(tmp_path / "e.counters", 4)
    assert [process.path.name for process in process_statistics.read_all(tmp_path)] == ["e.counters"]


def test_escape_sequences_of_a_name(tmp_path: Path) -> None:
    write(tmp_path / "a.counters", 4, b"a\x1b[2Jb\xff\x9bc")
    (found,) = process_statistics.read_all(tmp_path)
    assert found.program.isprintable() and found.program.startswith("a\ufffd[2Jb")
