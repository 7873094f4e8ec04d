# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The core: every program against the golden model, and cycle by cycle against the machine's."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import engine_bench
import pytest
from pka_jobs import (
    blinding,
    curve_random,
    curves,
    found_primes,
    model,
    odd,
    order_random,
    play,
    rsa_key,
    rsa_primes,
)

ROWS = [pytest.param(8, id="rows8"), *(pytest.param(n, id=f"rows{n}", marks=pytest.mark.slow) for n in (4, 2, 1))]
every_setting = pytest.mark.parametrize("rows", ROWS)
every_curve = pytest.mark.parametrize("curve", curves.CURVES, ids=lambda c: c.name)
# The edges of the longest curve are slow tests: its jobs take ten times as long as those of 256 bits.
edges_of_every_curve = pytest.mark.parametrize(
    "curve",
    [pytest.param(curve, id=curve.name, marks=[pytest.mark.slow] * (curve.bits > 500)) for curve in curves.CURVES],
)


@every_setting
def test_lengths_of_moduli(tmp_path: Path, rows: int) -> None:
    """Every multiple of 32 bits up to 4,096, and lengths around words and powers of two."""
    rng = random.Random("lengths")
    jobs = []
    for bits in sorted({*range(32, 4097, 32), 17, 131, 132, 133, 135, 136, 137, 267, 268, 269, 1083, 1085, 4095, 4096}):
        n = odd(rng, bits)
        jobs.append(model.job_rsa_public(n, rng.choice([3, 17]), rng.randrange(n)))
    play(jobs[::5], tmp_path, rows)
    play(jobs, tmp_path, rows, cycles=False)


def edges_of_exponentiation() -> list[model.Job]:
    rng = random.Random("edges")
    jobs = []
    for bits in (1, 2, 3, 8, 32, 136, 272):
        moduli = {odd(rng, bits), (1 << bits) - 1, 1 << bits - 1 | 1}
        for m in sorted(x for x in moduli if x.bit_length() == bits):
            for x in sorted({0, 1, m - 1, rng.randrange(m)} & set(range(m) if bits < 9 else [0, 1, m - 1, m // 3])):
                for e in sorted({0, 1, (1 << bits) - 1, rng.getrandbits(bits)}):
                    jobs.append(model.job_modexp(m, e, x, e_bits=bits))
    m = odd(rng, 544)
    jobs.append(model.job_modexp(m, rng.getrandbits(544) | 1 << 543, m - 1))
    return jobs


@every_setting
def test_edges_of_exponentiation(tmp_path: Path, rows: int) -> None:
    jobs = edges_of_exponentiation()
    play(jobs, tmp_path, rows, cycles=False)
    play(jobs[::20], tmp_path, rows)


@pytest.mark.slow
def test_found_primes() -> None:
    assert found_primes() == rsa_primes(4096)


@pytest.mark.slow
def test_narrow_multipliers(tmp_path: Path) -> None:
    """Of 18 bits, as those of ECP5: the same results in the same cycles."""
    rng, key = random.Random("narrow"), rsa_key(1024)
    jobs = [*edges_of_exponentiation(), model.job_rsa_private(key, rng.randrange(key.n), blinding(rng))]
    for bits in (268, 544, 1088, 2047):
        jobs.append(model.job_modexp((1 << bits) - 1, rng.getrandbits(bits), (1 << bits) - 2))
    play(jobs, tmp_path, bench={"MultiplierBits": 18})


def test_exponents(tmp_path: Path) -> None:
    """Any public exponent, long ones too."""
    rng = random.Random("exponents")
    n = odd(rng, 512)
    exponents = [1, 2, 3, 5, 2**31, 2**32 + 1, odd(rng, 64), odd(rng, 257), odd(rng, 512)]
    play([model.job_rsa_public(n, e, rng.randrange(n)) for e in exponents], tmp_path)


def test_bad_operands(tmp_path: Path) -> None:
    """Even or zero moduli, wrong lengths, a message that is not below the modulus: a status, and zeros."""
    rng = random.Random("bad")
    m, x = odd(rng, 256), rng.getrandbits(200)
    jobs = [
        model.job_modexp(m - 1, 5, x),
        model.job_modexp(0, 5, 0, m_bits=256),
        model.job_modexp(m, 5, x, m_bits=257),
        model.job_modexp(m, 5, x, m_bits=264),
        model.job_modexp(m >> 8, 5, x, m_bits=256),
        model.job_modexp(m, 5, m),
        model.job_modexp(m, 5, m + 1),
        model.job_modexp(m, 5, 2**256 - 1),
        model.job_modexp(m, 5, x, e_bits=2),
        model.job_rsa_public(m, 5, x, e_bits=4),
        model.job_rsa_public(m, 0, x, e_bits=1),
    ]
    assert {job.expected.status for job in jobs} == {model.BAD_OPERAND}
    # The modulus may be longer than stated within its last byte only.
    jobs[2:2] = [
        replace(model.job_modexp(m, 5, x), parameters=(255, 3), expected=model.Result(model.BAD_OPERAND, bytes(32)))
    ]
    play(jobs, tmp_path)


@every_setting
@pytest.mark.parametrize(
    "bits", [512, 1024, 1536, 2048, *(pytest.param(n, marks=pytest.mark.slow) for n in (3072, 4096))]
)
def test_rsa_private(tmp_path: Path, bits: int, rows: int) -> None:
    if rows < 8 and bits > 2048:
        pytest.skip("long")
    rng = random.Random(f"private {bits}")
    key = rsa_key(bits)
    messages = [0, 1, key.n - 1, key.p, rng.randrange(key.n)] if bits < 1024 else [rng.randrange(key.n)]
    jobs = [model.job_rsa_private(key, c, blinding(rng)) for c in messages]
    play(jobs, tmp_path, rows)
    # Without blinding, and with as much as there is.
    if bits < 2048:
        play(
            [model.job_rsa_private(key, messages[-1], 42 * byte) for byte in (b"\0", b"\xff")],
            tmp_path,
            rows,
            cycles=False,
        )


def test_rsa_private_of_odd_lengths(tmp_path: Path) -> None:
    """Primes of different lengths, lengths that are no multiple of 8, other exponents."""
    rng = random.Random("odd lengths")
    keys = [
        rsa_key(520, p_bits=300),
        rsa_key(520, p_bits=220),
        rsa_key(777),
        rsa_key(512, e=3),
        rsa_key(600, e=2**40 + 15),
    ]
    play([model.job_rsa_private(key, rng.randrange(key.n), blinding(rng)) for key in keys], tmp_path)


def test_rsa_private_refuses_wrong_keys(tmp_path: Path) -> None:
    """A key that is not consistent gives a status, never a signature."""
    rng = random.Random("wrong keys")
    key = rsa_key(512)
    c = rng.randrange(key.n)
    wrong = [
        replace(key, dp=key.dp ^ 2),
        replace(key, dq=key.dq ^ 4),
        replace(key, qinv=key.qinv ^ 1),
        replace(key, p=key.p - 2),
        replace(key, q=key.q ^ 8),
        replace(key, p=key.q, q=key.p),
        replace(key, e=65539),
        replace(key, n=key.n ^ 2),
        replace(key, n=key.n ^ 1),
        replace(key, p=key.p ^ 1),
        replace(key, dp=key.p),
        replace(key, dq=2**256 - 1),
    ]
    jobs = [model.job_rsa_private(k, c, blinding(rng)) for k in wrong]
    jobs.append(model.job_rsa_private(key, key.n, blinding(rng)))
    assert all(job.expected.status for job in jobs)
    play(jobs, tmp_path, cycles=False)


def jobs_on(curve: curves.Curve) -> list[model.Job]:
    """A job of every program for curves, and signatures that are wrong or another's."""
    rng = random.Random(f"curves {curve.name}")
    d, k = rng.randrange(1, curve.n), rng.randrange(1, curve.n)
    e = rng.getrandbits(8 * curve.bytes) % 2 ** curve.n.bit_length()
    q = curve.multiply(d, curve.g)
    assert q
    sign = model.job_sign(curve, d, e, k, curve_random(rng, curve), order_random(rng, curve))
    r, s = (
        int.from_bytes(x, "big") for x in (sign.expected.output[: curve.bytes], sign.expected.output[curve.bytes :])
    )
    jobs = [
        sign,
        model.job_public(curve, d, curve_random(rng, curve)),
        model.job_multiply(curve, k, q, curve_random(rng, curve)),
        model.job_verify(curve, q, e, r, s),
        model.job_verify(curve, q, e ^ 1, r, s),
        model.job_verify(curve, q, e, r, curve.n - s),
    ]
    assert [job.expected.status for job in jobs] == [0, 0, 0, 0, model.AUTH_FAILED, 0]
    return jobs


@every_setting
@every_curve
def test_curves(tmp_path: Path, curve: curves.Curve, rows: int) -> None:
    jobs = jobs_on(curve)
    play(jobs[:4], tmp_path, rows)
    play(jobs[4:], tmp_path, rows, cycles=False)


@edges_of_every_curve
def test_edge_scalars(tmp_path: Path, curve: curves.Curve) -> None:
    """The first and last scalars, and those that make steps of the ladder add a point to itself or its negative."""
    rng = random.Random(f"scalars {curve.name}")
    q = curve.multiply(rng.randrange(1, curve.n), curve.g)
    assert q
    edges = [1, 2, 15, 16, 17, curve.n - 1, curve.n - 2, curve.n - 16, (curve.n + 1) // 2, 1 << curve.spacing]
    few = edges if curve.bits == 256 else edges[::4]
    jobs = [model.job_multiply(curve, k, q, curve_random(rng, curve)) for k in few]
    jobs += [model.job_public(curve, k, curve_random(rng, curve)) for k in few]
    # Without blinding the digits are the scalar's own.
    jobs += [model.job_multiply(curve, k, q, bytes(curve.blind_bytes) + order_random(rng, curve)) for k in few[:4]]
    jobs += [model.job_multiply(curve, k, curve.g, curve_random(rng, curve)) for k in few[:2]]
    play(jobs, tmp_path, cycles=False)


@edges_of_every_curve
def test_bad_points_and_scalars(tmp_path: Path, curve: curves.Curve) -> None:
    rng = random.Random(f"points {curve.name}")
    point = curve.multiply(rng.randrange(1, curve.n), curve.g)
    assert point
    x, y = point
    top = 2 ** (8 * curve.bytes) - 1
    off = [(x, y ^ 1), (x ^ 1, y), (0, 0), (0, 1), (y, x), (curve.p, y), (x, curve.p), (top, top), (x, top)]
    off += [(x + curve.p, y)] if x + curve.p <= top else []
    # The order of this point on the curve with another b is small.
    off += [(x, 0)]
    jobs = [model.job_check(curve, p) for p in [point, (x, curve.p - y), *off]]
    assert [job.expected.status for job in jobs[2:]] == [model.BAD_OPERAND] * len(off)
    k = rng.randrange(1, curve.n)
    jobs += [model.job_multiply(curve, k, p, curve_random(rng, curve)) for p in off[:3]]
    for bad in (0, curve.n, curve.n + 1, top):
        jobs.append(model.job_public(curve, bad, curve_random(rng, curve)))
        random_order = order_random(rng, curve)
        jobs.append(model.job_sign(curve, bad, 1, k, curve_random(rng, curve), random_order))
        jobs.append(model.job_sign(curve, k, 1, bad, curve_random(rng, curve), random_order))
    play(jobs, tmp_path, cycles=False)


@edges_of_every_curve
def test_edges_of_verification(tmp_path: Path, curve: curves.Curve) -> None:
    """r and s out of range, u1 or u2 zero, sums that meet infinity, and r that stands for x = r + n."""
    rng = random.Random(f"verify {curve.name}")
    d = rng.randrange(1, curve.n)
    q = curve.multiply(d, curve.g)
    assert q
    n, top = curve.n, 2 ** (8 * curve.bytes) - 1
    cases = [(q, 1, r, s) for r, s in [(0, 1), (1, 0), (n, 1), (1, n), (top, 1), (1, top), (n - 1, n - 1), (1, 1)]]
    # e = 0: u1 = 0; then the point is u2 Q alone.
    k = rng.randrange(1, n)
    point = curve.multiply(k, q)
    assert point
    r = point[0] % n
    cases.append((q, 0, r, r * pow(k, -1, n) % n))
    # u1 G + u2 Q is infinity: e = -r d.
    cases.append((q, -r * d % n, r, rng.randrange(1, n)))
    # u1 G = u2 Q: the last addition is a doubling.
    half = curve.multiply(2 * k, curve.g)
    assert half
    r = half[0] % n
    s = r * d * pow(k, -1, n) % n
    cases.append((q, k * s % n, r, s))
    jobs = [model.job_verify(curve, *case) for case in cases]
    assert [job.expected.status for job in jobs[-3:]] == [0, model.AUTH_FAILED, 0]
    # x = r + n for a small r: there is such a point for about every second r below p - n.
    for small in range(1, min(40, curve.p - n)):
        x = small + n
        y2 = (x**3 + curve.a * x + curve.b) % curve.p
        y = pow(y2, (curve.p + 1) // 4, curve.p)
        if y * y % curve.p == y2:
            # Any s, e; then Q = (s R - e G) / r.
            s, e = rng.randrange(1, n), rng.getrandbits(200)
            sum_ = curve.add(curve.multiply(s, (x, y)), curve.multiply(n - e % n, curve.g))
            key = curve.multiply(pow(small, -1, n), sum_)
            assert key
            jobs.append(model.job_verify(curve, key, e, small, s))
            assert jobs[-1].expected.status == 0
            jobs.append(model.job_verify(curve, key, e, small + 1, s))
            break
    play(jobs, tmp_path, cycles=False)


@pytest.mark.slow
def test_as_gates(tmp_path: Path) -> None:
    """The netlist of the smallest core: every program, and a signature on each curve, in as many cycles as the machine."""
    rng = random.Random("gates")
    key = rsa_key(512)
    jobs = [*edges_of_exponentiation()[::20], model.job_rsa_private(key, rng.randrange(key.n), blinding(rng))]
    jobs.append(model.job_rsa_public(key.n, 17, rng.randrange(key.n)))
    jobs += [job for curve in curves.CURVES for job in jobs_on(curve)[: 4 if curve is curves.P256 else 1]]
    play(jobs, tmp_path, 1, bench=engine_bench.GATES)
