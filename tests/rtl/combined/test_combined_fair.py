# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""AES and the hash engine behind one multiplexer, with a hostile queue: combined jobs and jobs of each engine alone."""

from __future__ import annotations

import random
from pathlib import Path

import fair
import hash_jobs
import pytest
from combined_jobs import Job, JobList, aes, random_job, random_keys

CTR, CBC, PAIR = aes.CTR, aes.CBC, 4


class Mixed(JobList):
    """Takes plain jobs of both engines beside combined ones; keys of AES are in slot 0, pairs from slot 4 on."""

    def __init__(self) -> None:
        super().__init__()
        rng = random.Random("keys")
        self.load_keys(0, random_keys(rng, 0))
        for n in range(8):
            self.load_keys(PAIR + n, random_keys(rng, 0x70 + n))

    def add(self, job: Job | hash_jobs.Job, abort: int = -1) -> None:
        if isinstance(job, hash_jobs.Job):
            self.add_hash(job, abort)
        elif job.slot == 0:
            self.add_cipher(job, abort)
        else:
            super().add(job, abort)


def pairs(opcode: int, length: int, count: int, aad: int = 20) -> list[Job]:
    rng = random.Random(f"pairs {opcode} {length} {count}")
    return [random_job(rng, Mixed(), PAIR + (opcode & 7), length, aad, spoil=0) for _ in range(count)]


def ciphers(mode: int, length: int, count: int) -> list[Job]:
    rng = random.Random(f"ciphers {mode} {length}")
    return [Job(mode, 0, rng.randbytes(16), payload=rng.randbytes(length), tag_length=0) for _ in range(count)]


def hashes(opcode: int, length: int, count: int) -> list[hash_jobs.Job]:
    rng = random.Random(f"hashes {opcode} {length}")
    return [hash_jobs.random_job(rng, opcode, length, spoil=0) for _ in range(count)]


@pytest.mark.parametrize("opcode", [0x70, 0x71, 0x73, 0x77], ids=lambda opcode: f"{opcode:02x}")
@pytest.mark.parametrize("stop", [1, 2, 6, 10])
def test_pairs_whose_words_do_not_come_hold_neither_engine(tmp_path: Path, opcode: int, stop: int) -> None:
    """AAD arrives, or AAD and some payload: units and rounds stay free for the neighbour's hashes and pairs."""
    hostile = pairs(opcode, 4096, 12)
    plain = 0x24 if opcode & 2 else 0x22
    for name, victims in (("hash", hashes(plain, 1000, 8)), ("pair", pairs(opcode, 1008, 8))):
        where = tmp_path / name
        where.mkdir()
        assert fair.slowdown(Mixed, where, victims, hostile, stop) < 1.3


WORK = {
    "CTR": ciphers(CTR, 12000, 12),
    "CBC": ciphers(CBC, 8000, 12),
    "SHA-1": hashes(0x20, 4000, 12),
    "SHA-512": hashes(0x24, 4000, 12),
    "AES-CBC-HMAC-SHA-1": pairs(0x70, 4000, 12),
    "short AES-CBC-HMAC-SHA-512": pairs(0x73, 2000, 12),
    "CTR and SHA-256": [*ciphers(CTR, 24000, 6), *hashes(0x22, 8000, 6)],
}
OWN = {
    "CTR": ciphers(CTR, 4000, 8),
    "CBC": ciphers(CBC, 1600, 8),
    "SHA-256": hashes(0x22, 2000, 8),
    "SHA-512": hashes(0x24, 2000, 8),
    "AES-CTR-HMAC-SHA-256": pairs(0x75, 1600, 8),
}


@pytest.mark.parametrize("hostile", WORK)
@pytest.mark.parametrize("victim", OWN)
def test_work_of_any_kind_leaves_a_queue_its_share(tmp_path: Path, victim: str, hostile: str) -> None:
    """One word a cycle comes in for both engines together: queues share that port too."""
    assert fair.slowdown(Mixed, tmp_path, OWN[victim], WORK[hostile]) < fair.SHARE


@pytest.mark.parametrize("seed", range(3))
def test_aborts_are_answered_within_their_bound(tmp_path: Path, seed: int) -> None:
    rng = random.Random(f"aborts at once {seed}")
    jobs = Mixed()
    for n in range(10):
        for _ in range(16):
            queue, pace, stop = rng.randrange(1, 4) if n % 2 else 1, rng.choice([0, 9]), rng.choice([-1, 1, 2, 14])
            jobs.note(f"O {queue} 0 15 {pace} {stop}")
            jobs.add(pairs(rng.randrange(0x70, 0x78), 2000, 1, aad=rng.randrange(200))[0])
        jobs.note(f"X {rng.randrange(1, 300)}")
    jobs.note("O 0 0 15 0 -1")
    jobs.add(pairs(0x71, 100, 1)[0])
    jobs.note("R")
    assert jobs.play(tmp_path, seed=seed).slowest_abort <= 256
