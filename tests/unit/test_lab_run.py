# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's rounds on engines with known times."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from outwork.algorithms import find_cipher
from outwork.algorithms.base import Operation
from outwork.device.profiles import load
from outwork.errors import OutworkError
from outwork.lab import costs, effort, run
from outwork.lab.engines import files
from outwork.lab.engines.base import EXACT_ROUNDS, Candidate, LabEngine, Sample, Work
from outwork.lab.plan import Plan, Task
from outwork.lab.records import Kind, Point, Record
from outwork.lab.running import Running
from outwork.lab.store import Store, read
from outwork.messages import Steps

SIZES = (16, 256, 4096, 65536)


class Clockwork(LabEngine):
    """Takes fixed + per_byte * size, and writes down in which order it was asked."""

    environment = "host"

    def __init__(self, name: str, fixed: float, per_byte: float, log: list[str], is_device: bool) -> None:
        self.name, self.fixed, self.per_byte, self.log = name, fixed, per_byte, log
        self.kind = Kind.COUNTED if is_device else Kind.MEASURED
        self.unit = "cycles" if is_device else "seconds"
        self.board = "reference" if is_device else None
        self.is_exact = is_device
        self.is_closed = False

    def refuses(self, point: Point) -> str:
        return "it is too long" if point.size_bytes > SIZES[-1] else ""

    def prepare(self, point: Point) -> Work:
        return ClockworkWork(self, point)

    def clock_hz(self) -> int | None:
        return 1_000_000_000 if self.kind is Kind.COUNTED else None

    def close(self) -> None:
        self.is_closed = True


class ClockworkWork(Work):
    messages = 1

    def __init__(self, engine: Clockwork, point: Point) -> None:
        self.engine, self.point = engine, point
        engine.log.append(f"open {engine.name}")

    def sample(self) -> Sample:
        self.engine.log.append(f"sample {self.engine.name}")
        seconds = self.engine.fixed + self.engine.per_byte * self.point.size_bytes
        cost = seconds * 1e9 if self.engine.kind is Kind.COUNTED else seconds
        return Sample(cost, cost)

    def close(self) -> None:
        self.engine.log.append(f"close {self.engine.name}")


class Workshop:
    def __init__(self) -> None:
        self.log: list[str] = []
        self.refused: list[str] = []

    def candidate(self, engine: str, fixed: float, per_byte: float) -> Candidate:
        is_device = engine == "accelerator"

        def make(_: Any) -> LabEngine:
            return Clockwork(engine, fixed, per_byte, self.log, is_device)

        return Candidate(engine, "clockwork", "clockwork 1", True, make)

    def measure(self, tasks: list[Task], rounds: int, done: set[str]) -> Iterator[tuple[Task, Record | None]]:
        with run.Bench() as bench:
            yield from run.measure(bench, tasks, rounds, done.__contains__, lambda task, why: self.refused.append(why))


def tasks(candidates: list[Candidate], sizes: tuple[int, ...] = SIZES) -> list[Task]:
    gcm = find_cipher("aes-256-gcm")
    return [Task(Point(gcm, Operation.ENCRYPT, size), entry, None) for size in sizes for entry in candidates]


def test_a_slow_engine_is_ranked_so() -> None:
    shop = Workshop()
    quick = shop.candidate("accelerator", 1e-6, 1e-9)
    slow = shop.candidate("software", 1e-7, 5e-8)
    slowest = shop.candidate("cpu", 1e-5, 5e-7)
    records = [record for _, record in shop.measure(tasks([quick, slow, slowest]), 5, set()) if record]
    assert len(records) == 12
    for size in SIZES:
        order = sorted((r for r in records if r.size_bytes == size), key=lambda r: r.seconds)
        assert [r.engine for r in order][-1] == "cpu"
    found = {entry.rival: entry for entry in costs.break_evens(records)}
    assert found["software/clockwork"].outcome == "from"
    assert found["software/clockwork"].size_bytes == pytest.approx(9e-7 / 4.9e-8)
    assert found["cpu/clockwork"].outcome == "always"


def test_rounds_are_interleaved_and_exact_engines_asked_less() -> None:
    shop = Workshop()
    both = [shop.candidate("software", 1e-7, 5e-8), shop.candidate("accelerator", 1e-6, 1e-9)]
    (first, _), (second, _) = shop.measure(tasks(both, (16,)), 5, set())
    assert [first.candidate.engine, second.candidate.engine] == ["software", "accelerator"]
    samples = [line.split()[1] for line in shop.log if line.startswith("sample")]
    assert samples[:4] == ["software", "accelerator"] * 2
    assert (samples.count("software"), samples.count("accelerator")) == (5, EXACT_ROUNDS)
    assert shop.log[-2:] == ["close accelerator", "close software"]


def test_records_say_how_long_they_took(monkeypatch: pytest.MonkeyPatch) -> None:
    """To prepare and to sample, without what others of the same message took."""
    shop, now = Workshop(), [0.0]
    monkeypatch.setattr(run.time, "monotonic", lambda: now[0])

    class Slow(Clockwork):
        def prepare(self, point: Point) -> Work:
            now[0] += 3
            return super().prepare(point)

    slow = Candidate("software", "slow", "", True, lambda _: Slow("slow", 1e-7, 1e-9, shop.log, False))
    found = [record for _, record in shop.measure(tasks([slow, shop.candidate("cpu", 1e-7, 1e-9)], (16,)), 2, set())]
    assert [record.origin["took_seconds"] for record in found if record] == [3, 0]


@pytest.mark.parametrize("refused_first", [True, False])
def test_points_that_a_worker_s_engine_refuses_are_no_interruption(tmp_path: Path, refused_first: bool) -> None:
    """The report would warn of a run that was not finished."""
    shop = Workshop()
    wanted = tasks([shop.candidate("software", 1e-7, 1e-9)], (16, 256))
    ((task, record),) = shop.measure(wanted[:1], 1, set())
    running = Running(Plan("mine", "Mine", tasks=wanted), 1, Store(tmp_path / "records.jsonl"))
    running.unseen, running.left = 0, 2
    steps = Steps([effort.of(each, 1) for each in wanted])
    made, refused = (task, record, steps, 1.0), (wanted[1], None, steps, 0.0, True)
    for given in (refused, made) if refused_first else (made, refused):
        running.keep(*given)
    running.finish()
    (last,) = read([tmp_path / "records.jsonl"])[0]
    assert last.origin["points_left"] == 0 and running.measured == 1


def test_refusals_are_told() -> None:
    shop = Workshop()
    found = list(shop.measure(tasks([shop.candidate("software", 1e-7, 1e-9)], (16, 1 << 20)), 1, set()))
    assert [record is None for _, record in found] == [False, True]
    assert shop.refused == ["it is too long"]


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    """Wherever it stops: at the end each point has been measured once, and is there once."""
    path = tmp_path / "records.jsonl"
    shop = Workshop()
    both = [shop.candidate("software", 1e-7, 5e-8), shop.candidate("accelerator", 1e-6, 1e-9)]
    wanted = tasks(both)
    for stop in range(1, len(wanted) + 1):
        records = Store(path)
        with run.Bench() as bench:
            steps = run.measure(bench, wanted, 1, records.__contains__, lambda *_: None)
            for _, record in steps:
                if record is not None:
                    records.append(record)
                    break
        records.close()
        assert len(path.read_bytes().splitlines()) == stop
    found, skipped = read([path])
    assert not skipped
    assert len(found) == len(wanted)


def test_a_failing_point_closes_the_others() -> None:
    shop = Workshop()

    class Broken(Clockwork):
        def prepare(self, point: Point) -> Work:
            raise RuntimeError("broken")

    broken = Candidate("cpu", "broken", "", True, lambda _: Broken("broken", 1, 1, shop.log, False))
    with pytest.raises(RuntimeError, match="broken"):
        list(shop.measure(tasks([shop.candidate("software", 1e-7, 5e-8), broken], (16,)), 1, set()))
    assert shop.log == ["open software", "close software"]


@pytest.mark.parametrize("size_bytes", [0, 1, files.BLOCK_BYTES - 1, files.BLOCK_BYTES, files.BLOCK_BYTES + 5])
def test_files_to_encrypt_have_their_size(tmp_path: Path, size_bytes: int) -> None:
    files._fill(tmp_path / "file", size_bytes)
    assert (tmp_path / "file").stat().st_size == size_bytes


@pytest.mark.parametrize(
    ("size", "has_board", "passes"), [(1 << 20, True, 5), (2 << 20, True, 1), (64 << 20, True, 1), (64 << 20, False, 5)]
)
def test_a_long_file_passes_the_simulated_board_once(size: int, has_board: bool, passes: int) -> None:
    profile = load("reference") if has_board else None
    engine = files.FileEngine("software", profile, {}, lambda _: "")
    point = Point(find_cipher("aes-256-ctr"), Operation.ENCRYPT, size)
    assert engine.rounds(point, 5) == passes


class Unasked(Clockwork):
    """Finds out only by trying that it cannot measure long messages, and fails with short ones for no reason that it knows."""

    def rules_out(self, point: Point) -> str:
        return ""

    def prepare(self, point: Point) -> Work:
        if self.refuses(point) or point.size_bytes < SIZES[0]:
            raise OutworkError("It has failed.")
        return super().prepare(point)


def test_an_engine_that_was_not_asked_refuses_when_it_has_failed() -> None:
    log: list[str] = []
    entry = Candidate("software", "unasked", "unasked 1", True, lambda _: Unasked("software", 1e-7, 5e-8, log, False))
    refused: dict[Task, str] = {}

    def measured(size: int) -> list[Record | None]:
        with run.Bench(asks=False) as bench:
            found = run.measure(bench, tasks([entry], (size,)), 2, lambda _: False, refused.__setitem__)
            return [record for _, record in found]

    assert measured(2 * SIZES[-1]) == [None] and list(refused.values()) == ["it is too long"]
    (record,) = measured(SIZES[0])
    assert record is not None and len(record.cost_samples) == 2
    with pytest.raises(OutworkError, match="has failed"):
        measured(1)
