# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The class of ciphers and of MACs made with ciphers, and the checks of keys, IVs and tags."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from outwork.algorithms.base import Operation
from outwork.errors import UsageError
from outwork.spec import Opcode

BLOCK_BYTES: Final = 16
TAG_BYTES_MAX: Final = 16


class IvUse(StrEnum):
    """What the IV is, and so how the pieces of a long input get theirs."""

    NONE = "none"  # there is no IV
    NONCE = "nonce"  # any value, once for each message
    COUNTER = "counter"  # a block that increases by one with each block of the input
    CHAINED = "chained"  # the block of ciphertext before
    UNIT = "unit"  # the number of the data unit


@dataclass(frozen=True)
class Reference:
    """A second implementation of a cipher, which results are compared with before they are measured. The tag has its
    usual length."""

    seal: Callable[[bytes, bytes, bytes], tuple[bytes, bytes]]  # key, IV, message: ciphertext and tag
    open_unsealed: Callable[[bytes, bytes, bytes], bytes]  # key, IV, ciphertext: the message, its tag not checked


@dataclass(frozen=True)
class Cipher:
    """A cipher with a key length (`aes-256-gcm`), or a MAC made with it. Lengths are in bytes."""

    name: str
    opcode: Opcode
    key_bits: int  # of one key
    iv_use: IvUse
    iv_lengths: tuple[int, ...] | None = (0,)  # allowed; None: any but zero
    iv_bytes: int = 0  # the usual length
    tag_lengths: tuple[int, ...] = ()  # allowed; the last is the default
    mode: str = ""  # of a block cipher: gcm
    library_name: str | None = None  # OpenSSL's name of the cipher, or of the MAC's cipher; None: OpenSSL lacks it
    reference: Reference | None = None  # None: the package `cryptography` has it
    key_kind: int = 0
    key_count: int = 1
    block_bytes: int = BLOCK_BYTES
    is_mac: bool = False  # the only output is a tag
    is_chained: bool = False  # encryption of a block needs the result of the one before
    whole_blocks: bool = False  # the message must be a multiple of a block
    message_bytes_min: int = 0

    @property
    def message_bytes(self) -> int:
        return 0

    @property
    def single_key_bytes(self) -> int:
        return self.key_bits // 8

    @property
    def key_bytes(self) -> int:
        """All key material: XTS has two keys, the second for the tweak."""
        return self.single_key_bytes * self.key_count

    @property
    def is_aead(self) -> bool:
        return bool(self.tag_lengths) and not self.is_mac

    @property
    def operations(self) -> tuple[Operation, Operation]:
        return (Operation.MAC, Operation.VERIFY) if self.is_mac else (Operation.ENCRYPT, Operation.DECRYPT)

    @property
    def has_software(self) -> bool:
        return self.library_name is not None

    @property
    def tag_bytes_default(self) -> int:
        return self.tag_lengths[-1] if self.tag_lengths else 0

    def check_length(self, length_bytes: int) -> None:
        if self.whole_blocks and length_bytes % self.block_bytes:
            raise UsageError(
                f"{self.name} takes whole blocks of {self.block_bytes} bytes; "
                f"{length_bytes} bytes are {length_bytes % self.block_bytes} too many."
            )
        if length_bytes < self.message_bytes_min:
            raise UsageError(f"{self.name} takes at least {self.message_bytes_min} bytes.")

    def __str__(self) -> str:
        return self.name


def check_key(cipher: Cipher, key: bytes) -> None:
    """Checks the length of a key. XTS keys must differ (IEEE 1619, FIPS 140)."""
    if len(key) != cipher.key_bytes:
        two = " (two keys, one after the other)" if cipher.key_count == 2 else ""
        raise UsageError(f"{cipher.name} takes a key of {cipher.key_bytes} bytes{two}; this one has {len(key)}.")
    half = cipher.single_key_bytes
    if cipher.key_count == 2 and key[:half] == key[half:]:
        raise UsageError(f"The two halves of a key for {cipher.name} must differ.")


def check_iv(cipher: Cipher, iv: bytes) -> None:
    allowed = cipher.iv_lengths
    if allowed is None:
        if not iv:
            raise UsageError(f"{cipher.name} needs an IV (usually {cipher.iv_bytes} bytes).")
    elif len(iv) not in allowed:
        if allowed == (0,):
            raise UsageError(f"{cipher.name} takes no IV.")
        lengths = str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
        raise UsageError(f"{cipher.name} takes an IV of {lengths} bytes; this one has {len(iv)}.")


def check_tag_bytes(cipher: Cipher, tag_bytes: int) -> None:
    if not cipher.tag_lengths:
        raise UsageError(f"{cipher.name} has no tag.")
    if tag_bytes not in cipher.tag_lengths:
        lengths = ", ".join(map(str, cipher.tag_lengths))
        raise UsageError(f"{cipher.name} has tags of {lengths} bytes, not {tag_bytes}.")
