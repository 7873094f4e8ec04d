# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""AES and the arithmetic of its modes for the golden model, in the words of FIPS 197, SP 800-38B and D, and IEEE 1619.

Bytes are in the standards' order, which is the order in memory.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter

ZERO = bytes(16)


# ---- FIPS 197


def gf_times(a: int, b: int) -> int:
    """4.2: multiplication modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def _sbox() -> tuple[bytes, bytes]:
    """5.1.1: the inverse in GF(2^8), then an affine map."""
    sbox, inverse = bytearray(256), bytearray(256)
    for x in range(256):
        inv = next((y for y in range(256) if gf_times(x, y) == 1), 0)
        value = 0
        for i in range(8):
            bit = 0x63 >> i & 1
            for k in (0, 4, 5, 6, 7):
                bit ^= inv >> (i + k) % 8 & 1
            value |= bit << i
        sbox[x], inverse[value] = value, x
    return bytes(sbox), bytes(inverse)


SBOX, INV_SBOX = _sbox()


@lru_cache(maxsize=4096)
def key_expansion(key: bytes) -> tuple[bytes, ...]:
    """5.2: the round keys."""
    nk = len(key) // 4
    rounds = nk + 6
    words = [key[4 * i : 4 * i + 4] for i in range(nk)]
    rcon = 1
    for i in range(nk, 4 * (rounds + 1)):
        temp = words[i - 1]
        if i % nk == 0:
            temp = bytes(SBOX[b] for b in temp[1:] + temp[:1])
            temp = bytes([temp[0] ^ rcon]) + temp[1:]
            rcon = gf_times(rcon, 2)
        elif nk > 6 and i % nk == 4:
            temp = bytes(SBOX[b] for b in temp)
        words.append(xor(words[i - nk], temp))
    return tuple(b"".join(words[4 * r : 4 * r + 4]) for r in range(rounds + 1))


def xor(a: bytes, b: bytes) -> bytes:
    """Of the common length."""
    n = min(len(a), len(b))
    return (int.from_bytes(a[:n], "big") ^ int.from_bytes(b[:n], "big")).to_bytes(n, "big")


def _columns(row: tuple[int, int, int, int]) -> list[list[int]]:
    """What each value of a column's byte 0 to 3 adds to the mixed column, for the matrix with this first row."""
    return [
        [int.from_bytes(bytes(gf_times(x, row[(i - r) % 4]) for r in range(4)), "big") for x in range(256)]
        for i in range(4)
    ]


MIX, INV_MIX = _columns((2, 3, 1, 1)), _columns((14, 11, 13, 9))
shift_rows = itemgetter(*((i + 4 * (i % 4)) % 16 for i in range(16)))  # 5.1.2
inv_shift_rows = itemgetter(*((i - 4 * (i % 4)) % 16 for i in range(16)))  # 5.3.1


def mix_columns(s: bytes, columns: list[list[int]]) -> bytes:
    """5.1.3 with MIX, 5.3.3 with INV_MIX."""
    c0, c1, c2, c3 = columns
    mixed = 0
    for c in range(0, 16, 4):
        mixed = mixed << 32 | c0[s[c]] ^ c1[s[c + 1]] ^ c2[s[c + 2]] ^ c3[s[c + 3]]
    return mixed.to_bytes(16, "big")


# The last results are kept: tests play the same jobs in several orders.
@lru_cache(maxsize=1 << 16)
def cipher(key: bytes, block: bytes) -> bytes:
    """5.1"""
    w = key_expansion(key)
    s = xor(block, w[0])
    for r in range(1, len(w)):
        s = bytes(shift_rows(s.translate(SBOX)))
        if r < len(w) - 1:
            s = mix_columns(s, MIX)
        s = xor(s, w[r])
    return s


@lru_cache(maxsize=1 << 16)
def inv_cipher(key: bytes, block: bytes) -> bytes:
    """5.3"""
    w = key_expansion(key)
    s = xor(block, w[-1])
    for r in range(len(w) - 2, -1, -1):
        s = bytes(inv_shift_rows(s.translate(INV_SBOX)))
        s = xor(s, w[r])
        if r:
            s = mix_columns(s, INV_MIX)
    return s


# ---- Building blocks of the modes


def blocks(data: bytes) -> list[bytes]:
    return [data[i : i + 16] for i in range(0, len(data), 16)]


def pad16(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def inc(x: bytes, bits: int, by: int = 1) -> bytes:
    """SP 800-38D 6.2: inc_s."""
    n = bits // 8
    low = (int.from_bytes(x[16 - n :], "big") + by) % (1 << bits)
    return x[: 16 - n] + low.to_bytes(n, "big")


def gf128_times(x: int, y: int) -> int:
    """SP 800-38D 6.3; the leftmost bit is the coefficient of x^0."""
    z = 0
    for i in range(127, -1, -1):
        if x >> i & 1:
            z ^= y
        y = y >> 1 ^ (0xE1 << 120 if y & 1 else 0)
    return z


def ghash(h: bytes, y: bytes, data: bytes) -> bytes:
    """SP 800-38D 6.4, going on from y."""
    value, key = int.from_bytes(y, "big"), int.from_bytes(h, "big")
    for block in blocks(data):
        value = gf128_times(value ^ int.from_bytes(block, "big"), key)
    return value.to_bytes(16, "big")


def double(x: bytes) -> bytes:
    """SP 800-38B 6.1: times x, big-endian."""
    value = int.from_bytes(x, "big") << 1
    return (value & (1 << 128) - 1 ^ (0x87 if value >> 128 else 0)).to_bytes(16, "big")


def times_alpha(t: bytes) -> bytes:
    """IEEE 1619 5.2: times x, little-endian."""
    value = int.from_bytes(t, "little") << 1
    return (value & (1 << 128) - 1 ^ (0x87 if value >> 128 else 0)).to_bytes(16, "little")
