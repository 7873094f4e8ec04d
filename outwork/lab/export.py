# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes records as a table with one row a record: CSV for spreadsheets, Parquet for programs that analyse data."""

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from outwork.errors import OutworkError, UsageError
from outwork.files import streams
from outwork.lab.records import Record


def check(path: Path) -> None:
    """Checks that the file's name says which kind of table it is."""
    if path.suffix not in WRITERS and str(path) != streams.STANDARD:
        raise UsageError(f"{path} must end in {' or '.join(WRITERS)}; - is standard output, as CSV.")


def write(path: Path, records: Sequence[Record], force: bool = False) -> None:
    """Writes the table that the file's name asks for; - is CSV on standard output."""
    WRITERS[path.suffix if str(path) != streams.STANDARD else ".csv"](path, records, force)


def flat(record: Record) -> dict[str, Any]:
    """Flattens a record to one level of columns: `cost.p50`, `origin.commit`. Samples stay a list."""
    row: dict[str, Any] = {}
    for name, value in record.as_json().items():
        if isinstance(value, dict):
            row.update({f"{name}.{part}": entry for part, entry in value.items() if not isinstance(entry, dict)})
        else:
            row[name] = list(value) if isinstance(value, tuple) else value
    return row


def _columns(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _write_csv(path: Path, records: Sequence[Record], force: bool) -> None:
    rows = [flat(record) for record in records]
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, _columns(rows))
    writer.writeheader()
    for row in rows:
        writer.writerow({name: " ".join(map(repr, v)) if isinstance(v, list) else v for name, v in row.items()})
    streams.write_text(path, table.getvalue(), force)


def _write_parquet(path: Path, records: Sequence[Record], force: bool) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise OutworkError(
            f"Parquet needs {error.name}, which is not installed: run `scripts/setup.sh parquet` in the project, or "
            "`pip install outwork[parquet]`. A .csv file needs nothing more."
        ) from error
    rows = [flat(record) for record in records]
    table = pyarrow.table({name: _typed([row.get(name) for row in rows]) for name in _columns(rows)})
    data = io.BytesIO()
    parquet.write_table(table, data)
    streams.make_folders(path)
    streams.write_file(path, data.getvalue(), force=force)


def _typed(values: list[Any]) -> list[Any]:
    """Returns the column with one type: of different ones, such as a parameter that has changed its meaning, text."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1 and not kinds <= {int, float}:
        return [value if value is None else str(value) for value in values]
    return [value if value is None else float(value) for value in values] if len(kinds) > 1 else values


WRITERS: Final[dict[str, Callable[[Path, Sequence[Record], bool], None]]] = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
}
