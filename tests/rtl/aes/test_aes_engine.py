# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The engine, word by word, against the model; the fully unrolled one in the fast tests, all settings in the slow ones."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
import threegpp
from _pytest.mark import ParameterSet
from joblist import MODES, Build, JobList, model, play, random_job, sealed

OTHERS = [*(Build(stages) for stages in (7, 2, 1)), Build(sbox_memory=True), Build(1, gates=True)]


def slow(builds: list[Build]) -> list[ParameterSet]:
    return [pytest.param(build, marks=pytest.mark.slow) for build in builds]


every_setting = pytest.mark.parametrize("build", [Build(), *slow([Build(1, sbox_memory=True), *OTHERS])], ids=str)


def new_key(rng: random.Random, mode: int) -> tuple[bytes, bytes]:
    sizes = [16, 32] if mode == model.XTS else [16] if mode in model.RADIO else [16, 24, 32]
    key = rng.randbytes(rng.choice(sizes))
    return key, rng.randbytes(len(key)) if mode == model.XTS else b""


@pytest.mark.parametrize("build", [Build(), Build(1, sbox_memory=True), *slow(OTHERS)], ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_lengths_and_keys(tmp_path: Path, build: Build, mode: str) -> None:
    """Every length from 0 to 70, key length, direction, key in a slot and inline."""
    rng = random.Random(f"lengths {mode}")
    jobs = JobList()
    opcode = MODES[mode]
    for size in (16, 24, 32):
        if (mode == "XTS" and size == 24) or (opcode in model.RADIO and size != 16):
            continue
        tweak = rng.randbytes(size) if mode == "XTS" else b""
        slot_of_size = size // 8
        jobs.load_keys(slot_of_size, rng.randbytes(size), tweak)
        for length in range(71):
            if mode in ("ECB", "CBC") and length % 16:
                continue
            for decrypt in (False, True):
                slot = rng.choice([slot_of_size, None])
                key = jobs.slots[slot][0] if slot else rng.randbytes(size)
                jobs.add(random_job(rng, opcode, decrypt, length, key, tweak, slot))
    for length in (255, 256, 1000, 4097):
        for decrypt in (False, True):
            key, tweak = new_key(rng, opcode)
            jobs.add(random_job(rng, opcode, decrypt, length, key, tweak))
    jobs.note("R")
    play(jobs, tmp_path, build)


@every_setting
@pytest.mark.parametrize("mode", ["GCM", "CCM"])
def test_lengths_of_aad(tmp_path: Path, build: Build, mode: str) -> None:
    rng = random.Random(f"aad {mode}")
    jobs = JobList()
    # From 65,280 bytes on CCM writes the length of the AAD in six bytes (SP 800-38C A.2.2).
    for aad in [*range(50), 65279, 65280]:
        for decrypt in (False, True):
            key, _ = new_key(rng, MODES[mode])
            jobs.add(random_job(rng, MODES[mode], decrypt, rng.choice([0, 1, 16, 33]), key, aad_length=aad))
    play(jobs, tmp_path, build)


@every_setting
def test_lengths_of_iv(tmp_path: Path, build: Build) -> None:
    rng = random.Random("iv")
    jobs = JobList()
    for length in [*range(1, 50), 128, 1000]:
        for opcode in (model.GCM, model.GMAC):
            key, _ = new_key(rng, opcode)
            jobs.add(random_job(rng, opcode, rng.random() < 0.5, rng.choice([0, 5, 32]), key, iv_length=length))
    play(jobs, tmp_path, build)


def test_counters_wrap(tmp_path: Path) -> None:
    """CTR counts in 128 bits, GCM in 32: J0 of a long IV may be anything, so the carry comes from a saved state."""
    rng = random.Random("wrap")
    jobs = JobList()
    for ones in (1, 4, 8, 12, 15, 16):
        iv = rng.randbytes(16 - ones) + b"\xff" * ones
        jobs.add(replace(random_job(rng, model.CTR, False, 70, rng.randbytes(32)), iv=iv))
        job = random_job(rng, model.GCM, False, 70, rng.randbytes(32), aad_length=0)
        state = iv + rng.randbytes(16) + bytes(8) + (16 * rng.randrange(2**36)).to_bytes(8, "little")
        jobs.add(replace(job, load=state, long_iv=None))
    play(jobs, tmp_path)


@every_setting
@pytest.mark.parametrize("seed", range(3))
def test_everything_at_once(tmp_path: Path, build: Build, seed: int) -> None:
    """Sixteen streams of mixed modes and keys, words and room that come and go, keys loaded meanwhile."""
    rng = random.Random(f"mix {seed}")
    jobs = JobList()
    for n in range(600):
        opcode = rng.choice(list(MODES.values()))
        if n % 40 == 0:
            size = rng.choice([16, 24, 32])
            jobs.load_keys(rng.randrange(32), rng.randbytes(size))
            size = rng.choice([16, 32])
            jobs.load_keys(rng.randrange(32), rng.randbytes(size), rng.randbytes(size))
        fitting = [s for s, (_, tweak) in jobs.slots.items() if bool(tweak) == (opcode == model.XTS)]
        fitting = [s for s in fitting if opcode not in model.RADIO or len(jobs.slots[s][0]) == 16]
        slot = rng.choice([*fitting, None]) if fitting else None
        key, tweak = jobs.slots[slot] if slot is not None else new_key(rng, opcode)
        length = rng.choice([0, 16, rng.randrange(100), rng.randrange(100), rng.randrange(700)])
        job = random_job(rng, opcode, rng.random() < 0.5, length, key, tweak, slot)
        jobs.add(job, abort=rng.randrange(120) if rng.random() < 0.1 else -1)
    jobs.note("R")
    jobs.note("A")
    jobs.note("P")
    words, room, gap = [(100, 100, 0), (30, 100, 9), (70, 40, 3)][seed]
    play(jobs, tmp_path, build, seed=seed, in_=words, out=room, gap=gap)


@every_setting
def test_aborts(tmp_path: Path, build: Build) -> None:
    """An abort in every cycle of a job is answered, leaves nothing behind and harms no neighbour."""
    rng = random.Random("aborts")
    jobs = JobList()
    for opcode in MODES.values():
        for after in range(0, 90, 1 if opcode in (model.XTS, model.CCM) else 3):
            key, tweak = new_key(rng, opcode)
            jobs.add(random_job(rng, opcode, after % 2 == 1, 100, key, tweak), abort=after)
            other = rng.choice(list(MODES.values()))
            key, tweak = new_key(rng, other)
            jobs.add(random_job(rng, other, after % 3 == 1, rng.randrange(60), key, tweak))
    jobs.note("P")
    play(jobs, tmp_path, build, in_=60, gap=5)


@every_setting
@pytest.mark.parametrize("mode", ["GCM", "GMAC", "XTS", "CMAC"])
def test_messages_in_parts(tmp_path: Path, build: Build, mode: str) -> None:
    rng = random.Random(f"parts {mode}")
    jobs = JobList()
    opcode = MODES[mode]
    for _ in range(24):
        key, tweak = new_key(rng, opcode)
        decrypt = rng.random() < 0.5
        whole = random_job(rng, opcode, decrypt, rng.randrange(17, 200), key, tweak)
        expected = model.run(whole)
        rest, state, payload = whole.payload, None, b""
        while True:
            # The last part of an XTS or CMAC message is not empty, of XTS a whole block at least.
            limit = (len(rest) - (16 if mode == "XTS" else 1)) // 16
            blocks = rng.randrange(min(1, limit) if mode == "XTS" else 0, limit + 1) if limit > 0 else 0
            last = limit <= 0 or rng.random() < 0.4 or (mode == "XTS" and blocks == 0)
            part = replace(whole, payload=rest if last else rest[: 16 * blocks], load=state)
            if state is not None:
                part.aad = b""
            if not last:
                part.save, part.append = True, False
            result = jobs.add(part)
            rest = rest[len(part.payload) :]
            payload, state = payload + result.payload, result.state
            if last:
                break
        assert (result.status, result.tag, payload) == (expected.status, expected.tag, expected.payload)
    jobs.note("P")
    play(jobs, tmp_path, build)


def test_every_bit_of_a_wrong_tag_counts(tmp_path: Path) -> None:
    rng = random.Random("tags")
    jobs = JobList()
    key = rng.randbytes(16)
    jobs.load_keys(0, key)
    for opcode in model.TAGGED:
        for length in {model.CCM: (4, 16), model.EIA2: (4,)}.get(opcode, (4, 13, 16)):
            good = random_job(rng, opcode, False, 20, key, slot=0, tag_length=length, aad_length=3)
            good = sealed(rng, replace(good, append=False), spoil=False)
            good.decrypt = True
            assert jobs.add(good).status == model.OK
            for bit in range(8 * length):
                tag = bytearray(good.tag)
                tag[bit // 8] ^= 1 << bit % 8
                assert jobs.add(replace(good, tag=bytes(tag))).status == model.AUTH_FAILED
    play(jobs, tmp_path)


@every_setting
def test_zeroised_slots(tmp_path: Path, build: Build) -> None:
    """Nothing is left of a slot that was zeroised, and its neighbours still work."""
    rng = random.Random("zeroise")
    jobs = JobList()
    jobs.note("P")  # the walk after reset has wiped what the memories held
    for slot in range(32):
        opcode = model.XTS if slot % 3 == 0 else model.GCM
        jobs.load_keys(slot, *new_key(rng, opcode))
    for slot in rng.sample(range(32), 16):
        jobs.note(f"Z {slot}")
        del jobs.slots[slot]
        for other, (key, tweak) in list(jobs.slots.items())[:3]:
            opcode = model.XTS if tweak else model.GCM
            jobs.add(random_job(rng, opcode, rng.random() < 0.5, 40, key, tweak, other))
    for slot in list(jobs.slots):
        jobs.note(f"Z {slot}")
    for _ in range(40):  # some job in every stream, which wipes its state
        jobs.add(random_job(rng, model.GCM, False, 16, rng.randbytes(32)))
    jobs.note("P")
    play(jobs, tmp_path, build)


def test_3gpp_sets(tmp_path: Path) -> None:
    """128-EEA2 and 128-EIA2 of TS 33.401 annex C, lengths in bits included."""
    jobs = JobList()
    for one in threegpp.sets("128-EEA2", "128-EIA2"):
        opcode = model.EEA2 if one.algorithm == "128-EEA2" else model.EIA2
        way = bytes([one.direction << 5 | one.bearer, 0, 0, 0, one.bits % 8, 0, 0, 0])
        job = model.Job(opcode, one.key, iv=one.count.to_bytes(4, "little") + bytes(4) + way, payload=one.input)
        job.tag_length = 4 if opcode == model.EIA2 else 0
        result = jobs.add(job)
        assert (result.tag[:4] if opcode == model.EIA2 else result.payload) == one.output
    play(jobs, tmp_path)


def test_build_without_decryption(tmp_path: Path) -> None:
    rng = random.Random("encrypt only")
    jobs = JobList(enable_decrypt=False)
    for n in range(300):
        opcode = rng.choice(list(MODES.values()))
        decrypt = rng.random() < 0.5 and opcode not in (model.ECB, model.CBC, model.XTS)
        key, tweak = new_key(rng, opcode)
        slot = n % 32 if n % 3 == 0 else None
        if slot is not None:
            jobs.load_keys(slot, key, tweak)
        jobs.add(random_job(rng, opcode, decrypt, rng.randrange(80), key, tweak, slot))
    jobs.note("R")
    jobs.note("A")
    jobs.note("P")
    play(jobs, tmp_path, Build(1, decrypt=False))
