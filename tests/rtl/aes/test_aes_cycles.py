# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Exact device cycles, as stated in rtl/aes/README.md."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from joblist import MODES, Build, JobList, model, play, random_job

BLOCKS = 64


def plain(rng: random.Random, mode: int, decrypt: bool, blocks: int, slot: int | None, jobs: JobList) -> model.Job:
    """A job without AAD and with a 96-bit IV in the descriptor."""
    key, tweak = jobs.slots[slot] if slot is not None else (rng.randbytes(32), b"")
    tag = 4 if mode == model.EIA2 else 16
    job = random_job(rng, mode, False, 16 * blocks, key, tweak, slot, aad_length=0, iv_length=12, tag_length=tag)
    job.append, job.long_iv = False, None
    if decrypt:
        result = model.run(job)
        job.decrypt, job.tag = True, result.tag[: job.tag_length]
        if mode not in model.MACS:
            job.payload = result.payload
    return job


def slots(rng: random.Random) -> JobList:
    jobs = JobList()
    jobs.load_keys(0, rng.randbytes(32))
    jobs.load_keys(1, rng.randbytes(32), rng.randbytes(32))
    jobs.load_keys(2, rng.randbytes(16))
    return jobs


def slot_for(mode: int) -> int:
    return 1 if mode == model.XTS else 2 if mode in model.RADIO else 0


def build_of(stages: int) -> Build:
    """That of one stage is the bench of every run, which only encrypts."""
    return Build(stages, decrypt=stages > 1)


def alone(tmp_path: Path, mode: int, decrypt: bool, blocks: int, stages: int = 14) -> int:
    """Cycles of one job on an idle engine, from the command to the result."""
    rng = random.Random(f"alone {mode} {blocks}")
    jobs = slots(rng)
    jobs.add(plain(rng, mode, decrypt, blocks, slot_for(mode), jobs))
    played = play(jobs, tmp_path, build_of(stages))
    return played.last[0] - played.first[0]


# Cycles of one block more in a long message.
PER_BLOCK = {
    ("ECB", False): 1,
    ("ECB", True): 1,
    ("CBC", False): 15,
    ("CBC", True): 1,
    ("CTR", False): 1,
    ("CTR", True): 1,
    ("GCM", False): 1,
    ("GCM", True): 1,
    ("GMAC", False): 1,
    ("GMAC", True): 1,
    ("XTS", False): 1,
    ("XTS", True): 1,
    ("CCM", False): 16,
    ("CCM", True): 16,
    ("CMAC", False): 15,
    ("CMAC", True): 15,
    ("EEA2", False): 1,
    ("EIA2", False): 15,
    ("EIA2", True): 15,
}

# Cycles of one 16-byte job, from the command to the result.
SHORT = {
    "ECB": 27,
    "CBC": 27,
    "CTR": 27,
    "GCM": 33,
    "GMAC": 33,
    "XTS": 42,
    "CCM": 48,
    "CMAC": 44,
    "EEA2": 27,
    "EIA2": 59,
}


@pytest.mark.parametrize(("mode", "decrypt"), PER_BLOCK)
def test_cycles_per_block(tmp_path: Path, mode: str, decrypt: bool) -> None:
    few, many = (alone(tmp_path, MODES[mode], decrypt, n) for n in (2, 2 + BLOCKS))
    assert many - few == BLOCKS * PER_BLOCK[mode, decrypt]


@pytest.mark.parametrize("mode", SHORT)
def test_cycles_of_a_short_job(tmp_path: Path, mode: str) -> None:
    assert alone(tmp_path, MODES[mode], False, 1) == SHORT[mode]


@pytest.mark.slow
@pytest.mark.parametrize("stages", [7, 2, 1])
def test_fewer_stages_take_a_block_in_so_many_passes(tmp_path: Path, stages: int) -> None:
    few, many = (alone(tmp_path, model.CTR, False, n, stages) for n in (14, 14 + 14 * 8))
    assert many - few == 14 * 8 * 14 // stages
    # The latency is the same, so is what waits for it.
    few, many = (alone(tmp_path, model.CBC, False, n, stages) for n in (2, 10))
    assert many - few == 8 * 15


def throughput(tmp_path: Path, mode: int, blocks: int, count: int, inline: bool, stages: int = 14) -> float:
    """Cycles a job, many jobs in sixteen streams."""
    rng = random.Random("throughput")
    jobs = slots(rng)
    for _ in range(count):
        jobs.add(plain(rng, mode, False, blocks, None if inline else slot_for(mode), jobs))
    played = play(jobs, tmp_path, build_of(stages))
    # The middle half, when all streams are busy.
    ends = sorted(played.last.values())
    return (ends[3 * count // 4] - ends[count // 4]) / (count // 2)


@pytest.mark.parametrize("stages", [pytest.param(2, marks=pytest.mark.slow), 1])
def test_few_stages_hash_as_fast_as_they_encipher(tmp_path: Path, stages: int) -> None:
    """GHASH takes a block in 7 or 14 cycles, as the rounds do."""
    passes = 14 // stages
    for mode in (model.GCM, model.GMAC):
        few, many = (alone(tmp_path, mode, False, n, stages) for n in (14, 14 + 64))
        assert many - few == 64 * passes
    # E(J0) passes the rounds while the lengths are in GHASH.
    assert throughput(tmp_path, model.GCM, 1, 100, False, stages) <= 2.2 * passes + 1
    assert throughput(tmp_path, model.GCM, 64, 48, False, stages) <= passes * 66


def test_sixteen_cbc_streams_fill_the_pipeline(tmp_path: Path) -> None:
    assert throughput(tmp_path, model.CBC, 64, 64, inline=False) <= 64 * 1.05


def test_sixteen_eia2_streams_fill_the_pipeline(tmp_path: Path) -> None:
    assert throughput(tmp_path, model.EIA2, 94, 64, inline=False) <= 94 * 1.1


def test_short_gcm_jobs(tmp_path: Path) -> None:
    """Five cycles a job: command, E(J0), the block, the lengths, the tag."""
    assert throughput(tmp_path, model.GCM, 1, 400, inline=False) <= 5.1


def test_gcm_jobs_with_keys_of_their_own(tmp_path: Path) -> None:
    """The key unit takes 20 cycles a key: two words, fifteen round keys, one to wipe, two to turn round."""
    assert throughput(tmp_path, model.GCM, 4, 200, inline=True) <= 20
