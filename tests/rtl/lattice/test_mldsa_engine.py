# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-DSA in the lattice engine, word by word, against the model, NIST's vectors and Wycheproof's."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import lattice_vectors
import pytest
from lattice import mldsa
from lattice_jobs import JobList, model, smallest_too
from lattice_vectors import octets

pytestmark = pytest.mark.usefixtures("butterflies")
every_set = pytest.mark.parametrize("p", mldsa.SETS, ids=lambda p: p.name)
slow_sets = [pytest.param(p, marks=pytest.mark.slow) for p in mldsa.SETS[1:]]


@cache
def key_pair(p: mldsa.Parameters) -> tuple[bytes, bytes]:
    return mldsa.keygen(p, p.name.encode().ljust(32))


@cache
def signed(p: mldsa.Parameters) -> tuple[bytes, bytes, mldsa.Signed]:
    """Of this key pair: mu, rnd, and the signature, found after one round."""
    rng = random.Random(p.name)
    while True:
        mu, rnd = rng.randbytes(64), rng.randbytes(32)
        found = mldsa.sign_mu(p, key_pair(p)[1], mu, rnd)
        if found.rounds == 1:
            return mu, rnd, found


def verification(p: mldsa.Parameters, signature: bytes) -> model.Job:
    return model.dsa_verify(p, key_pair(p)[0], signed(p)[0], signature)


def changed(data: bytes, at: int, value: int) -> bytes:
    return data[:at] + bytes([value]) + data[at + 1 :]


def test_nist_keys(tmp_path: Path) -> None:
    jobs = JobList()
    for vector in lattice_vectors.of("acvp_mldsa_key_gen"):
        job = model.dsa_keygen(mldsa.BY_NAME[vector["parameterSet"]], octets(vector, "seed"))
        assert jobs.add(job).payload == octets(vector, "pk") + octets(vector, "sk")
    assert jobs.count == 3
    jobs.note("R")
    jobs.play(tmp_path)


def test_nist_signatures(tmp_path: Path) -> None:
    jobs = JobList()
    for vector in lattice_vectors.of("acvp_mldsa_sig_gen"):
        p, sk = mldsa.BY_NAME[vector["parameterSet"]], octets(vector, "sk")
        mu = mldsa.h(sk[64:128] + octets(vector, "message"), 64)
        rnd = bytes(32) if vector["deterministic"] else octets(vector, "rnd")
        jobs.add(model.dsa_sign(p, sk, mu, rnd), result=model.Result(model.OK, octets(vector, "signature")))
    assert jobs.count == 6
    jobs.note("R")
    jobs.play(tmp_path)


def test_nist_verification(tmp_path: Path) -> None:
    """Valid ones, and those with another message, commitment, z or hints."""
    jobs = JobList()
    for vector in lattice_vectors.of("acvp_mldsa_sig_ver"):
        p, pk = mldsa.BY_NAME[vector["parameterSet"]], octets(vector, "pk")
        mu = mldsa.mu_of(pk, octets(vector, "message"))
        status = model.OK if vector["testPassed"] else model.AUTH_FAILED
        jobs.add(model.dsa_verify(p, pk, mu, octets(vector, "signature")), result=model.Result(status, b""))
    assert jobs.count == 15
    jobs.play(tmp_path)


def test_wycheproof_verification(tmp_path: Path) -> None:
    """Lengths are the planner's, contexts the driver's; all else is the engine's."""
    jobs = JobList()
    for vector in lattice_vectors.of("mldsa"):
        if vector["type"] != "MlDsaVerify" or len(octets(vector, "ctx")) > 255:
            continue
        p, pk = mldsa.BY_NAME[f"ML-DSA-{vector['file'].split('_')[1]}"], octets(vector, "publicKey")
        mu = mldsa.mu_of(pk, mldsa.formatted(octets(vector, "msg"), octets(vector, "ctx")))
        job = model.dsa_verify(p, pk, mu, octets(vector, "sig"))
        if model.refuse(job, model.KeyInfo()):
            assert jobs.plan(job) == model.BAD_LENGTH
            assert vector["result"] == "invalid"
        else:
            status = model.OK if vector["result"] == "valid" else model.AUTH_FAILED
            jobs.add(job, result=model.Result(status, b""))
    assert jobs.count > 40
    jobs.play(tmp_path)


@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_wycheproof_signatures(tmp_path: Path, long: bool) -> None:
    """Among them those that end in each of the checks, and, `long`, take 65 rounds and more; and keys that are none."""
    jobs = JobList()
    statuses = set()
    for vector in lattice_vectors.of("mldsa"):
        if vector["type"] != "MlDsaSign" or "privateKey" not in vector or len(octets(vector, "ctx")) > 255:
            continue
        if not long and {"ManySteps", "Internal"} <= set(vector["flags"]):
            continue
        p, sk = mldsa.BY_NAME[f"ML-DSA-{vector['file'].split('_')[1]}"], octets(vector, "privateKey")
        formatted = mldsa.formatted(octets(vector, "msg"), octets(vector, "ctx"))
        job = model.dsa_sign(
            p, sk, octets(vector, "mu") or mldsa.h(sk[64:128] + formatted, 64), octets(vector, "rnd") or bytes(32)
        )
        status = model.refuse(job, model.KeyInfo())
        if status:
            assert jobs.plan(job) == status == model.BAD_LENGTH
        else:
            status = model.OK if vector["result"] == "valid" else model.BAD_OPERAND
            jobs.add(job, result=model.Result(status, octets(vector, "sig") or bytes(p.signature_bytes)))
        statuses.add(status)
    assert statuses == {model.OK, model.BAD_LENGTH, model.BAD_OPERAND}
    jobs.note("R")
    jobs.play(tmp_path, patience=5_000_000)  # two butterflies take more than two million cycles for one of them


@smallest_too
@every_set
def test_round_trip(tmp_path: Path, p: mldsa.Parameters) -> None:
    mu, rnd, found = signed(p)
    pk, sk = key_pair(p)
    jobs = JobList()
    assert jobs.add(model.dsa_keygen(p, p.name.encode().ljust(32))).payload == pk + sk
    jobs.add(model.dsa_sign(p, sk, mu, rnd), result=model.Result(model.OK, found.signature))
    jobs.add(verification(p, found.signature), result=model.Result(model.OK, b""))
    jobs.note("R")
    jobs.play(tmp_path)


@pytest.mark.parametrize("p", [mldsa.SETS[0], *slow_sets], ids=lambda p: p.name)
def test_malformed_signatures(tmp_path: Path, p: mldsa.Parameters) -> None:
    """Each bound: of z from both sides in each polynomial; of hints their order, ends, number and what is behind them."""
    rng = random.Random(f"bad {p.name}")
    signature = signed(p)[2].signature
    bits, start = p.gamma1.bit_length(), p.strength // 4
    hints = start + 32 * bits * p.l
    found: list[bytes] = []
    for j in range(p.l):
        for value in (p.beta, p.beta + 1, 2 * p.gamma1 - p.beta - 1, 2 * p.gamma1 - p.beta):
            at, n = start + 32 * bits * j, rng.randrange(256)
            z = int.from_bytes(signature[at : at + 32 * bits], "little")
            z = z & ~((1 << bits) - 1 << bits * n) | value << bits * n
            found.append(signature[:at] + z.to_bytes(32 * bits, "little") + signature[at + 32 * bits :])
    ends = [signature[hints + p.omega + i] for i in range(p.k)]
    first = next(i for i in range(p.k) if ends[i] - (ends[i - 1] if i else 0) > 1)
    at = hints + (ends[first - 1] if first else 0)
    found.append(changed(signature, at + 1, signature[at]))  # the same place twice
    found.append(changed(changed(signature, at, signature[at + 1]), at + 1, signature[at]))  # falling
    for i in range(p.k):
        for value in (ends[i] - 1, ends[i] + 1, p.omega, p.omega + 1, 127, 128, 255, 0):
            if 0 <= value <= 255:
                found.append(changed(signature, hints + p.omega + i, value))
    found += [changed(signature, hints + n, 1) for n in (ends[-1], p.omega - 1) if n >= ends[-1]]
    found += [changed(signature, at, signature[at] ^ 1 << rng.randrange(8)) for at in (0, start - 1, start, hints)]
    jobs = JobList()
    for each in found:
        jobs.add(verification(p, each))
    jobs.add(verification(p, signature), result=model.Result(model.OK, b""))
    jobs.play(tmp_path)


@every_set
def test_private_keys_that_are_none(tmp_path: Path, p: mldsa.Parameters) -> None:
    """A coefficient of s1 or s2 out of range; nothing but zeros leaves. A key with another t0 gives a signature, or none."""
    rng = random.Random(f"keys {p.name}")
    sk, (mu, rnd, _) = key_pair(p)[1], signed(p)
    bits = (2 * p.eta).bit_length()
    jobs = JobList()
    for polynomial in (0, p.l - 1, p.l, p.k + p.l - 1):
        at, n = 128 + 32 * bits * polynomial, rng.randrange(256)
        for value in (2 * p.eta + 1, (1 << bits) - 1):
            s = int.from_bytes(sk[at : at + 32 * bits], "little") & ~((1 << bits) - 1 << bits * n) | value << bits * n
            job = model.dsa_sign(p, sk[:at] + s.to_bytes(32 * bits, "little") + sk[at + 32 * bits :], mu, rnd)
            result = jobs.add(job)
            assert (result.status, any(result.payload)) == (model.BAD_OPERAND, False)
    jobs.note("R")
    jobs.play(tmp_path)


@pytest.mark.slow
def test_signatures_that_are_not_found(tmp_path: Path) -> None:
    """A build that gives up after two rounds: zeros leave in place of a signature of the third one."""
    p, sk = mldsa.SETS[0], key_pair(mldsa.SETS[0])[1]
    rng = random.Random("rounds")
    jobs = JobList(MostRounds=2)
    statuses = set()
    while jobs.count < 8:
        mu = rng.randbytes(64)
        found = mldsa.sign_mu(p, sk, mu)
        ok = found.rounds <= 2
        status = model.OK if ok else model.BAD_OPERAND
        payload = found.signature if ok else bytes(p.signature_bytes)
        jobs.add(model.dsa_sign(p, sk, mu), result=model.Result(status, payload))
        statuses.add(status)
    assert len(statuses) == 2
    jobs.note("R")
    jobs.play(tmp_path)


def random_job(rng: random.Random) -> model.Job:
    """Of ML-DSA, or of ML-KEM: both use the same memory."""
    if rng.random() < 0.3:
        return model.keygen(rng.choice(model.mlkem.SETS), rng.randbytes(32), rng.randbytes(32))
    p = rng.choice(mldsa.SETS)
    opcode = rng.choice(model.DSA_OPCODES)
    mu, rnd, found = signed(p)
    if opcode == model.MLDSA_KEYGEN:
        return model.dsa_keygen(p, rng.randbytes(32))
    if opcode == model.MLDSA_SIGN:
        return model.dsa_sign(p, key_pair(p)[1], mu, rnd)
    return verification(p, found.signature if rng.random() < 0.5 else changed(found.signature, 50, 1))


@pytest.mark.parametrize(
    ("seed", "count", "options"),
    [
        (0, 8, {"gate": 1}),
        (1, 8, {"in_": 20, "gap": 90, "gate": 1}),
        (2, 8, {"grant": 20, "in_": 60, "out": 60}),
        (3, 8, {"out": 3, "streams": 5}),
        *(pytest.param(seed, 200, {"grant": 60, "in_": 50, "out": 50}, marks=pytest.mark.slow) for seed in (4, 5)),
    ],
)
def test_everything_at_once(tmp_path: Path, seed: int, count: int, options: dict[str, int]) -> None:
    rng = random.Random(f"mix {seed}")
    jobs = JobList()
    for _ in range(count):
        jobs.add(random_job(rng), abort=rng.randrange(9000) if rng.random() < 0.2 else -1)
    jobs.note("R")
    jobs.note("A")
    jobs.play(tmp_path, seed=seed, **options)


@smallest_too
def test_aborts(tmp_path: Path) -> None:
    """An abort at any time of a job is answered, leaves nothing behind and harms no neighbour."""
    rng = random.Random("aborts")
    jobs = JobList()
    p = mldsa.SETS[1]
    mu, rnd, found = signed(p)
    kept = [
        model.dsa_keygen(p, rng.randbytes(32)),
        model.dsa_sign(p, key_pair(p)[1], mu, rnd),
        verification(p, found.signature),
    ]
    results = [model.run(job) for job in kept]
    for n, after in enumerate(range(0, 12000, 431)):
        jobs.add(kept[n % 3], abort=after, result=results[n % 3])
        jobs.note("R")
        if n % 4 == 0:
            jobs.add(kept[2 - n % 3], result=results[2 - n % 3])
    played = jobs.play(tmp_path)
    assert played.slowest_abort <= 3
