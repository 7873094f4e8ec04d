# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Two jobs side by side in the core: results, cycles per operation, and that only the kind of a neighbour changes them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from pka_jobs import Played, blinding, curve25519, curve_random, curves, line, model, order_random, play_beside, rsa_key
from test_pka_cycles import job as job_of
from test_pka_cycles import special

P256, P384, P521, SECP256K1 = curves.CURVES
# Rows, and every how many-th pair.
PAIRS = [
    pytest.param(8, 3, id="few"),
    pytest.param(8, 1, id="all", marks=pytest.mark.slow),
    *(pytest.param(n, 3, id=f"rows{n}", marks=pytest.mark.slow) for n in (4, 2, 1)),
]
WIPE = 512
Make = Callable[[random.Random], model.Job]


def x25519(rng: random.Random) -> model.Job:
    return model.job_x25519(rng.getrandbits(256), rng.getrandbits(255), rng.randbytes(32))


def ed25519_public(rng: random.Random) -> model.Job:
    return model.job_ed25519_public(rng.getrandbits(512), rng.randbytes(40))


def ed25519_verify(rng: random.Random) -> model.Job:
    a, r, h = rng.randrange(curve25519.ORDER), rng.randrange(curve25519.ORDER), rng.getrandbits(512)
    return model.job_ed25519_verify(curve25519.public(a), curve25519.public(r), curve25519.sign(a, r, h), h)


def named(name: str) -> Make:
    return lambda rng: job_of(name, rng)


def short_rsa(rng: random.Random) -> model.Job:
    key = rsa_key(512, seed=rng.randrange(6))
    return model.job_rsa_private(key, rng.randrange(key.n), blinding(rng))


def per_operation(played: Played) -> float:
    """Cycles from the first start to the last end over the number of jobs."""
    ends = [sum(cycles) + (len(cycles) - 1) * (WIPE + 2) for cycles in played.cycles]
    return max(ends) / sum(len(cycles) for cycles in played.cycles)


# Cycles per operation with four jobs, and at most so many; of them the multiplier has a product in so many percent.
FIGURES: dict[str, tuple[Make, float, int, int]] = {
    "P-256 sign": (named("P-256 sign"), 32_352, 34_000, 85),
    "P-256 verify": (named("P-256 verify"), 64_216, 66_000, 85),
    "P-256 multiply": (named("P-256 multiply"), 61_042.75, 64_000, 85),
    "RSA-2048 private": (named("RSA-2048 private"), 334_013.75, 335_000, 85),
    "x25519": (x25519, 29_693, 32_000, 85),
    "ed25519_public": (ed25519_public, 15_723.75, 20_000, 85),
    "ed25519_verify": (ed25519_verify, 39_285.25, 60_000, 85),
}


@pytest.mark.parametrize("name", FIGURES)
def test_figures(tmp_path: Path, name: str) -> None:
    make, cycles, limit, percent = FIGURES[name]
    rng = random.Random(name)
    played = play_beside([[line(make(rng), -1) for _ in range(2)] for _ in range(2)], tmp_path)
    each = per_operation(played)
    assert each == cycles <= limit
    assert 100 * played.busy >= percent * 4 * each


# Jobs of all lengths of operands.
KINDS: dict[str, Make] = {
    "sign": named("P-256 sign"),
    "check": lambda rng: model.job_check(P521, P521.multiply(rng.randrange(1, P521.n), P521.g) or P521.g),
    "p384": named("P-384 public"),
    "rsa": short_rsa,
    "rsa1024": named("RSA-1024 public"),
    "x25519": x25519,
    "ed25519": ed25519_public,
}


@pytest.mark.parametrize(("rows", "step"), PAIRS)
def test_all_pairs(tmp_path: Path, rows: int, step: int) -> None:
    """Every kind beside every kind, in both threads, begun at other times each: the results are those of the models."""
    rng = random.Random("pairs")
    order = list(KINDS.values())
    first = [make(rng) for make in [make for make in order for _ in order][::step]]
    second = [make(rng) for make in [make for _ in order for make in order][::step]]
    played = play_beside([[line(j, -1) for j in jobs] for jobs in (first, second)], tmp_path, {"Rows": rows})
    assert [len(cycles) for cycles in played.cycles] == [len(first), len(second)]


def secret_jobs(rng: random.Random, kind: str) -> model.Job:
    """A job with numbers that leak where something is wrong."""
    scalar, random_bytes = rng.choice(special(rng, P256.n)), curve_random(rng, P256)
    if kind == "sign":
        return model.job_sign(
            P256, scalar, rng.getrandbits(256), 1 + scalar // 3, random_bytes, order_random(rng, P256)
        )
    if kind == "rsa":
        key = rsa_key(512, seed=rng.randrange(6))
        wrong = model.RsaKey(key.n, key.e, key.p, key.q, rng.choice([key.dp, 1, key.p - 1]), key.dq, key.qinv)
        return model.job_rsa_private(wrong, rng.randrange(1, key.n), rng.choice([blinding(rng), bytes(42)]))
    return model.job_x25519(rng.choice([0, 2**256 - 1, scalar]), rng.choice([9, 2, scalar]), rng.randbytes(32))


@pytest.mark.parametrize("count", [pytest.param(3, id="few"), pytest.param(200, id="many", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kinds", [("sign", "rsa"), ("rsa", "x25519"), ("x25519", "sign")], ids="-".join)
def test_a_neighbour_changes_cycles_by_its_kind_only(tmp_path: Path, kinds: tuple[str, str], count: int) -> None:
    """Each thread plays the same kinds of jobs again and again, every time with other secrets on both sides."""
    rng = random.Random(f"neighbours {kinds} {count}")
    alone = play_beside([[line(secret_jobs(rng, kind), -1)] for kind in kinds[:1]], tmp_path).cycles[0]
    seen = [
        play_beside([[line(secret_jobs(rng, kind), -1) for _ in range(2)] for kind in kinds], tmp_path).cycles
        for _ in range(count)
    ]
    assert all(cycles == seen[0] for cycles in seen), seen
    # The neighbour was there: it took time, and less than half of the multiplier.
    assert alone[0] < seen[0][0][0] < 2 * alone[0]
