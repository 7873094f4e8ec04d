# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Files of records: none is lost or duplicated, and damaged lines are reported."""

import json
import os
import resource
from dataclasses import replace
from pathlib import Path

import pytest
from lab_records import device, record, series

from outwork.errors import OutworkError, UsageError
from outwork.lab import store
from outwork.lab.records import Record
from outwork.lab.store import Store

RECORDS = [*series(1e-7, 2e-9, (16, 1024)), *device(1e-6, 1e-9, (16, 1024))]


def write(path: Path, records: list[Record]) -> None:
    kept = Store(path)
    for entry in records:
        kept.append(entry)
    kept.close()


def test_there_and_back(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", RECORDS)
    found, skipped = store.read([tmp_path / "a.jsonl"])
    assert found == RECORDS
    assert not skipped


def test_every_cut_loses_one_record_at_most(tmp_path: Path) -> None:
    """A run that is killed in the middle of a line goes on behind it."""
    path = tmp_path / "a.jsonl"
    write(path, RECORDS[:2])
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(first, len(whole) - 1, 97):
        path.write_bytes(whole[:cut])
        again = Store(path)
        assert (RECORDS[0].id in again) and (RECORDS[1].id not in again)
        again.append(RECORDS[1])
        again.close()
        found, skipped = store.read([path])
        assert found == RECORDS[:2]
        assert len(skipped) == (1 if cut > first else 0)


def test_the_last_of_two_with_one_id_counts(tmp_path: Path) -> None:
    newer = replace(RECORDS[0], library="newer")
    write(tmp_path / "a.jsonl", [RECORDS[0], newer])
    found, _ = store.read([tmp_path / "a.jsonl"])
    assert found == [newer]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": 99}, "its schema is 99"),
        ({"cost": {"p5": 1, "p50": 0, "p95": 1}}, "its cost must be numbers above zero"),
        ({"cost": {"p5": 1, "p50": 1, "p95": float("inf")}}, "its cost must be numbers above zero"),
        ({"latency": {"p5": -1, "p50": 1, "p95": 1}}, "its latency must be numbers above zero"),
        ({"cost_samples": []}, "its cost must be numbers above zero"),
        ({"cost_samples": [1, float("nan")]}, "its cost must be numbers above zero"),
        ({"latency_samples": [0]}, "its latency must be numbers above zero"),
        ({"latency_samples": [10**400]}, "wrong type"),
        ({"size_bytes": 10**400}, "its size_bytes must be above zero"),
        ({"clock_hz": 0}, "its clock_hz must be above zero"),
        ({"jobs": 0}, "its jobs must be above zero"),
        ({"cpu_cycles": float("inf")}, "its cycles must be numbers"),
        ({"stages": {"data": "1"}}, "its cycles must be numbers"),
        ({"origin": {"cpu": ["x"]}}, "cpu of its origin is ['x']"),
        ({"origin": {"points_left": "few"}}, "points_left of its origin is 'few'"),
        ({"cost": 5}, "wrong type"),
        ({"cost": {"p5": 1, "p50": 1}}, "wrong type"),
        ({"kind": "guessed"}, "guessed"),
        ({"unit": "hours"}, "hours"),
        ({"unit": "cycles", "clock_hz": None}, "clock"),
        ({"cost_samples": ["x"]}, "could not convert"),
        ({"algorithm": None}, "wrong type"),
        ({"algorithm": "aes-512-gcm"}, "does not have the algorithm 'aes-512-gcm'"),
        ({"operation": "guess"}, "'guess' is not a valid Operation"),
        ({"size_bytes": "16"}, "wrong type"),
        ({"jobs": 1.5}, "wrong type"),
        ({"board": "\ud800"}, "it has a half of a character"),
    ],
)
def test_damaged_records_are_named_and_skipped(tmp_path: Path, change: dict[str, object], words: str) -> None:
    path = tmp_path / "a.jsonl"
    bad = {**RECORDS[0].as_json(), **change}
    path.write_bytes(json.dumps(bad).encode() + b"\n" + store.line(RECORDS[1]))
    found, skipped = store.read([path])
    assert found == [RECORDS[1]]
    (text,) = skipped
    assert "line 1" in text and words in text


@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, fresh: bool) -> None:
    path = tmp_path / "notes"
    path.write_bytes(b"not a record\n")
    with pytest.raises(UsageError, match=r"contains no records .*name another file"):
        store.Store(path, fresh)
    assert path.read_bytes() == b"not a record\n"


def test_a_fresh_run_starts_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(store.line(RECORDS[0]))
    kept = store.Store(path, fresh=True)
    assert kept.records == [] and RECORDS[0].id not in kept
    kept.append(RECORDS[1])
    kept.close()
    assert store.read([path]) == ([RECORDS[1]], [])


@pytest.mark.parametrize("line", [b"[1]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"schema": 1}', b"nan"])
def test_what_is_no_record(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(line + b"\n" + store.line(RECORDS[1]))
    found, skipped = store.read([path])
    assert found == [RECORDS[1]] and len(skipped) == 1


def test_fields_of_later_versions_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**RECORDS[0].as_json(), "colour": "red"}) + "\n")
    assert store.read([path]) == ([RECORDS[0]], [])


def test_records_of_versions_without_a_system_on_chip_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    row = RECORDS[0].as_json()
    del row["cpu_cycles"]
    path.write_text(json.dumps(row) + "\n")
    assert store.read([path]) == ([RECORDS[0]], [])


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(OutworkError, match="cannot be read"):
        store.read([tmp_path / "none.jsonl"])


def test_the_id_names_the_setting_alone() -> None:
    assert RECORDS[0].id == replace(RECORDS[0], library="x", cost_samples=(9.0,)).id
    assert RECORDS[0].id != replace(RECORDS[0], jobs=2).id
    assert len({entry.id for entry in RECORDS}) == 4


def test_a_record_in_other_units() -> None:
    one = record(1000, [1e-5], engine="accelerator", board="reference")
    assert one.seconds == pytest.approx(1e-5)
    assert one.megabytes_per_second == pytest.approx(100)
    assert one.bytes_per_cycle == pytest.approx(1)
    cpu = record(1000, [1e-6])
    assert cpu.cycles_per_byte is None
    assert replace(cpu, clock_hz=2_000_000_000).cycles_per_byte == pytest.approx(2)


def test_no_space_for_a_record(tmp_path: Path) -> None:
    """A limit on file size stands for a full disk. The records before it stay."""
    path = tmp_path / "a.jsonl"
    write(path, RECORDS[:1])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    kept = Store(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 10, before[1]))
    try:
        with pytest.raises(OutworkError, match=r"a.jsonl would be larger than this system allows\.$"):
            kept.append(RECORDS[1])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    kept.close()
    assert store.read([path])[0] == RECORDS[:1]


def test_only_files_keep_records(tmp_path: Path) -> None:
    """What gives zeros for ever, what nobody writes to, and what cannot be read back."""
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/full"), Path("/dev/null"), Path("/dev/tty"), tmp_path / "pipe", tmp_path):
        with pytest.raises(UsageError, match="Records are kept in a file, which"):
            Store(path)
    with pytest.raises(OutworkError, match="File name too long"):
        Store(tmp_path / ("x" * 300))
