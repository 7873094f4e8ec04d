# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM on the device through the driver: NIST's and Wycheproof's vectors, and another implementation."""

from __future__ import annotations

import random
from collections.abc import Iterator

import lattice_device
import lattice_vectors
import pytest
from cryptography.hazmat.primitives.asymmetric import mlkem as reference
from lattice_vectors import Vector, octets

from outwork.errors import UsageError
from outwork.pka.device_mlkem import DeviceMlKem

K = {"ML-KEM-512": 2, "ML-KEM-768": 3, "ML-KEM-1024": 4}
# Cycles of key generation, encapsulation and decapsulation at most, from the descriptor's fetch to the completion.
MOST = {2: (1950, 2050, 2900), 3: (2800, 3000, 4150), 4: (3900, 4100, 5600)}


@pytest.fixture(scope="module")
def device() -> Iterator[DeviceMlKem]:
    with lattice_device.opened(DeviceMlKem) as device:
        yield device


def test_nist_vectors(device: DeviceMlKem) -> None:
    before, done = lattice_device.jobs(device), 0
    for vector in lattice_vectors.of("acvp_mlkem_key_gen"):
        pair = device.generate(K[vector["parameterSet"]], octets(vector, "d"), octets(vector, "z"))
        assert pair == (octets(vector, "ek"), octets(vector, "dk"))
        done += 1
    for vector in lattice_vectors.of("acvp_mlkem_encap"):
        k = K[vector["parameterSet"]]
        if vector["function"] == "encapsulation":
            made = device.encapsulate(k, octets(vector, "ek"), octets(vector, "m"))
            assert made == (octets(vector, "k"), octets(vector, "c"))
            done += 1
        assert device.decapsulate(k, octets(vector, "dk"), octets(vector, "c")) == octets(vector, "k")
        done += 1
    assert lattice_device.jobs(device) - before == done == 30


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_all_nist_vectors(device: DeviceMlKem, every: int) -> None:
    before, done = lattice_device.jobs(device), 0
    for vector in lattice_vectors.all_of_nist("mlkem_key_gen", every):
        pair = device.generate(K[vector["parameterSet"]], octets(vector, "d"), octets(vector, "z"))
        assert lattice_vectors.hashed(*pair) == vector["result"], vector["tcId"]
        done += 1
    for vector in lattice_vectors.all_of_nist("mlkem_encap_decap", every):
        k, dk = K[vector["parameterSet"]], octets(vector, "dk")
        if vector["function"] == "encapsulation":
            secret, ciphertext = device.encapsulate(k, dk[384 * k : 768 * k + 32], octets(vector, "m"))
            assert lattice_vectors.hashed(ciphertext, secret) == vector["result"], vector["tcId"]
            done += 1
        else:
            secret, ciphertext = octets(vector, "k"), octets(vector, "c")
        assert device.decapsulate(k, dk, ciphertext) == secret, vector["tcId"]
        done += 1
    assert lattice_device.jobs(device) - before == done >= 255 // every


@pytest.mark.parametrize("count", [4, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("k", K.values())
def test_known_answers(device: DeviceMlKem, k: int, count: int) -> None:
    """Of another implementation; with a ciphertext of another key, which is rejected implicitly."""
    before, file = lattice_device.jobs(device), f"MLKEM_{256 * k}"
    for record in lattice_vectors.known_answers("MLKEM", file, count):
        assert device.generate(k, record["d"], record["z"]) == (record["pk"], record["sk"])
        assert device.encapsulate(k, record["pk"], record["msg"]) == (record["ss"], record["ct"])
        assert device.decapsulate(k, record["sk"], record["ct"]) == record["ss"]
        assert device.decapsulate(k, record["sk"], record["ct_n"]) == record["ss_n"]
    assert lattice_device.jobs(device) - before == 4 * count


def wycheproof(device: DeviceMlKem, vector: Vector) -> bool:
    """Whether the device takes the inputs; what it returns must be the vector's."""
    k = K[vector["parameterSet"]]
    try:
        if vector["type"] == "MLKEMEncapsTest":
            made = device.encapsulate(k, octets(vector, "ek"), octets(vector, "m"))
            assert made == (octets(vector, "K"), octets(vector, "c"))
            return True
        dk = octets(vector, "dk")
        if "seed" in vector:
            seed = octets(vector, "seed")
            _, dk = device.generate(k, seed[:32], seed[32:])
        assert device.decapsulate(k, dk, octets(vector, "c")) == octets(vector, "K")
    except UsageError:
        return False
    return True


def test_wycheproof(device: DeviceMlKem) -> None:
    vectors = [v for v in lattice_vectors.of("mlkem") if v["type"] != "MLKEMKeyGen"]
    assert len(vectors) == 60
    before = lattice_device.jobs(device)
    for vector in vectors:
        assert wycheproof(device, vector) == (vector["result"] == "valid"), (vector["file"], vector["tcId"])
    # One job for each valid one, and another one where a seed makes its key.
    valid = [vector for vector in vectors if vector["result"] == "valid"]
    assert lattice_device.jobs(device) - before >= len(valid) + sum("seed" in vector for vector in valid)


@pytest.mark.parametrize("count", [4, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("k", [3, 4])
def test_against_another_implementation(device: DeviceMlKem, k: int, count: int) -> None:
    private_class = {3: reference.MLKEM768PrivateKey, 4: reference.MLKEM1024PrivateKey}[k]
    rng = random.Random(k)
    before = lattice_device.jobs(device)
    for _ in range(count):
        d, z, m = (rng.randbytes(32) for _ in range(3))
        private = private_class.from_seed_bytes(d + z)
        ek, dk = device.generate(k, d, z)
        cycles = [device.cycles]
        assert private.public_key().public_bytes_raw() == ek
        secret, ciphertext = device.encapsulate(k, ek, m)
        cycles.append(device.cycles)
        assert private.decapsulate(ciphertext) == secret
        theirs, ciphertext = private.public_key().encapsulate()
        assert device.decapsulate(k, dk, ciphertext) == theirs
        cycles.append(device.cycles)
        assert all(got <= most for got, most in zip(cycles, MOST[k], strict=True)), cycles
        wrong = bytearray(ciphertext)
        wrong[rng.randrange(len(wrong))] ^= 1 << rng.randrange(8)
        assert device.decapsulate(k, dk, bytes(wrong)) == private.decapsulate(bytes(wrong)) != theirs
    assert lattice_device.jobs(device) - before == 4 * count


@pytest.mark.parametrize("k", K.values())
def test_lengths(device: DeviceMlKem, k: int) -> None:
    """Seeds, keys and ciphertexts of another length are refused, without a job."""
    ek, dk = device.generate(k, bytes(32), bytes(32))
    _, ciphertext = device.encapsulate(k, ek, bytes(32))
    before = lattice_device.jobs(device)
    for wrong in (b"", bytes(31), bytes(33)):
        for refused in (
            lambda wrong=wrong: device.generate(k, wrong, bytes(32)),
            lambda wrong=wrong: device.generate(k, bytes(32), wrong),
            lambda wrong=wrong: device.encapsulate(k, ek, wrong),
        ):
            with pytest.raises(UsageError):
                refused()
    for change in (lambda data: b"", lambda data: data[:1], lambda data: data[:-1], lambda data: data + b"\0"):
        for refused in (
            lambda change=change: device.encapsulate(k, change(ek), bytes(32)),
            lambda change=change: device.decapsulate(k, change(dk), ciphertext),
            lambda change=change: device.decapsulate(k, dk, change(ciphertext)),
        ):
            with pytest.raises(UsageError):
                refused()
    assert lattice_device.jobs(device) == before
