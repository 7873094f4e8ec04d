# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The radio engine with a hostile queue: the cost for another queue, and the time until an abort is answered."""

from __future__ import annotations

import random
from pathlib import Path

import fair
import pytest
from radio_jobs import EEA1, EEA3, EIA1, EIA3, JobList, model, random_job

ABORT = 256  # cycles, as rtl/radio/README.md states it
# Once for each of twelve packets a lane is initialised, works off the words that came, and sees that no others do.
LATE = 1.6
BOTH = EEA3 | EIA3
LONG_IV = model.opcode_of(model.ZUC256, model.NONE)


def packets(opcode: int, size: int, count: int, decrypt: bool = False) -> list[model.Job]:
    rng = random.Random(f"fair {opcode} {size} {count}")
    return [random_job(rng, opcode, 8 * size, decrypt, spoil=0) for _ in range(count)]


@pytest.mark.parametrize("opcode", [EEA3, EIA3, EEA1, EIA1, BOTH, LONG_IV], ids=lambda opcode: f"{opcode:#x}")
@pytest.mark.parametrize("stop", [1, 5, 15])
def test_packets_whose_words_do_not_come_hold_no_lane(tmp_path: Path, opcode: int, stop: int) -> None:
    """Twelve packets stop after some words: a neighbour is delayed by no more than the time to see that."""
    assert fair.slowdown(JobList, tmp_path, packets(EEA3, 500, 24), packets(opcode, 1000, 12), stop) < LATE


@pytest.mark.parametrize("opcode", [EIA3, BOTH, EEA1 | EIA1], ids=lambda opcode: f"{opcode:#x}")
def test_expected_tags_that_do_not_come_hold_no_lane(tmp_path: Path, opcode: int) -> None:
    hostile = packets(opcode, 160, 12, decrypt=True)
    words = len(model.words(hostile[0])) - 1
    assert fair.slowdown(JobList, tmp_path, packets(EEA3, 500, 24), hostile, words) < LATE


@pytest.mark.parametrize("size", [32, 1500])
@pytest.mark.parametrize("opcode", [EEA3, EIA1, BOTH], ids=lambda opcode: f"{opcode:#x}")
def test_long_packets_leave_a_queue_its_share(tmp_path: Path, opcode: int, size: int) -> None:
    victims = packets(EEA3, size, 4000 // size + 16)
    assert fair.slowdown(JobList, tmp_path, victims, packets(opcode, 3000, 12)) < fair.SHARE


@pytest.mark.parametrize("pace", [3, 12, 40])
def test_slow_words_leave_a_queue_its_share(tmp_path: Path, pace: int) -> None:
    work = packets(EEA3, 12000 // pace, 6) + packets(EIA1, 12000 // pace, 6)
    assert fair.slowdown(JobList, tmp_path, packets(BOTH, 1000, 24), work, pace=pace) < fair.SHARE


def test_a_short_packet_is_soon_done(tmp_path: Path) -> None:
    for stop in (-1, 14):
        jobs = JobList()
        assert fair.victims_cycles(jobs, tmp_path, packets(EEA3, 16, 1), packets(BOTH, 2000, 12), stop) < 500


@pytest.mark.parametrize("seed", range(6))
def test_parked_packets_go_on_where_they_were(tmp_path: Path, seed: int) -> None:
    """Every opcode in both directions, of all queues, with words and room that come and go."""
    rng = random.Random(f"parked {seed}")
    jobs = JobList()
    for _ in range(150):
        jobs.note(f"O {rng.randrange(1, 4)} 0 15 {rng.choice([0, 0, 1, 5, 25, 60])} -1")
        bits = rng.choice([rng.randrange(300), rng.randrange(12000)])
        job = random_job(rng, rng.choice(model.OPCODES), bits, decrypt=rng.random() < 0.5)
        jobs.add(job, abort=rng.randrange(400) if rng.random() < 0.1 else -1)
    jobs.note("R")
    jobs.play(tmp_path, seed=seed, out=[100, 20, 60][seed % 3], grant=[100, 60][seed % 2], watch=1, gate=1)


@pytest.mark.parametrize("seed", range(6))
def test_aborts_are_answered_within_their_bound(tmp_path: Path, seed: int) -> None:
    """Sixteen streams of one queue or of all are aborted in one cycle, a zeroise or a key load beside them."""
    rng = random.Random(f"aborts at once {seed}")
    jobs = JobList()
    for n in range(12):
        for _ in range(16):
            queue, pace, stop = rng.randrange(1, 4) if n % 2 else 1, rng.choice([0, 9]), rng.choice([-1, 1, 14, 20])
            jobs.note(f"O {queue} 0 15 {pace} {stop}")
            jobs.add(random_job(rng, rng.choice(model.OPCODES), 8 * 3000))
        jobs.note(f"X {rng.randrange(1, 400)}")
        jobs.note("A" if n % 3 == 0 else f"K {n} {EEA3} 16 {bytes(16).hex()} 0")
    jobs.note("O 0 0 15 0 -1")
    jobs.add(packets(EEA3, 16, 1)[0])
    jobs.note("R")
    assert jobs.play(tmp_path, seed=seed, out=100 if seed % 2 else 10).slowest_abort <= ABORT
