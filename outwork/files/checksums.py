# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Digests of files: lines in the format of sha256sum, and hashing of many files at once."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from outwork.algorithms.digest import Hash
from outwork.choice.engine import Shape
from outwork.engines.base import Engine
from outwork.engines.hashing import HashTask, Result
from outwork.errors import OutworkError, UsageError
from outwork.files.streams import STANDARD, ByteSource, open_source

LINE_BYTES_MAX: Final = 1 << 24
_LINE: Final = re.compile(r"(\\?)([0-9a-fA-F]{2,}) [ *]([^\0]+)")
_TAGGED: Final = re.compile(r"(\\?)[A-Z0-9/-]+ \(([^\0]+)\) = ([0-9a-fA-F]{2,})")


@dataclass(frozen=True)
class Line:
    digest: bytes
    name: str


def line(digest: bytes, name: str) -> str:
    """Returns the line for a file. A name with a backslash or newline is escaped, and the line starts with a backslash."""
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return f"{chr(92) if escaped != name else ''}{digest.hex()}  {escaped}"


def _unescaped(name: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), name)


def read(path: str, algorithm: Hash) -> list[Line]:
    """Reads a file of digests, in the format of sha256sum or BSD (`SHA256 (name) = ...`)."""
    with open_source(path) as source:
        text = os.fsdecode(source.read_all(LINE_BYTES_MAX))
    lines: list[Line] = []
    # Not splitlines(): a name may contain what else it takes for the end of a line, such as a form feed.
    for number, row in enumerate(re.split("\r?\n", text), 1):
        if not row.strip() or row.startswith("#"):
            continue
        plain, tagged = _LINE.fullmatch(row), _TAGGED.fullmatch(row)
        escape, name, digits = (
            (plain[1], plain[3], plain[2]) if plain else (tagged[1], tagged[2], tagged[3]) if tagged else ("", "", "")
        )
        size = algorithm.function.digest_bytes
        is_right_size = algorithm.function.is_extendable or len(digits) == 2 * size
        if not digits or len(digits) % 2 or not is_right_size:
            raise UsageError(
                f"{path}, line {number}, is not a line of {algorithm} digests, which has {2 * size} hexadecimal digits, two spaces and "
                "the name of a file."
            )
        lines.append(Line(bytes.fromhex(digits), _unescaped(name) if escape else name))
    if not lines:
        raise UsageError(f"{path} contains no digests.")
    return lines


def output_bytes(lines: list[Line], algorithm: Hash) -> int:
    """Returns the length that all digests have. Raises an error if they differ."""
    lengths = {len(entry.digest) for entry in lines}
    if len(lengths) > 1:
        raise UsageError(f"The digests are of different lengths ({', '.join(map(str, sorted(lengths)))} bytes).")
    return lengths.pop()


def size_of(names: list[str]) -> int | None:
    """Returns the total size of the files; None if one is not a regular file, or cannot be reached."""
    total = 0
    for name in names:
        try:
            status = Path(name).stat()
        except OSError:
            return None
        if name == STANDARD or not stat.S_ISREG(status.st_mode):
            return None
        total += status.st_size
    return total


def shape(names: list[str]) -> Shape:
    """Describes the work for the policy: files in parallel, each a message."""
    total = size_of(names)
    if total is None:
        return Shape.of_file(None, 256 * 1024, True)
    return Shape(total // max(len(names), 1), max(1, min(len(names), 16)))


class _Counted:
    """A file that counts the bytes that have been hashed. A file that cannot be opened raises its error when it is
    read."""

    def __init__(self, source: ByteSource | OutworkError, closing: ExitStack, advance: Callable[[int], None]) -> None:
        self._source, self._closing, self._advance = source, closing, advance

    def read_into(self, view: memoryview) -> int:
        if isinstance(self._source, OutworkError):
            raise self._source
        count = self._source.read_into(view)
        if count < len(view):
            self._closing.close()
        return count

    def hashed(self, count_bytes: int) -> None:
        self._advance(count_bytes)


def hash_files(
    engine: Engine, task: HashTask, names: list[str], advance: Callable[[int], None]
) -> Iterator[tuple[str, Result]]:
    """Returns the name and the digest of each file, or the reason why it could not be read, in the order of the names."""

    def streams() -> Iterator[_Counted]:
        for name in names:
            stack = ExitStack()
            try:
                yield _Counted(stack.enter_context(open_source(name)), stack, advance)
            except OutworkError as error:
                yield _Counted(error, stack, advance)

    yield from zip(names, engine.hash_streams(task, streams()), strict=True)
