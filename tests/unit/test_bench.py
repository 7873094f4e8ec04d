# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Points, tables and comparisons of `outwork bench`, without measuring anything."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from lab_records import CLOCK_HZ, record

from outwork.algorithms import find_cipher
from outwork.algorithms.base import Operation
from outwork.errors import OutworkError, UsageError
from outwork.lab import bench, store
from outwork.lab.device_round import jobs_of_a_round
from outwork.lab.records import KeyUse, Point, Record
from outwork.messages import console

# 16 jobs of 1,024 bytes in 78.125 cycles each.
DEVICE = record(
    1024,
    [78.125 / CLOCK_HZ] * 3,
    engine="accelerator",
    implementation="outwork",
    board="reference",
    environment="simulated board",
    jobs=16,
)


def points(
    names: list[str], operations: tuple[str, ...] = (), sizes: tuple[int, ...] = (16,), **changes: object
) -> list[Point]:
    settings = {"jobs": 4, "batch": None, "keys": KeyUse.NEW_IV} | changes
    return bench.points(names, operations, sizes, **settings)  # type: ignore[arg-type]


def test_every_combination() -> None:
    found = points(["aes-128-gcm", "aes-256-cmac"], sizes=(16, 64))
    wanted = [("aes-128-gcm", 16), ("aes-128-gcm", 64), ("aes-256-cmac", 16), ("aes-256-cmac", 64)]
    assert [(p.algorithm.name, p.size_bytes) for p in found[::2]] == wanted
    assert [p.operation for p in found[:2]] == [Operation.ENCRYPT, Operation.DECRYPT]
    assert [p.operation for p in found[4:6]] == [Operation.MAC, Operation.VERIFY]
    assert found[0].batch == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"names": ["aes-1-gcm"]}, "There is no algorithm"),
        ({"names": ["aes-128-gcm"], "operations": ["hash"]}, "There is no operation 'hash'"),
        ({"names": ["aes-128-gcm"], "operations": ["mac"]}, "has the operations encrypt and decrypt, not mac"),
        ({"names": ["aes-128-gcm"], "sizes": (0,)}, "A size is from 1"),
        ({"names": ["aes-128-cbc"], "sizes": (17,)}, "whole blocks"),
        ({"names": ["aes-128-gcm"], "jobs": 0}, "at least 1"),
        ({"names": ["aes-128-gcm"], "batch": 5}, "--batch"),
        ({"names": ["aes-128-gcm"], "alignment_bytes": 64}, "--align"),
    ],
)
def test_senseless_points(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        points(**arguments)  # type: ignore[arg-type]


def test_records_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    bench.write_json(path, [DEVICE, record(16, [1e-7])])
    assert store.read([path]) == ([DEVICE, record(16, [1e-7])], [])
    row = json.loads(path.read_text().splitlines()[0])
    promised = (
        "id kind engine implementation board algorithm operation size_bytes jobs batch keys cost latency unit clock_hz"
    )
    assert set(promised.split()) <= set(row)


def shown(records: list[Record]) -> str:
    screen = console()
    with screen.capture() as capture:
        screen.print(bench.table(records), soft_wrap=True)
    return capture.get()


def test_table_has_the_published_figure_for_the_device_only() -> None:
    text = shown([DEVICE])
    for words in ("accelerator (reference)", "13.11", "1310.7", "78 cycles", "WP512", "0.59 B/cycle", "exact"):
        assert words in text
    assert "WP512" not in shown([record(1024, [1e-7])])


def test_table_shows_the_spread() -> None:
    assert "±" in shown([DEVICE])
    assert "50.0%!" in shown([record(1024, [0.5e-7, 1e-7, 1.5e-7] + [0.5e-7] * 20 + [1.5e-7] * 20)])
    assert "exact" not in shown([record(1024, [1e-7])]), "one sample of a time says nothing of its spread"


def test_names_with_brackets_and_colons() -> None:
    """They are no markup, in which rich sees closing tags and pictures."""
    assert "(a[/b] :bug:)" in shown([replace(DEVICE, board="a[/b] :bug:")])


def test_captions_say_what_kind_of_figure_it_is() -> None:
    device, cpu = bench.captions([DEVICE, record(1024, [1e-7])])
    assert (
        "device cycles" in device and "MB/s at 100 MHz (assumed)." in device and "Not the simulator's speed" in device
    )
    assert "CPU time on this machine" in cpu
    reached = replace(DEVICE, parameters={**DEVICE.parameters, "clock_source": "a tool"})
    assert "MB/s at 100 MHz. Not" in bench.captions([reached])[0]


def test_comparison_with_an_older_run() -> None:
    slower = replace(DEVICE, cost_samples=tuple(1.1 * value for value in DEVICE.cost_samples))
    _, ratios = bench.against([DEVICE], [slower], tolerance=0.05)
    assert ratios == [pytest.approx(1.1)]
    with pytest.raises(OutworkError, match="1 of 1 points are more than 5% slower than in old"):
        bench.check_none_slower(ratios, 0.05, Path("old"))
    bench.check_none_slower(ratios, 0.15, Path("old"))
    bench.check_none_slower(bench.against([slower], [DEVICE], tolerance=0.0)[1], 0.0, Path("old"))
    with pytest.raises(UsageError, match="none of these points"):
        bench.against([record(16, [1.0])], [DEVICE], tolerance=0.05)


def test_length_of_a_round() -> None:
    gcm = find_cipher("aes-256-gcm")
    assert jobs_of_a_round(Point(gcm, Operation.ENCRYPT, 16, jobs=1)) == 1
    assert jobs_of_a_round(Point(gcm, Operation.ENCRYPT, 16, jobs=64)) == 1024
    assert jobs_of_a_round(Point(gcm, Operation.ENCRYPT, 1024, jobs=16)) == 128
    assert jobs_of_a_round(Point(gcm, Operation.ENCRYPT, 65536, jobs=16)) == 16
