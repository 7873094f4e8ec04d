# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Exact device cycles of a block of one message, as stated in rtl/hash/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest
from hash_jobs import HASHES, Job, JobList, algorithm_of

SHAKE = (0x2C, 0x2D)
KECCAK = 24
# SHAKE128 has to wait for its words, eleven a block.
PER_BLOCK = {0x20: 42, 0x21: 33, 0x22: 33, 0x23: 42, 0x24: 42, 0x25: 42, 0x26: 42, 0x2C: 27}


def cycles(where: Path, opcode: int, blocks: int) -> int:
    """From the command of a message alone on the engine to its result."""
    jobs = JobList()
    jobs.add(Job(opcode, bytes(blocks * algorithm_of(opcode).block), asked=32 if opcode in SHAKE else 0))
    where.mkdir()
    played = jobs.play(where)
    return played.last[0] - played.first[0]


@pytest.mark.parametrize("opcode", HASHES, ids=lambda opcode: f"{opcode:02x}")
def test_cycles_of_a_block(tmp_path: Path, opcode: int) -> None:
    few, many = (cycles(tmp_path / str(blocks), opcode, blocks) for blocks in (20, 60))
    assert (many - few) / 40 == PER_BLOCK.get(opcode, KECCAK)
