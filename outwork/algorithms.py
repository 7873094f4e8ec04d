# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Every algorithm by name, and the properties that all families share. Use this module where any kind of message may
occur."""

from typing import Final, Protocol

from outwork.ciphers import CIPHERS, Operation
from outwork.errors import unknown_name
from outwork.hashes import HASHES, MACS
from outwork.legacy import LEGACY
from outwork.publickey.algorithms import PUBLIC_KEYS
from outwork.radio.algorithms import RADIO_ALGORITHMS


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
    def check_length(self, length_bytes: int) -> None:
        """Raises UsageError if no message can have this length."""


ALGORITHMS: Final[dict[str, Algorithm]] = {
    **CIPHERS,
    **HASHES,
    **MACS,
    **RADIO_ALGORITHMS,
    **LEGACY,
    **PUBLIC_KEYS,
}


def find(name: str) -> Algorithm:
    """Returns the algorithm with this name. Raises UsageError, with a list of all names, if there is none."""
    algorithm = ALGORITHMS.get(name.lower())
    if algorithm is None:
        raise unknown_name("algorithm", name, ALGORITHMS)
    return algorithm
