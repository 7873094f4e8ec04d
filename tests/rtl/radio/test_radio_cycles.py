# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Exact device cycles, as stated in rtl/radio/README.md."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from radio_jobs import EEA1, EEA3, EIA1, EIA3, LANES, JobList, model, random_job

BOTH3, BOTH1 = EEA3 | EIA3, EEA1 | EIA1


def plain(rng: random.Random, opcode: int, size: int) -> model.Job:
    """A packet of whole bytes with an inline key; with both, the enciphered MAC behind it."""
    job = random_job(rng, opcode, 8 * size)
    job.clear_bytes, job.mac_of_ciphertext, job.append = 0, False, bool(job.cipher and job.mac)
    return job


def alone(tmp_path: Path, opcode: int, size: int, tag_length: int = 4) -> int:
    """Cycles of one job on an idle engine, from the command to the result."""
    jobs = JobList()
    job = plain(random.Random("alone"), opcode, size)
    job.tag_length = tag_length
    jobs.add(job)
    played = jobs.play(tmp_path)
    return played.last[0] - played.first[0]


# One packet of 32 bytes, and what 64 bytes more cost.
ALONE = {
    EEA3: (54, 16),
    EEA1: (54, 16),
    EIA3: (58, 16),
    EIA1: (59, 16),
    BOTH3: (66, 16),
    BOTH1: (67, 16),
    model.opcode_of(model.ZUC256, model.NONE): (71, 16),
}


@pytest.mark.parametrize("opcode", ALONE)
def test_one_job(tmp_path: Path, opcode: int) -> None:
    base, more = ALONE[opcode]
    assert alone(tmp_path, opcode, 32) == base
    few, many = (alone(tmp_path, opcode, size) for size in (192, 192 + 640))
    assert many - few == 10 * more


@pytest.mark.parametrize(("tag_length", "cycles"), [(4, 1), (8, 2), (16, 4)])
def test_long_macs_of_zuc_256_take_their_words_one_by_one(tmp_path: Path, tag_length: int, cycles: int) -> None:
    opcode = model.opcode_of(model.NONE, model.ZUC256)
    few, many = (alone(tmp_path, opcode, size, tag_length) for size in (192, 192 + 640))
    assert many - few == 160 * cycles


def throughput(tmp_path: Path, opcode: int, size: int, count: int, lanes: int = LANES) -> float:
    """Cycles a packet, a new inline key in each, in sixteen streams."""
    rng = random.Random("throughput")
    jobs = JobList(**({} if lanes == LANES else {"Lanes": lanes}))
    for _ in range(count):
        jobs.add(plain(rng, opcode, size))
    ends = sorted(jobs.play(tmp_path, queues=1).last.values())
    # The middle half, when all lanes are busy.
    return (ends[3 * count // 4] - ends[count // 4]) / (count // 2)


@pytest.mark.parametrize(
    ("opcode", "size", "cycles"),
    [
        (EEA3, 32, 12.5),
        (EIA3, 32, 13.5),
        (EEA1, 32, 12.5),
        (EIA1, 32, 13.75),
        (BOTH3, 40, 15.25),
        (BOTH3, 1500, 107.25),
    ],
)
def test_short_packets(tmp_path: Path, opcode: int, size: int, cycles: float) -> None:
    assert throughput(tmp_path, opcode, size, 120) <= cycles


@pytest.mark.slow
@pytest.mark.parametrize(("lanes", "cycles"), [(1, 50), (2, 25), (8, 7.9)])
def test_lanes_multiply_short_packets(tmp_path: Path, lanes: int, cycles: float) -> None:
    assert throughput(tmp_path, EEA3, 32, 200, lanes) <= cycles


@pytest.mark.parametrize("opcode", [EEA3, EIA3, EEA1, EIA1])
def test_four_lanes_fill_the_port(tmp_path: Path, opcode: int) -> None:
    """16 bytes a cycle are the port's limit; 38 cycles of loading and initialisation are not hidden."""
    assert 8192 / throughput(tmp_path, opcode, 8192, 32) >= 15.5
