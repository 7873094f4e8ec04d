# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""DES and TDES, for measurements and for existing users only. Do not use them for anything new."""

from typing import Final

from outwork.algorithms.cipher import Cipher, IvUse
from outwork.algorithms.family import Family, KnownAnswer
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


_ECB: Final = _cipher("des-ecb", Opcode.DES_ECB, 1, "des-ecb")
_CBC: Final = _cipher("des-cbc", Opcode.DES_CBC, 1, "des-cbc")
_TDES_ECB: Final = _cipher("tdes-ecb", Opcode.TDES_ECB, 3, "des-ede3-ecb")
_TDES_CBC: Final = _cipher("tdes-cbc", Opcode.TDES_CBC, 3, "des-ede3-cbc")

FAMILY: Final = Family(
    others=(_ECB, _CBC, _TDES_ECB, _TDES_CBC),
    known_answers=(
        KnownAnswer.of(
            *(_ECB, "FIPS 81, table B1", "0123456789abcdef", "", ""),
            b"Now is the time for all ".hex(),
            "3fa40e8a984d48156a271787ab8883f9893d51ec4b563b53",
            0,
        ),
        KnownAnswer.of(
            *(_CBC, "FIPS 81, table C1", "0123456789abcdef", "1234567890abcdef", ""),
            b"Now is the time for all ".hex(),
            "e5c7cdde872bf27c43e934008c389c0f683788499a7c05f6",
            0,
        ),
        KnownAnswer.of(
            *(_TDES_ECB, "SP 800-67, appendix B.1", "0123456789abcdef23456789abcdef01456789abcdef0123", "", ""),
            b"The qufck brown fox jump".hex(),
            "a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900",
            0,
        ),
        KnownAnswer.of(
            *(_TDES_CBC, "OpenSSL, evpciph_des3_common.txt"),
            *("0123456789abcdeff1e0d3c2b5a49786fedcba9876543210", "fedcba9876543210", ""),
            "37363534333231204e6f77206973207468652074696d6520666f722000000000",
            "3fe301c962ac01d02213763c1cbd4cdc799657c064ecf5d41c673812cfde9675",
            0,
        ),
    ),
)
