# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Keys from passwords (scrypt, PBKDF2) and keys from keys (HKDF)."""

import hashlib
import hmac
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from outwork.errors import NotAuthenticError, UsageError

HASH_BYTES: Final = 32
# OWASP's advice of 2023 for PBKDF2-HMAC-SHA256; scrypt with 128 MiB.
PBKDF2_ITERATIONS: Final = 600_000
SCRYPT_LOG2_N: Final = 17
SCRYPT_R: Final = 8
SCRYPT_P: Final = 1
# Limits of the work that a file may require before any of it can be authenticated: memory times p (scrypt) and
# iterations (PBKDF2) that take seconds, or, with the user's consent, minutes.
SCRYPT_BYTES_TRUSTED: Final = 1 << 27
PBKDF2_ITERATIONS_TRUSTED: Final = 5_000_000
PBKDF2_ITERATIONS_MAX: Final = 100_000_000
SCRYPT_BYTES_MAX: Final = 1 << 30
SCRYPT_P_MAX: Final = 16
COSTLY_OPTION: Final = "--allow-costly-kdf"


class KdfKind(IntEnum):
    """The number of the key derivation in a file."""

    NONE = 0  # a key file
    SCRYPT = 1
    PBKDF2 = 2


@dataclass(frozen=True)
class Kdf:
    """How to derive a key from a password. `cost`: log2 of N (scrypt), iterations (PBKDF2)."""

    kind: KdfKind
    cost: int = 0
    block_size: int = 0
    parallel: int = 0

    @classmethod
    def scrypt(cls) -> "Kdf":
        return cls(KdfKind.SCRYPT, SCRYPT_LOG2_N, SCRYPT_R, SCRYPT_P)

    @classmethod
    def pbkdf2(cls, iterations: int = PBKDF2_ITERATIONS) -> "Kdf":
        if not 1 <= iterations <= PBKDF2_ITERATIONS_MAX:
            raise UsageError(f"PBKDF2 takes 1 to {PBKDF2_ITERATIONS_MAX} iterations, not {iterations}.")
        return cls(KdfKind.PBKDF2, iterations)

    def check(self, is_costly_allowed: bool = False) -> None:
        """Raises an error for parameters that a file must not require, or only with the user's consent."""
        self._check_possible()
        if is_costly_allowed:
            return
        if self.kind is KdfKind.SCRYPT and (128 * self.block_size * self.parallel) << self.cost > SCRYPT_BYTES_TRUSTED:
            memory_mib = ((128 * self.block_size) << self.cost) >> 20
            what = f"scrypt with {memory_mib} MiB of memory, {self.parallel} times"
        elif self.kind is KdfKind.PBKDF2 and self.cost > PBKDF2_ITERATIONS_TRUSTED:
            what = f"{self.cost} iterations of PBKDF2"
        else:
            return
        raise UsageError(
            f"The file requires {what} before it can be authenticated. If you trust its origin, add {COSTLY_OPTION}."
        )

    def _check_possible(self) -> None:
        if self.kind is KdfKind.SCRYPT:
            is_good = (
                1 <= self.cost < min(32, 16 * self.block_size)  # RFC 7914 2
                and 1 <= self.parallel <= SCRYPT_P_MAX
                and (128 * self.block_size) << self.cost <= SCRYPT_BYTES_MAX
            )
        elif self.kind is KdfKind.PBKDF2:
            is_good = 1 <= self.cost <= PBKDF2_ITERATIONS_MAX
        else:
            is_good = (self.cost, self.block_size, self.parallel) == (0, 0, 0)
        if not is_good:
            raise NotAuthenticError(
                "The file asks for an unreasonable amount of work to make its key: its header is damaged or hostile."
            )

    def derive(self, secret: bytes, salt: bytes, length: int) -> bytes:
        if self.kind is KdfKind.SCRYPT:
            memory_bytes = (128 * self.block_size) << self.cost
            return hashlib.scrypt(
                secret,
                salt=salt,
                n=1 << self.cost,
                r=self.block_size,
                p=self.parallel,
                maxmem=memory_bytes + 128 * self.block_size * (self.parallel + 2) + (1 << 20),
                dklen=length,
            )
        if self.kind is KdfKind.PBKDF2:
            return hashlib.pbkdf2_hmac("sha256", secret, salt, self.cost, length)
        return secret


def hkdf_extract(salt: bytes, secret: bytes) -> bytes:
    """RFC 5869 2.2, SHA-256."""
    return hmac.digest(salt, secret, "sha256")


def hkdf_expand(key: bytes, label: bytes, length: int) -> bytes:
    """RFC 5869 2.3, SHA-256."""
    output, block = b"", b""
    for counter in range(1, -(-length // HASH_BYTES) + 1):
        block = hmac.digest(key, block + label + bytes((counter,)), "sha256")
        output += block
    return output[:length]
