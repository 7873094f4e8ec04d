# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The AES engine with a hostile queue: the cost for another queue, and the time until an abort is answered."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from joblist import MODES, JobList, model, play, random_job

SHARE = 1 / 0.45  # of a queue's cycles alone: 45 % of its bandwidth
ABORT = 128  # cycles, as rtl/aes/README.md states it


def work(mode: str, blocks: int, count: int) -> list[model.Job]:
    rng = random.Random(f"fair {mode} {blocks} {count}")
    jobs = []
    for _ in range(count):
        two = rng.randbytes(32) if MODES[mode] == model.XTS else b""
        size = 16 if MODES[mode] in model.RADIO else 32
        tag = 4 if MODES[mode] == model.EIA2 else 16
        job = random_job(
            *(rng, MODES[mode], False, 16 * blocks, rng.randbytes(size), two, None),
            aad_length=0,
            iv_length=12,
            tag_length=tag,
        )
        job.append, job.long_iv = False, None
        jobs.append(job)
    return jobs


def cycles(where: Path, victims: list[model.Job], hostile: list[model.Job], stop: int = -1, pace: int = 0) -> int:
    """From the victim's first command to its last result. The hostile queue has twelve streams, the victim four."""
    jobs = JobList()
    jobs.note(f"O 1 0 11 {pace} {stop}")
    for job in hostile:
        jobs.add(job)
    jobs.note("O 0 12 15 0 -1")
    first = jobs.count
    for job in victims:
        jobs.add(job)
    where.mkdir(exist_ok=True)
    played = play(jobs, where)
    of = range(first, jobs.count)
    return max(played.last[n] for n in of) - min(played.first[n] for n in of)


def slowdown(where: Path, victims: list[model.Job], hostile: list[model.Job], stop: int = -1, pace: int = 0) -> float:
    alone = cycles(where / "alone", victims, [])
    beside = cycles(where / "beside", victims, hostile, stop, pace)
    print(f"alone {alone}, beside {beside}: {beside / alone:.2f}")
    return beside / alone


@pytest.mark.parametrize("mode", ["CTR", "GCM", "XTS", "CCM", "CMAC", "CBC"])
@pytest.mark.parametrize("stop", [1, 3, 6])
def test_jobs_whose_words_do_not_come_hold_nothing(tmp_path: Path, mode: str, stop: int) -> None:
    """Half a key, a key without data, some data: the key unit and the rounds stay free for the neighbour."""
    victims = work("GCM", 16, 24)
    # Whole keys are expanded, once each, two of a job of XTS.
    assert slowdown(tmp_path, victims, work(mode, 64, 12), stop) < 1.8


@pytest.mark.parametrize("victim", ["CTR", "CBC", "GCM", "CCM"])
@pytest.mark.parametrize("hostile", ["CTR", "CBC", "GCM", "GMAC", "CCM", "XTS", "EIA2"])
def test_long_messages_leave_a_queue_its_share(tmp_path: Path, victim: str, hostile: str) -> None:
    assert slowdown(tmp_path, work(victim, 64, 8), work(hostile, 400, 12)) < SHARE


@pytest.mark.parametrize("hostile", ["XTS", "GCM", "CCM"])
def test_keys_of_tiny_jobs_leave_a_queue_its_share(tmp_path: Path, hostile: str) -> None:
    """A new key in every job: the key unit is shared by queues too. Three hostile jobs go with each of the victim's."""
    victims, others = work("GCM", 1, 60), work(hostile, 1, 180)
    alone = cycles(tmp_path / "alone", victims, [])
    jobs = JobList()
    for n, job in enumerate(victims):
        jobs.note("O 0 12 15 0 -1")
        jobs.add(job)
        jobs.note("O 1 0 11 0 -1")
        for other in others[3 * n : 3 * n + 3]:
            jobs.add(other)
    played = play(jobs, tmp_path)
    own = range(0, jobs.count, 4)
    # The list gives the victim a quarter of the jobs; its own jobs' latency says whether it waited for the others.
    waited = sum(played.last[n] - played.first[n] for n in own) / len(own)
    print(f"alone {alone} in all, {waited} cycles a job beside")
    assert waited < 160


def test_a_short_message_is_soon_done(tmp_path: Path) -> None:
    for hostile in ("CTR", "GMAC", "CCM"):
        assert cycles(tmp_path, work("GCM", 1, 1), work(hostile, 60, 12)) < 200


@pytest.mark.parametrize("seed", range(6))
def test_aborts_are_answered_within_their_bound(tmp_path: Path, seed: int) -> None:
    """Sixteen streams of one queue or of all are aborted in one cycle, a zeroise or a key load beside them."""
    rng = random.Random(f"aborts at once {seed}")
    jobs = JobList()
    for n in range(12):
        for _ in range(16):
            queue, pace, stop = rng.randrange(1, 4) if n % 2 else 1, rng.choice([0, 9]), rng.choice([-1, 1, 2, 14])
            jobs.note(f"O {queue} 0 15 {pace} {stop}")
            jobs.add(work(rng.choice(list(MODES)), 100, 1)[0])
        jobs.note(f"X {rng.randrange(1, 200)}")
        if n % 3 == 0:
            jobs.note("A")
        else:
            jobs.load_keys(n, bytes(32), bytes(32) if n % 2 else b"")
    jobs.note("O 0 0 15 0 -1")
    jobs.add(work("GCM", 1, 1)[0])
    jobs.note("R")
    assert play(jobs, tmp_path, seed=seed, out=100 if seed % 2 else 10).slowest_abort <= ABORT
