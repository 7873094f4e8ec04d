# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""SHA-1, SHA-2, SHA-3 and SHAKE, and the MACs based on them: FIPS 180-4, FIPS 202, FIPS 198-1, SP 800-185."""

from typing import Final

from outwork.algorithms.digest import Function, Hash, Mac
from outwork.algorithms.family import Family, KnownAnswer
from outwork.spec import Opcode

FUNCTIONS: Final = (
    Function("sha-1", Opcode.SHA1, 20, 64, "sha1"),
    Function("sha-224", Opcode.SHA224, 28, 64, "sha224"),
    Function("sha-256", Opcode.SHA256, 32, 64, "sha256"),
    Function("sha-384", Opcode.SHA384, 48, 128, "sha384"),
    Function("sha-512", Opcode.SHA512, 64, 128, "sha512"),
    Function("sha-512-224", Opcode.SHA512_224, 28, 128, "sha512_224"),
    Function("sha-512-256", Opcode.SHA512_256, 32, 128, "sha512_256"),
    Function("sha3-224", Opcode.SHA3_224, 28, 144, "sha3_224"),
    Function("sha3-256", Opcode.SHA3_256, 32, 136, "sha3_256"),
    Function("sha3-384", Opcode.SHA3_384, 48, 104, "sha3_384"),
    Function("sha3-512", Opcode.SHA3_512, 64, 72, "sha3_512"),
    Function("shake128", Opcode.SHAKE128, 32, 168, "shake_128", is_extendable=True),
    Function("shake256", Opcode.SHAKE256, 64, 136, "shake_256", is_extendable=True),
)

# NIST's example values: of "abc" (FIPS 180-4), of the empty message (FIPS 202).
_DIGESTS: Final = {
    "sha-1": ("a9993e364706816aba3e25717850c26c9cd0d89d"),
    "sha-224": ("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    "sha-256": ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    "sha-384": ("cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
    "sha-512": (
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
        "454d4423643ce80e2a9ac94fa54ca49f"
    ),
    "sha-512-224": ("4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"),
    "sha-512-256": ("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    "sha3-224": ("6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7"),
    "sha3-256": ("a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
    "sha3-384": ("0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47fb6bd1e058d5f004"),
    "sha3-512": (
        "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e9402c3ac558"
        "f500199d95b6d3e301758586281dcd26"
    ),
    "shake128": ("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"),
    "shake256": (
        "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762fd75dc4ddd8c0f200cb05019d67b592f6"
        "fc821c49479ab48640292eacb3b7c4be"
    ),
}

# Of HMAC and KMAC, by their functions: source, key, message, MAC.
_JEFE: Final = (b"Jefe", b"what do ya want for nothing?")
_SAMPLE: Final = b"Sample message for keylen<blocklen"
_MACS: Final = {
    "sha-1": ("RFC 2202, 2", *_JEFE, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    "sha-224": ("RFC 4231, 2", *_JEFE, "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"),
    "sha-256": ("RFC 4231, 2", *_JEFE, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    "sha-384": (
        "RFC 4231, 2",
        *_JEFE,
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
    ),
    "sha-512": (
        "RFC 4231, 2",
        *_JEFE,
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fd"
        "caeab1a34d4a6b4b636e070a38bce737",
    ),
    "sha-512-224": (
        "Wycheproof, hmac_sha512_224 8",
        bytes.fromhex("3ba156ffdc55d155bd085105aca64d13044db60c82cf2cd9d61d098f"),
        bytes.fromhex("69c76c8937a0"),
        "4c9d5622bebf233b68b087ad802736b5027f013ca6382b11ac4cc992",
    ),
    "sha-512-256": (
        "Wycheproof, hmac_sha512_256 8",
        bytes.fromhex("1bb997ff4de8a5a391de5c08a33bc2c7c2891e47ad5b9c63110192f78b98fe78"),
        bytes.fromhex("667e015df7fc"),
        "ae7a29fd949066b682b6efda53aedfaea2afb217460825085d76ba05c3146676",
    ),
    "sha3-224": (
        "NIST, HMAC_SHA3-224",
        bytes(range(28)),
        _SAMPLE,
        "332cfd59347fdb8e576e77260be4aba2d6dc53117b3bfb52c6d18c04",
    ),
    "sha3-256": (
        "NIST, HMAC_SHA3-256",
        bytes(range(32)),
        _SAMPLE,
        "4fe8e202c4f058e8dddc23d8c34e467343e23555e24fc2f025d598f558f67205",
    ),
    "sha3-384": (
        "NIST, HMAC_SHA3-384",
        bytes(range(48)),
        _SAMPLE,
        "d588a3c51f3f2d906e8298c1199aa8ff6296218127f6b38a90b6afe2c5617725bc99987f79b22a557b6520db710b7f42",
    ),
    "sha3-512": (
        "NIST, HMAC_SHA3-512",
        bytes(range(64)),
        _SAMPLE,
        "4efd629d6c71bf86162658f29943b1c308ce27cdfa6db0d9c3ce81763f9cbce5f7ebe9868031db1a8f8eb7b6b95e5c5e"
        "3f657a8996c86a2f6527e307f0213196",
    ),
    "shake128": (
        "NIST, KMAC_samples 1",
        bytes(range(0x40, 0x60)),
        bytes(range(4)),
        "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e",
    ),
    "shake256": (
        "NIST, KMAC_samples 5",
        bytes(range(0x40, 0x60)),
        bytes(range(200)),
        "75358cf39e41494e949707927cee0af20a3ff553904c86b08f21cc414bcfd691589d27cf5e15369cbbff8b9a4c2eb178"
        "00855d0235ff635da82533ec6b759b69",
    ),
}


def _known_answer(function: Function) -> KnownAnswer:
    source, message = ("FIPS 180-4", b"abc") if function.opcode < Opcode.SHA3_224 else ("FIPS 202", b"")
    return KnownAnswer.of_hash(Hash(function), source, message, _DIGESTS[function.name])


FAMILY: Final = Family(
    hashes=tuple(map(Hash, FUNCTIONS)),
    macs=tuple(map(Mac, FUNCTIONS)),
    known_answers=(
        *map(_known_answer, FUNCTIONS),
        *(KnownAnswer.of_mac(Mac(function), *_MACS[function.name]) for function in FUNCTIONS),
    ),
)
