# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Known answers of public-key operations, for the self-test: each a function that says whether a worker gives it."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec, rsa

from outwork.pka import keys
from outwork.pka.base import Worker
from outwork.pka.keys import Ed25519Private, Ed25519Public, X25519Private, X25519Public
from outwork.pka.schemes import Padding, Scheme
from outwork.pka.software import SoftwareWorker

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


@dataclass(frozen=True)
class PublicKeyAnswer:
    """`holds` returns whether the worker's result is the known one."""

    algorithm: str
    source: str
    holds: Callable[[Worker], bool]


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


ANSWERS: Final = (
    PublicKeyAnswer("rsa-1024", "PKCS #1 v1.5 signature", _rsa_signs),
    PublicKeyAnswer("ecdsa-p256", "signature that software verifies", _p256_signs),
    PublicKeyAnswer("ecdsa-p256", "RFC 6979 A.2.5", _p256_verifies),
    PublicKeyAnswer("x25519", "RFC 7748 5.2", _x25519),
    PublicKeyAnswer("ed25519", "RFC 8032 7.1", _ed25519),
)


def run(worker: Worker) -> Iterator[tuple[PublicKeyAnswer, bool]]:
    """Yields each answer, and whether it holds."""
    for answer in ANSWERS:
        yield answer, answer.holds(worker)
