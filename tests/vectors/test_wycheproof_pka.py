# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Wycheproof's public-key vectors on the device. All of them take hours of simulation, so the fast tests use a sample
with every kind of test."""

import os

import pytest
import wycheproof_pka
from wycheproof_pka import Vector

from outwork.pka.device import DeviceWorker

# Device cycles for a file, of which the simulation does some 200,000 a second.
FAST_CYCLES = 150_000
SLOW_CYCLES = 1_500_000
FAST = (
    "ecdh_secp256k1",
    "ecdh_secp256r1_ecpoint",
    "ecdsa_secp256r1_sha256",
    "ecdsa_secp256r1_sha512_p1363",
    "rsa_oaep_2048_sha256_mgf1sha256",
    "rsa_pkcs1_2048",
    "rsa_pss_2048_sha256_mgf1_32",
    "rsa_pss_misc",
    "rsa_signature_2048_sha256",
    "rsa_signature_2048_sha3_384",
)
# `OUTWORK_VECTORS=all pytest tests/vectors/test_wycheproof_pka.py -k NAME` leaves nothing out.
ALL = os.environ.get("OUTWORK_VECTORS") == "all"
# Bitcoin's rule that s is at most half the order is not ECDSA's.
NOT_OURS = {"SignatureMalleabilityBitcoin"}


def _check(worker: DeviceWorker, name: str, vectors: list[Vector]) -> None:
    for vector in vectors:
        if NOT_OURS & set(vector.test["flags"]):
            continue
        got = wycheproof_pka.answer(worker, name, vector)
        wanted = vector.test["result"]
        # Acceptable: a form that the standards allow or do not mention; if it is taken, the result is right.
        assert wanted == "acceptable" or got == (wanted == "valid"), (name, vector.test)


def _run(name: str, cycles: int, least: int = 4) -> None:
    count = max(least, cycles // wycheproof_pka.cycles(name))
    vectors = list(wycheproof_pka.vectors(name)) if ALL else wycheproof_pka.sample(name, count)
    with DeviceWorker("reference") as worker:
        _check(worker, name, vectors)
        assert worker.queue.counters()["jobs"] > 0


@pytest.mark.parametrize("name", FAST)
def test_sample(name: str) -> None:
    _run(name, FAST_CYCLES, least=3)  # the third of OAEP is its first that is invalid


@pytest.mark.slow
@pytest.mark.parametrize("name", wycheproof_pka.names())
def test_larger_sample(name: str) -> None:
    _run(name, SLOW_CYCLES)


def test_every_kind_is_in_the_archive() -> None:
    counts = {name: sum(1 for _ in wycheproof_pka.vectors(name)) for name in wycheproof_pka.names()}
    assert len(counts) == 89
    assert sum(counts.values()) == 23_769
