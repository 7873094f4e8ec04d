# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Slots of curves and of RSA keys have separate memory; numbers of the planner's maximum length are accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_bench import both_forms
from engine_script import EC_PUBLIC, EC_SIGN, RSA_LOAD, RSA_PRIVATE, Script, number, on, rsa_lengths
from pka_jobs import curves, model, rsa_key

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
