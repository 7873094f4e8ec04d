# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The cycles of the Ascon engine, exactly, as rtl/ascon/README.md states them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ascon_jobs import JobList, model

# Cycles for 16 more bytes of one message, by rounds a cycle.
BLOCK = {model.AEAD128: {1: 8, 2: 4, 4: 2}, model.HASH256: {1: 24, 2: 12, 4: 6}}


def cycles(tmp_path: Path, opcode: int, length: int, count: int = 1, **parameters: int) -> int:
    rng = random.Random("cycles")
    jobs = JobList(**parameters)
    for _ in range(count):
        job = model.Job(opcode, rng.randbytes(length))
        if opcode == model.AEAD128:
            job.key, job.iv, job.tag_length = rng.randbytes(16), rng.randbytes(16), 16
        jobs.add(job)
    played = jobs.play(tmp_path)
    return max(played.last.values()) - played.first[0]


@pytest.mark.parametrize("opcode", BLOCK, ids=lambda opcode: f"{opcode:02x}")
@pytest.mark.parametrize(("rounds", "units"), [(1, 4), (2, 2), (4, 1)])
def test_a_message_has_no_gap_between_its_blocks(tmp_path: Path, opcode: int, rounds: int, units: int) -> None:
    few, many = (cycles(tmp_path, opcode, length, Rounds=rounds, Units=units) for length in (512, 1024))
    assert many - few == 32 * BLOCK[opcode][rounds]


def test_a_short_message(tmp_path: Path) -> None:
    """No data, and 64 bytes: what is around the permutations."""
    assert (cycles(tmp_path, model.AEAD128, 0), cycles(tmp_path, model.AEAD128, 64)) == (25, 45)


def test_sixteen_messages_share_two_units(tmp_path: Path) -> None:
    """Of 4 KiB each at 7.5 bytes a cycle or more: turns of 160 cycles cost little."""
    assert 16 * 4096 / cycles(tmp_path, model.AEAD128, 4096, count=16) > 7.5


def test_packets_of_64_bytes(tmp_path: Path) -> None:
    assert 64 * 64 / cycles(tmp_path, model.AEAD128, 64, count=64) > 3
