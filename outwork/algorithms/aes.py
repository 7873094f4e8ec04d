# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""AES (FIPS 197) in the modes of SP 800-38A to 38E, with keys of three lengths."""

from dataclasses import replace
from typing import Final

from outwork.algorithms.aes_answers import ROWS
from outwork.algorithms.cipher import Cipher, IvUse
from outwork.algorithms.family import Family, KnownAnswer
from outwork.spec import Opcode

_GCM_TAGS: Final = (4, 8, 12, 13, 14, 15, 16)
_CCM_TAGS: Final = (4, 6, 8, 10, 12, 14, 16)
_CCM_IVS: Final = tuple(range(7, 14))
_CMAC_TAGS: Final = tuple(range(4, 17))

# The modes, before they have a key length. OpenSSL makes the MACs from the cipher in `library_name`.
_MODES: Final = (
    Cipher("ecb", Opcode.AES_ECB, 0, IvUse.NONE, library_name="ecb", whole_blocks=True),
    Cipher("cbc", Opcode.AES_CBC, 0, IvUse.CHAINED, (16,), 16, library_name="cbc", is_chained=True, whole_blocks=True),
    Cipher("ctr", Opcode.AES_CTR, 0, IvUse.COUNTER, (16,), 16, library_name="ctr"),
    Cipher("gcm", Opcode.AES_GCM, 0, IvUse.NONCE, None, 12, _GCM_TAGS, library_name="gcm"),
    Cipher("ccm", Opcode.AES_CCM, 0, IvUse.NONCE, _CCM_IVS, 12, _CCM_TAGS, library_name="ccm", is_chained=True),
    Cipher("xts", Opcode.AES_XTS, 0, IvUse.UNIT, (16,), 16, library_name="xts", key_count=2, message_bytes_min=16),
    Cipher(
        "cmac", Opcode.AES_CMAC, 0, IvUse.NONE, tag_lengths=_CMAC_TAGS, library_name="cbc", is_mac=True, is_chained=True
    ),
    Cipher("gmac", Opcode.AES_GMAC, 0, IvUse.NONCE, None, 12, _GCM_TAGS, library_name="gcm", is_mac=True),
)


def _with_key(mode: Cipher, bits: int) -> Cipher:
    return replace(
        mode,
        name=f"aes-{bits}-{mode.name}",
        key_bits=bits,
        mode=mode.name,
        library_name=f"aes-{bits}-{mode.library_name}",
    )


_CIPHERS: Final = tuple(
    _with_key(mode, bits)
    for mode in _MODES
    for bits in (128, 192, 256)
    if (mode.name, bits) != ("xts", 192)  # IEEE 1619 and OpenSSL do not define it
)
_BY_NAME: Final = {cipher.name: cipher for cipher in _CIPHERS}
FAMILY: Final = Family(
    ciphers=_CIPHERS, known_answers=tuple(KnownAnswer.of(_BY_NAME[row[0]], *row[1:]) for row in ROWS)
)
