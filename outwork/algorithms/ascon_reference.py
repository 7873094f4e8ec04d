# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Ascon in the words of NIST SP 800-232: the permutation, Ascon-AEAD128, Ascon-Hash256, Ascon-XOF128, Ascon-CXOF128.

The golden model of everything in rtl/ that computes Ascon, and what results are compared with before they are measured.
A state is a list of five integers, S_0 to S_4. Bytes stand little-endian in them (appendix A.1). Slow and plain on
purpose.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
# Appendix B: unique identifiers, numbers of rounds, tag length, rate and padding in one word.
IV_AEAD128 = 0x00001000808C0001
IV_HASH256 = 0x0000080100CC0002
IV_XOF128 = 0x0000080000CC0003
IV_CXOF128 = 0x0000080000CC0004
AEAD_RATE, HASH_RATE = 16, 8  # bytes
SEPARATOR = 1 << 63  # 4.1.1: between associated data and plaintext
CUSTOMIZATION_MAX = 256  # bytes, 5.3

State = list[int]


def _diffuse(word: int, a: int, b: int) -> int:
    """3.4: the word added to two of its rotations to the right."""
    twice = word << 64 | word
    return (word ^ twice >> a ^ twice >> b) & MASK


def round_(s: State, constant: int) -> State:
    """3.2 to 3.4: constant addition, substitution, linear diffusion."""
    s0, s1, s2, s3, s4 = s[0] ^ s[4], s[1], s[2] ^ s[1] ^ constant, s[3], s[4] ^ s[3]
    t0, t1, t2 = s0 ^ ~s1 & s2, s1 ^ ~s2 & s3, s2 ^ ~s3 & s4
    t3, t4 = s3 ^ ~s4 & s0, s4 ^ ~s0 & s1
    low = _diffuse(t0 ^ t4, 19, 28), _diffuse(t1 ^ t0, 61, 39), _diffuse(t2 ^ MASK, 1, 6)
    return [*low, _diffuse(t3 ^ t2, 10, 17), _diffuse(t4, 7, 41)]


def permute(s: State, rounds: int) -> State:
    """Ascon-p[rounds]: the last constants of the twelve (3.2, table 5)."""
    for i in range(12 - rounds, 12):
        s = round_(s, 0xF0 - 0x0F * i)
    return s


def pad(data: bytes, rate: int) -> bytes:
    """Appendix A.2: the bit 1 and zeros behind the data, so that the last block is never whole data."""
    return data + b"\1" + bytes(-(len(data) + 1) % rate)


def add(s: State, block: bytes) -> State:
    """Adds a block of 8 or 16 bytes to the first words."""
    words = [int.from_bytes(block[i : i + 8], "little") for i in range(0, len(block), 8)]
    return [word ^ (words[i] if i < len(words) else 0) for i, word in enumerate(s)]


def rate_bytes(s: State) -> bytes:
    return s[0].to_bytes(8, "little") + s[1].to_bytes(8, "little")


def _words(block: bytes) -> tuple[int, int]:
    return int.from_bytes(block[:8], "little"), int.from_bytes(block[8:], "little")


# ---- 4.1 Ascon-AEAD128


def aead_initial(key: bytes, nonce: bytes, aad: bytes) -> State:
    """4.1.1 steps 1 and 2: initialization and associated data."""
    k = _words(key)
    s = permute([IV_AEAD128, *k, *_words(nonce)], 12)
    s = [*s[:3], s[3] ^ k[0], s[4] ^ k[1]]
    if aad:
        padded = pad(aad, AEAD_RATE)
        for i in range(0, len(padded), AEAD_RATE):
            s = permute(add(s, padded[i : i + AEAD_RATE]), 8)
    return [*s[:4], s[4] ^ SEPARATOR]


def aead_blocks(s: State, text: bytes, decrypt: bool) -> tuple[State, bytes]:
    """Step 3 for whole blocks."""
    out = b""
    for i in range(0, len(text), AEAD_RATE):
        block = text[i : i + AEAD_RATE]
        mixed = bytes(a ^ b for a, b in zip(block, rate_bytes(s), strict=True))
        out += mixed
        s = permute(add(s, mixed if decrypt else block), 8)
    return s, out


def aead_last(s: State, text: bytes, decrypt: bool) -> tuple[State, bytes]:
    """Step 3 for the last block, of fewer than 16 bytes."""
    mixed = bytes(a ^ b for a, b in zip(text, rate_bytes(s), strict=False))
    return add(s, pad(mixed if decrypt else text, AEAD_RATE)), mixed


def aead_tag(key: bytes, s: State) -> bytes:
    """Step 4: finalization."""
    k = _words(key)
    s = permute([s[0], s[1], s[2] ^ k[0], s[3] ^ k[1], s[4]], 12)
    return (s[3] ^ k[0]).to_bytes(8, "little") + (s[4] ^ k[1]).to_bytes(8, "little")


def _aead(key: bytes, nonce: bytes, aad: bytes, text: bytes, decrypt: bool) -> tuple[bytes, bytes]:
    whole = len(text) // AEAD_RATE * AEAD_RATE
    s, out = aead_blocks(aead_initial(key, nonce, aad), text[:whole], decrypt)
    s, last = aead_last(s, text[whole:], decrypt)
    return out + last, aead_tag(key, s)


def encrypt(key: bytes, nonce: bytes, aad: bytes, plaintext: bytes) -> tuple[bytes, bytes]:
    """4.1.1: ciphertext and tag."""
    return _aead(key, nonce, aad, plaintext, False)


def decrypt(key: bytes, nonce: bytes, aad: bytes, ciphertext: bytes, tag: bytes) -> bytes | None:
    """4.1.2: the plaintext, or nothing. A truncated tag is compared with as many bytes (4.2.1)."""
    plaintext, expected = _aead(key, nonce, aad, ciphertext, True)
    return plaintext if expected[: len(tag)] == tag else None


def open_unsealed(key: bytes, nonce: bytes, aad: bytes, ciphertext: bytes) -> bytes:
    """The plaintext, whatever the tag."""
    return _aead(key, nonce, aad, ciphertext, True)[0]


# ---- 5 Hash function and extendable-output functions


def initial(iv: int) -> State:
    """5.1 to 5.3: what is the same for every message."""
    return permute([iv, 0, 0, 0, 0], 12)


def customized(customization: bytes) -> State:
    """5.3: initialization and customization of Ascon-CXOF128."""
    s = permute(add(initial(IV_CXOF128), (8 * len(customization)).to_bytes(8, "little")), 12)
    return absorb(s, pad(customization, HASH_RATE))


def absorb(s: State, blocks: bytes) -> State:
    """Whole blocks, each with the permutation behind it."""
    for at in range(0, len(blocks), HASH_RATE):
        s = permute(add(s, blocks[at : at + HASH_RATE]), 12)
    return s


def squeeze(s: State, length: int) -> bytes:
    output = b""
    while len(output) < length:
        output += s[0].to_bytes(HASH_RATE, "little")
        s = permute(s, 12)
    return output[:length]


def hash256(message: bytes) -> bytes:
    return squeeze(absorb(initial(IV_HASH256), pad(message, HASH_RATE)), 32)


def xof128(message: bytes, length: int) -> bytes:
    return squeeze(absorb(initial(IV_XOF128), pad(message, HASH_RATE)), length)


def cxof128(message: bytes, length: int, customization: bytes) -> bytes:
    return squeeze(absorb(customized(customization), pad(message, HASH_RATE)), length)
