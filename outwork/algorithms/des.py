# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""DES and TDES, for measurements and for existing users only. Do not use them for anything new."""

from typing import Final

from outwork.algorithms.cipher import Cipher, IvUse
from outwork.algorithms.family import Family
from outwork.spec import Opcode

_BLOCK_BYTES: Final = 8


def _cipher(name: str, opcode: Opcode, keys: int, library_name: str) -> Cipher:
    """Returns a cipher whose key is one or three keys of 64 bits, parity included."""
    has_iv = name.endswith("cbc")
    return Cipher(
        name,
        opcode,
        64 * keys,
        IvUse.CHAINED if has_iv else IvUse.NONE,
        (_BLOCK_BYTES if has_iv else 0,),
        _BLOCK_BYTES if has_iv else 0,
        library_name=library_name,
        key_kind=opcode,
        block_bytes=_BLOCK_BYTES,
        is_chained=has_iv,
        whole_blocks=True,
    )


FAMILY: Final = Family(
    others=(
        _cipher("des-ecb", Opcode.DES_ECB, 1, "des-ecb"),
        _cipher("des-cbc", Opcode.DES_CBC, 1, "des-cbc"),
        _cipher("tdes-ecb", Opcode.TDES_ECB, 3, "des-ede3-ecb"),
        _cipher("tdes-cbc", Opcode.TDES_CBC, 3, "des-ede3-cbc"),
    )
)
