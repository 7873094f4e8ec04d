# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Hash functions, curves and RSA paddings, with their names in the driver and in OpenSSL."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from outwork.errors import UsageError
from outwork.spec import Opcode

#: By the names of `openssl dgst`.
HASHES: Final[dict[str, hashes.HashAlgorithm]] = {
    "sha1": hashes.SHA1(),
    "sha224": hashes.SHA224(),
    "sha256": hashes.SHA256(),
    "sha384": hashes.SHA384(),
    "sha512": hashes.SHA512(),
    "sha512-224": hashes.SHA512_224(),
    "sha512-256": hashes.SHA512_256(),
    "sha3-224": hashes.SHA3_224(),
    "sha3-256": hashes.SHA3_256(),
    "sha3-384": hashes.SHA3_384(),
    "sha3-512": hashes.SHA3_512(),
}
# : With the driver's opcodes.
HASH_OPCODES: Final = {name: Opcode[name.upper().replace("-", "_")] for name in HASHES}
#: The driver hashes these in software, for mask generation and nonces.
SOFTWARE_HASHES: Final = tuple(HASHES)[:7]


@dataclass(frozen=True)
class Curve:
    """`number` is the driver's `enum ow_curve`."""

    name: str
    number: int
    bytes: int
    algorithm: ec.EllipticCurve
    # : The hash function that is as strong as the curve.
    hash: str


CURVES: Final = {
    curve.name: curve
    for curve in (
        Curve("p-256", 0, 32, ec.SECP256R1(), "sha256"),
        Curve("p-384", 1, 48, ec.SECP384R1(), "sha384"),
        Curve("p-521", 2, 66, ec.SECP521R1(), "sha512"),
        Curve("secp256k1", 3, 32, ec.SECP256K1(), "sha256"),
    )
}


class Scheme(StrEnum):
    """RSA paddings, in the order of the driver's `enum ow_rsa_scheme`."""

    PKCS1 = "pkcs1"
    PSS = "pss"
    OAEP = "oaep"


# : Salt length when verifying: any.
SALT_ANY: Final = -1


@dataclass(frozen=True)
class Padding:
    """A padding of RSA. `hash`: of the message, or of OAEP's label; `mask_hash`: of MGF1."""

    scheme: Scheme
    hash: str = "sha256"
    mask_hash: str = "sha256"
    salt_bytes: int = SALT_ANY
    label: bytes = b""


def check_hash(name: str, option: str = "--digest") -> str:
    if name not in HASHES:
        raise UsageError(f"{option} does not have '{name}'. There are: {', '.join(HASHES)}.")
    return name


def digest_bytes(name: str) -> int:
    return HASHES[name].digest_size


def hashlib_name(name: str) -> str:
    """Returns the name in Python's hashlib."""
    return name.replace("-", "_")


def check_software_hash(name: str, scheme: Scheme) -> None:
    if name not in SOFTWARE_HASHES:
        raise UsageError(f"The padding {scheme} goes with {', '.join(SOFTWARE_HASHES)}, not with {name}.")


def check_signature_scheme(padding: Padding) -> None:
    if padding.scheme is Scheme.OAEP:
        raise UsageError("OAEP is for encryption; signatures have --padding pkcs1 or pss.")


def check_encryption_scheme(padding: Padding) -> None:
    if padding.scheme is Scheme.PSS:
        raise UsageError("PSS is for signatures; encryption has --padding oaep or pkcs1.")


def check_message(padding: Padding, modulus_bytes: int, length: int) -> None:
    """Checks the length: a message must be a little shorter than the modulus."""
    room = modulus_bytes - (2 * digest_bytes(padding.hash) + 2 if padding.scheme is Scheme.OAEP else 11)
    if length > room:
        raise UsageError(
            f"The message has {length} bytes; this key and padding take {max(room, 0)}. Encrypt a key with RSA, and the data with it."
        )


def with_salt(padding: Padding, salt_bytes: int) -> Padding:
    return replace(padding, salt_bytes=salt_bytes)
