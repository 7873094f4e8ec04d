# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The radio algorithms of LTE and 5G by all their names, and 3GPP's definition of a packet."""

import struct
from dataclasses import dataclass
from typing import Final

from outwork.algorithms.base import Operation
from outwork.algorithms.family import Family
from outwork.errors import UsageError
from outwork.spec import Opcode

KEY_BYTES: Final = 16
MAC_BYTES: Final = 4
COUNT_BYTES: Final = 4
COUNT_MAX: Final = 0xFFFF_FFFF
BEARER_MAX: Final = 31
BITS_MAX: Final = 0xFFFF_FF00 * 8  # the longest job


@dataclass(frozen=True)
class Packet:
    """A packet's public parameters and its length."""

    count: int
    bearer: int
    direction: int
    bits: int

    def __post_init__(self) -> None:
        for name, value, most in (
            ("COUNT", self.count, COUNT_MAX),
            ("BEARER", self.bearer, BEARER_MAX),
            ("DIRECTION", self.direction, 1),
            ("LENGTH", self.bits, BITS_MAX),
        ):
            if not 0 <= value <= most:
                raise UsageError(f"{name} is from 0 to {most}, not {value}.")

    @property
    def byte_count(self) -> int:
        return -(-self.bits // 8)

    @property
    def fresh(self) -> int:
        """The value of FRESH in UIA2 for 128-EIA1 (TS 33.401 B.2.2)."""
        return self.bearer << 27

    def iv_field(self) -> bytes:
        """The iv field of a job: radio_iv in spec/outwork.rdl."""
        return struct.pack("<4I", self.count, self.fresh, self.direction << 5 | self.bearer, self.bits % 8)


def first_bits(data: bytes, bits: int) -> bytes:
    """Returns the bytes of the first bits, with zeros after them."""
    data = data[: -(-bits // 8)]
    return data[:-1] + bytes([data[-1] & ~(0xFF >> bits % 8)]) if bits % 8 else data


@dataclass(frozen=True)
class RadioAlgorithm:
    """One of EEA1 to 3 or EIA1 to 3, or a cipher and a MAC of one packet. Lengths are in bytes."""

    name: str
    opcode: Opcode
    family: str  # SNOW 3G, AES or ZUC
    has_cipher: bool
    has_mac: bool

    key_bits = 8 * KEY_BYTES
    single_key_bytes = KEY_BYTES
    message_bytes = 0
    has_software = True
    iv_bytes = COUNT_BYTES  # in measurements the other parameters of a packet are zero

    @property
    def key_bytes(self) -> int:
        return KEY_BYTES * (self.has_cipher + self.has_mac)

    @property
    def key_kind(self) -> int:
        return 0 if self.family == "AES" else self.opcode

    @property
    def tag_bytes_default(self) -> int:
        return MAC_BYTES if self.has_mac else 0

    @property
    def is_mac(self) -> bool:
        return not self.has_cipher

    @property
    def is_aead(self) -> bool:
        return self.has_cipher and self.has_mac

    @property
    def operations(self) -> tuple[Operation, ...]:
        if self.is_aead:
            return (Operation.ENCRYPT,)
        return (Operation.MAC, Operation.VERIFY) if self.is_mac else (Operation.ENCRYPT, Operation.DECRYPT)

    def check_length(self, length_bytes: int) -> None:
        pass

    def job_iv(self, iv: bytes) -> bytes:
        return Packet(int.from_bytes(iv, "big"), 0, 0, 0).iv_field()

    def __str__(self) -> str:
        return self.name


_SINGLE: Final = (
    RadioAlgorithm("128-eea1", Opcode.EEA1, "SNOW 3G", True, False),
    RadioAlgorithm("128-eea2", Opcode.EEA2, "AES", True, False),
    RadioAlgorithm("128-eea3", Opcode.EEA3, "ZUC", True, False),
    RadioAlgorithm("128-eia1", Opcode.EIA1, "SNOW 3G", False, True),
    RadioAlgorithm("128-eia2", Opcode.EIA2, "AES", False, True),
    RadioAlgorithm("128-eia3", Opcode.EIA3, "ZUC", False, True),
)
_BOTH: Final = (
    RadioAlgorithm("128-eea1-eia1", Opcode.EEA1_EIA1, "SNOW 3G", True, True),
    RadioAlgorithm("128-eea3-eia3", Opcode.EEA3_EIA3, "ZUC", True, True),
)
_BY_NAME: Final = {algorithm.name: algorithm for algorithm in _SINGLE}
FAMILY: Final = Family(others=(*_SINGLE, *_BOTH))
_ALIASES: Final = {"uea2": "128-eea1", "uia2": "128-eia1"}


def find(name: str) -> RadioAlgorithm:
    """Finds an algorithm by any of its names (`nea3`, `128-NEA3`, `eea3`, `128-EEA3`; `uea2`), except combined ones."""
    short = name.lower().removeprefix("128-").replace("nea", "eea").replace("nia", "eia")
    algorithm = _BY_NAME.get(_ALIASES.get(short, f"128-{short}"))
    if algorithm is None:
        raise UsageError(
            f"There is no radio algorithm '{name}'. There are: {', '.join(entry.name for entry in _SINGLE)} "
            "(nea1 to nia3 are the same, and so are uea2 and uia2 and the first of each)."
        )
    return algorithm
