# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""DES and TDES, for measurements and for existing users only. Do not use them for anything new."""

from dataclasses import dataclass
from typing import Final

from outwork.ciphers import Operation
from outwork.errors import UsageError
from outwork.spec import Opcode

BLOCK_BYTES: Final = 8


@dataclass(frozen=True)
class LegacyCipher:
    """`tdes-cbc`: three keys of 64 bits, parity included."""

    name: str
    opcode: Opcode
    key_bytes: int
    iv_bytes: int

    tag_bytes_default = 0
    is_mac = False
    is_aead = False
    message_bytes = 0
    operations = (Operation.ENCRYPT, Operation.DECRYPT)

    @property
    def key_bits(self) -> int:
        return 8 * self.key_bytes

    @property
    def single_key_bytes(self) -> int:
        return self.key_bytes

    @property
    def key_kind(self) -> int:
        return self.opcode

    def check_length(self, length_bytes: int) -> None:
        if length_bytes % BLOCK_BYTES:
            raise UsageError(
                f"{self.name} takes whole blocks of 8 bytes; {length_bytes} bytes are {length_bytes % BLOCK_BYTES} too many."
            )

    def __str__(self) -> str:
        return self.name


LEGACY: Final = {
    cipher.name: cipher
    for cipher in (
        LegacyCipher("des-ecb", Opcode.DES_ECB, 8, 0),
        LegacyCipher("des-cbc", Opcode.DES_CBC, 8, BLOCK_BYTES),
        LegacyCipher("tdes-ecb", Opcode.TDES_ECB, 24, 0),
        LegacyCipher("tdes-cbc", Opcode.TDES_CBC, 24, BLOCK_BYTES),
    )
}
