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


def _known_answer(function: Function) -> KnownAnswer:
    source, message = ("FIPS 180-4", b"abc") if function.opcode < Opcode.SHA3_224 else ("FIPS 202", b"")
    return KnownAnswer.of_hash(Hash(function), source, message, _DIGESTS[function.name])


FAMILY: Final = Family(
    hashes=tuple(map(Hash, FUNCTIONS)),
    macs=tuple(map(Mac, FUNCTIONS)),
    known_answers=tuple(map(_known_answer, FUNCTIONS)),
)
