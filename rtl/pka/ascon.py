# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Ascon-XOF128 in the words of NIST SP 800-232, and the random numbers that the device makes of it (pka_nonce.sv)."""

from __future__ import annotations

MASK = (1 << 64) - 1
RATE = 8  # bytes
IV_XOF128 = 0x0000080000CC0003  # Table 12
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))  # 3.4


def _rotate(x: int, by: int) -> int:
    return (x >> by | x << 64 - by) & MASK


def round_(s: list[int], constant: int) -> list[int]:
    """3.2 to 3.4: the constant, the substitution of every column, the linear diffusion of every word."""
    s = [*s[:2], s[2] ^ constant, *s[3:]]
    s = [s[0] ^ s[4], s[1], s[2] ^ s[1], s[3], s[4] ^ s[3]]
    t = [s[i] ^ (~s[(i + 1) % 5] & s[(i + 2) % 5]) for i in range(5)]
    s = [t[0] ^ t[4], t[1] ^ t[0], ~t[2] & MASK, t[3] ^ t[2], t[4]]
    return [x ^ _rotate(x, a) ^ _rotate(x, b) for x, (a, b) in zip(s, ROTATIONS, strict=True)]


def permute(s: list[int]) -> list[int]:
    """Ascon-p[12]"""
    for i in range(12):
        s = round_(s, 0xF0 - 0x0F * i)
    return s


def initial() -> list[int]:
    """5.2: what is the same for every message."""
    return permute([IV_XOF128, 0, 0, 0, 0])


def absorb(message: bytes) -> list[int]:
    """5.2, with the permutation after the last block: the state whose first word is the first 8 bytes of output."""
    s = initial()
    padded = message + b"\x01" + bytes(-(len(message) + 1) % RATE)
    for at in range(0, len(padded), RATE):
        s[0] ^= int.from_bytes(padded[at : at + RATE], "little")
        s = permute(s)
    return s


def squeeze(s: list[int], length: int) -> bytes:
    output = b""
    while len(output) < length:
        output += s[0].to_bytes(RATE, "little")
        s = permute(s)
    return output[:length]


def xof128(message: bytes, length: int) -> bytes:
    return squeeze(absorb(message), length)


def made(nonce_key: bytes, count: int, read: bytes, length: int, top: int = 0) -> bytes:
    """The numbers that the device puts behind the bytes that a job with a key in a slot reads.

    `count` are the jobs since reset that such numbers were made for. `top`: the first number is a nonce, and blocks
    whose first `top` bytes are all ones are left out in front of it. An order starts with more than 64 ones (P-384,
    secp256k1: `top` is 8), or with 32 ones and 32 zeros (P-256: 4), so what is left is below it.
    """
    s = absorb(nonce_key + count.to_bytes(8, "little") + read)
    while top and s[0].to_bytes(RATE, "little")[:top] == b"\xff" * top:
        s = permute(s)
    return squeeze(s, length)
