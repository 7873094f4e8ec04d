# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Operations on public keys of the lab on the system on chip: results and the device's jobs are checked."""

from collections.abc import Iterator

import pytest

from outwork import algorithms
from outwork.algorithms.base import Operation
from outwork.algorithms.pka import PublicKey
from outwork.device import profiles
from outwork.device.profiles import Environment
from outwork.errors import OutworkError
from outwork.lab import soc_pka
from outwork.lab.engines.soc import SocEngine
from outwork.lab.records import KeyUse, Point
from outwork.lab.soc_pka import CurveNumbers, RsaNumbers, SocPkaWork
from outwork.paths import has_library
from outwork.soc import libraries

pytestmark = pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc")


def point(name: str, operation: str, jobs: int = 1, keys: KeyUse = KeyUse.NEW_IV) -> Point:
    algorithm = algorithms.find(name)
    assert isinstance(algorithm, PublicKey)
    return Point(algorithm, Operation(operation), algorithm.message_bytes, jobs, 1, keys)


def engine(name: str, environment: Environment = Environment.BARE_METAL) -> SocEngine:
    return SocEngine(name, environment, profiles.load("soc"))


@pytest.fixture(scope="module")
def accelerator() -> Iterator[SocEngine]:
    with engine("outwork") as opened:
        yield opened


@pytest.mark.parametrize(
    ("algorithm", "operation", "jobs"),
    [
        ("rsa-2048", "public", 2),
        ("rsa-2048", "private", 3),  # one fills the slot
        ("ecdsa-p256", "sign", 2),
        ("ecdsa-p256", "verify", 2),
        ("ecdh-p256", "derive", 2),
    ],
)
def test_the_accelerator(accelerator: SocEngine, algorithm: str, operation: str, jobs: int) -> None:
    wanted = point(algorithm, operation)
    assert accelerator.refuses(wanted) == ""
    work = accelerator.prepare(wanted)
    assert isinstance(work, SocPkaWork) and work.counted.jobs == jobs
    assert 0 < work.cpu_cycles() < 0.5 * work.sample().cost < 300_000


def test_a_wrong_signature_is_refused(accelerator: SocEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    right = soc_pka.signature
    monkeypatch.setattr(soc_pka, "signature", lambda private, digest: right(private, digest + 1))
    with pytest.raises(OutworkError, match="ecdsa-p256 verify has failed: 2 operations were refused"):
        accelerator.prepare(point("ecdsa-p256", "verify"))


def test_jobs_of_the_device_are_noticed(accelerator: SocEngine) -> None:
    with pytest.raises(OutworkError, match="counted 2 jobs for 2 operations"):
        SocPkaWork(accelerator.public_keys, point("rsa-2048", "public"), on_device=False)


def test_wrong_results_are_noticed() -> None:
    for operation in (Operation.PUBLIC, Operation.PRIVATE):
        assert not RsaNumbers(operation).is_right(bytes(256))
    for operation in (Operation.SIGN, Operation.DERIVE):
        assert not CurveNumbers(operation).is_right(bytes(64))
    signed = CurveNumbers(Operation.SIGN)
    assert signed.is_right(soc_pka.signature(soc_pka.number("mine"), int.from_bytes(signed.message)))


def test_what_cannot_be_measured(accelerator: SocEngine) -> None:
    assert "RSA-2048 and P-256" in accelerator.refuses(point("rsa-4096", "private"))
    assert "RSA-2048 and P-256" in accelerator.refuses(point("ecdsa-p384", "sign"))
    assert "RSA-2048 and P-256" in accelerator.refuses(point("x25519", "derive"))
    assert "one operation" in accelerator.refuses(point("rsa-2048", "private", jobs=2))
    assert "new-iv" in accelerator.refuses(point("rsa-2048", "private", keys=KeyUse.ROTATE))


@pytest.mark.slow
@pytest.mark.skipif(not libraries.MBEDTLS.is_dir(), reason="Mbed TLS is missing: scripts/mbedtls.sh 3.6.5")
def test_software() -> None:
    """A signature takes Mbed TLS a hundred times the cycles, without the device."""
    with engine("mbedtls") as software, engine("outwork") as accelerator:
        wanted = point("ecdsa-p256", "sign")
        assert software.prepare(wanted).sample().cost > 100 * accelerator.prepare(wanted).sample().cost


@pytest.mark.slow
def test_a_task_sleeps_meanwhile() -> None:
    with engine("outwork", Environment.FREERTOS) as accelerator:
        work = accelerator.prepare(point("rsa-2048", "private"))
        assert 0 < (work.cpu_cycles() or 0) < 0.2 * work.sample().cost
