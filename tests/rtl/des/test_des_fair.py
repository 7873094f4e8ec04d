# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The DES engine with a hostile queue: the cost for another queue, and the time until an abort is answered."""

from __future__ import annotations

import random
from pathlib import Path

import fair
import pytest
from des_jobs import JobList, model, random_job

ABORT = 256  # cycles, as rtl/des/README.md states it
OPCODES = [0x50, 0x51, 0x52, 0x53]


def messages(opcode: int, blocks: int, count: int, decrypt: bool = False) -> list[model.Job]:
    rng = random.Random(f"fair {opcode} {blocks} {count}")
    return [random_job(rng, opcode, blocks, decrypt) for _ in range(count)]


@pytest.mark.parametrize("opcode", OPCODES, ids=lambda opcode: f"{opcode:02x}")
@pytest.mark.parametrize("stop", [1, 2, 3, 9])
def test_jobs_whose_words_do_not_come_hold_nothing(tmp_path: Path, opcode: int, stop: int) -> None:
    assert fair.slowdown(JobList, tmp_path, messages(0x53, 125, 8), messages(opcode, 500, 12), stop) < 1.3


@pytest.mark.parametrize("victim", OPCODES, ids=lambda opcode: f"{opcode:02x}")
@pytest.mark.parametrize("hostile", OPCODES, ids=lambda opcode: f"{opcode:02x}")
def test_long_messages_leave_a_queue_its_share(tmp_path: Path, victim: int, hostile: int) -> None:
    work = messages(hostile, 800, 12, decrypt=True)
    assert fair.slowdown(JobList, tmp_path, messages(victim, 125, 8), work) < fair.SHARE


def test_a_short_message_is_soon_done(tmp_path: Path) -> None:
    assert fair.victims_cycles(JobList(), tmp_path, messages(0x53, 2, 1), messages(0x53, 300, 12)) < 500


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_aborts_are_answered_within_their_bound(tmp_path: Path, seed: int) -> None:
    """Sixteen streams of one queue or of all are aborted in one cycle, a zeroise or a key load beside them."""
    rng = random.Random(f"aborts at once {seed}")
    jobs = JobList()
    for n in range(6):
        for _ in range(16):
            queue, pace, stop = rng.randrange(1, 4) if n % 2 else 1, rng.choice([0, 9]), rng.choice([-1, 1, 2, 14])
            jobs.note(f"O {queue} 0 15 {pace} {stop}")
            jobs.add(random_job(rng, rng.choice(OPCODES), 500, rng.random() < 0.5))
        jobs.note(f"X {rng.randrange(1, 300)}")
        jobs.note("A" if n % 3 == 0 else f"K {n} 82 24 {bytes(24).hex()} 0")
    jobs.note("O 0 0 15 0 -1")
    jobs.add(messages(0x50, 2, 1)[0])
    jobs.note("R")
    assert jobs.play(tmp_path, seed=seed, out=100 if seed % 2 else 10).slowest_abort <= ABORT
