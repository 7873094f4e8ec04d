# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A family of algorithms for tests, which only the device has: GCM with nonces of 16 bytes, and a hash, by other names."""

import hashlib

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from outwork.algorithms.cipher import Cipher, IvUse, Reference
from outwork.algorithms.digest import Function, Hash
from outwork.algorithms.family import Family, KnownAnswer
from outwork.spec import Opcode

TAG_BYTES = 16
KEY, NONCE, TEXT = bytes(range(16)), bytes(range(16, 32)), b"a message of the toy"


def seal(key: bytes, nonce: bytes, message: bytes) -> tuple[bytes, bytes]:
    sealed = AESGCM(key).encrypt(nonce, message, None)
    return sealed[:-TAG_BYTES], sealed[-TAG_BYTES:]


def open_unsealed(key: bytes, nonce: bytes, ciphertext: bytes) -> bytes:
    return seal(key, nonce, ciphertext)[0]


AEAD = Cipher(
    "toy-aead128",
    Opcode.AES_GCM,
    128,
    IvUse.NONCE,
    (16,),
    16,
    tag_lengths=tuple(range(4, 17)),
    reference=Reference(seal, open_unsealed),
)
# No device has this opcode, which is none.
NOWHERE = Cipher("toy-nowhere", 0x6F, 128, IvUse.NONCE, (16,), 16, (16,), reference=Reference(seal, open_unsealed))
HASH = Hash(
    Function("toy-hash", Opcode.SHA256, 32, 64, reference=lambda data: hashlib.sha256(data).digest()),
)
CUSTOM = Hash(
    Function(
        "toy-cxof",
        Opcode.SHAKE128,
        32,
        8,
        is_extendable=True,
        customization_bytes_max=256,
        reference=lambda data: hashlib.shake_128(data).digest(32),
    )
)

FAMILY = Family(
    ciphers=(AEAD, NOWHERE),
    hashes=(HASH, CUSTOM),
    known_answers=(
        KnownAnswer(AEAD, "toy", KEY, NONCE, b"", TEXT, b"".join(seal(KEY, NONCE, TEXT)), TAG_BYTES),
        KnownAnswer.of_hash(HASH, "toy", b"abc", hashlib.sha256(b"abc").hexdigest()),
    ),
)
