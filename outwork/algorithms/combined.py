# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""AES with HMAC in one pass, encrypt-then-MAC (RFC 4303, RFC 7366): for measurement and self-test, not for files."""

import hmac
from dataclasses import dataclass
from typing import Final

from outwork.algorithms.aes_answers import ROWS
from outwork.algorithms.cipher import Cipher, IvUse
from outwork.algorithms.family import Family, KnownAnswer
from outwork.spec import Opcode


@dataclass(frozen=True)
class Combined(Cipher):
    """An AES mode and a hash. Key material: the AES key, then the HMAC key. The tag is over AAD and ciphertext."""

    cipher_name: str = ""  # of the AES mode alone: aes-256-cbc
    hash_name: str = ""  # Python's: sha256
    mac_key_bytes: int = 0

    @property
    def key_bytes(self) -> int:
        return self.single_key_bytes + self.mac_key_bytes

    @property
    def has_software(self) -> bool:
        return True

    def tag(self, key: bytes, data: bytes) -> bytes:
        """Returns the HMAC of AAD and ciphertext. key: all key material."""
        return hmac.digest(key[self.single_key_bytes :], data, self.hash_name)


# Mode, hash, its bytes. The HMAC key has the bytes of the hash, at most 32, as in JSON Web Encryption (RFC 7518).
_HASHES: Final = (
    ("sha-1", "sha1", 20),
    ("sha-256", "sha256", 32),
    ("sha-384", "sha384", 48),
    ("sha-512", "sha512", 64),
)
_KINDS: Final = tuple((mode, *entry) for mode in ("cbc", "ctr") for entry in _HASHES)


def _combined(number: int, bits: int) -> Combined:
    mode, hash_title, hash_name, hash_bytes = _KINDS[number]
    opcode = Opcode(Opcode.AES_CBC_HMAC_SHA1 + number)
    is_cbc = mode == "cbc"
    return Combined(
        f"aes-{bits}-{mode}-hmac-{hash_title}",
        opcode,
        bits,
        IvUse.CHAINED if is_cbc else IvUse.COUNTER,
        (16,),
        16,
        tuple(range(4, hash_bytes + 1, 4)),
        mode=f"{mode}-hmac-{hash_title}",
        key_kind=opcode,
        is_chained=is_cbc,
        whole_blocks=is_cbc,
        cipher_name=f"aes-{bits}-{mode}",
        hash_name=hash_name,
        mac_key_bytes=min(hash_bytes, 32),
    )


_ALL: Final = tuple(_combined(number, bits) for bits in (128, 192, 256) for number in range(len(_KINDS)))
_AAD: Final = bytes(range(13))


def _known_answer(algorithm: Combined) -> KnownAnswer:
    """Makes an answer of the standard's ciphertext, and of the HMAC that Python computes over it."""
    _, source, key, iv, _, message, ciphertext, _ = next(row for row in ROWS if row[0] == algorithm.cipher_name)
    keys = bytes.fromhex(key) + bytes(range(1, algorithm.mac_key_bytes + 1))
    tag = algorithm.tag(keys, _AAD + bytes.fromhex(ciphertext))
    return KnownAnswer.of(
        algorithm, f"{source}, with HMAC", keys.hex(), iv, _AAD.hex(), message, ciphertext + tag.hex(), len(tag)
    )


FAMILY: Final = Family(others=_ALL, known_answers=tuple(map(_known_answer, _ALL)))
