# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The cycles of ML-DSA in the lattice engine, as rtl/lattice/README.md states them, and that no secret changes them."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from lattice import mldsa
from lattice_jobs import JobList, model, smallest_too

every_set = pytest.mark.parametrize("p", mldsa.SETS, ids=lambda p: p.name)
slow_sets = [pytest.param(p, marks=pytest.mark.slow) for p in mldsa.SETS[1:]]
# Cycles of key generation, of a signature found in the first round, of each other round, of verification; from the command
# to the result. What RejNTTPoly, RejBoundedPoly and SampleInBall reject makes some more or less.
MOST = {
    8: {
        "ML-DSA-44": (3800, 7100, 4250, 3300),
        "ML-DSA-65": (6600, 10700, 6050, 5500),
        "ML-DSA-87": (10600, 16300, 10750, 9400),
    },
    4: {
        "ML-DSA-44": (5500, 12350, 8250, 5400),
        "ML-DSA-65": (9150, 18100, 11850, 8150),
        "ML-DSA-87": (14600, 25450, 18150, 13350),
    },
    2: {
        "ML-DSA-44": (10550, 24350, 16300, 10650),
        "ML-DSA-65": (17600, 35700, 23500, 16000),
        "ML-DSA-87": (28200, 50250, 35850, 26250),
    },
}


def cycles(tmp_path: Path, jobs: list[tuple[model.Job, model.Result]]) -> list[int]:
    """Of each job alone."""
    lines = JobList()
    lines.add(model.keygen(model.mlkem.SETS[0], bytes(32), bytes(32)))  # waits until memory is wiped after reset
    for job, result in jobs:
        lines.note("W")
        lines.add(job, result=result)
    played = lines.play(tmp_path)
    return [played.last[n] - played.first[n] for n in range(1, len(jobs) + 1)]


def ball_cycles(p: mldsa.Parameters, c_tilde: bytes) -> int:
    """What SampleInBall takes: a cycle for a byte, and one more for eight of them."""
    stream = hashlib.shake_256(c_tilde).digest(2000)[8:]
    at = 0
    for i in range(256 - p.tau, 256):
        while stream[at] > i:
            at += 1
        at += 1
    return at + -(-at // 8)


def signed_in(p: mldsa.Parameters, sk: bytes, rng: random.Random, rounds: int) -> tuple[model.Job, model.Result]:
    while True:
        mu, rnd = rng.randbytes(64), rng.randbytes(32)
        found = mldsa.sign_mu(p, sk, mu, rnd)
        if found.rounds == rounds:
            return model.dsa_sign(p, sk, mu, rnd), model.Result(model.OK, found.signature)


@smallest_too
@every_set
def test_cycles(tmp_path: Path, butterflies: int, p: mldsa.Parameters) -> None:
    rng = random.Random(p.name)
    seed = rng.randbytes(32)
    pk, sk = mldsa.keygen(p, seed)
    once, twice = signed_in(p, sk, rng, 1), signed_in(p, sk, rng, 2)
    verification = model.dsa_verify(p, pk, once[0].payload[:64], once[1].payload)
    jobs = [
        (model.dsa_keygen(p, seed), model.Result(model.OK, pk + sk)),
        once,
        twice,
        (verification, model.Result(0, b"")),
    ]
    keygen, first, both, verify = cycles(tmp_path, jobs)
    taken = (keygen, first, both - first, verify)
    assert all(got <= most for got, most in zip(taken, MOST[butterflies][p.name], strict=True)), taken


@smallest_too
@pytest.mark.usefixtures("butterflies")
@pytest.mark.parametrize("p", [mldsa.SETS[0], *slow_sets], ids=lambda p: p.name)
def test_no_secret_changes_the_cycles(tmp_path: Path, p: mldsa.Parameters) -> None:
    """A signature found in the first round takes the same cycles with all of K, s1, s2, t0, mu and rnd under one rho, but for
    what SampleInBall rejects, which shows in the signature. Where the hints are does not matter either."""
    rng = random.Random(f"secrets {p.name}")
    _, sk = mldsa.keygen(p, rng.randbytes(32))
    s = sum(rng.randrange(2 * p.eta + 1) << i * (2 * p.eta).bit_length() for i in range(256 * (p.k + p.l)))
    s_bytes = 32 * (2 * p.eta).bit_length() * (p.k + p.l)
    zero = p.eta * sum(1 << i * (2 * p.eta).bit_length() for i in range(256 * (p.k + p.l)))
    keys = [sk, sk[:32] + rng.randbytes(96) + s.to_bytes(s_bytes, "little") + rng.randbytes(416 * p.k)]
    keys.append(sk[:128] + zero.to_bytes(s_bytes, "little") + sk[128 + s_bytes :])
    jobs = [signed_in(p, key, rng, 1) for key in keys]
    taken = cycles(tmp_path, jobs)
    balls = [ball_cycles(p, result.payload[: p.strength // 4]) for _, result in jobs]
    assert len({cycle - ball for cycle, ball in zip(taken, balls, strict=True)}) == 1, (taken, balls)
