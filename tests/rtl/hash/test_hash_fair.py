# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The hash engine with a hostile queue: the cost for another queue, and the time until an abort is answered."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import fair
import pytest
from hash_jobs import HASHES, MACS, Job, JobList, random_job, run

ABORT = 256  # cycles, as rtl/hash/README.md states it


def messages(opcode: int, length: int, count: int) -> list[Job]:
    rng = random.Random(f"fair {opcode} {length} {count}")
    jobs = [replace(random_job(rng, opcode, length, spoil=0), decrypt=False, tag=b"") for _ in range(count)]
    return [replace(job, asked=0 if opcode < 0x2C else min(job.asked or 32, 64)) for job in jobs]


@pytest.mark.parametrize("opcode", [0x20, 0x22, 0x24, 0x29, 0x2C, 0x3D], ids=lambda opcode: f"{opcode:02x}")
@pytest.mark.parametrize("stop", [1, 13, 14])
def test_jobs_whose_words_do_not_come_hold_no_unit(tmp_path: Path, opcode: int, stop: int) -> None:
    """Twelve jobs of each kind stop after some words: a neighbour of the same family is not delayed by them."""
    victims = messages(opcode & 0x2F, 1000, 8)
    hostile = messages(opcode, 4096, 12)
    assert fair.slowdown(JobList, tmp_path, victims, hostile, stop) < 1.6


@pytest.mark.parametrize("opcode", [0x24, 0x22], ids=lambda opcode: f"{opcode:02x}")
def test_loaded_partial_blocks_hold_no_unit(tmp_path: Path, opcode: int) -> None:
    """The state comes, with 16 bytes of a block, and the payload does not."""
    before = messages(opcode, 16, 12)
    hostile = [replace(job, load=run(replace(job, save=True)).state, payload=bytes(4096)) for job in before]
    words = 13 if opcode == 0x24 else 9
    for stop in range(words, words + 4):
        where = tmp_path / str(stop)
        where.mkdir()
        assert fair.slowdown(JobList, where, messages(opcode, 1000, 8), hostile, stop) < 1.3


@pytest.mark.parametrize(
    ("victim", "hostile"),
    [
        (0x22, 0x22),
        (0x20, 0x20),
        (0x22, 0x20),
        (0x20, 0x22),
        (0x24, 0x24),
        (0x29, 0x2C),
        (0x2B, 0x2C),
        (0x2C, 0x2B),
        (0x22, 0x24),
    ],
    ids=lambda opcode: f"{opcode:02x}",
)
def test_long_messages_leave_a_queue_its_share(tmp_path: Path, victim: int, hostile: int) -> None:
    work = messages(hostile, 5000, 12)
    assert fair.slowdown(JobList, tmp_path, messages(victim, 2000, 8), work) < fair.SHARE


@pytest.mark.parametrize("pace", [3, 12, 40])
def test_slow_words_leave_a_queue_its_share(tmp_path: Path, pace: int) -> None:
    work = [job for opcode in (0x20, 0x24, 0x2C) for job in messages(opcode, 12000 // pace, 4)]
    for victim in (0x22, 0x24, 0x29):
        where = tmp_path / f"{victim}"
        where.mkdir()
        assert fair.slowdown(JobList, where, messages(victim, 2000, 8), work, pace=pace) < fair.SHARE


def test_a_short_message_is_soon_done(tmp_path: Path) -> None:
    for victim, hostile in ((0x22, 0x20), (0x20, 0x22), (0x24, 0x24), (0x29, 0x2C)):
        jobs = JobList()
        assert fair.victims_cycles(jobs, tmp_path, messages(victim, 16, 1), messages(hostile, 2000, 12)) < 500


def test_a_key_is_loaded_beside_work(tmp_path: Path) -> None:
    """Units that are always wanted do not hold up the key lane."""
    jobs = JobList()
    jobs.note("O 1 0 15 0 -1")
    for opcode in (0x20, 0x24, 0x2C, 0x22):
        for job in messages(opcode, 4000, 4):
            jobs.add(job)
    for slot, opcode in enumerate((0x30, 0x34, 0x3C), 1):  # to the bench, hashes use slot 0
        jobs.note(f"M before{slot}")
        jobs.load(slot, opcode, bytes(range(32)))
        jobs.note(f"M after{slot}")
    marks = jobs.play(tmp_path).marks
    assert all(marks[f"after{slot}"] - marks[f"before{slot}"] < 1000 for slot in range(1, 4))


@pytest.mark.parametrize("seed", range(6))
def test_aborts_are_answered_within_their_bound(tmp_path: Path, seed: int) -> None:
    """Sixteen streams of one queue or of all are aborted in one cycle, a zeroise or a key load beside them."""
    rng = random.Random(f"aborts at once {seed}")
    jobs = JobList()
    for n in range(12):
        jobs.note(f"O {rng.randrange(4)} 0 15 0 {rng.choice([-1, 1, 14])}" if n % 2 else "O 1 0 15 0 -1")
        for _ in range(16):
            jobs.add(random_job(rng, rng.choice([*HASHES, *MACS]), 3000))
        jobs.note(f"X {rng.randrange(1, 400)}")
        jobs.note("A" if n % 3 == 0 else f"K {n + 1} 52 20 {bytes(20).hex()} 0")
    jobs.note("R")
    assert jobs.play(tmp_path, seed=seed, out=100 if seed % 2 else 10).slowest_abort <= ABORT
