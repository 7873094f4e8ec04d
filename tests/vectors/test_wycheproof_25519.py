# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Wycheproof's vectors of X25519 and Ed25519 on the device: every kind of test in a sample, all of them in the slow tests."""

import pytest
import wycheproof_25519
from wycheproof_25519 import Vector

from outwork.errors import UsageError
from outwork.pka.device import DeviceWorker
from outwork.pka.keys import Ed25519Public, X25519Private, X25519Public

ALL = pytest.param(1000, id="all", marks=pytest.mark.slow)


def derives(worker: DeviceWorker, vector: Vector) -> bool:
    peer = X25519Public(vector.hex("public"))
    try:
        return worker.x25519(X25519Private(vector.hex("private"), peer), peer) == vector.hex("shared")
    except UsageError:
        return False


def verifies(worker: DeviceWorker, vector: Vector) -> bool:
    try:
        return worker.ed25519_verify(Ed25519Public(vector.key), vector.hex("msg"), vector.hex("sig"))
    except UsageError:
        return False


@pytest.mark.parametrize("of_a_kind", [pytest.param(1, id="few"), ALL])
@pytest.mark.parametrize("name", ["x25519", "ed25519"])
def test_sample(name: str, of_a_kind: int) -> None:
    with DeviceWorker("reference") as worker:
        vectors = wycheproof_25519.sample(name, of_a_kind)
        for vector in vectors:
            got = (derives if name == "x25519" else verifies)(worker, vector)
            assert got == vector.is_valid, vector.test
        # Random bytes or a hash each, and what is valid.
        assert worker.queue.counters()["jobs"] >= len(vectors)


def test_files() -> None:
    assert [len(wycheproof_25519.vectors(name)) for name in ("x25519", "ed25519")] == [518, 151]
