# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Ascon (NIST SP 800-232), which the device has and OpenSSL lacks."""

from typing import Final

from outwork.algorithms import ascon_reference as reference
from outwork.algorithms.cipher import Cipher, IvUse, Reference
from outwork.algorithms.digest import Function, Hash
from outwork.algorithms.family import Family, KnownAnswer
from outwork.spec import Opcode

_OUTPUT_BYTES: Final = 32


def _seal(key: bytes, nonce: bytes, message: bytes) -> tuple[bytes, bytes]:
    return reference.encrypt(key, nonce, b"", message)


def _open_unsealed(key: bytes, nonce: bytes, ciphertext: bytes) -> bytes:
    return reference.open_unsealed(key, nonce, b"", ciphertext)


AEAD128: Final = Cipher(
    "ascon-aead128",
    Opcode.ASCON_AEAD128,
    128,
    IvUse.NONCE,
    (16,),
    16,
    tag_lengths=tuple(range(4, 17)),
    reference=Reference(_seal, _open_unsealed),
    key_kind=Opcode.ASCON_AEAD128,
)
HASH256: Final = Hash(
    Function("ascon-hash256", Opcode.ASCON_HASH256, 32, reference.HASH_RATE, reference=reference.hash256)
)
XOF128: Final = Hash(
    Function(
        "ascon-xof128",
        Opcode.ASCON_XOF128,
        _OUTPUT_BYTES,
        reference.HASH_RATE,
        is_extendable=True,
        reference=lambda message: reference.xof128(message, _OUTPUT_BYTES),
    )
)
CXOF128: Final = Hash(
    Function(
        "ascon-cxof128",
        Opcode.ASCON_CXOF128,
        _OUTPUT_BYTES,
        reference.HASH_RATE,
        is_extendable=True,
        customization_bytes_max=reference.CUSTOMIZATION_MAX,
        reference=lambda message: reference.cxof128(message, _OUTPUT_BYTES, b""),
    )
)

# Records of the designers' LWC_*_KAT_*.txt (github.com/ascon/ascon-c): key, nonce, texts and strings count up.
_KEY, _NONCE = bytes(range(16)).hex(), bytes(range(16, 32)).hex()
_MESSAGE: Final = bytes(range(64))

FAMILY: Final = Family(
    ciphers=(AEAD128,),
    hashes=(HASH256, XOF128, CXOF128),
    known_answers=(
        KnownAnswer.of(
            AEAD128,
            "LWC_AEAD_KAT_128_128, count 1",
            _KEY,
            _NONCE,
            "",
            "",
            "4f9c278211bec9316bf68f46ee8b2ec6",
            16,
        ),
        KnownAnswer.of(
            AEAD128,
            "LWC_AEAD_KAT_128_128, count 2",
            _KEY,
            _NONCE,
            "30",
            "",
            "cccb674fe18a09a285d6ab11b35675c0",
            16,
        ),
        KnownAnswer.of(
            AEAD128,
            "LWC_AEAD_KAT_128_128, count 34",
            _KEY,
            _NONCE,
            "",
            "20",
            "e8dd576aba1cd3e6fc704de02aedb79588",
            16,
        ),
        KnownAnswer.of(
            AEAD128,
            "LWC_AEAD_KAT_128_128, count 562",
            _KEY,
            _NONCE,
            "",
            "202122232425262728292a2b2c2d2e2f30",
            "e8c3deee246cc5eae3e872313897a2bb60301002539d456275dd0b0ceab3b23844",
            16,
        ),
        KnownAnswer.of(
            AEAD128,
            "LWC_AEAD_KAT_128_128, count 1089",
            _KEY,
            _NONCE,
            "303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f",
            "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
            "cb34d04660a66dbfbe9c856601f5b8aa51a499b55ac8f7fbefbc331a613ee9cdfd191750a47f211c0a15ed28173d7caa",
            16,
        ),
        KnownAnswer.of_hash(
            HASH256,
            "LWC_HASH_KAT_128_256, count 1",
            _MESSAGE[:0],
            "0b3be5850f2f6b98caf29f8fdea89b64a1fa70aa249b8f839bd53baa304d92b2",
        ),
        KnownAnswer.of_hash(
            HASH256,
            "LWC_HASH_KAT_128_256, count 8",
            _MESSAGE[:7],
            "3e4d273ba69b3b9c53216107e88b75cdbeedbcbf8faf0219c3928ab62b116577",
        ),
        KnownAnswer.of_hash(
            HASH256,
            "LWC_HASH_KAT_128_256, count 9",
            _MESSAGE[:8],
            "b88e497ae8e6fb641b87ef622eb8f2fca0ed95383f7ffebe167acf1099ba764f",
        ),
        KnownAnswer.of_hash(
            HASH256,
            "LWC_HASH_KAT_128_256, count 65",
            _MESSAGE[:64],
            "a6f241bea5d16405812c06019d9f72d60132bd7c089c60549b2e56bb01c64f48",
        ),
        KnownAnswer.of_hash(
            XOF128,
            "LWC_XOF_KAT_128_512, count 1",
            _MESSAGE[:0],
            "473d5e6164f58b39dfd84aacdb8ae42ec2d91fed33388ee0d960d9b3993295c6ad77855a5d3b13fe6ad9e6098988373af7d0956d05a8f1665d2c67d1a3ad10ff",
        ),
        KnownAnswer.of_hash(
            XOF128,
            "LWC_XOF_KAT_128_512, count 8",
            _MESSAGE[:7],
            "7ae562db37212a9acd2673ecfd5b4f1c5cb2e6f64ebf00aa7f6ef8dc82c448d5fe11cd91f4368c37690d79e5de0ca8ad419e1918ce8dab2d42363e9476638a7b",
        ),
        KnownAnswer.of_hash(
            XOF128,
            "LWC_XOF_KAT_128_512, count 9",
            _MESSAGE[:8],
            "8d1886f5d3ec4af8d15b44bc62b74da6ea91bc28fb82f9c34079b5ed6e38b6c951803d7dfb3c5e512a0ef5e4060062a6fd067f9c73ef9bee527411bda67fc896",
        ),
        KnownAnswer.of_hash(
            XOF128,
            "LWC_XOF_KAT_128_512, count 65",
            _MESSAGE[:64],
            "0865c2fa92c71058e79e5c4214f3a1505540411586920536ccee85fbf2940b9f0131385ffe92f15f35bd35373f14d8bf11f078d9850096016f857d27575da423",
        ),
        KnownAnswer.of_hash(
            CXOF128,
            "LWC_CXOF_KAT_128_512, count 1",
            _MESSAGE[:0],
            "4f50159ef70bb3dad8807e034eaebd44c4fa2cbbc8cf1f05511ab66cdcc529905ca12083fc186ad899b270b1473dc5f7ec88d1052082dcdfe69fb75d269e7b74",
            bytes.fromhex(""),
        ),
        KnownAnswer.of_hash(
            CXOF128,
            "LWC_CXOF_KAT_128_512, count 2",
            _MESSAGE[:0],
            "0c93a483e7d574d49fe52cce03ee646117977d57a8aa57704ab4daf44b501430ff6ac11a5d1fd6f2154b5c65728268270c8bb578508487b8965718ada6272fd6",
            bytes.fromhex("10"),
        ),
        KnownAnswer.of_hash(
            CXOF128,
            "LWC_CXOF_KAT_128_512, count 34",
            _MESSAGE[:1],
            "7f0c0ddd4bc9603deed19510cdb954d65cf254f59234bfbf5a730d03d2712daab9161c6553f65fa72a25b3174ac13a33218c393577a85b6d6f4319d1ef8a7541",
            bytes.fromhex(""),
        ),
        KnownAnswer.of_hash(
            CXOF128,
            "LWC_CXOF_KAT_128_512, count 1089",
            _MESSAGE[:32],
            "f22e68afdbc5ced421b3679e8606666b1e9f080ef42a70ef9bc32d764dddf27fcd879490428977c5ac7d7db6cb16c9e26a2cea1586ec0ae2aa5c8b0135cfc38c",
            bytes.fromhex("101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"),
        ),
    ),
)
