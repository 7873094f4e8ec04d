# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Replaces the part of a page that a script makes: the lines between `<!-- NAME: begin -->` and `<!-- NAME: end -->`."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from outwork.errors import OutworkError
from outwork.paths import PROJECT


def begin(name: str) -> str:
    return f"<!-- {name}: begin -->"


def end(name: str) -> str:
    return f"<!-- {name}: end -->"


def replaced(text: str, name: str, part: str) -> str:
    """Returns the text with another part of this name. Raises ValueError if the text has none, or more than one."""
    pieces = text.split(begin(name))
    rest = pieces[-1].split(end(name))
    if (len(pieces), len(rest)) != (2, 2):
        raise ValueError(f"'{begin(name)}' and '{end(name)}' must stand there once each, in this order")
    return f"{pieces[0]}{begin(name)}\n{part.rstrip()}\n{end(name)}{rest[1]}"


def write(page: Path, name: str, part: str) -> None:
    """Replaces the part in a file. Ends the program if the file has no such part, and leaves the file alone."""
    try:
        text = replaced(page.read_text(encoding="utf-8"), name, part)
    except ValueError as error:
        raise SystemExit(f"{page}: {error}") from None
    page.write_text(text, encoding="utf-8")


def lines_of(page: Path, name: str) -> list[str]:
    """Returns the lines of a part of a file."""
    text = page.read_text(encoding="utf-8")
    return text.partition(begin(name))[2].partition(end(name))[0].strip().split("\n")


def cells(row: str) -> list[str]:
    """Returns what is in the columns of a table's row."""
    return [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]


def read_rows(page: Path, name: str) -> dict[str, str]:
    """Returns the rows of the table in a part of a file by their first column, without the head."""
    return {cells(line)[0]: line for line in lines_of(page, name)[2:]}


def write_rows(page: Path, name: str, rows: dict[str, str]) -> None:
    """Replaces rows of the table in a part of a file, by their first column; a row that is new comes last."""
    lines = lines_of(page, name)
    places = {cells(line)[0]: i for i, line in enumerate(lines) if line.startswith("|")}
    for title, row in rows.items():
        if title in places:
            lines[places[title]] = row
        else:
            lines.append(row)
    write(page, name, "\n".join(lines))


def main(description: str | None, prefix: str, page: Path, name: str, make: Callable[[], str]) -> int:
    """The program of a script that makes a part of a page: prints it, with --write puts it there. An error is one line."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"update its part of {page.relative_to(PROJECT)}")
    arguments = parser.parse_args()
    try:
        part = make()
    except OutworkError as error:
        sys.exit(f"{prefix}: {error}")
    print(part)
    if arguments.write:
        write(page, name, part)
    return 0
