# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Known answers of public-key operations, for the self-test: each a function that says whether a worker gives it."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec, rsa

from outwork.pka import keys, mldsa_keys, mlkem_keys
from outwork.pka.base import Worker
from outwork.pka.keys import Ed25519Private, Ed25519Public, X25519Private, X25519Public
from outwork.pka.mldsa_keys import MlDsaChoice, MlDsaPrivate
from outwork.pka.mlkem_keys import MlKemPrivate, MlKemPublic
from outwork.pka.schemes import Padding, Scheme
from outwork.pka.software import SoftwareWorker
from outwork.spec import Opcode

MESSAGE: Final = b"sample"
DIGEST: Final = hashlib.sha256(MESSAGE).digest()
# A key of 1,024 bits that protects nothing.
RSA_PRIMES: Final = (
    0xFBC6607F534D04CE7F9FBCE7583C632BB08A8C4F56C805E1539D6427E4FD3DD247FE80FCDD8A90611FF1E12B1933D4D8BB6BAAB74611B197AFAA9AA8AD0AD913,
    0xE82EA8D98F0813226FB6DD5B785E0096BB49D8A7BFEBBAACF78A22C6FDDC033D31338C3EF54B08F6BF12B8FFEE870BB06E14F02BB9A7D2E3CA4A83C380AF6C87,
)
RSA_EXPONENT: Final = 65537
# RFC 6979, A.2.5, "sample" with SHA-256.
P256_PRIVATE: Final = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
P256_SIGNATURE: Final = (
    0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716,
    0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8,
)
# RFC 7748, 5.2, the first one.
X25519_SCALAR: Final = bytes.fromhex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
X25519_POINT: Final = bytes.fromhex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
X25519_RESULT: Final = bytes.fromhex("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")
# RFC 8032, 7.1, TEST 2.
ED25519_SEED: Final = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
ED25519_PUBLIC: Final = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
ED25519_SIGNATURE: Final = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)
LATTICE_SEED: Final = bytes(range(64))
# By k: the secret of a ciphertext of zeros, which is none (FIPS 203, algorithm 18), of the golden model in rtl/lattice.
ML_KEM_REJECTIONS: Final = {
    2: "fc3ccf20a37dd91d9f511da5e6cb92039b1414db5b0880741178ccfb143212ff",
    3: "c8fbeddafdacef2ffeb8b354ea644f11b5c150f3e2c4a74ce38abba8f854ae16",
    4: "294cb5b6b0f37a047745a2a69991f66ac85936e1b077e717eaeb26bb0ba42c68",
}
# By k: SHA-256 of the deterministic signature of MESSAGE under ML_DSA_CHOICE, of the golden model in rtl/lattice.
ML_DSA_CHOICE: Final = MlDsaChoice(b"context", is_deterministic=True)
ML_DSA_SIGNATURES: Final = {
    4: "959d31854b995cd57793e8048b6538081027d164fb0f0bcac27934ab9d62fbce",
    6: "9f72ee8207056f43c9d27087f0cad0d88107364db6c0e4290e2645581dde962b",
    8: "7522da85920778b6bb07f6697e01e524da19b49230e85715bb2e7cf2335e9353",
}


@dataclass(frozen=True)
class PublicKeyAnswer:
    """`holds` returns whether the worker's result is the known one. `opcode`: what a device must have. `in_software`:
    whether software can do it too."""

    algorithm: str
    source: str
    opcode: Opcode
    holds: Callable[[Worker], bool]
    in_software: bool = True


def _rsa_key() -> keys.RsaPrivate:
    p, q = RSA_PRIMES
    d = pow(RSA_EXPONENT, -1, (p - 1) * (q - 1))
    numbers = rsa.RSAPrivateNumbers(
        p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(RSA_EXPONENT, p * q)
    )
    key = keys.from_private(numbers.private_key())
    assert isinstance(key, keys.RsaPrivate)
    return key


def _p256_key() -> keys.CurvePrivate:
    key = keys.from_private(ec.derive_private_key(P256_PRIVATE, ec.SECP256R1()))
    assert isinstance(key, keys.CurvePrivate)
    return key


def _rsa_signs(worker: Worker) -> bool:
    """Returns whether the signature is the only one that PKCS #1 v1.5 allows."""
    key = _rsa_key()
    padding = Padding(Scheme.PKCS1, "sha256")
    signature = worker.rsa_sign(key, padding, DIGEST)
    return SoftwareWorker().rsa_verify(key.public, padding, DIGEST, signature)


def _p256_signs(worker: Worker) -> bool:
    """Returns whether software takes the signature, which has a random number in it."""
    key = _p256_key()
    signature = worker.ecdsa_sign(key, "sha256", DIGEST)
    return SoftwareWorker().ecdsa_verify(key.public, "sha256", DIGEST, signature)


def _p256_verifies(worker: Worker) -> bool:
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    return worker.ecdsa_verify(_p256_key().public, "sha256", DIGEST, encode_dss_signature(*P256_SIGNATURE))


def _x25519(worker: Worker) -> bool:
    key = X25519Private(X25519_SCALAR, X25519Public(b""))
    return worker.x25519(key, X25519Public(X25519_POINT)) == X25519_RESULT


def _ed25519(worker: Worker) -> bool:
    key = Ed25519Private(ED25519_SEED, Ed25519Public(ED25519_PUBLIC))
    return worker.ed25519_sign(key, b"\x72") == ED25519_SIGNATURE


def _ml_kem_rejects(k: int, worker: Worker) -> bool:
    key = MlKemPrivate(k, LATTICE_SEED, b"")
    return worker.mlkem_decapsulate(key, bytes(mlkem_keys.ciphertext_bytes(k))).hex() == ML_KEM_REJECTIONS[k]


def _ml_kem_both_ways(worker: Worker) -> bool:
    """Returns whether the worker and software get each other's secrets."""
    key, software = MlKemPrivate(3, LATTICE_SEED, b""), SoftwareWorker()
    public = MlKemPublic(3, keys.mlkem_private(key).public_key().public_bytes_raw())
    theirs, their_ciphertext = software.mlkem_encapsulate(public)
    ours, our_ciphertext = worker.mlkem_encapsulate(public)
    return (
        worker.mlkem_decapsulate(key, their_ciphertext) == theirs
        and software.mlkem_decapsulate(key, our_ciphertext) == ours
    )


def _ml_dsa_key(k: int) -> MlDsaPrivate:
    return MlDsaPrivate(k, LATTICE_SEED[: mldsa_keys.SEED_BYTES], b"")


def _ml_dsa_is_deterministic(k: int, worker: Worker) -> bool:
    signature = worker.mldsa_sign(_ml_dsa_key(k), MESSAGE, ML_DSA_CHOICE)
    return hashlib.sha256(signature).hexdigest() == ML_DSA_SIGNATURES[k]


def _ml_dsa_both_ways(worker: Worker) -> bool:
    """Returns whether the worker and software take each other's signatures, which have random numbers in them."""
    key, software, choice = _ml_dsa_key(6), SoftwareWorker(), MlDsaChoice(b"context")
    return software.mldsa_verify(
        key.public, MESSAGE, choice, worker.mldsa_sign(key, MESSAGE, choice)
    ) and worker.mldsa_verify(key.public, MESSAGE, choice, software.mldsa_sign(key, MESSAGE, choice))


# `cryptography` has no ML-KEM-512, and no deterministic signatures of ML-DSA.
ANSWERS: Final = (
    PublicKeyAnswer("rsa-1024", "PKCS #1 v1.5 signature", Opcode.RSA_PRIVATE, _rsa_signs),
    PublicKeyAnswer("ecdsa-p256", "signature that software verifies", Opcode.EC_SIGN, _p256_signs),
    PublicKeyAnswer("ecdsa-p256", "RFC 6979 A.2.5", Opcode.EC_VERIFY, _p256_verifies),
    PublicKeyAnswer("x25519", "RFC 7748 5.2", Opcode.X25519, _x25519),
    PublicKeyAnswer("ed25519", "RFC 8032 7.1", Opcode.ED25519_SIGN, _ed25519),
    *(
        PublicKeyAnswer(name, "implicit rejection", Opcode.MLKEM_DECAPSULATE, partial(_ml_kem_rejects, k), k != 2)
        for k, name in mlkem_keys.NAMES.items()
    ),
    PublicKeyAnswer("ml-kem-768", "secrets of software", Opcode.MLKEM_DECAPSULATE, _ml_kem_both_ways),
    *(
        PublicKeyAnswer(name, "golden model", Opcode.MLDSA_SIGN, partial(_ml_dsa_is_deterministic, k), False)
        for k, name in mldsa_keys.NAMES.items()
    ),
    PublicKeyAnswer("ml-dsa-65", "signatures of software", Opcode.MLDSA_SIGN, _ml_dsa_both_ways),
)


def run(worker: Worker) -> Iterator[tuple[PublicKeyAnswer, bool]]:
    """Yields each answer that this worker can give, and whether it holds."""
    for answer in ANSWERS:
        if worker.supports(answer.opcode) and (answer.in_software or not isinstance(worker, SoftwareWorker)):
            yield answer, answer.holds(worker)
