# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""AES with HMAC behind an emulated shell, against the two golden models."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import hash_jobs
import pytest
from combined_jobs import (
    AUTH_FAILED,
    BAD_FLAGS,
    BAD_KEY,
    BAD_LENGTH,
    BAD_OPCODE,
    BAD_TAG_LENGTH,
    CIPHERS,
    COMBINED,
    KEY_DENIED,
    OK,
    Job,
    JobList,
    KeyInfo,
    Keys,
    aes,
    hash_of,
    is_counter,
    opened,
    random_job,
    random_keys,
)
from engine_bench import both_forms

# Each setting is a bench that must be built.
UNROLLED = {"AesStages": 7, "Sha256Units": 1, "Sha512Units": 1, "ShaRounds": 1}
SMALL = {"AesStages": 1, "AesDecrypt": 0, "Sha256Units": 2, "Sha512Units": 0, "ShaRounds": 4}


@both_forms
@pytest.mark.parametrize("opcode", COMBINED, ids=lambda opcode: f"{opcode:02x}")
def test_lengths(tmp_path: Path, opcode: int) -> None:
    """Every length of AAD around its words, and payloads around the ends of blocks, in both directions."""
    rng = random.Random(f"lengths {opcode}")
    jobs = JobList()
    for slot in range(8):
        jobs.load_keys(slot, random_keys(rng, opcode))
    block = hash_of(opcode).block
    for aad in [*range(34), block - 1, block, block + 1, 200]:
        for length in (0, rng.randrange(1, 40), rng.randrange(block - 20, block + 20)):
            jobs.add(random_job(rng, jobs, rng.randrange(8), length, aad))
    for length in (400, 1000):
        for _ in range(4):
            jobs.add(random_job(rng, jobs, rng.randrange(8), length, 13))
    jobs.note("R")
    jobs.play(tmp_path)


@both_forms
@pytest.mark.parametrize("opcode", COMBINED, ids=lambda opcode: f"{opcode:02x}")
def test_every_tag_length_and_every_bit_of_a_wrong_tag(tmp_path: Path, opcode: int) -> None:
    rng = random.Random(f"tags {opcode}")
    jobs = JobList()
    jobs.load_keys(3, random_keys(rng, opcode))
    most = hash_of(opcode).digest // 4
    for words in range(1, most + 1):
        job = Job(opcode, 3, rng.randbytes(16), rng.randbytes(24), rng.randbytes(32), tag_length=words)
        assert jobs.add(replace(job, append=True)).appended
        if words <= 4:
            assert not jobs.add(job).appended
        good = opened(rng, job, jobs.slots[3], 0)
        assert jobs.add(good).status == OK
        for bit in range(0, 32 * words, 1 if words in (1, 5) else 7 if words == most else 149):
            tag = bytearray(good.tag)
            tag[bit // 8] ^= 1 << bit % 8
            assert jobs.add(replace(good, tag=bytes(tag))).status == AUTH_FAILED
    jobs.play(tmp_path)


@both_forms
def test_what_the_mac_covers(tmp_path: Path) -> None:
    """A bit of the AAD or of the ciphertext that is wrong fails, of the IV only what it encrypts (the IV is AAD's part)."""
    rng = random.Random("covered")
    jobs = JobList()
    for slot, opcode in enumerate(COMBINED):
        jobs.load_keys(slot, random_keys(rng, opcode))
        job = Job(opcode, slot, rng.randbytes(16), rng.randbytes(21), rng.randbytes(48), tag_length=3)
        good = opened(rng, job, jobs.slots[slot], 0)
        assert jobs.add(good).status == OK
        for at in (0, 15, 16, 20):
            aad = bytearray(good.aad)
            aad[at] ^= 0x10
            assert jobs.add(replace(good, aad=bytes(aad))).status == AUTH_FAILED
        for at in (0, 16, 47):
            payload = bytearray(good.payload)
            payload[at] ^= 1
            assert jobs.add(replace(good, payload=bytes(payload))).status == AUTH_FAILED
    jobs.play(tmp_path)


def mix(rng: random.Random, jobs: JobList, count: int, aborted: float) -> None:
    """Jobs of both engines together and of each alone, keys loaded meanwhile."""
    kinds = [kind for kind in COMBINED if jobs.built[kind >> 1 & 1]]
    hashes = [op for op in (0x20, 0x22, 0x24, 0x30, 0x32, 0x34) if jobs.built[hash_jobs.family(op)]]
    for slot in range(12):
        jobs.load_keys(slot, random_keys(rng, 0 if slot < 4 else rng.choice(kinds)))
    for n in range(count):
        if n % 20 == 19:
            jobs.load_keys(rng.randrange(4, 12), random_keys(rng, rng.choice(kinds)))
        abort = rng.randrange(400) if rng.random() < aborted else -1
        length = rng.choice([0, rng.randrange(100), rng.randrange(100), rng.randrange(700)])
        what = rng.random()
        if what < 0.6:
            slot = rng.randrange(4, 12)
            jobs.add(random_job(rng, jobs, slot, length, rng.choice([0, 8, 13, 24, rng.randrange(90)])), abort)
        elif what < 0.8:
            job = Job(rng.choice(CIPHERS if jobs.inverse else CIPHERS[2:]), rng.randrange(4), rng.randbytes(16))
            job.payload = rng.randbytes(length if job.opcode == aes.CTR else length & ~15)
            job.decrypt = rng.random() < 0.5
            jobs.add_cipher(replace(job, tag_length=0), abort)
        else:
            jobs.add_hash(hash_jobs.random_job(rng, rng.choice(hashes), length), abort)
    jobs.note("R")


@both_forms
@pytest.mark.parametrize("seed", range(4))
def test_everything_at_once(tmp_path: Path, seed: int) -> None:
    rng = random.Random(f"mix {seed}")
    jobs = JobList()
    mix(rng, jobs, 300, 0.1)
    words, room, gap = [(100, 100, 0), (30, 100, 9), (70, 40, 3), (100, 10, 0)][seed]
    jobs.play(tmp_path, seed=seed, in_=words, out=room, gap=gap)


@both_forms
@pytest.mark.parametrize("opcode", [0x70, 0x77], ids=lambda opcode: f"{opcode:02x}")
def test_aborts(tmp_path: Path, opcode: int) -> None:
    """An abort in every cycle of a job is answered, and harms neither a neighbour nor the stream's next job."""
    rng = random.Random(f"aborts {opcode}")
    jobs = JobList()
    jobs.load_keys(0, random_keys(rng, opcode))
    jobs.load_keys(1, random_keys(rng, rng.choice(COMBINED)))
    for after in range(0, 300, 1 if opcode == 0x70 else 3):
        jobs.add(random_job(rng, jobs, 0, 112, 20), abort=after)
        jobs.add(random_job(rng, jobs, 1, rng.randrange(50), rng.randrange(40)))
    jobs.note("R")
    jobs.play(tmp_path, in_=70, gap=5, streams=3 if opcode == 0x70 else 16)


def test_keys_come_in_pairs(tmp_path: Path) -> None:
    """A pair that the hash engine refuses does not reach AES either; one that is loaded replaces whatever was there."""
    rng = random.Random("pairs")
    jobs = JobList(**SMALL)
    jobs.load_keys(5, Keys(0, rng.randbytes(32)))
    for kind, size in ((0x71, 65), (0x74, 127), (0x72, 32), (0x77, 32), (0x78, 32), (0x7F, 32)):
        jobs.load_keys(5, Keys(kind, rng.randbytes(32), rng.randbytes(size)), refused=True)
        jobs.add_cipher(Job(aes.CBC, 5, rng.randbytes(16), payload=rng.randbytes(64), tag_length=0))
    jobs.load_keys(5, random_keys(rng, 0x71))
    jobs.add(random_job(rng, jobs, 5, 100, 10))
    jobs.load_keys(5, Keys(0, rng.randbytes(16)))
    jobs.add_cipher(Job(aes.CTR, 5, rng.randbytes(16), payload=rng.randbytes(64), tag_length=0))
    jobs.play(tmp_path)


@pytest.mark.parametrize("setting", [pytest.param(UNROLLED, marks=pytest.mark.slow), SMALL], ids=str)
def test_other_settings(tmp_path: Path, setting: dict[str, int]) -> None:
    rng = random.Random(f"settings {setting}")
    jobs = JobList(**setting)
    mix(rng, jobs, 120, 0.1)
    jobs.play(tmp_path, in_=80)


@both_forms
def test_planner(tmp_path: Path) -> None:
    """Each reason to refuse, alone and with those that come after it, and random descriptors."""
    rng = random.Random("plan")
    for jobs in (JobList(), JobList(**SMALL)):
        seen = set()
        for opcode in range(0x6E, 0x82):
            good = KeyInfo(encrypt=True, decrypt=True, kind=opcode)
            for _ in range(300):
                info = replace(good, valid=rng.random() < 0.95, encrypt=rng.random() < 0.9, decrypt=rng.random() < 0.9)
                info.kind = rng.choice([opcode] * 9 + [opcode ^ 1, 0, opcode ^ 4])
                job = Job(opcode, rng.randrange(32), tag_length=rng.randrange(32))
                job.length = rng.choice([0, 16, 1 << 31, 0xFFFFFFF0, rng.randrange(1 << 32), 4])
                job.aad_length = rng.choice([0, 8, 13, 16, rng.randrange(1 << 32), 0xFFFFFFFF])
                if rng.random() < 0.5:
                    job.length &= 0xFFFF0
                    job.aad_length &= 0xFFF
                job.decrypt, job.append = rng.random() < 0.5, rng.random() < 0.5
                for flag in ("inline", "load", "save", "long_iv"):
                    setattr(job, flag, rng.random() < 0.03)
                seen.add(jobs.plan(job, info))
        assert seen == {OK, BAD_OPCODE, BAD_FLAGS, BAD_LENGTH, BAD_TAG_LENGTH, BAD_KEY, KEY_DENIED}
        jobs.play(tmp_path)


@pytest.mark.parametrize("opcode", [0x71, 0x75, 0x73], ids=lambda opcode: f"{opcode:02x}")
def test_as_fast_as_the_slower_of_the_two(tmp_path: Path, opcode: int) -> None:
    """Sixteen jobs at once take at most 2 % longer than their HMAC alone, in both directions of CTR."""
    rng = random.Random(f"speed {opcode}")
    jobs = JobList()
    jobs.load_keys(0, Keys(opcode, rng.randbytes(32), rng.randbytes(32)))
    data = [rng.randbytes(2048) for _ in range(16)]
    hmac = 0x30 | [0, 2, 3, 4][opcode & 3]
    jobs.note("W")
    jobs.note("M alone")
    for payload in data:
        jobs.add_hash(hash_jobs.Job(hmac, payload, b"key", inline=True, asked=16))
    jobs.note("W")
    jobs.note("M together")
    for decrypt in (False, True) if is_counter(opcode) else (False,):
        for payload in data:
            job = Job(opcode, 0, rng.randbytes(16), payload=payload)
            jobs.add(opened(rng, job, jobs.slots[0], 0) if decrypt else job)
        jobs.note("W")
        jobs.note(f"M end{int(decrypt)}")
    marks = jobs.play(tmp_path).marks
    alone = marks["together"] - marks["alone"]
    assert marks["end0"] - marks["together"] < 1.02 * alone
    if is_counter(opcode):
        assert marks["end1"] - marks["end0"] < 1.02 * alone
