# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Files of records: one JSON object per line, appended as soon as it is measured, so that an interrupted run loses
nothing."""

import json
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from outwork.errors import OutworkError, UsageError
from outwork.files import streams
from outwork.lab.records import Record

SKIPPED_MAX: Final = 5  # lines that are printed


def read(paths: Iterable[Path]) -> tuple[list[Record], list[str]]:
    """Returns all valid records, the last of those with the same id; and for every skipped line, where and why."""
    records: dict[str, Record] = {}
    skipped: list[str] = []
    for path in paths:
        try:
            text = path.read_bytes()
        except OSError as error:
            raise OutworkError(f"The records {path} cannot be read: {error.strerror}.") from error
        for number, line in enumerate(text.split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError("it is not a JSON object")
                if not _is_text(row):
                    raise ValueError("it has a half of a character")
                record = Record.from_json(row)
                records[record.id] = record
            except (ValueError, RecursionError) as error:
                is_json = not isinstance(error, (json.JSONDecodeError, RecursionError))
                reason = error if is_json else "it is not JSON: truncated or damaged"
                skipped.append(f"{path}, line {number}: {reason}")
    return list(records.values()), skipped


def _is_text(row: object) -> bool:
    """Returns whether the text in a row can be written: JSON can name a surrogate alone (RFC 8259 8.2)."""
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def in_words(skipped: Sequence[str]) -> list[str]:
    """Returns what to print about skipped lines: the first ones, and how many more there are."""
    first = [f"skipped: {text}" for text in skipped[:SKIPPED_MAX]]
    more = len(skipped) - len(first)
    return [*first, f"skipped: {more} more line{'s' if more > 1 else ''}."] if more else first


def no_records(paths: Sequence[Path], skipped: Sequence[str]) -> UsageError:
    """Returns the error for files in which `read` has found no record."""
    where = f"{paths[0]} contains" if len(paths) == 1 else "The files contain"
    why = ""
    if skipped:
        first = skipped[0].removeprefix(f"{paths[0]}, ") if len(paths) == 1 else skipped[0]
        why = f" ({first.replace(': it is ', ' is ', 1)})"
    return UsageError(f"{where} no records{why}. Give a file that `outwork lab run` has written.")


class Store:
    """A file that grows by a record at a time. With `fresh` it starts over. A file of something else is left as it is.

    - is standard output, from which no run can go on.
    """

    def __init__(self, path: Path, fresh: bool = False) -> None:
        self.path = path
        self.is_file = str(path) != streams.STANDARD
        kind = streams.kind_of(str(path)) if self.is_file else 0
        if kind not in (0, stat.S_IFREG):
            raise UsageError(f"Records are kept in a file, which {path} is not: name another; - is standard output.")
        self.records, self.skipped = read([path]) if kind else ([], [])
        if self.skipped and not self.records:
            raise UsageError(f"{path} contains no records ({self.skipped[0]}): name another file, or remove this one.")
        if fresh and self.is_file:
            path.unlink(missing_ok=True)
            self.records, self.skipped = [], []
        self._ids = {record.id for record in self.records}
        if not self.is_file:
            self._file = open(sys.stdout.fileno(), "wb", buffering=0, closefd=False)  # noqa: SIM115 (see close)
            self._sink = streams.ByteSink(self._file, "standard output")
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)
        except OSError as error:
            raise OutworkError(f"The records cannot be written to {path}: {error.strerror}.") from error
        self._sink = streams.ByteSink(self._file, str(path))
        self._end_broken_line()

    def _end_broken_line(self) -> None:
        """Ends an incomplete line that a killed run has left, so that the next record starts on a new line."""
        if self._file.tell() > 0:
            self._file.seek(-1, os.SEEK_END)
            if self._file.read(1) != b"\n":
                self._sink.write(b"\n")

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._ids

    def append(self, record: Record) -> None:
        self._sink.write(line(record))
        if self.is_file:
            os.fsync(self._file.fileno())
        self.records.append(record)
        self._ids.add(record.id)

    def close(self) -> None:
        self._file.close()


def line(record: Record) -> bytes:
    return json.dumps(record.as_json()).encode() + b"\n"
