# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs of ML-KEM that begin while the one before them on their queue ends: results, cycles, aborts, and who may join whom."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lattice import mlkem
from lattice_jobs import JobList, model, smallest_too
from test_lattice_engine import random_job, spoilt

pytestmark = pytest.mark.usefixtures("butterflies")
every_set = pytest.mark.parametrize("p", mlkem.SETS, ids=lambda p: p.name)

# Cycles of key generation, encapsulation and decapsulation that each of eight jobs takes, at most.
MOST = {
    8: {2: (1050, 1100, 1850), 3: (1700, 1800, 2750), 4: (2700, 2800, 3950)},
    4: {2: (1800, 2050, 3250), 3: (2850, 3150, 5000), 4: (4450, 4850, 7150)},
    2: {2: (3350, 3850, 6100), 3: (5250, 5850, 9350), 4: (8300, 9150, 13500)},
}


def kinds(rng: random.Random, p: mlkem.Parameters) -> list[model.Job]:
    """A key generation, an encapsulation, a decapsulation."""
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = mlkem.keygen(p, d, z)
    _, c = mlkem.encapsulate(p, ek, m)
    return [model.keygen(p, d, z), model.encapsulate(p, ek, m), model.decapsulate(p, dk, c)]


def wiped() -> JobList:
    """A list whose jobs find the engine wiped: its first job waits until it is."""
    jobs = JobList()
    jobs.add(model.keygen(mlkem.SETS[0], bytes(32), bytes(32)))
    jobs.note("W")
    return jobs


@smallest_too
@every_set
def test_eight_at_once(tmp_path: Path, butterflies: int, p: mlkem.Parameters) -> None:
    """Of one queue, one operation after the other: cycles of a job, and nothing is left."""
    rng = random.Random(f"eight {p.name}")
    each = []
    for n, job in enumerate(kinds(rng, p)):
        jobs = wiped()
        jobs.note("O 0 0 15 0 -1")
        for _ in range(8):
            jobs.add(job)
        jobs.note("R")
        (tmp_path / str(n)).mkdir()
        played = jobs.play(tmp_path / str(n))
        ends = [played.last[n] for n in range(1, 9)]
        each.append((max(ends) - min(ends)) / 7)
    print(p.name, butterflies, *(round(cycles) for cycles in each))
    assert all(got <= most for got, most in zip(each, MOST[butterflies][p.k], strict=True)), each


@pytest.mark.usefixtures("butterflies")
def test_every_pair(tmp_path: Path) -> None:
    """Each operation and set behind each other one, keys that are none among them."""
    rng = random.Random("pairs")
    jobs = JobList()
    jobs.note("O 0 0 15 0 -1")
    all_kinds = [job for p in mlkem.SETS for job in kinds(rng, p)]
    ek, dk = mlkem.keygen(mlkem.SETS[1], bytes(32), bytes(32))
    all_kinds.append(model.encapsulate(mlkem.SETS[1], b"\xff" * 384 + ek[384:], bytes(32)))
    all_kinds.append(model.decapsulate(mlkem.SETS[1], spoilt(rng, dk, 1200, 1300), rng.randbytes(1088)))
    for first in all_kinds:
        for second in all_kinds:
            jobs.add(first)
            jobs.add(second)
    jobs.note("R")
    jobs.play(tmp_path)


@smallest_too
def test_one_that_is_slow_to_leave(tmp_path: Path) -> None:
    """The second job has gone as far as it can when the first one's secret leaves: it has taken nothing that is its."""
    rng = random.Random("slow")
    of = [kinds(rng, p) for p in mlkem.SETS]
    jobs = JobList()
    jobs.note("O 0 0 15 0 -1")
    for first, second in ((1, 1), (1, 2), (2, 1), (2, 2), (1, 0), (0, 1), (2, 0)):
        for p, q in ((1, 1), (2, 0), (0, 2)):
            jobs.add(of[p][first])
            jobs.add(of[q][second])
    jobs.note("R")
    jobs.play(tmp_path, out=4)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(n, marks=pytest.mark.slow) for n in range(4, 40))])
def test_aborts_of_both(tmp_path: Path, seed: int) -> None:
    """Jobs in flight on two queues, any of which is aborted at any time; words, room and grants that come and go."""
    rng = random.Random(f"both {seed}")
    jobs = JobList()
    for burst in range(12):
        for _ in range(8):
            jobs.note(f"O {rng.choice([0, 0, 0, 1])} 0 15 0 -1")
            jobs.add(random_job(rng), abort=rng.randrange(12000) if rng.random() < 0.4 else -1)
        if burst % 3 == 2:
            jobs.note(f"X {rng.randrange(4000)}")
        jobs.note("R")
    options = [{}, {"grant": 60}, {"in_": 40, "out": 60}, {"grant": 30, "out": 40, "gap": 900}][seed % 4]
    jobs.play(tmp_path, seed=seed, **options)


@smallest_too
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_aborts_where_jobs_meet(tmp_path: Path, butterflies: int, every: int) -> None:
    """The first, the second, or both of two jobs are aborted, at moments from before the second begins to after the first
    has ended; a third job then is right, and nothing is left."""
    rng = random.Random("meet")
    first, second, third = (kinds(rng, p)[n] for p, n in ((mlkem.SETS[0], 1), (mlkem.SETS[0], 2), (mlkem.SETS[1], 1)))
    start, step = {8: (600, 17), 4: (1300, 34), 2: (2500, 136)}[butterflies]
    jobs = JobList()
    for after in range(start, start * 3, step * every):
        for which in (
            (after, -1),
            (-1, after),
            (after, after + rng.randrange(-3, 60)),
            (after + rng.randrange(9), after),
        ):
            jobs.note("W")
            jobs.note("O 0 0 15 0 -1")
            for job, abort in zip((first, second), which, strict=True):
                jobs.add(job, abort=abort)
            jobs.add(third)
            jobs.note("R")
    played = jobs.play(tmp_path)
    assert played.slowest_abort <= 4


def test_who_may_join(tmp_path: Path) -> None:
    """Jobs of one queue overlap, those of two queues do not: wiping is between them. Nor do jobs with keys in slots."""
    rng = random.Random("who")
    p = mlkem.SETS[1]
    _, encapsulation, decapsulation = kinds(rng, p)
    seed = rng.randbytes(64)
    slotted = model.in_slot(p, model.MLKEM_DECAPSULATE, 3, seed, decapsulation.payload)

    def between(where: str, first: model.Job, second: model.Job, queues: tuple[int, int]) -> int:
        """Cycles from the first job's result to the second one's."""
        jobs = JobList()
        jobs.load_seed(3, model.MLKEM_DECAPSULATE, 1, seed)
        jobs.note("O 0 8 15 0 -1")
        jobs.add(slotted)  # the key is expanded
        jobs.note("W")
        # The lowest stream goes first if both wait.
        for job, queue, streams in zip((first, second), queues, ("0 0", "1 7"), strict=True):
            jobs.note(f"O {queue} {streams} 0 -1")
            jobs.add(job)
        (tmp_path / where).mkdir()
        played = jobs.play(tmp_path / where)
        return int(abs(played.last[2] - played.last[1]))

    joined = between("joined", encapsulation, encapsulation, (1, 1))
    assert between("apart", encapsulation, encapsulation, (1, 2)) - joined > 250
    for n, pair in enumerate(((slotted, encapsulation), (encapsulation, slotted))):
        assert between(f"{n} joined", *pair, (1, 1)) == between(f"{n} apart", *pair, (1, 2))


@every_set
def test_no_secret_of_a_neighbour_changes_the_cycles(tmp_path: Path, p: mlkem.Parameters) -> None:
    """Both results come at the same cycles whatever the first job's secrets are, and whether its ciphertext is valid."""
    rng = random.Random(f"neighbours {p.name}")
    d = rng.randbytes(32)
    ek, dk = mlkem.keygen(p, d, rng.randbytes(32))
    _, c = mlkem.encapsulate(p, ek, rng.randbytes(32))
    other = rng.randbytes(384 * p.k) + dk[384 * p.k : -32] + rng.randbytes(32)
    firsts = [model.decapsulate(p, key, text) for key in (dk, other) for text in (c, spoilt(rng, c), bytes(len(c)))]
    second = model.encapsulate(p, ek, rng.randbytes(32))
    seen = set()
    for n, first in enumerate(firsts):
        jobs = wiped()
        jobs.note("O 0 0 15 0 -1")
        jobs.add(first)
        jobs.add(second)
        (tmp_path / str(n)).mkdir()
        played = jobs.play(tmp_path / str(n))
        seen.add((played.last[1] - played.first[1], played.last[2] - played.first[1]))
    assert len(seen) == 1, seen


def test_one_that_joins_and_stops(tmp_path: Path) -> None:
    """A job whose words stop ends with TIMEOUT when the job before it is long over, which it does not hold up."""
    rng = random.Random("stops")
    p = mlkem.SETS[0]
    _, encapsulation, decapsulation = kinds(rng, p)
    jobs = JobList()
    jobs.note("O 0 8 15 0 -1")
    jobs.add(kinds(rng, mlkem.SETS[2])[0])  # so its queue's next job comes after both others
    jobs.note("W")
    jobs.note("O 1 0 0 0 -1")  # the lowest stream, whose turn is first if both wait
    jobs.add(encapsulation)
    jobs.note("O 1 1 7 0 40")
    jobs.add(decapsulation, result=model.Result(model.TIMEOUT, b""))
    jobs.note("O 0 8 15 0 -1")
    jobs.add(encapsulation)
    played = jobs.play(tmp_path)
    first, stopped, last = (played.last[n] for n in (1, 2, 3))
    assert 16384 < stopped - first < 16384 + 100 and stopped < last
