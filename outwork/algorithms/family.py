# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What a family module declares: its algorithms by what can be done with them, and their known answers."""

from dataclasses import dataclass

from outwork.algorithms.base import Algorithm
from outwork.algorithms.cipher import Cipher
from outwork.algorithms.digest import Hash, Mac


@dataclass(frozen=True)
class KnownAnswer:
    """A known answer. `result`: ciphertext, followed by the tag if there is one; or the MAC or digest."""

    algorithm: Cipher | Hash | Mac
    source: str
    key: bytes
    iv: bytes  # of a hash: the customization string
    aad: bytes
    message: bytes
    result: bytes
    tag_bytes: int

    @classmethod
    def of(
        cls, algorithm: Cipher, source: str, key: str, iv: str, aad: str, message: str, result: str, tag_bytes: int
    ) -> "KnownAnswer":
        """Makes the known answer of a cipher from hexadecimal digits."""
        digits = bytes.fromhex
        return cls(
            *(algorithm, source, digits(key), digits(iv), digits(aad), digits(message), digits(result), tag_bytes)
        )

    @classmethod
    def of_hash(
        cls, algorithm: Hash, source: str, message: bytes, digest: str, customization: bytes = b""
    ) -> "KnownAnswer":
        result = bytes.fromhex(digest)
        return cls(algorithm, source, b"", customization, b"", message, result, len(result))

    @classmethod
    def of_mac(cls, algorithm: Mac, source: str, key: bytes, message: bytes, mac: str) -> "KnownAnswer":
        result = bytes.fromhex(mac)
        return cls(algorithm, source, key, b"", b"", message, result, len(result))


@dataclass(frozen=True)
class Family:
    """Algorithms of one origin."""

    ciphers: tuple[Cipher, ...] = ()
    hashes: tuple[Hash, ...] = ()
    macs: tuple[Mac, ...] = ()
    others: tuple[Algorithm, ...] = ()  # only measured, or with commands of their own
    known_answers: tuple[KnownAnswer, ...] = ()
