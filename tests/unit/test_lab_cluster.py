# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A plan on workers: real ones, one of which is killed; and clusters that fail, with a client that is not Dask's."""

import os
import signal
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

distributed = pytest.importorskip("distributed", reason="`scripts/setup.sh cluster` installs Dask")

from outwork.errors import OutworkError, UsageError  # noqa: E402
from outwork.lab import plan, run  # noqa: E402
from outwork.lab.cluster import cores, job_queue, places, remote, sweep  # noqa: E402
from outwork.lab.plan import Task  # noqa: E402
from outwork.lab.records import Kind, Record  # noqa: E402

PLAN = """
rounds = 1
[[sweep]]
algorithms = ["aes-256-cbc"]
operations = ["encrypt"]
sizes_bytes = [16, 1024, 2048, 3072, 4096]
jobs = [1, 2]
engines = ["accelerator/outwork"]
[[sweep]]
algorithms = ["aes-256-cbc"]
operations = ["encrypt"]
sizes_bytes = [16, 1024]
engines = ["software/openssl", "cpu/openssl"]
"""
COUNTED, MEASURED = 10, 4


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> plan.Plan:
    path = tmp_path_factory.mktemp("plan") / "mine.toml"
    path.write_text(PLAN)
    return plan.load(str(path))


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with places.connected(places.find("local:2")) as client:
        yield client


def not_done(_: str) -> bool:
    return False


def measured(sweeping: Any, tasks: list[Task], refused: list[str], rounds: int = 2) -> Iterator[Record]:
    with run.Bench() as bench:
        found = sweeping.measure(bench, tasks, rounds, not_done, lambda _, why: refused.append(why))
        yield from (record for _, record in found if record is not None)


def alone(tasks: list[Task]) -> list[Task]:
    with run.Bench() as bench:
        return list(dict.fromkeys(run.one_at_a_time(bench, task) for task in tasks))


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="two workers need two CPUs")
def test_a_worker_is_killed_and_nothing_is_lost(
    client: Any, wanted: plan.Plan, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each point is recorded once. What the device counts is what it counts without a cluster."""
    monkeypatch.setattr(sweep, "LOOK_SECONDS", 0.05)
    tasks, refused = alone(wanted.tasks), []  # type: tuple[list[Task], list[str]]
    names = {address: worker["name"] for address, worker in places.workers_of(client).items()}
    assert sorted(names.values()) == ["local-0", "local-1"]
    victim = next(pid for address, pid in client.run(os.getpid).items() if names[address] == "local-1")
    records = []
    for record in measured(sweep.Sweep(client), tasks, refused):
        records.append(record)
        if len(records) == 3:
            os.kill(victim, signal.SIGKILL)
    notes = capsys.readouterr().err.splitlines()
    assert not refused and notes == ["outwork: worker local-1 has ended; its points are given to others"]
    assert len({record.id for record in records}) == len(records) == len(tasks) == COUNTED + MEASURED
    for record in records:
        assert record.origin["host"] == os.uname().nodename
        if record.kind is Kind.MEASURED:
            assert record.origin["worker"] == "local-0" and record.origin["core"] in os.sched_getaffinity(0)
    here = {record.id: record for record in measured(run, tasks, refused) if record.kind is Kind.COUNTED}
    assert len(here) == COUNTED
    assert all(here[r.id].cost_samples == r.cost_samples for r in records if r.kind is Kind.COUNTED)


class FakeFuture:
    """Is over at once, with a result or an error; without one never."""

    def __init__(self, result: object) -> None:
        self.outcome = result
        self.is_cancelled = False

    def add_done_callback(self, call: Any) -> None:
        if self.outcome is not None:
            call(self)

    def result(self) -> object:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def cancel(self) -> None:
        self.is_cancelled = True


class FakeClient:
    """Has a worker as given, and gives this outcome to whatever is submitted."""

    def __init__(self, outcome: object = None, resources: dict[str, int] | None = None, **facts: object) -> None:
        worker = {"name": "w", "nthreads": 1, "resources": resources or {}}
        self.workers: dict[str, Any] = {"tcp://w:1": worker}
        self.facts = {**remote.facts(), **facts}
        self.outcome = outcome
        self.submitted: list[dict[str, object]] = []

    def run(self, _: Any) -> dict[str, Any]:
        return dict.fromkeys(self.workers, self.facts)

    @property
    def scheduler(self) -> "FakeClient":
        return self

    def identity(self, n_workers: int) -> dict[str, Any]:
        return {"workers": self.workers} if n_workers == -1 else {}

    def sync(self, call: Any, **arguments: object) -> Any:
        return call(**arguments)

    def submit(self, *_: object, **options: object) -> FakeFuture:
        self.submitted.append(options)
        return FakeFuture(self.outcome)


def of_kind(wanted: plan.Plan, name: str) -> list[Task]:
    return [task for task in wanted.tasks if task.candidate.name == name and task.point.jobs == 1]


def test_points_whose_workers_die_again_and_again_are_an_error_at_the_end(wanted: plan.Plan) -> None:
    client = FakeClient(distributed.KilledWorker("task", "worker", 3))
    with pytest.raises(
        OutworkError, match="5 points were not measured, because every worker that began them has ended"
    ):
        list(measured(sweep.Sweep(client), of_kind(wanted, "accelerator/outwork"), []))


def test_without_a_worker_for_it_nothing_is_measured(wanted: plan.Plan) -> None:
    refused: list[str] = []
    assert list(measured(sweep.Sweep(FakeClient()), of_kind(wanted, "cpu/openssl"), refused)) == []
    assert len(refused) == 2 and all("--resources measure=1" in why for why in refused)


def test_only_workers_that_may_measure_get_measured_points(wanted: plan.Plan) -> None:
    """Dask lets an idle worker take a task that may leave the workers named for it, whatever resources the task needs. A
    worker without them ends."""
    client = FakeClient(remote.Answer(("broken",), 0.0, (0.0,)), {places.MEASURE: 1})
    list(measured(sweep.Sweep(client), alone(wanted.tasks)[-1:], []))
    assert client.submitted[0]["resources"] == {places.MEASURE: 1}
    assert not any(options.get("allow_other_workers") for options in client.submitted if options["resources"])


def test_what_a_worker_lacks_is_told(wanted: plan.Plan) -> None:
    refused: list[str] = []
    client = FakeClient(remote.Answer("w", 0.1, ("worker w on here: it lacks all",)))
    assert list(measured(sweep.Sweep(client), of_kind(wanted, "accelerator/outwork"), refused)) == []
    assert refused == ["worker w on here: it lacks all"] * 5


def test_a_scheduler_that_ends_is_told(wanted: plan.Plan) -> None:
    with pytest.raises(OutworkError, match=r"connection to the Dask scheduler is lost\. The records so far"):
        list(measured(sweep.Sweep(FakeClient(CancelledError())), of_kind(wanted, "accelerator/outwork"), []))


def test_a_cluster_without_workers_is_given_up(wanted: plan.Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "LOOK_SECONDS", 0.01)
    client = FakeClient()
    sweeping = sweep.Sweep(client, patience_seconds=0.05)
    client.workers.clear()
    with pytest.raises(OutworkError, match=r"has had no worker for 0 seconds\. The records so far"):
        list(measured(sweeping, of_kind(wanted, "accelerator/outwork"), []))


def test_an_engine_that_takes_long_to_open_stays_with_a_worker() -> None:
    """Until nothing else is left."""
    client = FakeClient()
    client.workers["tcp://v:1"] = {**client.workers["tcp://w:1"], "name": "v"}
    sweeping = sweep.Sweep(client)
    batches: Any = deque(SimpleNamespace(where=where) for where in [("a",), ("a",), None, ("b",), ("b",), ("a",)])
    taken = [sweeping._take(batches, f"tcp://{worker}:1").where for worker in "wvvwvw"]
    assert taken == [("a",), None, ("b",), ("a",), ("b",), ("a",)]
    batches += [SimpleNamespace(where=("a",))]
    assert sweeping._take(batches, "tcp://v:1").where == ("a",) and not batches


@pytest.mark.parametrize(("name", "value"), [("version", "0.0.1"), ("commit", "123456789abc")])
def test_workers_of_another_version_are_refused(name: str, value: str) -> None:
    with pytest.raises(
        OutworkError, match=f"The worker tcp://w:1 on .* has {name} {value} of Outwork, but this program"
    ):
        sweep.Sweep(FakeClient(**{name: value}))


def test_a_worker_with_another_commit_takes_no_order(wanted: plan.Plan) -> None:
    order = remote.Order((), 1, False, "123456789abc")
    with pytest.raises(remote.LackingError, match="but the plan was started with 123456789abc"):
        remote._measure(order, "w", [])


def test_files_of_others_in_the_folder_of_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may make files there. A worker takes another core, or says that it has none."""
    monkeypatch.setattr(cores.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(cores, "_all_cores", [3, 4])
    monkeypatch.setattr(cores, "_here", cores.threading.local())
    monkeypatch.setattr(cores.os, "sched_setaffinity", lambda _, where: None)
    cores._path(4).symlink_to(tmp_path / "elsewhere")
    assert cores.keep_clear() is None
    assert cores.claim() == 3
    os.close(cores._here.file)
    monkeypatch.setattr(cores, "_here", cores.threading.local())
    monkeypatch.setattr(cores, "_all_cores", [4])
    assert cores.claim() is None and not (tmp_path / "elsewhere").exists()


def test_each_measuring_worker_has_a_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that claim get two; a third gets none; others keep off."""
    monkeypatch.setattr(cores.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(cores, "_all_cores", [3, 4, 5])
    moves: list[set[int]] = []
    monkeypatch.setattr(cores.os, "sched_setaffinity", lambda _, where: moves.append(set(where)))
    places_of = []
    for _ in range(3):
        monkeypatch.setattr(cores, "_here", cores.threading.local())
        places_of.append(cores._here)
        if len(places_of) < 3:
            assert cores.claim() == cores.claim() == 6 - len(places_of)
    assert cores.keep_clear() is None and moves == [{5}, {4}, {3}]
    assert cores.claim() == 3
    monkeypatch.setattr(cores, "_here", cores.threading.local())
    assert cores.claim() is None and cores.keep_clear() is None
    assert moves[-1] == {3, 4, 5}, "where all cores measure, the others share them"
    for place in places_of:
        os.close(place.file)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("local:0", "give from 1 to"),
        ("local:9999", "this machine has"),
        ("local", "is not known; it is local:2"),
        ("udp://host:1", "is not known"),
        ("tcp://host", "is not known"),
        ("/nowhere/slurm.toml", "cannot be read"),
    ],
)
def test_places_that_are_none(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        places.find(name)


def test_dask_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = "--cluster needs distributed, which is not installed: run `scripts/setup.sh cluster` in the project"
    with pytest.raises(OutworkError, match=words), places.connected(places.find("local:1")):
        pass


def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "CONNECT_SECONDS", 0.2)
    with (
        pytest.raises(OutworkError, match=r"No Dask scheduler answers at tcp://127.0.0.1:9\..*`dask scheduler`"),
        places.connected(places.find("tcp://127.0.0.1:9")),
    ):
        pass


JOBS = 'system = "slurm"\njobs = 3\nmemory = "2 GB"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "lacks 'system' and 'jobs' and 'memory'"),
        (JOBS.replace("slurm", "pbs"), 'line 1, has system = "pbs"; it must be "slurm" or "lsf"'),
        (JOBS.replace("3", '"3"'), 'line 2, has jobs = "3"; it must be a whole number, 1 or more, without quotes'),
        (JOBS.replace("3", "0"), "jobs = 0; it must be a whole number"),
        (JOBS.replace("3", "true"), "jobs = true; it must be a whole number"),
        (JOBS + "measure = 1", "measure = 1; it must be true or false"),
        (JOBS + "prologue = [1]", r"prologue = \[1\]; it must be a list of texts"),
        (JOBS + "walltme = '1:00'", "line 4, has 'walltme', which is not known. Did you mean 'walltime'?"),
        ("system = ", "not valid TOML"),
    ],
)
def test_bad_files_of_job_queues(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "jobs.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=words) as caught:
        job_queue.read(str(path))
    assert str(path) in str(caught.value)
