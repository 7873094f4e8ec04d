# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Expected results of jobs, from the package `cryptography` (OpenSSL)."""

import random

from cases import AEADS, MACS, Case
from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from outwork.spec import Opcode

TAG_LENGTHS = {
    Opcode.AES_GCM: (4, 8, 12, 13, 14, 15, 16),
    Opcode.AES_GMAC: (4, 8, 12, 13, 14, 15, 16),
    Opcode.AES_CCM: (4, 6, 8, 10, 12, 14, 16),
    Opcode.AES_CMAC: tuple(range(4, 17)),
}
ALL_MODES = tuple(opcode for opcode in Opcode if Opcode.AES_ECB <= opcode <= Opcode.AES_CMAC)
WHOLE_BLOCKS = (Opcode.AES_ECB, Opcode.AES_CBC)


def encrypt(
    opcode: Opcode,
    key: bytes,
    iv: bytes,
    aad: bytes,
    data: bytes,
    tag_bytes: int,
    tweak_key: bytes | None = None,
) -> tuple[bytes, bytes]:
    """Ciphertext (of a MAC: nothing) and tag."""
    aes = algorithms.AES(key)
    if opcode is Opcode.AES_CMAC:
        mac = cmac.CMAC(aes)
        mac.update(data)
        return b"", mac.finalize()[:tag_bytes]
    if opcode is Opcode.AES_CCM:
        sealed = AESCCM(key, tag_bytes).encrypt(iv, data, aad)
        return sealed[: len(data)], sealed[len(data) :]
    if opcode in (Opcode.AES_GCM, Opcode.AES_GMAC):
        sealer = Cipher(aes, modes.GCM(iv)).encryptor()
        sealer.authenticate_additional_data(data if opcode is Opcode.AES_GMAC else aad)
        text = b"" if opcode is Opcode.AES_GMAC else sealer.update(data)
        text += sealer.finalize()
        return text, sealer.tag[:tag_bytes]
    if opcode is Opcode.AES_XTS:
        assert tweak_key is not None
        encryptor = Cipher(algorithms.AES(key + tweak_key), modes.XTS(iv)).encryptor()
    else:
        mode: modes.Mode = {
            Opcode.AES_ECB: lambda: modes.ECB(),
            Opcode.AES_CBC: lambda: modes.CBC(iv),
            Opcode.AES_CTR: lambda: modes.CTR(iv),
        }[opcode]()
        encryptor = Cipher(aes, mode).encryptor()
    return encryptor.update(data) + encryptor.finalize(), b""


def make(
    opcode: Opcode,
    key: bytes,
    data: bytes,
    *,
    iv: bytes = b"",
    aad: bytes = b"",
    tag_bytes: int = 0,
    tweak_key: bytes | None = None,
    decrypt: bool = False,
    forge: bool = False,
    **settings: object,
) -> Case:
    """A case around `data` as plaintext; `forge` turns a bit of the tag that is to be verified."""
    text, tag = encrypt(opcode, key, iv, aad, data, tag_bytes, tweak_key)
    expected: bytes | None = b"" if opcode in MACS else text
    source = data
    if decrypt:
        if opcode not in MACS:
            source, expected = text, data
        if forge:
            assert tag
            tag, expected = tag[:-1] + bytes((tag[-1] ^ 0x80,)), None
    return Case(
        opcode,
        key,
        source,
        expected,
        decrypt=decrypt,
        iv=iv,
        aad=aad,
        tag=tag,
        tweak_key=tweak_key,
        **settings,
    )  # type: ignore[arg-type]


def random_length(rng: random.Random, longest: int) -> int:
    """Short ones, block boundaries and their neighbours more often than not."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randrange(min(65, longest + 1))
    if kind == 1:
        return max(0, min(longest, 16 * rng.randrange(longest // 16 + 1) + rng.choice((-1, 0, 1))))
    if kind == 2:
        return min(longest, rng.choice((127, 128, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025)))
    return rng.randrange(longest + 1)


def random_case(
    rng: random.Random,
    longest: int = 1100,
    keys: list[bytes] | None = None,
    opcodes: tuple[Opcode, ...] = ALL_MODES,
    queues: tuple[int, ...] = (0,),
) -> Case:
    opcode = rng.choice(opcodes)
    length = random_length(rng, longest)
    if opcode in WHOLE_BLOCKS:
        length = length // 16 * 16
    key = rng.choice(keys) if keys and rng.random() < 0.7 else rng.randbytes(rng.choice((16, 24, 32)))
    tweak_key = None
    iv = b""
    aad = b""
    if opcode is Opcode.AES_XTS:
        length = max(length, 16)
        if len(key) == 24:  # OpenSSL has no XTS with 192 bits
            key = rng.randbytes(32)
        tweak_key = rng.randbytes(len(key))
    if opcode in (Opcode.AES_CBC, Opcode.AES_CTR, Opcode.AES_XTS):
        # Counters that carry far, now and then.
        iv = b"\xff" * 15 + rng.randbytes(1) if rng.random() < 0.2 else rng.randbytes(16)
    elif opcode is Opcode.AES_CCM:
        iv = rng.randbytes(rng.randrange(7, 14))
    elif opcode in (Opcode.AES_GCM, Opcode.AES_GMAC):
        iv = rng.randbytes(12 if rng.random() < 0.6 else rng.randrange(8, 129))
    if opcode in AEADS:
        aad = rng.randbytes(0 if rng.random() < 0.3 else random_length(rng, 300))
    tag_bytes = rng.choice(TAG_LENGTHS[opcode]) if opcode in TAG_LENGTHS else 0
    decrypt = rng.random() < 0.5
    return make(
        opcode,
        key,
        rng.randbytes(length),
        iv=iv,
        aad=aad,
        tag_bytes=tag_bytes,
        tweak_key=tweak_key,
        decrypt=decrypt,
        forge=decrypt and tag_bytes > 0 and rng.random() < 0.2,
        source_offset=rng.randrange(64),
        destination_offset=rng.randrange(64),
        in_place=rng.random() < 0.3,
        tag_in_memory=opcode in AEADS and rng.random() < 0.5,
        inline_key=rng.random() < 0.3,
        queue=rng.choice(queues),
    )
