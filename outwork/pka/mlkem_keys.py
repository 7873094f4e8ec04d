# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM keys, and the files of them that RFC 9935 describes."""

from __future__ import annotations

from dataclasses import dataclass, field

from outwork.errors import UsageError
from outwork.pka import lattice_keys
from outwork.pka.lattice_keys import ParameterSet

SEED_BYTES = 64


def ek_bytes(k: int) -> int:
    """Bytes of an encapsulation key (FIPS 203, table 3)."""
    return 384 * k + 32


def dk_bytes(k: int) -> int:
    """Bytes of a decapsulation key."""
    return 768 * k + 96


def ciphertext_bytes(k: int) -> int:
    return 1568 if k == 4 else 320 * k + 128


# By k.
SETS = {
    k: ParameterSet(f"ml-kem-{256 * k}", k, bytes((4, k - 1)), SEED_BYTES, ek_bytes(k), dk_bytes(k)) for k in (2, 3, 4)
}
NAMES = {k: chosen.name for k, chosen in SETS.items()}


@dataclass(frozen=True)
class MlKemPublic:
    """An encapsulation key."""

    k: int
    data: bytes


@dataclass(frozen=True)
class MlKemPrivate:
    """A decapsulation key, and d, z that it was made of: one of the two may be empty. `made` is the public key of a new one
    that has no expanded form."""

    k: int
    seed: bytes = field(repr=False)
    expanded: bytes = field(repr=False)
    made: MlKemPublic | None = None

    @property
    def public(self) -> MlKemPublic:
        if self.expanded:
            return MlKemPublic(self.k, self.expanded[384 * self.k : -64])
        if self.made is None:
            raise UsageError("The file has only the seed of the key: give the public key.")
        return self.made


def check_ciphertext(k: int, ciphertext: bytes) -> None:
    if len(ciphertext) != ciphertext_bytes(k):
        raise UsageError(f"A ciphertext of {NAMES[k]} has {ciphertext_bytes(k)} bytes, not {len(ciphertext)}.")


def write_private(key: MlKemPrivate) -> bytes:
    return lattice_keys.write_private(SETS[key.k], key.seed, key.expanded)


def write_public(key: MlKemPublic) -> bytes:
    return lattice_keys.write_public(SETS[key.k], key.data)


def read(data: bytes) -> MlKemPrivate | MlKemPublic | None:
    """Reads DER; None: it is no ML-KEM key. Raises OutworkError, with the reason, if it is a wrong one."""
    parts = lattice_keys.read(data, SETS)
    if parts is None:
        return None
    if parts.public:
        return MlKemPublic(parts.set.k, parts.public)
    return MlKemPrivate(parts.set.k, parts.seed, parts.expanded)
