# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lattice engine, word by word, against the model."""

from __future__ import annotations

import random
from pathlib import Path

import lattice_vectors
import pytest
from lattice import mlkem
from lattice_jobs import JobList, model, smallest_too
from lattice_vectors import octets

pytestmark = pytest.mark.usefixtures("butterflies")
every_set = pytest.mark.parametrize("p", mlkem.SETS, ids=lambda p: p.name)


def spoilt(rng: random.Random, data: bytes, start: int = 0, end: int | None = None) -> bytes:
    """One bit of a range is another one."""
    at = rng.randrange(start, len(data) if end is None else end)
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


@smallest_too
@every_set
def test_round_trip(tmp_path: Path, p: mlkem.Parameters) -> None:
    rng = random.Random(p.name)
    jobs = JobList()
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = mlkem.keygen(p, d, z)
    assert jobs.add(model.keygen(p, d, z)).payload == dk
    sent = jobs.add(model.encapsulate(p, ek, m)).payload
    c, key = sent[:-32], sent[-32:]
    assert jobs.add(model.decapsulate(p, dk, c)).payload == key
    assert jobs.add(model.decapsulate(p, dk, spoilt(rng, c))).payload != key
    jobs.note("R")
    jobs.play(tmp_path)


def test_nist_vectors(tmp_path: Path) -> None:
    jobs = JobList()
    for vector in lattice_vectors.of("acvp_mlkem_key_gen"):
        job = model.keygen(mlkem.BY_NAME[vector["parameterSet"]], octets(vector, "d"), octets(vector, "z"))
        assert jobs.add(job).payload == octets(vector, "dk")
    for vector in lattice_vectors.of("acvp_mlkem_encap"):
        p = mlkem.BY_NAME[vector["parameterSet"]]
        if vector["function"] == "encapsulation":
            job = model.encapsulate(p, octets(vector, "ek"), octets(vector, "m"))
            assert jobs.add(job).payload == octets(vector, "c") + octets(vector, "k")
        job = model.decapsulate(p, octets(vector, "dk"), octets(vector, "c"))
        assert jobs.add(job).payload == octets(vector, "k")
    assert jobs.count == 30
    jobs.play(tmp_path)


def test_wycheproof(tmp_path: Path) -> None:
    """Lengths are the planner's; keys that are none make BAD_OPERAND."""
    jobs = JobList()
    statuses = set()
    for vector in lattice_vectors.of("mlkem"):
        p = mlkem.BY_NAME[vector["parameterSet"]]
        if vector["type"] == "MLKEMEncapsTest":
            job = model.encapsulate(p, octets(vector, "ek"), octets(vector, "m"))
            expected = octets(vector, "c") + octets(vector, "K")
        elif "dk" in vector and "c" in vector:
            job = model.decapsulate(p, octets(vector, "dk"), octets(vector, "c"))
            expected = octets(vector, "K")
        else:
            continue
        status = model.refuse(job, model.KeyInfo())
        if status:
            assert jobs.plan(job) == status == model.BAD_LENGTH
        else:
            result = jobs.add(job)
            status = result.status
            assert result.payload == expected or vector["result"] == "invalid"
        assert (status == model.OK) == (vector["result"] == "valid")
        statuses.add(status)
    assert statuses == {model.OK, model.BAD_LENGTH, model.BAD_OPERAND}
    jobs.play(tmp_path)


@every_set
def test_keys_that_are_none(tmp_path: Path, p: mlkem.Parameters) -> None:
    """Each coefficient's bound in ek; each part of dk that its hash covers. Nothing but zeros leaves."""
    rng = random.Random(f"bad {p.name}")
    ek, dk = mlkem.keygen(p, rng.randbytes(32), rng.randbytes(32))
    _, c = mlkem.encapsulate(p, ek, rng.randbytes(32))
    jobs = JobList()
    for polynomial in range(p.k):
        for value in (mlkem.Q - 1, mlkem.Q, 4095):
            t = mlkem.byte_decode(12, ek[384 * polynomial : 384 * (polynomial + 1)])
            t[rng.randrange(256)] = value
            changed = ek[: 384 * polynomial] + mlkem.byte_encode(12, t) + ek[384 * (polynomial + 1) :]
            result = jobs.add(model.encapsulate(p, changed, rng.randbytes(32)))
            assert (result.status == model.OK) == (value < mlkem.Q)
    at = 384 * p.k
    for start, end in ((at, at + 384), (2 * at - 384, 2 * at), (2 * at, 2 * at + 32), (2 * at + 32, 2 * at + 64)):
        result = jobs.add(model.decapsulate(p, spoilt(rng, dk, start, end), c))
        assert (result.status, any(result.payload)) == (model.BAD_OPERAND, False)
    for start, end in ((0, at), (2 * at + 64, 2 * at + 96)):
        assert jobs.add(model.decapsulate(p, spoilt(rng, dk, start, end), spoilt(rng, c))).status == model.OK
    # ByteDecode takes coefficients of s modulo q.
    assert jobs.add(model.decapsulate(p, b"\xff" * at + dk[at:], c)).status == model.OK
    jobs.note("R")
    jobs.play(tmp_path)


def random_job(rng: random.Random) -> model.Job:
    p = rng.choice(mlkem.SETS)
    d, z, m = (rng.randbytes(32) for _ in range(3))
    opcode = rng.choice(model.KEM_OPCODES)
    if opcode == model.MLKEM_KEYGEN:
        return model.keygen(p, d, z)
    ek, dk = mlkem.keygen(p, d, z)
    if opcode == model.MLKEM_ENCAPSULATE:
        return model.encapsulate(p, ek, m)
    _, c = mlkem.encapsulate(p, ek, m)
    return model.decapsulate(p, dk, c if rng.random() < 0.5 else spoilt(rng, c))


@pytest.mark.parametrize(
    ("seed", "count", "options"),
    [
        (0, 12, {"gate": 1}),
        (1, 12, {"in_": 20, "gap": 90, "gate": 1}),
        (2, 12, {"grant": 20, "in_": 60, "out": 60}),
        (3, 12, {"out": 3, "streams": 5}),
        *(pytest.param(seed, 500, {"grant": 60, "in_": 50, "out": 50}, marks=pytest.mark.slow) for seed in (4, 5)),
    ],
)
def test_everything_at_once(tmp_path: Path, seed: int, count: int, options: dict[str, int]) -> None:
    """All operations, words, room and grants that come and go, aborts, the clock stopped where nothing happens."""
    rng = random.Random(f"mix {seed}")
    jobs = JobList()
    for _ in range(count):
        jobs.add(random_job(rng), abort=rng.randrange(5000) if rng.random() < 0.2 else -1)
    jobs.note("R")
    jobs.note("A")
    jobs.play(tmp_path, seed=seed, **options)


@smallest_too
def test_aborts(tmp_path: Path) -> None:
    """An abort at any time of a job is answered, leaves nothing behind and harms no neighbour."""
    rng = random.Random("aborts")
    jobs = JobList()
    kept = [random_job(rng) for _ in range(6)]
    for n, after in enumerate(range(0, 2600, 139)):
        jobs.add(kept[n % 6], abort=after)
        jobs.note("R")
        if n % 4 == 0:
            jobs.add(kept[-1 - n % 6])
    played = jobs.play(tmp_path)
    assert played.slowest_abort <= 3


@pytest.mark.parametrize("step", [37, pytest.param(1, marks=pytest.mark.slow)])
def test_every_length(tmp_path: Path, step: int) -> None:
    """Of each operation and parameter set one length of AAD and one of payload is planned, every other one is refused."""
    jobs = JobList()
    for opcode in model.OPCODES:
        for k in (4, 6, 8) if opcode in model.DSA_OPCODES else (2, 3, 4):
            expected = model.sizes(opcode, k)
            assert expected is not None
            right = expected[:2]
            for which, length in enumerate(right):
                tried = {length - 1, length, length + 1, length + (1 << 16), length + (1 << 31), *range(0, 9000, step)}
                for wrong in sorted(tried - {-1}):
                    lengths = (wrong, right[1]) if which == 0 else (right[0], wrong)
                    job = model.Job(opcode, iv=k.to_bytes(16, "little"), aad_length=lengths[0], length=lengths[1])
                    job.flags = {"inline"} if opcode in model.INLINE_KEY else set()
                    # Key generation without a payload is that of a key in a slot, and there is none.
                    refused = model.BAD_KEY if job.slotted else model.BAD_LENGTH
                    assert jobs.plan(job) == (model.OK if lengths == right else refused)
    assert len(jobs.lines) > 2 * 6 * 3 * 9000 // step
    jobs.play(tmp_path)


def test_plans(tmp_path: Path) -> None:
    rng = random.Random("plans")
    jobs = JobList()
    seen = set()
    for _ in range(4000):
        opcode = rng.choice(model.OPCODES)
        k = rng.choice([4, 6, 8] if opcode in model.DSA_OPCODES else [2, 3, 4])
        expected = model.sizes(opcode, k)
        assert expected is not None
        aad, payload, _ = expected
        job = model.Job(opcode, iv=k.to_bytes(16, "little"), aad_length=aad, length=payload)
        job.flags = {"inline"} if opcode in model.INLINE_KEY else set()
        if rng.random() < 0.2:
            job.opcode = rng.randrange(256)
        if rng.random() < 0.3:
            job.flags ^= {rng.choice(model.FLAGS)}
        if rng.random() < 0.3:
            job.iv = rng.choice([n.to_bytes(16, "little") for n in (0, 2, 3, 5, 6, 7, 8, 10, 12, 20, 1 << 72)])
        if rng.random() < 0.2:
            job.aad_length = rng.choice([0, 1, aad + 1, aad ^ 16, aad + 8192, 32, rng.getrandbits(32)])
        if rng.random() < 0.2:
            job.length = rng.choice([0, payload + 1, payload ^ 32, payload + 65536, 64])
        job.key_field = rng.choice([0, 0, 0, 1, 128])
        seen.add(jobs.plan(job))
    assert seen == {model.OK, model.BAD_OPCODE, model.BAD_FLAGS, model.BAD_LENGTH, model.BAD_IV, model.BAD_KEY}
    jobs.play(tmp_path)
