# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Slots of curves and of RSA keys have separate memory; numbers of the planner's maximum length are accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_bench import both_forms
from engine_script import (
    EC_MULTIPLY,
    EC_PUBLIC,
    EC_SIGN,
    ED25519_PUBLIC,
    ED25519_SIGN,
    ED25519_VERIFY,
    RSA_LOAD,
    RSA_PRIVATE,
    X25519,
    Script,
    number,
    on,
    rsa_lengths,
)
from pka_jobs import curve25519, curves, model, rsa_key

from outwork.spec import Status

P256 = curves.CURVES[0]


@both_forms
def test_rsa_keys_lie_beside_all_slots_of_curves(tmp_path: Path) -> None:
    """Whichever is loaded first, the other's words stay."""
    slots, places = (9, 20, 31), (0, 1, 2)
    script = Script()
    for slot in slots:
        script.load(slot, EC_SIGN, P256.code, number(P256, 100 + slot))
    key = rsa_key(512)
    for place in places:
        script.load(place, RSA_PRIVATE, 0, b"")
        script.job(RSA_LOAD, rsa_lengths(key), key.encode(), place)
    script.wait()
    made = {slot: script.job(EC_PUBLIC, on(P256), b"", slot) for slot in slots}
    script.wait()
    script.load(10, EC_SIGN, P256.code, number(P256, 7))
    decrypted = [script.job(RSA_PRIVATE, rsa_lengths(key), model.i2osp(99, 64), place) for place in places]
    script.wait()
    ended = script.run(tmp_path)
    for slot, job in made.items():
        assert ended[job].output == model.public(P256, 100 + slot).output
    for job in decrypted:
        assert ended[job].output == model.rsadp(key, 99).output


@pytest.mark.parametrize("swap", [False, True])
def test_longest_prime(tmp_path: Path, swap: bool) -> None:
    """2,112 bits, of either prime; one bit more is refused."""
    p, q, e = 2**2112 - 887, 2**20 - 3, 65537
    p, q = (q, p) if swap else (p, q)
    d = pow(e, -1, (p - 1) * (q - 1))
    key = model.RsaKey(p * q, e, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    payload = model.i2osp(99, 267) + bytes(range(42))
    n, *lengths = rsa_lengths(key)
    script = Script()
    job = script.job(RSA_PRIVATE, (n, *lengths), payload, key.encode())
    lengths[2 if swap else 1] += 1
    longer = script.job(RSA_PRIVATE, (n + 1, *lengths), payload, key.encode())
    script.wait()
    ended = script.run(tmp_path)
    assert ended[job].output == model.rsadp(key, 99).output
    assert ended[longer].status == Status.BAD_IV


@both_forms
def test_x25519_keys_serve_nothing_else(tmp_path: Path) -> None:
    """A key of this kind makes secrets and its public key; the device blinds; no other key serves."""
    k, u = 2**254 + 12345678, 2**200 + 99
    key, point = model.i2osp(k, 32), number(P256, P256.g[0]) + number(P256, P256.g[1])
    script = Script()
    script.load(4, X25519, 0, key)
    script.load(5, EC_MULTIPLY, P256.code, key)
    script.load(6, EC_SIGN, P256.code, key)
    good = [
        script.job(X25519, (), model.i2osp(u, 32), 4),
        script.job(X25519, (), model.i2osp(9, 32), 4),
        script.job(X25519, (), model.i2osp(u, 32) + bytes(31) + b"\1", key),
    ]
    small = script.job(X25519, (), bytes(32), 4)
    script.wait()
    bad_keys = [
        script.job(EC_MULTIPLY, on(P256), point, 4),
        script.job(EC_PUBLIC, on(P256), b"", 4),
        script.job(EC_SIGN, on(P256), bytes(32), 4),
        script.job(X25519, (), model.i2osp(u, 32), 5),
        script.job(X25519, (), model.i2osp(u, 32), 6),
    ]
    script.wait()
    lengths = [script.job(X25519, (), bytes(length), 4) for length in (0, 31, 33, 64)]
    lengths.append(script.job(X25519, (), bytes(32), key))
    script.wait()
    numbers = [script.job(X25519, words, model.i2osp(u, 32), 4) for words in ((1,), (0, 4), (0, 0, 0, 1))]
    script.wait()
    flags = [script.job(opcode, (), bytes(128), 4) for opcode in (ED25519_PUBLIC, ED25519_SIGN, ED25519_VERIFY)]
    script.wait()
    ended = script.run(tmp_path)
    assert [ended[job].status for job in good] == [0, 0, 0]
    wanted = [curve25519.x25519(k, x) for x in (u, 9, u)]
    assert [int.from_bytes(ended[job].output, "big") for job in good] == wanted
    assert ended[small].status == Status.BAD_OPERAND
    assert {ended[job].status for job in bad_keys} == {Status.BAD_KEY}
    assert {ended[job].status for job in lengths} == {Status.BAD_LENGTH}
    assert {ended[job].status for job in numbers} == {Status.BAD_IV}
    assert {ended[job].status for job in flags} == {Status.BAD_FLAGS}


def test_x25519_needs_a_seed(tmp_path: Path) -> None:
    script = Script(seeded=False)
    script.load(4, X25519, 0, bytes(32))
    job = script.job(X25519, (), model.i2osp(9, 32), 4)
    script.wait()
    assert script.run(tmp_path)[job].status == Status.NOT_SEEDED
