# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-DSA keys, the files of them that RFC 9881 describes, and what a signature is of beside the message."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric import mldsa

from outwork.errors import UsageError
from outwork.pka import der, lattice_keys
from outwork.pka.lattice_keys import NIST_ARC, ParameterSet
from outwork.spec import Opcode

SEED_BYTES = 32
CONTEXT_BYTES_MAX = 255
# By k (FIPS 204, tables 1 and 2); the last number of the object identifier is 2.16.840.1.101.3.4.3.x.
SETS = {
    4: ParameterSet("ml-dsa-44", 4, bytes((3, 17)), SEED_BYTES, 1312, 2560),
    6: ParameterSet("ml-dsa-65", 6, bytes((3, 18)), SEED_BYTES, 1952, 4032),
    8: ParameterSet("ml-dsa-87", 8, bytes((3, 19)), SEED_BYTES, 2592, 4896),
}
NAMES = {k: chosen.name for k, chosen in SETS.items()}
SIGNATURE_BYTES = {4: 2420, 6: 3309, 8: 4627}
# Of a collision, in bits: lambda (FIPS 204, table 1).
STRENGTH = {4: 128, 6: 192, 8: 256}
PrivateObject = mldsa.MLDSA44PrivateKey | mldsa.MLDSA65PrivateKey | mldsa.MLDSA87PrivateKey
PublicObject = mldsa.MLDSA44PublicKey | mldsa.MLDSA65PublicKey | mldsa.MLDSA87PublicKey
PRIVATE_CLASSES: dict[int, type[PrivateObject]] = {
    4: mldsa.MLDSA44PrivateKey,
    6: mldsa.MLDSA65PrivateKey,
    8: mldsa.MLDSA87PrivateKey,
}
PUBLIC_CLASSES: dict[int, type[PublicObject]] = {
    4: mldsa.MLDSA44PublicKey,
    6: mldsa.MLDSA65PublicKey,
    8: mldsa.MLDSA87PublicKey,
}


@dataclass(frozen=True)
class Prehash:
    """A hash of HashML-DSA; the object identifier is 2.16.840.1.101.3.4.2.x."""

    opcode: Opcode
    x: int
    bytes: int


#: By the names of `openssl dgst`.
PREHASHES = {
    "sha224": Prehash(Opcode.SHA224, 4, 28),
    "sha256": Prehash(Opcode.SHA256, 1, 32),
    "sha384": Prehash(Opcode.SHA384, 2, 48),
    "sha512": Prehash(Opcode.SHA512, 3, 64),
    "sha512-224": Prehash(Opcode.SHA512_224, 5, 28),
    "sha512-256": Prehash(Opcode.SHA512_256, 6, 32),
    "sha3-224": Prehash(Opcode.SHA3_224, 7, 28),
    "sha3-256": Prehash(Opcode.SHA3_256, 8, 32),
    "sha3-384": Prehash(Opcode.SHA3_384, 9, 48),
    "sha3-512": Prehash(Opcode.SHA3_512, 10, 64),
    "shake128": Prehash(Opcode.SHAKE128, 11, 32),
    "shake256": Prehash(Opcode.SHAKE256, 12, 64),
}


@dataclass(frozen=True)
class MlDsaPublic:
    k: int
    data: bytes


@dataclass(frozen=True)
class MlDsaPrivate:
    """The expanded private key, and the seed xi that it was made of: one of the two may be empty. `made` is the public key,
    where it is known."""

    k: int
    seed: bytes = field(repr=False)
    expanded: bytes = field(repr=False)
    made: MlDsaPublic | None = None

    @property
    def public(self) -> MlDsaPublic:
        if self.made is not None:
            return self.made
        if not self.seed:
            raise UsageError(NO_PUBLIC)
        public = MlDsaPublic(self.k, to_private(self).public_key().public_bytes_raw())
        # tr, the hash of the public key, stands in the expanded one.
        if self.expanded and hashlib.shake_256(public.data).digest(64) != self.expanded[64:128]:
            raise UsageError(HALVES_DIFFER)
        return public


@dataclass(frozen=True)
class MlDsaChoice:
    """What is signed with the message. `prehash` is a name in PREHASHES (HashML-DSA), or empty (ML-DSA)."""

    context: bytes = b""
    prehash: str = ""
    is_deterministic: bool = False


HALVES_DIFFER = "The key is damaged: its seed and its expanded form do not belong together."
NO_PUBLIC = "The file has only the expanded form of the ML-DSA key, which does not contain the public key: give that."
NO_SEED = "The software needs the seed of an ML-DSA key, and this one has none; leave --engine out."


def check_choice(k: int, choice: MlDsaChoice) -> None:
    """Raises UsageError if FIPS 204 does not allow it: 5.2 for contexts, 5.4 for hashes."""
    if len(choice.context) > CONTEXT_BYTES_MAX:
        raise UsageError(f"A context has at most {CONTEXT_BYTES_MAX} bytes, not {len(choice.context)}.")
    if choice.prehash and choice.prehash not in PREHASHES:
        raise UsageError(f"--prehash does not have '{choice.prehash}'. There are: {', '.join(PREHASHES)}.")
    enough = [name for name, prehash in PREHASHES.items() if 4 * prehash.bytes >= STRENGTH[k]]
    if choice.prehash and choice.prehash not in enough:
        raise UsageError(
            f"{choice.prehash} is too weak for {NAMES[k]} (FIPS 204, 5.4). Strong enough are {', '.join(enough)}."
        )


def mu_of(public: MlDsaPublic, message: bytes, choice: MlDsaChoice) -> bytes:
    """Returns what is signed of a message, computed in software (FIPS 204, algorithms 2 to 5)."""
    head = bytes((choice.prehash != "", len(choice.context))) + choice.context
    if choice.prehash:
        prehash = PREHASHES[choice.prehash]
        head += der.element(der.OID, NIST_ARC + bytes((2, prehash.x)))
        message = _digest(choice.prehash, prehash.bytes, message)
    tr = hashlib.shake_256(public.data).digest(64)
    return hashlib.shake_256(tr + head + message).digest(64)


def _digest(name: str, length: int, message: bytes) -> bytes:
    if name.startswith("shake"):
        function = hashlib.shake_128 if name == "shake128" else hashlib.shake_256
        return function(message).digest(length)
    return hashlib.new(name.replace("-", "_"), message).digest()


def to_private(key: MlDsaPrivate) -> PrivateObject:
    """Returns a key of `cryptography`, which needs the seed."""
    if not key.seed:
        raise UsageError(NO_SEED)
    return PRIVATE_CLASSES[key.k].from_seed_bytes(key.seed)


def to_public(key: MlDsaPublic) -> PublicObject:
    return PUBLIC_CLASSES[key.k].from_public_bytes(key.data)


def from_object(key: object) -> MlDsaPrivate | MlDsaPublic | None:
    """Converts a key of `cryptography`; None: it is of another algorithm."""
    for k in SETS:
        if isinstance(key, PRIVATE_CLASSES[k]):
            return MlDsaPrivate(k, key.private_bytes_raw(), b"")
        if isinstance(key, PUBLIC_CLASSES[k]):
            return MlDsaPublic(k, key.public_bytes_raw())
    return None


def write_private(key: MlDsaPrivate) -> bytes:
    return lattice_keys.write_private(SETS[key.k], key.seed, key.expanded)


def write_public(key: MlDsaPublic) -> bytes:
    return lattice_keys.write_public(SETS[key.k], key.data)


def read(data: bytes) -> MlDsaPrivate | MlDsaPublic | None:
    """Reads DER; None: it is no ML-DSA key. Raises OutworkError, with the reason, if it is a wrong one."""
    parts = lattice_keys.read(data, SETS)
    if parts is None:
        return None
    if parts.public:
        return MlDsaPublic(parts.set.k, parts.public)
    return MlDsaPrivate(parts.set.k, parts.seed, parts.expanded)
