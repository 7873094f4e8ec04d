# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Records as tables for other programs: CSV and Parquet."""

import csv
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lab_records import device, series

from outwork.errors import OutworkError, UsageError
from outwork.lab import export

RECORDS = [*series(1e-7, 1e-9, (16, 64)), *device(1e-6, 1e-9, (16, 64))]


def test_csv(tmp_path: Path) -> None:
    export.write(tmp_path / "a.csv", RECORDS)
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["algorithm"] for row in rows] == ["aes-256-gcm"] * 4
    assert float(rows[0]["cost.p50"]) == RECORDS[0].cost.p50
    assert rows[2]["stages.data"] == "1.0" and rows[0]["stages.data"] == ""
    assert len(rows[0]["cost_samples"].split()) == 7


def test_parquet_keeps_types_and_every_value(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="`scripts/setup.sh parquet` installs pyarrow")
    # Of the first record the column is a whole number, of the last one text.
    mixed = [
        replace(row, parameters={"data_width": value})
        for row, value in zip(RECORDS, (128, 64, 32, "wide"), strict=True)
    ]
    export.write(tmp_path / "new" / "a.parquet", mixed)
    table = parquet.read_table(tmp_path / "new" / "a.parquet")
    assert table.num_rows == 4 and set(table.column_names) == {name for row in mixed for name in export.flat(row)}
    kinds = {name: str(table.schema.field(name).type) for name in table.column_names}
    assert kinds["size_bytes"] == "int64" and kinds["cost.p50"] == "double" and kinds["is_wide"] == "bool"
    assert kinds["cost_samples"] == "list<element: double>" and kinds["algorithm"] == "string"
    assert kinds["parameters.data_width"] == "string"
    rows = table.to_pylist()
    assert [row["parameters.data_width"] for row in rows] == ["128", "64", "32", "wide"]
    for row, record in zip(rows, mixed, strict=True):
        for name, value in export.flat(record).items():
            assert row[name] == (value if name != "parameters.data_width" else str(value)), name
    assert [row["stages.data"] for row in rows] == [None, None, 1.0, 1.0]


def test_without_pyarrow_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        OutworkError, match=r"Parquet needs pyarrow, which is not installed: run `scripts/setup\.sh parquet`"
    ):
        export.write(tmp_path / "a.parquet", RECORDS)
    assert not list(tmp_path.iterdir())


def test_other_names_are_refused() -> None:
    export.check(Path("-"))
    with pytest.raises(UsageError, match=r"table.xlsx must end in .csv or .parquet"):
        export.check(Path("table.xlsx"))
