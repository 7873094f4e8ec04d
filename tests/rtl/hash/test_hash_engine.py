# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The hash engine behind an emulated shell, against its golden model."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from engine_bench import both_forms
from hash_jobs import (
    AUTH_FAILED,
    BAD_LENGTH,
    HASHES,
    MACS,
    OK,
    Job,
    JobList,
    algorithm_of,
    family,
    pack_state,
    random_job,
    run,
    verified,
)


def lengths(opcode: int) -> list[int]:
    """Around the ends of blocks and of what the padding needs."""
    block = algorithm_of(opcode).block
    return [*range(block - 20, block + 3), *range(2 * block - 17, 2 * block + 2)]


@both_forms
@pytest.mark.parametrize("opcode", HASHES, ids=lambda opcode: f"{opcode:02x}")
def test_lengths_of_messages(tmp_path: Path, opcode: int) -> None:
    rng = random.Random(f"lengths {opcode}")
    jobs = JobList()
    for length in [*range(35), *lengths(opcode), 1000]:
        jobs.add(random_job(rng, opcode, length))
    jobs.note("P")
    jobs.play(tmp_path)


@both_forms
@pytest.mark.parametrize("opcode", MACS, ids=lambda opcode: f"{opcode:02x}")
def test_macs_with_inline_keys(tmp_path: Path, opcode: int) -> None:
    rng = random.Random(f"inline {opcode}")
    jobs = JobList()
    for length in [0, 1, 15, 16, 17, *lengths(opcode)[::3], 500]:
        for _ in range(2):
            jobs.add(random_job(rng, opcode, length))
    jobs.note("P")
    jobs.play(tmp_path)


@both_forms
@pytest.mark.parametrize("opcode", MACS, ids=lambda opcode: f"{opcode:02x}")
def test_macs_with_keys_in_slots(tmp_path: Path, opcode: int) -> None:
    rng = random.Random(f"slots {opcode}")
    jobs = JobList()
    for slot in range(0, 32, 5):
        jobs.load(slot, opcode, rng.randbytes([0, 1, 16, 20, 31, 32, 64][slot // 5]))
    for length in [0, 1, 15, 16, 17, *lengths(opcode)[::3], 500]:
        jobs.add(in_slot(rng, jobs, random_job(rng, opcode, length)))
    jobs.note("R")
    jobs.note("A")
    jobs.note("P")
    jobs.play(tmp_path)


def in_slot(rng: random.Random, jobs: JobList, job: Job) -> Job:
    """The same job with a key that is loaded."""
    slot = rng.choice([slot for slot, (opcode, _) in jobs.slots.items() if opcode == job.opcode])
    job = replace(job, key=jobs.slots[slot][1], slot=slot, inline=False, prepared=False)
    return verified(rng, job, 0.15) if job.decrypt else job


def parts_of(rng: random.Random, job: Job, cuts: list[int]) -> Iterator[Job]:
    """The job cut at these bytes; each part goes on where the one before ended."""
    state, before = None, 0
    for cut in cuts:
        part = replace(job, payload=job.payload[before:cut], load=state, save=True, decrypt=False, asked=0, tag=b"")
        yield part
        state, before = run(part).state, cut
    yield replace(job, payload=job.payload[before:], load=state)


ONE_OF_EACH = {family(opcode): opcode for opcode in reversed(HASHES)}.values()


@both_forms
@pytest.mark.parametrize("opcode", [*HASHES, *MACS], ids=lambda opcode: f"{opcode:02x}")
def test_messages_in_parts(tmp_path: Path, opcode: int) -> None:
    """Saved and resumed at every byte of two blocks (of one function of each family, at every ninth of the others), and with
    parts of any length, empty ones too.
    """
    rng = random.Random(f"parts {opcode}")
    jobs = JobList()
    block = algorithm_of(opcode).block
    for slot in range(3):
        if opcode in MACS:
            jobs.load(slot, opcode, rng.randbytes(rng.choice([20, 64])))
    for cut in range(0, 2 * block + 2, 1 if opcode in ONE_OF_EACH else 9):
        job = random_job(rng, opcode, 2 * block + 1, spoil=0)
        if opcode in MACS and cut % 2:
            job = in_slot(rng, jobs, job)
        for part in parts_of(rng, job, [cut]):
            jobs.add(part)
    for _ in range(12):
        job = random_job(rng, opcode, rng.randrange(3 * block), spoil=0)
        for part in parts_of(rng, job, sorted(rng.randrange(len(job.payload) + 1) for _ in range(rng.randrange(1, 5)))):
            jobs.add(part)
    jobs.note("R")
    jobs.play(tmp_path)


@both_forms
@pytest.mark.parametrize("seed", range(3))
def test_everything_at_once(tmp_path: Path, seed: int) -> None:
    """Sixteen streams of mixed algorithms and keys, words, room and ports that come and go, keys loaded meanwhile."""
    rng = random.Random(f"mix {seed}")
    jobs = JobList()
    for n in range(500):
        if n % 25 == 0:
            jobs.load(rng.randrange(32), rng.choice(MACS), rng.randbytes(rng.randrange(65)))
        opcode = rng.choice([*HASHES, *MACS])
        job = random_job(rng, opcode, rng.choice([0, rng.randrange(100), rng.randrange(100), rng.randrange(900)]))
        if opcode in MACS and any(kind == opcode for kind, _ in jobs.slots.values()):
            job = in_slot(rng, jobs, job)
        if rng.random() < 0.3:
            cut = rng.randrange(len(job.payload) + 1)
            parts = list(
                parts_of(rng, replace(job, payload=job.payload[cut:]), [rng.randrange(len(job.payload) - cut + 1)])
            )
            job = parts[0]
        jobs.add(job, abort=rng.randrange(300) if rng.random() < 0.1 else -1)
    jobs.note("R")
    jobs.note("A")
    jobs.note("P")
    words, room, gap, grant = [(100, 100, 0, 100), (30, 100, 9, 60), (70, 40, 3, 30)][seed]
    jobs.play(tmp_path, seed=seed, in_=words, out=room, gap=gap, grant=grant, watch=1)


def test_words_of_the_block_before_are_hidden(tmp_path: Path) -> None:
    """Words for all units in most cycles leave no time to clear a buffer before a block that fills only two slots of it."""
    rng = random.Random("hidden")
    jobs = JobList()
    for n in range(240):
        opcode, length = [(0x24, 129 + n % 8), (0x29, 1500), (0x22, 1500), (0x21, 65)][n % 4]
        jobs.add(random_job(rng, opcode, length))
    jobs.play(tmp_path)


@both_forms
@pytest.mark.parametrize("opcode", [0x22, 0x24, 0x2C, 0x30, 0x34, 0x39, 0x3D], ids=lambda opcode: f"{opcode:02x}")
def test_aborts(tmp_path: Path, opcode: int) -> None:
    """An abort in every cycle of a job is answered, leaves nothing behind and harms no neighbour."""
    rng = random.Random(f"aborts {opcode}")
    jobs = JobList()
    for after in range(260):
        job = random_job(rng, opcode, 200)
        if opcode == 0x2C:
            job.asked = 400
        jobs.add(job, abort=after)
        jobs.add(random_job(rng, rng.choice([*HASHES, *MACS]), rng.randrange(90)))
    jobs.note("P")
    jobs.play(tmp_path, in_=70, gap=5, watch=1)


@both_forms
def test_every_bit_of_a_wrong_mac_counts(tmp_path: Path) -> None:
    rng = random.Random("macs")
    jobs = JobList()
    for opcode in (0x30, 0x34, 0x3B, 0x3C):
        for asked in (4, 17, 64 if opcode != 0x30 else 20):
            job = Job(opcode, rng.randbytes(20), rng.randbytes(20), inline=True, asked=asked)
            good = verified(rng, job, spoil=0)
            assert jobs.add(good).status == OK
            for bit in range(8 * asked):
                tag = bytearray(good.tag)
                tag[bit // 8] ^= 1 << bit % 8
                assert jobs.add(replace(good, tag=bytes(tag))).status == AUTH_FAILED
    jobs.play(tmp_path)


@both_forms
def test_zeroised_slots(tmp_path: Path) -> None:
    """Nothing is left of a slot that was zeroised, and its neighbours still work."""
    rng = random.Random("zeroise")
    jobs = JobList()
    jobs.note("P")  # the walk after reset has wiped what the memories held
    for slot in range(32):
        jobs.load(slot, rng.choice(MACS), rng.randbytes(32))
    for slot in rng.sample(range(32), 16):
        jobs.note(f"Z {slot}")
        del jobs.slots[slot]
        for other, (opcode, _) in list(jobs.slots.items())[:3]:
            job = random_job(rng, opcode, 40)
            job = replace(job, key=jobs.slots[other][1], slot=other, inline=False, prepared=False, decrypt=False)
            jobs.add(replace(job, tag=b""))
    jobs.note("R")
    for slot in list(jobs.slots):
        jobs.note(f"Z {slot}")
    jobs.note("P")
    jobs.play(tmp_path)


@both_forms
def test_keys_that_are_refused(tmp_path: Path) -> None:
    rng = random.Random("refused keys")
    jobs = JobList()
    jobs.load(1, 0x32, rng.randbytes(32))
    for kind, size in ((0x22, 16), (0x37, 16), (0x3E, 16), (0x3F, 16), (0x32, 65), (0x3C, 127)):
        jobs.load(2, kind, rng.randbytes(size), refused=True)
    jobs.add(in_slot(rng, jobs, random_job(rng, 0x32, 50)))
    jobs.note("Z 1")
    jobs.note("P")
    jobs.play(tmp_path)


@both_forms
def test_lengths_beyond_2_to_the_61(tmp_path: Path) -> None:
    """FIPS 180-4 hashes messages of less than 2^64 bits, which a loaded state can claim to have reached."""
    jobs = JobList()
    for opcode in (0x22, 0x24, 0x2A):
        algorithm = algorithm_of(opcode)
        for count, expected in ((2**61 - 128, OK), (2**61, BAD_LENGTH), (2**64 - 128, BAD_LENGTH)):
            state = pack_state(algorithm, count, algorithm.initial, b"")
            result = jobs.add(Job(opcode, bytes(64), load=state))
            assert result.status == (OK if opcode == 0x2A else expected)
        state = pack_state(algorithm, 2**61 - 128, algorithm.initial, b"")
        assert jobs.add(Job(opcode, bytes(128), load=state)).status == (OK if opcode == 0x2A else BAD_LENGTH)
    jobs.play(tmp_path)


SETTINGS = [
    {"Sha256Units": 1, "Sha512Units": 1, "KeccakUnits": 2, "ShaRounds": 1, "KeccakRounds": 2},
    {"Sha256Units": 0, "Sha512Units": 0, "KeccakUnits": 1, "KeccakRounds": 4},
]
SLOW_SETTINGS = [
    {"Sha256Units": 2, "Sha512Units": 1, "KeccakUnits": 1, "ShaRounds": 4, "KeccakRounds": 3},
    {"Sha256Units": 1, "Sha512Units": 0, "KeccakUnits": 0, "ShaRounds": 1},
    {"Sha256Units": 0, "Sha512Units": 1, "KeccakUnits": 0, "ShaRounds": 2},
]


@pytest.mark.parametrize(
    "setting",
    [*SETTINGS, *(pytest.param(setting, marks=pytest.mark.slow) for setting in SLOW_SETTINGS)],
    ids=str,
)
def test_other_settings(tmp_path: Path, setting: dict[str, int]) -> None:
    rng = random.Random("settings")
    jobs = JobList(**setting)
    there = [opcode for opcode in (*HASHES, *MACS) if jobs.families[family(opcode)]]
    for n in range(200):
        opcode = rng.choice(there)
        job = random_job(rng, opcode, rng.randrange(400))
        jobs.add(job, abort=rng.randrange(300) if n % 10 == 0 else -1)
    jobs.note("P")
    jobs.play(tmp_path, in_=80, grant=80, watch=1)
