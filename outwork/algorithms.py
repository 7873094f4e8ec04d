# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Every algorithm by name, and what all families tell of themselves. Whoever handles messages of any kind asks here."""

from typing import Final, Protocol

from outwork.ciphers import CIPHERS, Operation
from outwork.errors import unknown_name
from outwork.hashes import HASHES, MACS
from outwork.legacy import LEGACY
from outwork.publickey.algorithms import PUBLIC_KEYS
from outwork.radio.algorithms import RADIO_ALGORITHMS


class Algorithm(Protocol):
    """Lengths are in bytes."""

    @property
    def name(self) -> str: ...
    @property
    def opcode(self) -> int: ...
    @property
    def key_bits(self) -> int:
        """0: it has no key."""

    @property
    def key_bytes(self) -> int:
        """All key material."""

    @property
    def single_key_bytes(self) -> int:
        """Of one key, where there are two; 0: of any length, or none."""

    @property
    def iv_bytes(self) -> int:
        """As a rule; 0: it has none."""

    @property
    def tag_bytes_default(self) -> int:
        """Of the tag, MAC or digest; 0: it has none."""

    @property
    def is_mac(self) -> bool:
        """Only a tag comes out, no payload."""

    @property
    def is_aead(self) -> bool: ...
    @property
    def message_bytes(self) -> int:
        """The only length that a message can have; 0: any, or many."""

    @property
    def operations(self) -> tuple[Operation, ...]: ...
    def check_length(self, length_bytes: int) -> None:
        """UsageError if no message can be so long."""


ALGORITHMS: Final[dict[str, Algorithm]] = {
    **CIPHERS,
    **HASHES,
    **MACS,
    **RADIO_ALGORITHMS,
    **LEGACY,
    **PUBLIC_KEYS,
}


def find(name: str) -> Algorithm:
    """The algorithm of that name, or an error that lists all."""
    algorithm = ALGORITHMS.get(name.lower())
    if algorithm is None:
        raise unknown_name("algorithm", name, ALGORITHMS)
    return algorithm
