# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Keys in slots: only the device makes nonces and blinding, and it makes none without a seed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from engine_bench import both_forms
from engine_script import (
    EC_MULTIPLY,
    EC_PUBLIC,
    EC_SIGN,
    NONCE_KEY,
    RSA_LOAD,
    RSA_PRIVATE,
    Script,
    number,
    on,
    rsa_lengths,
)
from pka import nonce as made_numbers
from pka_jobs import curves, model, rsa_key

from outwork.algorithms import ascon_reference
from outwork.spec import Status

P256, P384, P521, SECP256K1 = curves.CURVES
SLOTTED = [P256, P384, SECP256K1]
BY_NAME = {"ids": lambda curve: curve.name}


def top(curve: curves.Curve) -> int:
    return 4 if curve is P256 else 8


def nonce(curve: curves.Curve, count: int, d: int, e: int, key: bytes = NONCE_KEY) -> int:
    read = number(curve, d) + number(curve, e)
    return int.from_bytes(made_numbers.made(key, count, read, curve.bytes, top(curve)))


def used_nonce(curve: curves.Curve, d: int, e: int, signature: bytes) -> int:
    """k, by who knows d."""
    r, s = (int.from_bytes(x) for x in (signature[: curve.bytes], signature[curve.bytes :]))
    return pow(s, -1, curve.n) * (e + r * d) % curve.n


@pytest.mark.parametrize("curve", SLOTTED, **BY_NAME)
def test_nonces_are_the_models(tmp_path: Path, curve: curves.Curve) -> None:
    """The same job thrice, then another hash, key, and use: each has the nonce of its own count."""
    rng = random.Random(f"nonce {curve.name}")
    d, other, e = rng.randrange(1, curve.n), rng.randrange(1, curve.n), rng.randrange(curve.n)
    script = Script()
    script.load(3, EC_SIGN, curve.code, number(curve, d))
    script.load(7, EC_SIGN, curve.code, number(curve, other))
    signed = [(d, e, 3), (d, e, 3), (d, e, 3), (d, e ^ 1, 3), (other, e, 7)]
    for _, hashed, slot in signed:
        script.job(EC_SIGN, on(curve), number(curve, hashed), slot)
    public = script.job(EC_PUBLIC, on(curve), b"", 3)
    last = script.job(EC_SIGN, on(curve), number(curve, e), 3)
    script.wait()
    ended = script.run(tmp_path)
    for count, (key, hashed, _) in enumerate(signed):
        k = nonce(curve, count, key, hashed)
        assert (ended[count].status, ended[count].output) == (0, model.sign(curve, key, hashed, k).output)
    assert ended[public].output == model.public(curve, d).output
    k = nonce(curve, 6, d, e)
    assert ended[last].output == model.sign(curve, d, e, k).output
    assert len({ended[i].output for i in range(3)} | {ended[last].output}) == 4


@both_forms
def test_nonces_depend_on_the_seed(tmp_path: Path) -> None:
    d, e = 0x1234567, 0x89ABC
    for key in (bytes(16), bytes(15) + b"\1"):
        script = Script(nonce_key=key)
        script.load(0, EC_SIGN, P256.code, number(P256, d))
        job = script.job(EC_SIGN, on(P256), number(P256, e), 0)
        script.wait()
        signature = script.run(tmp_path)[job].output
        assert used_nonce(P256, d, e, signature) == nonce(P256, 0, d, e, key)


@pytest.mark.parametrize(("curve", "ones"), [(P256, 4), (P384, 8), (SECP256K1, 8), (P384, 4)])
def test_blocks_of_ones_are_left_out(tmp_path: Path, curve: curves.Curve, ones: int) -> None:
    """What could be above the order does not become a nonce; fewer ones than the order starts with do no harm."""
    d, e = 0x7654321, 0xDEF
    script = Script()
    script.load(0, EC_SIGN, curve.code, number(curve, d))
    script.force_ones(ones)
    job = script.job(EC_SIGN, on(curve), number(curve, e), 0)
    script.wait()
    state = made_numbers.absorb(NONCE_KEY + bytes(8) + number(curve, d) + number(curve, e))
    state[0] |= (1 << 8 * ones) - 1
    if ones == top(curve):
        state = ascon_reference.permute(state, 12)
    k = int.from_bytes(ascon_reference.squeeze(state, curve.bytes))
    assert used_nonce(curve, d, e, script.run(tmp_path)[job].output) == k
    assert 0 < k < curve.n


@pytest.mark.parametrize("curve", SLOTTED, **BY_NAME)
def test_no_nonce_is_above_the_order(curve: curves.Curve) -> None:
    """The largest number that does not start with so many ones is below the order, and close to it."""
    bits = 8 * curve.bytes
    largest = ((1 << 8 * top(curve)) - 1 << bits - 8 * top(curve)) - 1
    assert largest < curve.n
    assert curve.n - largest <= 1 << bits - 64 + 1


def test_nonces_look_random() -> None:
    """Every bit of 1,500 nonces is set about as often as not: within 4.5 standard deviations."""
    numbers = [nonce(P256, count, 5, 7) for count in range(1500)]
    assert len(set(numbers)) == len(numbers)
    for bit in range(256):
        ones = sum(x >> bit & 1 for x in numbers)
        assert abs(ones - 750) < 4.5 * 1500**0.5 / 2, bit


@both_forms
def test_a_callers_nonce_is_refused(tmp_path: Path) -> None:
    """With k = 1 the key would be (s - e) / r. No length of payload but the hash alone is taken under a slot's key."""
    d, e = 0x1234, 0x5678
    payload = b"".join(number(P256, x) for x in (e, 1, 2, 3)) + bytes(8)
    script = Script()
    script.load(5, EC_SIGN, P256.code, number(P256, d))
    for length in range(0, len(payload) + 1, 8):
        script.job(EC_SIGN, on(P256), payload[:length], 5)
        script.wait()
    ended = script.run(tmp_path)
    assert [i for i, job in ended.items() if job.status == 0] == [4]
    assert {job.status for i, job in ended.items() if i != 4} == {Status.BAD_LENGTH}
    assert used_nonce(P256, d, e, ended[4].output) == nonce(P256, 0, d, e)


def test_other_uses_of_slots(tmp_path: Path) -> None:
    """ECDH and RSA: right results, with no byte of blinding in the payload."""
    rng = random.Random("slots")
    key, d = rsa_key(512), rng.randrange(1, P384.n)
    point, c = P384.multiply(rng.randrange(1, P384.n), P384.g), rng.randrange(key.n)
    assert point
    peer = number(P384, point[0]) + number(P384, point[1])
    script = Script()
    script.load(1, EC_MULTIPLY, P384.code, number(P384, d))
    script.load(2, RSA_PRIVATE, 0, b"")
    load = script.job(RSA_LOAD, rsa_lengths(key), key.encode(), 2)
    script.wait()
    agreed = script.job(EC_MULTIPLY, on(P384), peer, 1)
    decrypted = script.job(RSA_PRIVATE, rsa_lengths(key), model.i2osp(c, 64), 2)
    old = [
        script.job(EC_MULTIPLY, on(P384), peer + bytes(72), 1),
        script.job(EC_PUBLIC, on(P384), bytes(72), 1),
        script.job(RSA_PRIVATE, rsa_lengths(key), model.i2osp(c, 64) + bytes(42), 2),
    ]
    script.wait()
    ended = script.run(tmp_path)
    assert ended[load].status == 0
    assert ended[agreed].output == model.multiply(P384, d, point).output
    assert ended[decrypted].output == model.rsadp(key, c).output
    assert {ended[job].status for job in old} == {Status.BAD_LENGTH}


def test_without_a_seed_slots_are_not_used(tmp_path: Path) -> None:
    key = rsa_key(512)
    script = Script(seeded=False)
    script.load(1, EC_MULTIPLY, P256.code, number(P256, 5))
    script.load(2, RSA_PRIVATE, 0, b"")
    script.load(3, EC_SIGN, P256.code, number(P256, 5))
    load = script.job(RSA_LOAD, rsa_lengths(key), key.encode(), 2)
    script.wait()
    refused = [
        script.job(EC_SIGN, on(P256), number(P256, 1), 3),
        script.job(EC_PUBLIC, on(P256), b"", 3),
        script.job(EC_MULTIPLY, on(P256), number(P256, P256.g[0]) + number(P256, P256.g[1]), 1),
        script.job(RSA_PRIVATE, rsa_lengths(key), bytes(64), 2),
    ]
    own = script.job(EC_PUBLIC, on(P256), bytes(8) + number(P256, 9), number(P256, 5))
    script.wait()
    ended = script.run(tmp_path)
    assert ended[load].status == 0
    assert {ended[job].status for job in refused} == {Status.NOT_SEEDED}
    assert ended[own].output == model.public(P256, 5).output


@pytest.mark.parametrize("after", [0, 1, 5, 13, 14, 15, 16, 17, 18, 40, 200])
def test_a_seed_that_goes_while_a_job_starts(tmp_path: Path, after: int) -> None:
    """The nonce is of the whole seed, or there is none."""
    d, e = 0x1234567, 0x89ABC
    script = Script()
    script.load(0, EC_SIGN, P256.code, number(P256, d))
    script.pass_time(1_100)  # the wipe after reset
    job = script.job(EC_SIGN, on(P256), number(P256, e), 0)
    script.pass_time(after)
    script.forget_seed()
    script.wait()
    ended = script.run(tmp_path)[job]
    if ended.status == Status.OK:
        assert after > 14
        assert used_nonce(P256, d, e, ended.output) == nonce(P256, 0, d, e)
    else:
        assert after < 40
        assert (ended.status, ended.output) == (Status.NOT_SEEDED, b"")
