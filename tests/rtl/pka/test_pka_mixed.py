# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Two jobs at a time in the whole engine: jobs of all kinds and queues together, some aborted, some that need all of
operand memory."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from engine_bench import both_forms
from engine_script import (
    EC_MULTIPLY,
    EC_PUBLIC,
    EC_SIGN,
    ED25519_SIGN,
    MODEXP,
    RSA_LOAD,
    RSA_PRIVATE,
    RSA_PUBLIC,
    X25519,
    Ended,
    Script,
    number,
    on,
    rsa_lengths,
)
from pka_jobs import curve25519, curves, model, rsa_key

from outwork.spec import Status

P256, P384, P521, _ = curves.CURVES
WIPE = 512


@dataclass(frozen=True)
class Wanted:
    job: int
    output: bytes | None  # None: a signature with a nonce of the device
    status: int = Status.OK


def one(script: Script, rng: random.Random, kind: str, queue: int) -> Wanted:
    """Adds a job of a kind, on a key of its own or on those that `load` has put into slots."""
    if kind == "public":
        d = rng.randrange(1, P256.n)
        payload = rng.randbytes(8) + number(P256, rng.randrange(1, P256.p))
        return Wanted(script.job(EC_PUBLIC, on(P256), payload, number(P256, d), queue), model.public(P256, d).output)
    if kind == "sign":
        return Wanted(script.job(EC_SIGN, on(P256), number(P256, rng.randrange(P256.n)), 1, queue), None)
    if kind == "wrong point":
        job = script.job(EC_MULTIPLY, on(P256), bytes(64), 2, queue)
        return Wanted(job, bytes(64), Status.BAD_OPERAND)
    if kind == "x25519":
        u = rng.getrandbits(255)
        job = script.job(X25519, (), model.i2osp(u, 32), 3, queue)
        return Wanted(job, model.i2osp(curve25519.x25519(X25519_KEY, u), 32))
    if kind == "ed25519":
        a, r, h = rng.getrandbits(256), rng.getrandbits(512), rng.getrandbits(512)
        key = model.i2osp(a, 32) + model.i2osp(r, 64)
        job = script.job(ED25519_SIGN, (), model.i2osp(h, 64) + rng.randbytes(32), key, queue)
        return Wanted(job, model.i2osp(curve25519.sign(a, r, h), 32))
    if kind == "rsa":
        key = rsa_key(512)
        c = rng.randrange(key.n)
        job = script.job(RSA_PRIVATE, rsa_lengths(key), model.i2osp(c, 64), 4, queue)
        return Wanted(job, model.rsadp(key, c).output)
    # "whole": longer than a thread's part of operand memory, by one bit; "part": as long as it
    bits = 2173 if kind == "whole" else 2172
    m, x = rng.getrandbits(bits) | 1 | 1 << bits - 1, rng.getrandbits(bits - 1)
    job = script.job(RSA_PUBLIC, (bits, 2), model.i2osp(x, -(-bits // 8)), model.i2osp(m, -(-bits // 8)) + b"\3", queue)
    return Wanted(job, model.i2osp(pow(x, 3, m), -(-bits // 8)))


KINDS = ("public", "sign", "wrong point", "x25519", "ed25519", "rsa", "whole", "part")
X25519_KEY = 2**254 + 0x123456789


def load(script: Script) -> None:
    script.load(1, EC_SIGN, P256.code, number(P256, 77))
    script.load(2, EC_MULTIPLY, P256.code, number(P256, 78))
    script.load(3, X25519, 0, model.i2osp(X25519_KEY, 32))
    script.load(4, RSA_PRIVATE, 0, b"")
    key = rsa_key(512)
    script.job(RSA_LOAD, rsa_lengths(key), key.encode(), 4)
    script.wait()


def check_signature(wanted: Wanted, ended: Ended) -> None:
    assert ended.status == Status.OK and len(ended.output) == 64, wanted


def check(wanted: Wanted, ended: Ended) -> None:
    if wanted.output is None:
        check_signature(wanted, ended)
    else:
        assert (ended.status, ended.output) == (wanted.status, wanted.output), wanted


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 40))])
def test_all_kinds_together(tmp_path: Path, seed: int) -> None:
    """Jobs of four queues, given when others are at work, and some of them aborted: the rest are what they are alone."""
    rng = random.Random(f"mixed {seed}")
    script = Script()
    load(script)
    wanted: list[Wanted] = []
    aborted: set[int] = set()
    for _ in range(4):
        given = [one(script, rng, rng.choice(KINDS), rng.randrange(4)) for _ in range(rng.randrange(2, 8))]
        wanted += given
        script.pass_time(rng.choice([0, 700, rng.randrange(60_000)]))
        for each in rng.sample(given, rng.randrange(2)):
            aborted.add(each.job)
            script.abort(each.job)
        script.pass_time(rng.choice([0, 3, rng.randrange(1500)]))
        if rng.randrange(2):
            script.wait()
    script.wait()
    ended = script.run(tmp_path)
    for each in wanted:
        if each.job not in aborted or ended[each.job].status != Status.ABORTED:
            check(each, ended[each.job])


@both_forms
@pytest.mark.parametrize("after", [5, 600, 1_500, 20_000, 52_000], ids=lambda after: f"after_{after}")
@pytest.mark.parametrize("victim", [0, 1])
def test_an_abort_leaves_the_other_alone(tmp_path: Path, victim: int, after: int) -> None:
    """Of two that run the first or the second ends at once; the other's result is right, and the next one follows."""
    rng = random.Random("aborts")
    script = Script()
    load(script)
    both = [one(script, rng, "public", queue) for queue in range(2)]
    script.pass_time(after)
    script.abort(both[victim].job)
    script.pass_time(4)
    third = one(script, rng, "public", 2)
    script.wait()
    ended = script.run(tmp_path)
    assert ended[both[victim].job].status == Status.ABORTED
    check(both[1 - victim], ended[both[1 - victim].job])
    check(third, ended[third.job])
    assert ended[both[victim].job].done < ended[third.job].command
    assert ended[third.job].start - ended[third.job].command <= WIPE + 600


def test_an_abort_at_any_cycle_leaves_nothing_running(tmp_path: Path) -> None:
    """Also in the cycle in which the job begins to read a number: the converter of bytes is free for the next job."""
    rng = random.Random("every cycle")
    script = Script()
    load(script)
    victims, wanted = [], []
    for after in range(200):
        victims.append(one(script, rng, "ed25519", 0))
        script.pass_time(after)
        script.abort(victims[-1].job)
        wanted.append(one(script, rng, "ed25519", 1))
        script.wait()
    ended = script.run(tmp_path)
    assert all(ended[victim.job].status == Status.ABORTED for victim in victims)
    for each in wanted:
        check(each, ended[each.job])


def test_a_job_with_all_of_memory_runs_alone(tmp_path: Path) -> None:
    """It waits for both threads, and none begins until it is done; nobody waits for ever."""
    rng = random.Random("whole")
    script = Script()
    load(script)
    first = [one(script, rng, "public", 0) for _ in range(2)]
    script.pass_time(5_000)
    whole = one(script, rng, "whole", 1)
    later = [one(script, rng, "public", queue) for queue in (0, 1, 2)]
    script.wait()
    ended = script.run(tmp_path)
    for each in (*first, whole, *later):
        check(each, ended[each.job])
    last = max(ended[each.job].done for each in first)
    begun = ended[whole.job].start
    assert begun > last
    assert all(not begun < ended[each.job].start < ended[whole.job].done for each in later)


def test_modexp_at_the_edge_of_a_part(tmp_path: Path) -> None:
    """The longest modulus beside which another job has its part, in both places."""
    rng = random.Random("edge")
    script = Script()
    load(script)
    wanted = []
    for _ in range(2):
        m, x, size = rng.getrandbits(2172) | 1 | 1 << 2171, rng.getrandbits(2171), 272
        key = model.i2osp(m, size) + b"\7"
        wanted.append(Wanted(script.job(MODEXP, (2172, 3), model.i2osp(x, size), key), model.i2osp(pow(x, 7, m), size)))
        wanted.append(one(script, rng, "public", 1))
    script.wait()
    ended = script.run(tmp_path)
    for each in wanted:
        check(each, ended[each.job])
