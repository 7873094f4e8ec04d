# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the counters that plug-ins write to files, one per process (layout: plugins/offload/src/statistics.h)."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from outwork import spec
from outwork.errors import OutworkError

VARIABLE: Final = "OUTWORK_COUNTERS"
SUFFIX: Final = ".counters"

MAGIC: Final = b"OWSTATS2"
HEADER: Final = struct.Struct("<8sQ16s32sQ")
HEADER_BYTES: Final = 1024
REASON_BYTES: Final = 48
STRIPES: Final = 4
OPCODES: Final = 256
ROW_BYTES: Final = 128
REASONS_MAX: Final = ROW_BYTES // 8 - 4  # a row has four other numbers
FILE_BYTES: Final = HEADER_BYTES + STRIPES * OPCODES * ROW_BYTES


@dataclass(frozen=True)
class Row:
    """The requests of one opcode: done by the device, and by the CPU with the reasons."""

    jobs: int
    bytes: int
    cpu_bytes: int
    cpu_requests: dict[str, int]
    cycles: int  # of the device: the sum over its jobs


@dataclass(frozen=True)
class ProcessCounters:
    """The counters of a process, which may have ended."""

    path: Path
    pid: int
    host: str
    program: str
    rows: dict[int, Row]

    @property
    def jobs(self) -> int:
        return sum(row.jobs for row in self.rows.values())

    @property
    def cpu_requests(self) -> int:
        return sum(sum(row.cpu_requests.values()) for row in self.rows.values())


def _text(raw: bytes) -> str:
    """Returns a text of the file, whose writer need not be trusted: no escape sequence reaches the terminal."""
    text = raw.split(b"\0", 1)[0].decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def read(path: Path) -> ProcessCounters | None:
    """Reads a file. Returns None if it is of another version, or is being created."""
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            content = file.read(FILE_BYTES)
    except OSError as error:
        raise OutworkError(f"The counters {path} cannot be read: {error.strerror}.") from error
    if len(content) < FILE_BYTES:
        return None
    magic, pid, host, program, reasons_len = HEADER.unpack_from(content)
    if magic != MAGIC or reasons_len > REASONS_MAX:
        return None
    reasons = [
        _text(content[start : start + REASON_BYTES]) for start in _places(HEADER.size, REASON_BYTES, reasons_len)
    ]
    row = struct.Struct(f"<{4 + reasons_len}Q")  # jobs, bytes, bytes of the CPU, its requests by reason, cycles
    sums = [[0] * (4 + reasons_len) for _ in range(OPCODES)]
    for index, start in enumerate(_places(HEADER_BYTES, ROW_BYTES, STRIPES * OPCODES)):
        old = sums[index % OPCODES]
        sums[index % OPCODES] = [a + b for a, b in zip(old, row.unpack_from(content, start), strict=True)]
    rows = {
        opcode: Row(values[0], values[1], values[2], dict(zip(reasons, values[3:-1], strict=True)), values[-1])
        for opcode, values in enumerate(sums)
        if any(values)
    }
    return ProcessCounters(path, pid, _text(host), _text(program), rows)


def _places(first: int, step: int, count: int) -> range:
    return range(first, first + step * count, step)


def read_all(folder: Path) -> Iterator[ProcessCounters]:
    """Returns the counters of all processes in the folder, oldest first."""
    for path in sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.lstat().st_mtime):
        process = read(path)
        if process is not None:
            yield process


def opcode_name(opcode: int) -> str:
    try:
        return spec.Opcode(opcode).name.lower().replace("_", "-")
    except ValueError:
        return f"opcode {opcode:#04x}"
