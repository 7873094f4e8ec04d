# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-DSA on the device through the driver: NIST's and Wycheproof's vectors, known answers, another implementation."""

from __future__ import annotations

import random
from collections.abc import Iterator

import lattice_device
import lattice_vectors
import pytest
from cryptography.exceptions import InvalidSignature
from lattice import mldsa as golden
from lattice_vectors import Vector, octets

from outwork.errors import UsageError
from outwork.pka import mldsa_keys
from outwork.pka.device_mldsa import TR, DeviceMlDsa
from outwork.pka.mldsa_keys import PREHASHES, SETS, MlDsaChoice, MlDsaPublic

K = {"ML-DSA-44": 4, "ML-DSA-65": 6, "ML-DSA-87": 8}
every_set = pytest.mark.parametrize("k", SETS)


@pytest.fixture(scope="module")
def device() -> Iterator[DeviceMlDsa]:
    with lattice_device.opened(DeviceMlDsa) as device:
        yield device


def test_nist_vectors(device: DeviceMlDsa) -> None:
    """Their messages are M' with its domain separator, so mu is computed here."""
    before, done = lattice_device.jobs(device), 0
    for vector in lattice_vectors.of("acvp_mldsa_key_gen"):
        pair = device.generate(K[vector["parameterSet"]], octets(vector, "seed"))
        assert pair == (octets(vector, "pk"), octets(vector, "sk"))
        done += 1
    for vector in lattice_vectors.of("acvp_mldsa_sig_gen"):
        sk = octets(vector, "sk")
        mu = golden.h(sk[TR] + octets(vector, "message"), 64)
        assert device.sign(K[vector["parameterSet"]], sk, mu, octets(vector, "rnd") or None) == octets(
            vector, "signature"
        )
        done += 1
    for vector in lattice_vectors.of("acvp_mldsa_sig_ver"):
        pk = octets(vector, "pk")
        mu = golden.mu_of(pk, octets(vector, "message"))
        good = device.verify(K[vector["parameterSet"]], pk, mu, octets(vector, "signature"))
        assert good == vector["testPassed"], vector["reason"]
        done += 1
    assert lattice_device.jobs(device) - before == done > 20


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_all_nist_vectors(device: DeviceMlDsa, every: int) -> None:
    before, done = lattice_device.jobs(device), 0
    for vector in lattice_vectors.all_of_nist("mldsa_key_gen", every):
        pair = device.generate(K[vector["parameterSet"]], octets(vector, "seed"))
        assert lattice_vectors.hashed(*pair) == vector["result"], vector["tcId"]
        done += 1
    for vector in lattice_vectors.all_of_nist("mldsa_sig_gen", every):
        sk, mu, rnd = octets(vector, "sk"), octets(vector, "mu"), octets(vector, "rnd") or None
        signature = device.sign(K[vector["parameterSet"]], sk, mu, rnd)
        assert lattice_vectors.hashed(signature) == vector["result"], vector["tcId"]
        done += 1
    for vector in lattice_vectors.all_of_nist("mldsa_sig_ver", every):
        pk = octets(vector, "pk")
        mu = golden.mu_of(pk, octets(vector, "message"))
        good = device.verify(K[vector["parameterSet"]], pk, mu, octets(vector, "signature"))
        assert good == vector["testPassed"], vector["reason"]
        done += 1
    assert lattice_device.jobs(device) - before == done >= 180 // every


def set_of(vector: Vector) -> int:
    return K[f"ML-DSA-{vector['file'].split('_')[1]}"]


def signs(device: DeviceMlDsa, vector: Vector) -> bool:
    """Whether the device takes the inputs; its signature must be the vector's."""
    k = set_of(vector)
    try:
        sk = octets(vector, "privateKey")
        if "privateSeed" in vector:
            _, sk = device.generate(k, octets(vector, "privateSeed"))
        choice = MlDsaChoice(octets(vector, "ctx"))
        mu = device.mu(sk[TR], octets(vector, "msg"), choice) if "msg" in vector else octets(vector, "mu")
        signature = device.sign(k, sk, mu, octets(vector, "rnd") or None)
    except UsageError:
        return False
    assert signature == octets(vector, "sig")
    return True


def verifies(device: DeviceMlDsa, vector: Vector) -> bool:
    k, pk = set_of(vector), octets(vector, "publicKey")
    try:
        mu = device.mu(device.tr(k, pk), octets(vector, "msg"), MlDsaChoice(octets(vector, "ctx")))
        return device.verify(k, pk, mu, octets(vector, "sig"))
    except UsageError:
        return False


def is_long(vector: Vector) -> bool:
    """Returns whether it is a signature of many rounds; not, for those of one file."""
    return vector["type"] == "MlDsaSign" and "ManySteps" in vector["flags"] and vector["file"] != "mldsa_44_sign_noseed"


SIGNED_EVERY = 6  # of the other signatures that must be made, which take longest: one in so many


def sample(vectors: list[Vector]) -> list[Vector]:
    """Every verification and every refusal, and some of the signatures."""
    made = [v for v in vectors if v["type"] == "MlDsaSign" and v["result"] == "valid" and not is_long(v)]
    left_out = {id(v) for i, v in enumerate(made) if i % SIGNED_EVERY != 0 and "ManySteps" not in v["flags"]}
    return [v for v in vectors if id(v) not in left_out and not is_long(v)]


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_wycheproof(device: DeviceMlDsa, every: bool) -> None:
    """Of the sample each set signs with a seed and without one."""
    known = lattice_vectors.of("mldsa")
    before, vectors = lattice_device.jobs(device), known if every else sample(known)
    assert len([vector for vector in vectors if vector["type"] == "MlDsaVerify"]) == 68
    refused = [[v for v in some if v["result"] == "invalid"] for some in (known, vectors)]
    assert refused[0] == refused[1]
    signed = {vector["file"] for vector in vectors if vector["type"] == "MlDsaSign" and vector["result"] == "valid"}
    assert len(signed) == 6
    for vector in vectors:
        got = (verifies if vector["type"] == "MlDsaVerify" else signs)(device, vector)
        assert got == (vector["result"] == "valid"), (vector["file"], vector["tcId"])
    assert lattice_device.jobs(device) - before > len(vectors)


@pytest.mark.parametrize("count", [4, pytest.param(100, marks=pytest.mark.slow)])
@every_set
def test_known_answers(device: DeviceMlDsa, k: int, count: int) -> None:
    """Deterministic, with contexts: of another implementation."""
    before, file = lattice_device.jobs(device), f"MLDSA_{mldsa_keys.NAMES[k][-2:]}_det_pure"
    for record in lattice_vectors.known_answers("MLDSA", file, count):
        pk, sk = device.generate(k, record["xi"])
        assert (pk, sk) == (record["pk"], record["sk"])
        mu = device.mu(device.tr(k, pk), record["msg"], MlDsaChoice(record["ctx"]))
        assert device.sign(k, sk, mu, None) + record["msg"] == record["sm"]
    assert lattice_device.jobs(device) - before == 4 * count


@pytest.mark.parametrize("count", [1, pytest.param(10, marks=pytest.mark.slow)])
@every_set
def test_against_another_implementation(device: DeviceMlDsa, k: int, count: int) -> None:
    """Keys, hashes with contexts, and signatures both ways; a wrong one is found by both."""
    rng, before = random.Random(k), lattice_device.jobs(device)
    names = [name for _ in range(count) for name in ("", "", rng.choice(list(PREHASHES)))]
    for name in names:
        seed, message, context = (
            rng.randbytes(32),
            rng.randbytes(rng.randrange(3000)),
            rng.randbytes(rng.randrange(256)),
        )
        choice = MlDsaChoice(context, name)
        private = mldsa_keys.PRIVATE_CLASSES[k].from_seed_bytes(seed)
        pk, sk = device.generate(k, seed)
        public = MlDsaPublic(k, pk)
        assert private.public_key().public_bytes_raw() == pk
        mu = device.mu(sk[TR], message, choice)
        assert mu == mldsa_keys.mu_of(public, message, choice)
        signature = device.sign(k, sk, mu, rng.randbytes(32))
        if name:
            mldsa_keys.to_public(public).verify_mu(signature, mu)
        else:
            mldsa_keys.to_public(public).verify(signature, message, context)
        assert device.verify(k, pk, mu, private.sign_mu(mu))
        wrong = bytearray(signature)
        wrong[rng.randrange(len(wrong))] ^= 1 << rng.randrange(8)
        assert not device.verify(k, pk, mu, bytes(wrong))
        with pytest.raises(InvalidSignature):
            mldsa_keys.to_public(public).verify_mu(bytes(wrong), mu)
    assert lattice_device.jobs(device) - before == 5 * len(names) + count


@every_set
def test_lengths(device: DeviceMlDsa, k: int) -> None:
    """No signature of another length is one; keys and contexts of another length are refused, without a job."""
    pk, sk = device.generate(k, bytes(32))
    mu = bytes(64)
    signature = device.sign(k, sk, mu, None)
    assert device.verify(k, pk, mu, signature)
    before = lattice_device.jobs(device)
    for wrong in (b"", signature[:1], signature[:-1], signature + b"\0"):
        assert not device.verify(k, pk, mu, wrong)
    for refused in (
        lambda: device.generate(k, bytes(31)),
        lambda: device.sign(k, sk[:-1], mu, None),
        lambda: device.sign(k, sk + b"\0", mu, None),
        lambda: device.sign(k, sk, mu, bytes(33)),
        lambda: device.sign(k, sk, mu[:-1], None),
        lambda: device.verify(k, pk + b"\0", mu, signature),
        lambda: device.tr(k, pk[:-1]),
        lambda: device.mu(sk[TR], b"", MlDsaChoice(bytes(256))),
    ):
        with pytest.raises(UsageError):
            refused()
    assert lattice_device.jobs(device) == before
