# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Exact cycles, as stated in rtl/pka/README.md, and that secrets do not change them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pka_jobs import blinding, curve_random, curves, line, model, order_random, play_lines, rsa_key

P256, P384, P521, SECP256K1 = curves.CURVES

# Cycles of a program, and at most so many.
FIGURES = {
    "RSA-2048 public": (17_876, 25_000),
    "RSA-2048 private": (359_780, 450_000),
    "RSA-4096 public": (62_108, 95_000),
    "RSA-4096 private": (2_422_042, 3_200_000),
    "P-256 sign": (60_104, 110_000),
    "P-256 verify": (118_862, 230_000),
    "P-256 multiply": (112_345, 180_000),
    "P-256 public": (52_321, None),
    "P-384 sign": (154_806, 300_000),
    "P-384 verify": (279_138, 600_000),
    "P-384 multiply": (299_251, None),
    "P-384 public": (138_369, None),
    "P-521 sign": (297_250, None),
    "P-521 verify": (539_672, None),
    "P-521 multiply": (579_440, None),
    "secp256k1 sign": (60_877, None),
    "secp256k1 verify": (102_819, None),
    "secp256k1 multiply": (100_960, None),
}


def job(name: str, rng: random.Random) -> model.Job:
    kind, what = name.split()
    if kind.startswith("RSA"):
        key = rsa_key(int(kind[4:]))
        c = rng.randrange(key.n)
        return (
            model.job_rsa_public(key.n, 65537, c) if what == "public" else model.job_rsa_private(key, c, blinding(rng))
        )
    curve = next(c for c in curves.CURVES if c.name == kind)
    d, k = rng.randrange(1, curve.n), rng.randrange(1, curve.n)
    if what == "public":
        return model.job_public(curve, d, curve_random(rng, curve))
    if what == "sign":
        return model.job_sign(curve, d, k // 2, k, curve_random(rng, curve), order_random(rng, curve))
    q = curve.multiply(d, curve.g)
    assert q
    if what == "multiply":
        return model.job_multiply(curve, k, q, curve_random(rng, curve))
    signed = model.sign(curve, d, 5, k).output
    r, s = (int.from_bytes(x, "big") for x in (signed[: curve.bytes], signed[curve.bytes :]))
    return model.job_verify(curve, q, 5, r, s)


@pytest.mark.parametrize("name", FIGURES)
def test_figures(tmp_path: Path, name: str) -> None:
    cycles, limit = FIGURES[name]
    assert limit is None or cycles <= limit
    play_lines([line(job(name, random.Random(name)), cycles)], tmp_path)


def special(rng: random.Random, n: int) -> list[int]:
    """Scalars that leak where something is wrong: few bits, many bits, runs of zeros and of ones, near the order."""
    bits = n.bit_length()
    run = rng.randrange(8, bits - 8)
    return [
        1,
        2,
        3,
        n - 1,
        n - 2,
        n // 2,
        1 << bits - 2,
        (1 << run) - 1,
        n - (1 << run),
        1 << run,
        rng.randrange(1, n) >> run or 1,
    ]


def scalars(rng: random.Random, curve: curves.Curve, count: int) -> list[int]:
    found = special(rng, curve.n)
    return (found + [rng.randrange(1, curve.n) for _ in range(count)])[:count]


COUNTS = [pytest.param(24, id="few"), pytest.param(1500, id="many", marks=pytest.mark.slow)]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("what", ["sign", "multiply", "public"])
def test_scalars_do_not_change_cycles(tmp_path: Path, what: str, count: int) -> None:
    """The bench checks the cycles of every job against those of the first."""
    rng = random.Random(f"constant {what} {count}")
    curve = P256
    point = curve.multiply(rng.randrange(1, curve.n), curve.g)
    assert point
    jobs = []
    for d in scalars(rng, curve, count):
        random_bytes = rng.choice([curve_random(rng, curve), bytes(curve.blind_bytes) + order_random(rng, curve)])
        if what == "sign":
            nonce = rng.choice(special(rng, curve.n))
            jobs.append(model.job_sign(curve, d, rng.getrandbits(256), nonce, random_bytes, order_random(rng, curve)))
        elif what == "multiply":
            jobs.append(model.job_multiply(curve, d, point, random_bytes))
        else:
            jobs.append(model.job_public(curve, d, random_bytes))
    play_lines([line(j, FIGURES[f"P-256 {what}"][0]) for j in jobs], tmp_path)


@pytest.mark.parametrize("count", [pytest.param(12, id="few"), pytest.param(800, id="many", marks=pytest.mark.slow)])
def test_private_keys_do_not_change_cycles(tmp_path: Path, count: int) -> None:
    """Keys, messages and blinding of all kinds, wrong keys among them."""
    rng = random.Random(f"constant rsa {count}")
    jobs = []
    for i in range(count):
        key = rsa_key(512, seed=rng.randrange(6))
        c = rng.choice([0, 1, 2, key.n - 1, key.p, rng.randrange(key.n), rng.randrange(key.n)])
        if i % 4 == 3:
            c = c or 1  # 0 to any power is 0, so the wrong key would not show
            key = model.RsaKey(
                key.n, key.e, key.p, key.q, rng.choice([0, 1, key.p - 1]), rng.randrange(key.q), key.qinv
            )
        jobs.append(model.job_rsa_private(key, c, rng.choice([blinding(rng), bytes(42), b"\xff" * 42])))
    play_lines([line(j, 31_827) for j in jobs], tmp_path)


@pytest.mark.parametrize("count", [pytest.param(30, id="few"), pytest.param(2000, id="many", marks=pytest.mark.slow)])
def test_exponents_do_not_change_cycles(tmp_path: Path, count: int) -> None:
    rng = random.Random(f"constant modexp {count}")
    m = rsa_key(512).n
    jobs = []
    for _ in range(count):
        e = rng.choice(
            [0, 1, 2, (1 << 256) - 1, 1 << 255, rng.getrandbits(256), rng.getrandbits(rng.randrange(1, 256))]
        )
        jobs.append(model.job_modexp(m, e, rng.choice([0, 1, m - 1, rng.randrange(m)]), e_bits=256))
    play_lines([line(j, 15_980) for j in jobs], tmp_path)
