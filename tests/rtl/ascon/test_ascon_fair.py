# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The Ascon engine with a hostile queue: the cost for another queue, and the time until an abort is answered."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import fair
import pytest
from ascon_jobs import JobList, model, random_job

ABORT = 256  # cycles, as rtl/ascon/README.md states it
BY_OPCODE = {"ids": lambda opcode: f"{opcode:02x}"}


def messages(opcode: int, length: int, count: int) -> list[model.Job]:
    rng = random.Random(f"fair {opcode} {length} {count}")
    jobs = [replace(random_job(rng, opcode, length, spoil=0), decrypt=False, customization=b"") for _ in range(count)]
    return [replace(job, asked=min(job.asked, 32)) for job in jobs]


@pytest.mark.parametrize("opcode", model.OPCODES, **BY_OPCODE)
@pytest.mark.parametrize("stop", [1, 2, 13, 14])
def test_jobs_whose_words_do_not_come_hold_no_unit(tmp_path: Path, opcode: int, stop: int) -> None:
    """Twelve jobs stop after some words: a neighbour is delayed by the work on these words, and by no more."""
    victims = messages(model.AEAD128, 1000, 24)
    assert fair.slowdown(JobList, tmp_path, victims, messages(opcode, 4096, 12), stop) < 1.5


@pytest.mark.parametrize("victim", [model.AEAD128, model.HASH256], **BY_OPCODE)
@pytest.mark.parametrize("hostile", [model.AEAD128, model.XOF128], **BY_OPCODE)
def test_long_messages_leave_a_queue_its_share(tmp_path: Path, victim: int, hostile: int) -> None:
    work = messages(hostile, 6000, 12)
    assert fair.slowdown(JobList, tmp_path, messages(victim, 2000, 8), work) < fair.SHARE


@pytest.mark.parametrize("pace", [3, 12, 40])
def test_slow_words_leave_a_queue_its_share(tmp_path: Path, pace: int) -> None:
    work = [job for opcode in (model.AEAD128, model.XOF128) for job in messages(opcode, 12000 // pace, 6)]
    assert fair.slowdown(JobList, tmp_path, messages(model.AEAD128, 2000, 8), work, pace=pace) < fair.SHARE


def test_endless_output_leaves_a_queue_its_share(tmp_path: Path) -> None:
    work = [replace(job, asked=3000) for job in messages(model.XOF128, 8, 12)]
    assert fair.slowdown(JobList, tmp_path, messages(model.AEAD128, 2000, 8), work) < fair.SHARE


def test_a_short_message_is_soon_done(tmp_path: Path) -> None:
    for stop in (-1, 14):
        victims, work = messages(model.AEAD128, 16, 1), messages(model.XOF128, 4000, 12)
        assert fair.victims_cycles(JobList(), tmp_path, victims, work, stop) < 500


@pytest.mark.parametrize("seed", range(4))
def test_aborts_are_answered_within_their_bound(tmp_path: Path, seed: int) -> None:
    """Sixteen streams of one queue or of all are aborted in one cycle, a zeroise or a key load beside them."""
    rng = random.Random(f"aborts at once {seed}")
    jobs = JobList()
    for n in range(12):
        for _ in range(16):
            queue, pace, stop = rng.randrange(1, 4) if n % 2 else 1, rng.choice([0, 9]), rng.choice([-1, 1, 2, 14])
            jobs.note(f"O {queue} 0 15 {pace} {stop}")
            jobs.add(random_job(rng, rng.choice(model.OPCODES), 3000))
        jobs.note(f"X {rng.randrange(1, 300)}")
        jobs.note("A" if n % 3 == 0 else f"K {n} 128 16 {bytes(16).hex()} 0")
    jobs.note("O 0 0 15 0 -1")
    jobs.add(messages(model.AEAD128, 2, 1)[0])
    jobs.note("R")
    assert jobs.play(tmp_path, seed=seed, out=100 if seed % 2 else 10).slowest_abort <= ABORT
