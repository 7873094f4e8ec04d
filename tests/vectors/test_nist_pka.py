# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Vectors of NIST, RSA Laboratories and RFC 6979 for public keys, on the device."""

import nist_pka
import pytest

from outwork.pka.device import DeviceWorker

COUNTS = {
    "ecdsa_verify": 225,
    "public_keys": 36,
    "ecdh": 66,
    "rsa_pkcs1_verify": 450,
    "rsa_pss_verify": 450,
    "rsa_oaep": 60,
    "rfc6979": 30,
}
# A sample takes every so many-th vector.
SAMPLE = {
    "ecdsa_verify": 101,
    "public_keys": 1,
    "ecdh": 61,
    "rsa_pkcs1_verify": 61,
    "rsa_pss_verify": 61,
    "rsa_oaep": 23,
    "rfc6979": 11,
}


def _run(name: str, step: int) -> None:
    questions = list(nist_pka.SETS[name]())
    assert len(questions) == COUNTS[name]
    with DeviceWorker("reference") as worker:
        for question in questions[::step]:
            assert question(worker), question.args  # type: ignore[attr-defined]
        assert worker.queue.counters()["jobs"] > 0


@pytest.mark.parametrize("name", nist_pka.SETS)
def test_sample(name: str) -> None:
    _run(name, SAMPLE[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", nist_pka.SETS)
def test_all(name: str) -> None:
    _run(name, 1)
