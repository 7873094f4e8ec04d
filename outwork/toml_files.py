# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Reads TOML files that users write, and words their errors."""

import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from outwork.errors import UsageError, nearest


def read(path: Path, what: str) -> dict[str, Any]:
    """Returns the document. what: the kind of file for error texts, such as "plan"."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        _check_numbers(document)
        return document
    except OSError as error:
        raise UsageError(f"The {what} {path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:  # also of numbers and brackets that Python gives up at
        raise UsageError(f"The {what} {path} is not valid TOML: {error}.") from error


def _check_numbers(value: object) -> None:
    """Raises ValueError for a number that TOML does not have. Python would read it, but not print a long one."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("a number has more than 64 bits")
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _check_numbers(each)


def suggestion(name: str, known: Iterable[str]) -> str:
    """Returns `Did you mean 'jobs'?` if a known name is similar, else all known names."""
    names = sorted(known)
    near = nearest(name, names)
    return f"Did you mean '{near}'?" if near else f"There are: {', '.join(names) or 'none'}."


def line_of(path: Path, key: str) -> str:
    """Returns `, line 7,` for the last line of a file that gives this key a value; empty: none does."""
    found = _lines_of(path.read_text(encoding="utf-8").splitlines(), key)
    return f", line {found[-1]}," if found else ""


def line_in_table(path: Path, key: str, table: str, number: int) -> str:
    """Returns `, line 7` for the line that gives this key a value in the table `[[table]]` of this number, or else for
    the one that begins the table; with number 0, above all such tables. Empty: there is none."""
    lines = path.read_text(encoding="utf-8").splitlines()
    heads = [at for at, line in enumerate(lines, 1) if re.match(rf"\s*\[\[\s*{re.escape(table)}\s*\]\]", line)]
    if number > len(heads):  # the tables are values in brackets
        return ""
    places = [1, *heads, len(lines) + 1]
    found = _lines_of(lines[: places[number + 1] - 1], key, places[number])
    at = found[-1] if found else places[number] if number else 0
    return f", line {at}" if at else ""


def _lines_of(lines: list[str], key: str, first: int = 1) -> list[int]:
    """Returns the numbers of the lines, from the first one on, that give this key, or a part of it, a value."""
    begin = re.compile(rf'\s*"?{re.escape(key)}"?\s*[=.]')
    return [number for number, line in enumerate(lines, 1) if key and number >= first and begin.match(line)]


def written(value: object) -> str:
    """Formats a value as in a TOML file: text in quotes, true and false in lower case."""
    return json.dumps(value, ensure_ascii=False, default=str)
