# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What all algorithms share: their operations, and the properties that each one has."""

from enum import StrEnum
from typing import Protocol

from outwork.errors import UsageError


class Operation(StrEnum):
    """What an engine does with a message."""

    ENCRYPT = "encrypt"
    DECRYPT = "decrypt"
    MAC = "mac"
    VERIFY = "verify"
    DIGEST = "digest"
    PUBLIC = "public"
    PRIVATE = "private"
    SIGN = "sign"
    DERIVE = "derive"
    KEYGEN = "keygen"
    ENCAPSULATE = "encapsulate"
    DECAPSULATE = "decapsulate"

    @property
    def is_inverse(self) -> bool:
        """Whether the input is encrypted or authenticated already (the device's DECRYPT flag)."""
        return self in (Operation.DECRYPT, Operation.VERIFY)


class Algorithm(Protocol):
    """The properties that every algorithm has. Lengths are in bytes."""

    @property
    def name(self) -> str: ...
    @property
    def opcode(self) -> int: ...
    @property
    def key_bits(self) -> int:
        """Bits of the key; 0: no key."""

    @property
    def key_bytes(self) -> int:
        """Bytes of all key material."""

    @property
    def single_key_bytes(self) -> int:
        """Bytes of one key, where the algorithm has two; 0: any length, or no key."""

    @property
    def key_kind(self) -> int:
        """The kind of its keys in the device's slots: 0 for AES keys, which serve all AES opcodes; else the only opcode
        that such a key serves."""

    @property
    def iv_bytes(self) -> int:
        """The usual length of the IV; 0: no IV."""

    @property
    def tag_bytes_default(self) -> int:
        """The usual length of the tag, MAC or digest; 0: none."""

    @property
    def is_mac(self) -> bool:
        """Whether the only output is a tag."""

    @property
    def is_aead(self) -> bool: ...
    @property
    def message_bytes(self) -> int:
        """The only length that a message can have; 0: more than one length is possible."""

    @property
    def operations(self) -> tuple[Operation, ...]: ...
    @property
    def has_software(self) -> bool:
        """Whether libraries of this machine's CPU may have it; else only a device does."""

    def check_length(self, length_bytes: int) -> None:
        """Raises UsageError if no message can have this length."""


def no_software(algorithm: Algorithm) -> UsageError:
    """Returns the error for an algorithm that this machine's OpenSSL does not have."""
    return UsageError(f"This machine's OpenSSL has no {algorithm}: use --engine accelerator.")
