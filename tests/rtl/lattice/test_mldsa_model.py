# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model of ML-DSA against NIST's vectors, Wycheproof's, known answers and another implementation."""

from __future__ import annotations

import random

import lattice_vectors
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa as reference
from lattice import mldsa
from lattice_vectors import Vector, octets

every_set = pytest.mark.parametrize("p", mldsa.SETS, ids=lambda p: p.name)
sampled = pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
REFERENCES = {
    "ML-DSA-44": (reference.MLDSA44PrivateKey, reference.MLDSA44PublicKey),
    "ML-DSA-65": (reference.MLDSA65PrivateKey, reference.MLDSA65PublicKey),
    "ML-DSA-87": (reference.MLDSA87PrivateKey, reference.MLDSA87PublicKey),
}


def set_of(vector: Vector) -> mldsa.Parameters:
    return mldsa.BY_NAME[f"ML-DSA-{vector['file'].split('_')[1]}"]


def test_nist_keys_and_signatures() -> None:
    """Signatures are those of the internal functions: the message is M', with its domain separator."""
    for vector in lattice_vectors.of("acvp_mldsa_key_gen"):
        p = mldsa.BY_NAME[vector["parameterSet"]]
        assert mldsa.keygen(p, octets(vector, "seed")) == (octets(vector, "pk"), octets(vector, "sk"))
    for vector in lattice_vectors.of("acvp_mldsa_sig_gen"):
        if vector["deterministic"]:
            p, sk = mldsa.BY_NAME[vector["parameterSet"]], octets(vector, "sk")
            signed = mldsa.sign_mu(p, sk, mldsa.h(sk[64:128] + octets(vector, "message"), 64))
            assert signed.signature == octets(vector, "signature")


def test_nist_verification() -> None:
    vectors = lattice_vectors.of("acvp_mldsa_sig_ver")
    assert len({vector["reason"] for vector in vectors}) == 5
    for vector in vectors:
        p, pk = mldsa.BY_NAME[vector["parameterSet"]], octets(vector, "pk")
        mu = mldsa.mu_of(pk, octets(vector, "message"))
        assert mldsa.verify_mu(p, pk, mu, octets(vector, "signature")) == vector["testPassed"], vector["reason"]


def signs(vector: Vector) -> bool:
    """Whether the model signs; its signature must be the vector's."""
    p = set_of(vector)
    if "privateSeed" in vector:
        seed = octets(vector, "privateSeed")
        if len(seed) != 32:
            return False
        _, sk = mldsa.keygen(p, seed)
    else:
        sk = octets(vector, "privateKey")
    if not mldsa.check_private(p, sk) or len(octets(vector, "ctx")) > 255:
        return False
    mu = octets(vector, "mu") or mldsa.h(sk[64:128] + mldsa.formatted(octets(vector, "msg"), octets(vector, "ctx")), 64)
    if "msg" in vector:
        assert mu == mldsa.h(sk[64:128] + mldsa.formatted(octets(vector, "msg"), octets(vector, "ctx")), 64)
    assert mldsa.sign_mu(p, sk, mu, octets(vector, "rnd") or bytes(32)).signature == octets(vector, "sig")
    return True


def is_long(vector: Vector) -> bool:
    """What takes ten rounds or more; what is refused and one hedged signature of each set are short."""
    return vector["result"] == "valid" and "Randomized" not in vector["flags"]


@sampled
def test_wycheproof_signatures(every: int) -> None:
    """The sample has none of those that take ten rounds."""
    vectors = [v for v in lattice_vectors.of("mldsa") if v["type"] == "MlDsaSign" and (every == 1 or not is_long(v))]
    vectors = vectors[::every]
    assert {vector["result"] for vector in vectors} == {"valid", "invalid"}
    for vector in vectors:
        assert signs(vector) == (vector["result"] == "valid"), (vector["file"], vector["tcId"])


@sampled
def test_wycheproof_verification(every: int) -> None:
    vectors = [v for v in lattice_vectors.of("mldsa") if v["type"] == "MlDsaVerify"]
    assert len(vectors) == 68
    vectors = vectors[::every]
    assert {vector["result"] for vector in vectors} == {"valid", "invalid"}
    for vector in vectors:
        got = mldsa.verify(
            set_of(vector),
            octets(vector, "publicKey"),
            octets(vector, "msg"),
            octets(vector, "sig"),
            octets(vector, "ctx"),
        )
        assert got == (vector["result"] == "valid"), (vector["file"], vector["tcId"])


@every_set
@pytest.mark.parametrize("count", [1, pytest.param(100, marks=pytest.mark.slow)])
def test_known_answers(p: mldsa.Parameters, count: int) -> None:
    file = p.name.replace("ML-DSA-", "MLDSA_") + "_det_pure"
    for record in lattice_vectors.known_answers("MLDSA", file, count):
        pk, sk = mldsa.keygen(p, record["xi"])
        assert (pk, sk) == (record["pk"], record["sk"])
        assert mldsa.sign(p, sk, record["msg"], record["ctx"]) + record["msg"] == record["sm"]


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("count", [1, pytest.param(100, marks=pytest.mark.slow)])
def test_against_another_implementation(name: str, count: int) -> None:
    p, (private_class, public_class) = mldsa.BY_NAME[name], REFERENCES[name]
    rng = random.Random(name)
    for _ in range(count):
        seed, message, context = rng.randbytes(32), rng.randbytes(rng.randrange(200)), rng.randbytes(rng.randrange(99))
        private = private_class.from_seed_bytes(seed)
        pk, sk = mldsa.keygen(p, seed)
        assert private.public_key().public_bytes_raw() == pk
        theirs = private.sign(message, context)
        assert mldsa.verify(p, pk, message, theirs, context)
        hedged = mldsa.sign(p, sk, message, context, rng.randbytes(32))
        public = public_class.from_public_bytes(pk)
        public.verify(hedged, message, context)
        wrong = bytearray(hedged)
        wrong[rng.randrange(len(wrong))] ^= 1 << rng.randrange(8)
        assert not mldsa.verify(p, pk, message, bytes(wrong), context)
        with pytest.raises(InvalidSignature):
            public.verify(bytes(wrong), message, context)


def test_pre_hash_separates() -> None:
    """A pre-hashed signature is one of no other function, and not of the hash itself."""
    p = mldsa.BY_NAME["ML-DSA-44"]
    pk, sk = mldsa.keygen(p, bytes(32))
    for name in ("SHA2-256", "SHAKE-128"):
        signature = mldsa.sign(p, sk, b"message", b"", pre_hash=name)
        assert mldsa.verify(p, pk, b"message", signature, pre_hash=name)
        assert not mldsa.verify(p, pk, b"message", signature, pre_hash="SHA3-256")
        assert not mldsa.verify(p, pk, mldsa.PRE_HASHES[name][1](b"message"), signature)


@every_set
def test_sizes(p: mldsa.Parameters) -> None:
    """Table 2."""
    sizes = {"ML-DSA-44": (1312, 2560, 2420), "ML-DSA-65": (1952, 4032, 3309), "ML-DSA-87": (2592, 4896, 4627)}
    assert (p.public_bytes, p.private_bytes, p.signature_bytes) == sizes[p.name]
