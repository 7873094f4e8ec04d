# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The text of progress bars: one unit, and a time left that is right."""

import contextlib
import random
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from outwork import algorithms, messages
from outwork.algorithms import find_hash, find_mac
from outwork.algorithms.base import Operation
from outwork.device.profiles import load
from outwork.engines import open_engine
from outwork.engines.hashing import HashTask
from outwork.files import checksums
from outwork.lab import effort, engines, plan, run
from outwork.lab.plan import Task
from outwork.lab.records import KeyUse, Point
from outwork.lab.running import Running, is_host, run_all
from outwork.messages import Steps, bytes_in_words
from outwork.pace import Pace
from outwork.soc import linux, module

CHUNK = 256 * 1024


def test_bytes_are_in_megabytes_and_the_speed_is_the_mean() -> None:
    assert bytes_in_words(0, 60_000_000, 0, 3.0) == "0.0 of 60.0 MB  -:--:--"
    # Sixteen chunks that were in flight together are over at once.
    assert bytes_in_words(16 * CHUNK, 60_000_000, 0.6, 0.6) == "4.2 of 60.0 MB  7.0 MB/s  0:00:08"
    # While the next sixteen are on their way, the speed stays and the time runs.
    assert bytes_in_words(16 * CHUNK, 60_000_000, 0.6, 2.6) == "4.2 of 60.0 MB  7.0 MB/s  0:00:06"
    assert bytes_in_words(60_000_000, 60_000_000, 8.6, 8.6) == "60.0 of 60.0 MB  7.0 MB/s  0:00:00"
    assert bytes_in_words(30_000_000, None, 10, 11) == "30.0 MB  3.0 MB/s"


class Clock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_time_left_follows_the_effort_of_steps() -> None:
    """Ten quick ones, then one that takes as long as ninety."""
    clock = Clock()
    steps = Steps([("a | x", 1)] * 10 + [("a | y", 90)], clock)
    assert steps.in_words() == "0/11  -:--:--  "
    for _ in range(10):
        clock.seconds += 1
        steps.done("quick", "a | x", 1)
    assert steps.in_words() == "10/11  0:01:30  quick"
    clock.seconds += 30
    assert steps.in_words() == "10/11  0:01:00  quick", "the time runs while a step is on its way"
    clock.seconds += 60
    steps.done("slow", "a | y", 90)
    assert steps.in_words() == "11/11  0:00:00  slow"


def test_steps_of_an_older_run_say_nothing_of_the_time() -> None:
    clock = Clock()
    steps = Steps([("a | x", 10)] * 4, clock)
    steps.skipped("a", "a | x", 10)
    steps.skipped("b", "a | x", 10)
    assert steps.in_words() == "2/4  -:--:--  b"
    clock.seconds += 5
    steps.done("c", "a | x", 10)
    assert steps.in_words() == "3/4  0:00:05  c"


def test_each_kind_has_a_pace_of_its_own() -> None:
    """One is five times slower than expected, another five times faster; pairs of them run together."""
    clock = Clock()
    steps = Steps([("device | x", 1), ("cpu | x", 1)] * 50 + [("device | y", 100)], clock)
    for number in range(50):
        clock.seconds += (5 if number % 5 else 1) + 0.2
        steps.done("", "device | x", 1 if number % 5 else 0.2)
        steps.done("", "cpu | x", 1)
    assert 480 < steps.pace.seconds_left(clock() - 100) < 560, "the new kind has the factor of its family"


@pytest.fixture
def everything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is built of boards, libraries, the system on chip and its Linux differs between machines."""
    found = tuple(replace(candidate, missing="") for candidate in engines.discover())
    monkeypatch.setattr(engines, "discover", lambda: found)
    monkeypatch.setattr(plan, "lacks", lambda board, environment: "")


PAPERS = tuple(name for name in plan.shipped() if plan.load(name).source)


# `quick` is over in seconds: engines that always run together cannot be told apart in a tenth of that.
@pytest.mark.parametrize(
    "names",
    [*((name,) for name in plan.shipped() if name != "quick"), PAPERS],
    ids=lambda names: "papers" if len(names) > 1 else names[0],
)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usefixtures("everything_is_built")
def test_estimate_after_a_tenth(names: tuple[str, ...], seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines are up to five times slower or faster than expected; the system on chip as a whole up to twice, and an engine
    there up to one and a half times more; a point up to a tenth. After a tenth of the time the estimate is right within a quarter, in the order in which
    the plans are run."""
    chance = random.Random(f"{names} {seed}")
    slowness: dict[str, float] = {}

    def taken(kind: str, seconds: float) -> float:
        work, engine, *_ = kind.split(" | ")
        factor = slowness.setdefault(work, 2 ** chance.uniform(-1, 1)) if work == "system on chip" else 1.0
        factor *= slowness.setdefault(
            f"{work} {engine}", (1.5 if work == "system on chip" else 5) ** chance.uniform(-1, 1)
        )
        return factor * chance.uniform(0.9, 1.1) * seconds

    plans = [plan.load(name) for name in names]
    parts = effort.preparing(
        sorted((task for each in plans for task in each.tasks), key=lambda task: not is_host(task)), True, True
    )
    prepared = [taken(*part) for part in parts]
    seconds = {(each.name, task): taken(*effort.of(task, each.rounds)) for each in plans for task in each.tasks}
    total, clock = sum(prepared) + sum(seconds.values()), Clock()
    looks: list[tuple[float, float | None]] = []  # time left, and its estimate
    waiting: set[Task] = set()

    class Played(Running):
        def keep(self, task: Task, record: object, steps: Steps, took_seconds: float) -> None:
            steps.done("", *effort.of(task, self.rounds), took_seconds)
            waiting.discard(task)
            left = total + 100 - clock()
            if not waiting and (left < 1e-6 or (left <= 0.9 * total and not looks)):
                looks.append((left, steps.pace.seconds_left(clock() - 100)))

    def open_engine(_: object, task: Task) -> Task:
        clock.seconds += prepared.pop(0)
        return task

    def measure(bench: run.Bench, tasks: list[Task], *_: object) -> Iterator[tuple[Task, None]]:
        (each,) = [each for each in plans if all((each.name, task) in seconds for task in tasks)][:1]
        found = [(task, seconds.pop((each.name, task))) for task in tasks]
        waiting.update(tasks)  # they are measured in turn, and are over together
        clock.seconds += sum(took for _, took in found)
        for task, bench.took_seconds in found:
            yield task, None

    monkeypatch.setattr(run, "one_at_a_time", open_engine)
    monkeypatch.setattr(run, "select", lambda bench, tasks, *_: [(task, bench) for task in tasks])
    monkeypatch.setattr(run, "measure", measure)
    made = lambda _, efforts, preparing: contextlib.nullcontext(Steps(efforts, clock, preparing))  # noqa: E731
    monkeypatch.setattr(messages, "progress_steps", made)
    run_all([Played(each, each.rounds, {}) for each in plans], None)  # type: ignore[arg-type]
    assert not prepared and not seconds and looks[-1] == (pytest.approx(0, abs=1e-6), pytest.approx(0, abs=1e-6))
    left, estimate = looks[0]
    assert estimate == pytest.approx(left, abs=left / 4 + 2)


def test_steps_side_by_side_share_the_time() -> None:
    """Two workers: one takes 40 seconds for a step, while the other one does forty."""
    clock = Clock()
    steps = Steps([("a | x", 40), *[("a | y", 1)] * 40, ("a | x", 40), ("a | y", 40)], clock)
    for _ in range(40):
        clock.seconds += 1
        steps.done("", "a | y", 1, 1.0)
    steps.done("", "a | x", 40, 40.0)
    assert steps.in_words().startswith("41/43  0:00:40")


def test_the_bar_may_ask_while_steps_are_over() -> None:
    """The bar is drawn by a thread of its own."""
    before = sys.getswitchinterval()
    pace = Pace((f"a | {number}", 1.0) for number in range(400))
    errors: list[Exception] = []
    is_over = threading.Event()

    def ask() -> None:
        try:
            while not is_over.is_set():
                pace.seconds_left(0.0)
        except Exception as error:
            errors.append(error)

    asking = threading.Thread(target=ask)
    sys.setswitchinterval(1e-6)
    try:
        asking.start()
        for number in range(400):
            pace.done(f"a | {number}", 1.0, 0.0)
    finally:
        is_over.set()
        asking.join()
        sys.setswitchinterval(before)
    assert not errors


def test_what_workers_start_counts_for_what_others_will_start() -> None:
    """Two workers: each takes 50 seconds to start an engine, twice what was expected, and then ten for a step."""
    clock = Clock()
    efforts, starting = [("a | x", 5.0)] * 8, [("a | starting", 25.0)] * 4
    steps = Steps(efforts, clock, starting)
    clock.seconds += 60
    for _ in range(2):
        steps.started("a | starting", 25.0, 50.0)
        steps.done("x", "a | x", 5.0, 10.0)
    # Two more to start, and six steps, by both workers at once.
    assert steps.pace.seconds_left(60.0) == pytest.approx(50 + 30)
    steps.started("a | starting", 0.0, 50.0)
    assert steps.pace.seconds_left(60.0) == pytest.approx((50 + 30) * 60 / 85)


def test_a_new_kind_has_the_factor_of_its_closest_relatives() -> None:
    clock = Clock()
    steps = Steps([("a | b | x", 1), ("a | c | x", 1), ("d | x", 1), ("a | b | y", 10), ("a | e | x", 10)], clock)
    for kind, seconds in (("a | b | x", 2), ("a | c | x", 4), ("d | x", 100)):
        clock.seconds += seconds
        steps.done("", kind, 1)
    assert steps.pace.seconds_left(clock() - 100) == pytest.approx(10 * 2 + 10 * 3)


def _task(engine: str, name: str, operation: str, size: int, jobs: int = 1) -> Task:
    candidate = engines.choose(engine)[0]
    point = Point(algorithms.find(name), Operation(operation), size, jobs, jobs, KeyUse.NEW_IV, 0)
    return Task(point, candidate, load("reference") if candidate.has_board else None)


@pytest.mark.parametrize(
    ("task", "seconds"),
    [  # as measured once, on one machine, all of a point with seven rounds asked for
        (("accelerator/outwork", "aes-256-gcm", "encrypt", 16, 1), 0.02),
        (("accelerator/outwork", "aes-256-gcm", "encrypt", 16, 16), 0.3),
        (("accelerator/outwork", "aes-256-gcm", "encrypt", 65536, 16), 0.9),
        (("accelerator/outwork", "aes-256-cbc", "encrypt", 65536, 1), 0.65),
        (("accelerator/outwork", "sha-256", "digest", 65536, 1), 0.5),
        (("accelerator/outwork", "aes-256-gcm", "encrypt", 1 << 20, 1), 1.3),
        (("accelerator/outwork", "rsa-1024", "private", 128, 1), 4.2),
        (("accelerator/outwork", "rsa-2048", "public", 256, 1), 0.95),
        (("accelerator/outwork", "rsa-2048", "private", 256, 1), 16.2),
        (("accelerator/outwork", "ecdsa-p256", "verify", 32, 1), 5.5),
        (("accelerator/outwork", "ecdsa-p521", "sign", 66, 1), 18.6),
        (("accelerator/outwork-files", "aes-256-ctr", "encrypt", 1 << 20, 1), 4.4),
        (("cpu/openssl", "aes-256-gcm", "encrypt", 16, 1), 0.015),
        (("cpu/openssl", "aes-256-gcm", "encrypt", 16 << 20, 1), 0.11),
        (("cpu/openssl", "rsa-4096", "private", 512, 1), 3.2),
        (("software/openssl", "aes-256-gcm", "encrypt", 16 << 20, 1), 1.1),
    ],
)
def test_effort_is_of_the_right_order(task: tuple[str, str, str, int, int], seconds: float) -> None:
    assert seconds / 5 < effort.seconds(_task(*task), 7) < seconds * 5


@pytest.mark.usefixtures("everything_is_built")
@pytest.mark.parametrize(("is_kept", "boots"), [(False, True), (True, True), (False, False)])
def test_linux_is_booted_once_for_all_engines_with_its_module(
    is_kept: bool, boots: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "boot", lambda has_module: has_module)
    (tmp_path / "kept").touch()
    monkeypatch.setattr(linux, "booted_path", lambda *_: tmp_path / ("kept" if is_kept else "missing"))
    kinds = [kind for kind, _ in effort.preparing(plan.load("cowart2017").tasks, asks=False, boots=boots)]
    # Without the module, and with it.
    assert kinds.count("system on chip | booting") == (2 if boots and not is_kept else 0)
    assert kinds.count("system on chip | preparing linux-kernel") > 0


@pytest.mark.parametrize("name", list(plan.shipped()))
def test_every_plan_has_an_estimate(name: str) -> None:
    assert all(effort.seconds(task, 7) > 0 for task in plan.load(name).tasks)


@pytest.mark.parametrize("engine", ["software", "accelerator"])
@pytest.mark.parametrize(
    "task", [HashTask(find_hash("sha-256"), b"", 32), HashTask(find_mac("hmac-sha-256"), bytes(100), 32)]
)
def test_digests_count_what_is_hashed(tmp_path: Path, engine: str, task: HashTask) -> None:
    """Not what is read ahead: no byte of a file counts before the engine has had its first chunk."""
    sizes = {"a": 3 * CHUNK + 5, "b": 10, "c": 0}
    for name, size in sizes.items():
        (tmp_path / name).write_bytes(bytes(size))
    steps: list[int] = []
    with open_engine(engine, "reference") as worker:
        names = [str(tmp_path / name) for name in sizes]
        results = list(checksums.hash_files(worker, task, names, steps.append))
    assert sum(steps) == sum(sizes.values()) and len(results) == 3


def test_read_ahead_is_no_progress(tmp_path: Path) -> None:
    class Reader:
        """An engine that reads everything, and never gets to hashing."""

        def hash_streams(self, task: HashTask, streams: object) -> object:
            for stream in streams:  # type: ignore[attr-defined]
                stream.read_into(memoryview(bytearray(CHUNK)))
                yield b""

    (tmp_path / "a").write_bytes(bytes(CHUNK))
    steps: list[int] = []
    list(checksums.hash_files(Reader(), None, [str(tmp_path / "a")], steps.append))  # type: ignore[arg-type]
    assert steps == []


def test_nothing_is_shown_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with messages.progress_bar("encrypting", 10) as advance, messages.progress_steps("plan", [("a | x", 1)]) as steps:
        advance(10)
        steps.done("first", "a | x", 1)
    assert capsys.readouterr().err == ""
