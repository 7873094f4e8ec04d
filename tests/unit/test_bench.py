# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Points, records and tables of `outwork bench`, without measuring anything."""

import json
from pathlib import Path

import pytest

from outwork import bench, published
from outwork.ciphers import Operation, find
from outwork.device_time import jobs_of_a_round
from outwork.errors import UsageError
from outwork.messages import console
from outwork.records import KeyUse, Kind, Point, Record

RECORD = Record(
    kind=Kind.COUNTED,
    engine="accelerator",
    implementation="outwork",
    board="reference",
    environment="simulated board",
    algorithm="aes-256-gcm",
    operation="encrypt",
    size_bytes=1024,
    jobs=16,
    batch=8,
    keys="same",
    rounds=3,
    jobs_total=128,
    cycles=10_000,
    bytes_per_cycle=13.1072,
    clock_hz=100_000_000,
    megabytes_per_second=1310.72,
    latency_cycles=250,
    seconds=1e-4,
    latency_seconds=2.5e-6,
    call_overhead_seconds=None,
    stages={"wait": 1.0},
    machine="m",
    version="0",
)


def points(
    names: list[str], operations: tuple[str, ...] = (), sizes: tuple[int, ...] = (16,), **changes: object
) -> list[Point]:
    settings = {"jobs": 4, "batch": None, "keys": KeyUse.SAME, "rounds": 1} | changes
    return list(bench.points(names, operations, sizes, **settings))  # type: ignore[arg-type]


def test_every_combination() -> None:
    found = points(["aes-128-gcm", "aes-256-cmac"], sizes=(16, 64))
    wanted = [("aes-128-gcm", 16), ("aes-128-gcm", 64), ("aes-256-cmac", 16), ("aes-256-cmac", 64)]
    assert [(p.cipher.name, p.size_bytes) for p in found[::2]] == wanted
    assert [p.operation for p in found[:2]] == [Operation.ENCRYPT, Operation.DECRYPT]
    assert [p.operation for p in found[4:6]] == [Operation.MAC, Operation.VERIFY]
    assert found[0].batch == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"names": ["aes-1-gcm"]}, "There is no cipher"),
        ({"names": ["aes-128-gcm"], "operations": ["hash"]}, "There is no operation 'hash'"),
        ({"names": ["aes-128-gcm"], "operations": ["mac"]}, "knows encrypt and decrypt, not mac"),
        ({"names": ["aes-128-gcm"], "sizes": (0,)}, "--size is from 1"),
        ({"names": ["aes-128-cbc"], "sizes": (17,)}, "whole blocks"),
        ({"names": ["aes-128-gcm"], "jobs": 0}, "at least 1"),
        ({"names": ["aes-128-gcm"], "batch": 5}, "--batch"),
    ],
)
def test_senseless_points(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        points(**arguments)  # type: ignore[arg-type]


def test_json_has_the_promised_names(tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    bench.write_json(path, [RECORD, RECORD])
    lines = path.read_text().splitlines()
    assert len(lines) == 2
    promised = "engine board algorithm operation size_bytes jobs batch cycles bytes_per_cycle clock_hz megabytes_per_second latency_cycles"
    assert set(promised.split()) <= set(json.loads(lines[0]))


def test_table_has_the_published_figure_for_the_device_only() -> None:
    point = Point(find("aes-256-gcm"), Operation.ENCRYPT, 1024, 16, 8)
    screen = console()
    with screen.capture() as capture:
        screen.print(bench.table([(point, RECORD)]))
    text = capture.get()
    for words in ("accelerator (reference)", "13.11", "1310.7", "250 cycles", "WP512", "0.59 B/cycle"):
        assert words in text


def test_published_figures() -> None:
    def speed(name: str, operation: str, size: int) -> float | None:
        figure = published.beside(Point(find(name), Operation(operation), size))
        return None if figure is None else round(figure.bytes_per_cycle, 2)

    assert speed("aes-256-gcm", "encrypt", 15888) == 2.25
    assert speed("aes-256-gcm", "encrypt", 1024) == 0.59
    assert speed("aes-256-ctr", "encrypt", 65536) == 3.5
    assert speed("aes-256-cbc", "encrypt", 65536) == 0.25
    assert speed("aes-256-ctr", "encrypt", 16) is None
    assert speed("aes-128-gcm", "encrypt", 1024) is None


def test_length_of_a_round() -> None:
    gcm = find("aes-256-gcm")
    assert jobs_of_a_round(Point(gcm, Operation.ENCRYPT, 16, jobs=1)) == 1
    assert jobs_of_a_round(Point(gcm, Operation.ENCRYPT, 16, jobs=64)) == 1024
    assert jobs_of_a_round(Point(gcm, Operation.ENCRYPT, 1024, jobs=16)) == 128
    assert jobs_of_a_round(Point(gcm, Operation.ENCRYPT, 65536, jobs=16)) == 16
