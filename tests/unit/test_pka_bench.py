# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Public keys in bench and lab: on the device in counted cycles, on this CPU's libraries in seconds; the targets."""

import statistics

import pytest

from outwork import algorithms
from outwork.algorithms.base import Operation
from outwork.algorithms.pka import ED25519, FAMILY, X25519
from outwork.errors import UsageError
from outwork.lab import bench, device_pka, engines
from outwork.lab.records import KeyUse, Kind, Point

# Operation: cycles at most, as the project set them; slow ones in `make test-all`.
ASKED = {
    ("rsa-2048", "public"): 25_000,
    ("rsa-2048", "private"): 450_000,
    ("rsa-4096", "public"): 95_000,
    ("rsa-4096", "private"): 3_200_000,
    ("ecdsa-p256", "sign"): 110_000,
    ("ecdsa-p256", "verify"): 230_000,
    ("ecdh-p256", "derive"): 180_000,
    ("x25519", "derive"): 60_000,
    ("ed25519", "sign"): 40_000,
    ("ed25519", "verify"): 80_000,
    ("ml-kem-512", "decapsulate"): 3_000,
    ("ml-kem-768", "keygen"): 3_200,
    ("ml-kem-768", "encapsulate"): 4_000,
    ("ml-kem-768", "decapsulate"): 5_000,
    ("ml-kem-1024", "decapsulate"): 6_000,
    ("ml-dsa-44", "sign"): 25_000,
    ("ml-dsa-65", "keygen"): 7_000,
    ("ml-dsa-65", "sign"): 35_000,
    ("ml-dsa-65", "verify"): 8_000,
    ("ml-dsa-87", "verify"): 11_000,
    ("ecdsa-p384", "sign"): 300_000,
    ("ecdsa-p384", "verify"): 600_000,
}
SLOW = {("ml-dsa-65", "sign"), ("rsa-4096", "private"), ("ecdsa-p384", "sign"), ("ecdsa-p384", "verify")}
# For each of four in flight, with the fetches that the first of them and the last record cannot hide.
FOUR = [
    ("ecdsa-p256", "sign", 34_500),
    ("ecdsa-p256", "verify", 66_500),
    ("ecdh-p256", "derive", 64_500),
    ("rsa-2048", "private", 340_000),
    ("rsa-2048", "public", 18_000),
]


def point(name: str, operation: str, jobs: int = 1, keys: KeyUse = KeyUse.NEW_IV) -> Point:
    algorithm = algorithms.find(name)
    return Point(algorithm, Operation(operation), algorithm.message_bytes, jobs, jobs, keys)


@pytest.mark.parametrize(
    ("name", "operation"),
    [pytest.param(*work, marks=[pytest.mark.slow] if work in SLOW else []) for work in ASKED],
)
def test_figures(name: str, operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ML-DSA the mean of fewer signatures than a measurement makes."""
    monkeypatch.setattr(device_pka, "ML_DSA_SIGNATURES", 25)
    (candidate,) = engines.choose("accelerator/outwork")
    with candidate.open(None) as engine:
        work = engine.prepare(point(name, operation))
        try:
            sample = work.sample()
        finally:
            work.close()
        assert engine.kind is Kind.COUNTED and engine.unit == "cycles"
        assert ASKED[name, operation] / 4 < sample.cost <= ASKED[name, operation]
        assert (
            engine.refuses(point(name, operation, jobs=9))
            == "public-key operations are measured with up to 8 in flight"
        )
        assert engine.refuses(point(name, operation, keys=KeyUse.ROTATE))


@pytest.mark.parametrize(
    ("name", "operation", "asked"),
    [
        ("x25519", "derive", 33_000),
        ("ed25519", "verify", 60_000),
        *(pytest.param(*work, marks=pytest.mark.slow) for work in FOUR),
    ],
)
def test_four_in_flight(name: str, operation: str, asked: int) -> None:
    """Two are at work at a time: an operation costs little more than half of what it takes alone."""
    (candidate,) = engines.choose("accelerator/outwork")
    with candidate.open(None) as engine:
        assert engine.refuses(point(name, operation, jobs=4)) == ""
        work = engine.prepare(point(name, operation, jobs=4))
        try:
            sample = work.sample()
        finally:
            work.close()
        assert work.messages == 8
        assert sample.latency / 2 < sample.cost <= asked


@pytest.mark.slow
def test_mean_of_a_thousand_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ML-DSA-65, deterministic, and that of a signature that is found in the first round."""
    monkeypatch.setattr(device_pka, "ML_DSA_SIGNATURES", 1_000)
    (candidate,) = engines.choose("accelerator/outwork")
    with candidate.open(None) as engine:
        work = engine.prepare(point("ml-dsa-65", "sign"))
        assert isinstance(work, device_pka.DevicePkaWork) and work.messages == 1_000
        taken = work.cycles()
        work.close()
    print(
        f"ML-DSA-65: mean {statistics.fmean(taken):,.0f}, median {statistics.median(taken):,.0f}, {min(taken):,} to {max(taken):,}"
    )
    assert min(taken) <= 12_000 and statistics.fmean(taken) <= 35_000


@pytest.mark.parametrize("name", ["software/openssl", "cpu/openssl", "software/mbedtls", "software/wolfssl"])
def test_libraries(name: str) -> None:
    (candidate,) = engines.choose(name)
    if candidate.missing:
        pytest.skip(candidate.missing)
    with candidate.open(None) as engine:
        for algorithm in FAMILY.others:
            if algorithm.key_bits > 1024:
                continue
            for operation in algorithm.operations:
                wanted = point(algorithm.name, operation)
                if algorithm.name.startswith("ml-"):
                    assert "has neither ML-KEM nor ML-DSA" in engine.refuses(wanted)
                    continue
                if algorithm == ED25519:
                    assert "has no Ed25519" in engine.refuses(wanted)
                    continue
                if algorithm == X25519 and name == "software/wolfssl":
                    assert engine.refuses(wanted) == "the adapter of wolfssl has no X25519"
                    continue
                assert engine.refuses(wanted) == ""
                work = engine.prepare(wanted)
                sample = work.sample()
                assert 1e-6 < sample.cost < 1 and work.overhead_seconds is not None
                work.close()
        assert engine.refuses(point("rsa-1024", "public", jobs=2)) == "the library does one operation at a time"
        assert engine.refuses(point("rsa-1024", "public", keys=KeyUse.NEW_KEY))


@pytest.mark.parametrize("name", ["cpu/ipsec-mb"])
def test_libraries_without_public_keys(name: str) -> None:
    (candidate,) = engines.choose(name)
    if candidate.missing:
        pytest.skip(candidate.missing)
    with candidate.open(None) as engine:
        assert "this library has no public-key adapter" in engine.refuses(point("rsa-1024", "public"))


def test_an_algorithm_with_one_length_has_that() -> None:
    found = bench.points(["rsa-2048", "ecdsa-p521"], [], [16, 64], 1, None, KeyUse.NEW_IV)
    assert [(entry.algorithm.name, entry.operation, entry.size_bytes) for entry in found] == [
        ("rsa-2048", "public", 256),
        ("rsa-2048", "private", 256),
        ("ecdsa-p521", "sign", 66),
        ("ecdsa-p521", "verify", 66),
    ]
    with pytest.raises(UsageError, match="works on 256 bytes, not on 16"):
        algorithms.find("rsa-2048").check_length(16)
