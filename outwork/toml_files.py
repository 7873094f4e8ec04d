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
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"The {what} {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"The {what} {path} is not valid TOML: {error}.") from error


def suggestion(name: str, known: Iterable[str]) -> str:
    """Returns `Did you mean 'jobs'?` if a known name is similar, else all known names."""
    names = sorted(known)
    near = nearest(name, names)
    return f"Did you mean '{near}'?" if near else f"There are: {', '.join(names) or 'none'}."


def line_of(path: Path, key: str) -> str:
    """Returns `, line 7,` for the last line of a file that gives this key a value; empty: none does."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [number for number, line in enumerate(lines, 1) if re.match(rf'\s*"?{re.escape(key)}"?\s*=', line)]
    return f", line {found[-1]}," if found else ""


def written(value: object) -> str:
    """Formats a value as in a TOML file: text in quotes, true and false in lower case."""
    return json.dumps(value, ensure_ascii=False, default=str)
