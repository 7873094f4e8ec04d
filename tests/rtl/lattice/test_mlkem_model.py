# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model of ML-KEM against NIST's vectors, Wycheproof's, known answers and another implementation."""

from __future__ import annotations

import random

import lattice_vectors
import pytest
from cryptography.hazmat.primitives.asymmetric import mlkem as reference
from lattice import mlkem
from lattice_vectors import Vector, octets

every_set = pytest.mark.parametrize("p", mlkem.SETS, ids=lambda p: p.name)
REFERENCES = {
    "ML-KEM-768": (reference.MLKEM768PrivateKey, reference.MLKEM768PublicKey),
    "ML-KEM-1024": (reference.MLKEM1024PrivateKey, reference.MLKEM1024PublicKey),
}


def test_key_generation() -> None:
    vectors = lattice_vectors.of("acvp_mlkem_key_gen")
    assert len(vectors) == 6
    for vector in vectors:
        p = mlkem.BY_NAME[vector["parameterSet"]]
        ek, dk = mlkem.keygen(p, octets(vector, "d"), octets(vector, "z"))
        assert (ek, dk) == (octets(vector, "ek"), octets(vector, "dk"))
    for file in ("mlkem_512_keygen", "mlkem_768_keygen", "mlkem_1024_keygen"):
        for vector in lattice_vectors.of(file):
            seed = octets(vector, "seed")
            pair = mlkem.keygen(mlkem.BY_NAME[vector["parameterSet"]], seed[:32], seed[32:])
            assert pair == (octets(vector, "ek"), octets(vector, "dk"))


def test_nist_encapsulation() -> None:
    vectors = lattice_vectors.of("acvp_mlkem_encap")
    assert {(v["function"], v["reason"]) for v in vectors} == {
        ("encapsulation", "no modification"),
        ("decapsulation", "no modification"),
        ("decapsulation", "modify ciphertext"),
    }
    for vector in vectors:
        p = mlkem.BY_NAME[vector["parameterSet"]]
        if vector["function"] == "encapsulation":
            pair = mlkem.encapsulate(p, octets(vector, "ek"), octets(vector, "m"))
            assert pair == (octets(vector, "k"), octets(vector, "c"))
        assert mlkem.decapsulate(p, octets(vector, "dk"), octets(vector, "c")) == octets(vector, "k")


def wycheproof(vector: Vector) -> bool:
    """Whether the model takes the inputs; what it returns must be the vector's."""
    p = mlkem.BY_NAME[vector["parameterSet"]]
    try:
        if vector["type"] == "MLKEMEncapsTest":
            pair = mlkem.encapsulate(p, octets(vector, "ek"), octets(vector, "m"))
            assert pair == (octets(vector, "K"), octets(vector, "c"))
            return True
        dk = octets(vector, "dk")
        if "seed" in vector:
            seed = octets(vector, "seed")
            if len(seed) != 64:
                return False
            ek, dk = mlkem.keygen(p, seed[:32], seed[32:])
            assert ek == octets(vector, "ek") or "ek" not in vector
        assert mlkem.decapsulate(p, dk, octets(vector, "c")) == octets(vector, "K")
    except mlkem.InvalidInputError:
        return False
    return True


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_wycheproof(every: int) -> None:
    vectors = [v for v in lattice_vectors.of("mlkem") if v["type"] != "MLKEMKeyGen"]
    assert len(vectors) == 60
    vectors = vectors[::every]
    assert {vector["result"] for vector in vectors} == {"valid", "invalid"}
    for vector in vectors:
        assert wycheproof(vector) == (vector["result"] == "valid"), (vector["file"], vector["tcId"])


@every_set
@pytest.mark.parametrize("count", [1, pytest.param(300, marks=pytest.mark.slow)])
def test_known_answers(p: mlkem.Parameters, count: int) -> None:
    for record in lattice_vectors.known_answers("MLKEM", p.name.replace("ML-KEM-", "MLKEM_"), count):
        ek, dk = mlkem.keygen(p, record["d"], record["z"])
        assert (ek, dk) == (record["pk"], record["sk"])
        assert mlkem.encapsulate(p, ek, record["msg"]) == (record["ss"], record["ct"])
        assert mlkem.decapsulate(p, dk, record["ct"]) == record["ss"]
        assert mlkem.decapsulate(p, dk, record["ct_n"]) == record["ss_n"]


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("count", [1, pytest.param(300, marks=pytest.mark.slow)])
def test_against_another_implementation(name: str, count: int) -> None:
    p, (private_class, public_class) = mlkem.BY_NAME[name], REFERENCES[name]
    rng = random.Random(name)
    for _ in range(count):
        d, z, m = (rng.randbytes(32) for _ in range(3))
        private = private_class.from_seed_bytes(d + z)
        ek, dk = mlkem.keygen(p, d, z)
        assert private.public_key().public_bytes_raw() == ek
        key, c = mlkem.encapsulate(p, ek, m)
        assert private.decapsulate(c) == key
        wrong = bytearray(c)
        wrong[rng.randrange(len(c))] ^= 1 << rng.randrange(8)
        assert private.decapsulate(bytes(wrong)) == mlkem.decapsulate(p, dk, bytes(wrong))
        theirs, c = public_class.from_public_bytes(ek).encapsulate()
        assert mlkem.decapsulate(p, dk, c) == theirs


@every_set
def test_sizes(p: mlkem.Parameters) -> None:
    """Table 3, and every length but the right one is refused."""
    sizes = {"ML-KEM-512": (800, 1632, 768), "ML-KEM-768": (1184, 2400, 1088), "ML-KEM-1024": (1568, 3168, 1568)}
    assert (p.ek_bytes, p.dk_bytes, p.ciphertext_bytes) == sizes[p.name]
    ek, dk = mlkem.keygen(p, bytes(32), bytes(32))
    _, c = mlkem.encapsulate(p, ek, bytes(32))
    for wrong in (ek[:-1], ek + b"\0"):
        with pytest.raises(mlkem.InvalidInputError):
            mlkem.encapsulate(p, wrong, bytes(32))
    for wrong_dk, wrong_c in ((dk[:-1], c), (dk, c[:-1]), (dk, c + b"\0")):
        with pytest.raises(mlkem.InvalidInputError):
            mlkem.decapsulate(p, wrong_dk, wrong_c)
