# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model of ZUC, 128-EEA3, 128-EIA3 and ZUC-256, with the names of their specifications.

ZUC: ETSI/SAGE, 128-EEA3 & 128-EIA3, Document 2 (ZUC specification, v1.6); the modes: Document 1 (v1.7), 3GPP TS 35.221.
ZUC-256: ZUC design team, "The ZUC-256 Stream Cipher", version 1.1 (2018), with its 184-bit IV and 32 rounds of
initialisation; the later 128-bit IV with 48 rounds is another cipher. Kept simple, not fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

# ---- Document 2, 3.4: the nonlinear function's S-boxes, by their definitions

P1 = (9, 15, 0, 14, 15, 15, 2, 10, 0, 4, 0, 12, 7, 5, 3, 9)
P2 = (8, 13, 6, 5, 7, 0, 12, 4, 11, 1, 14, 10, 15, 3, 9, 2)
P3 = (2, 6, 10, 6, 0, 13, 10, 15, 3, 3, 13, 5, 0, 9, 12, 13)


def _s0(x: int) -> int:
    """Three Feistel rounds on two nibbles, then a rotation by 5."""
    left, right = x >> 4, x & 15
    left ^= P1[right]
    right ^= P2[left]
    left ^= P3[right]
    y = left << 4 | right
    return (y << 5 | y >> 3) & 0xFF


def gf_times(a: int, b: int, polynomial: int) -> int:
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (polynomial if a & 0x80 else 0)
        b >>= 1
    return product


# Entry i: what bit i adds in the affine map of S1.
S1_COLUMNS = (0x97, 0x3E, 0x6D, 0xCB, 0xEE, 0xDD, 0xBB, 0x77)


def _s1(x: int) -> int:
    """The inverse modulo x^8 + x^7 + x^3 + x + 1, then an affine map."""
    inverse = next((y for y in range(256) if gf_times(x, y, 0x18B) == 1), 0)
    y = 0x55
    for i in range(8):
        if inverse >> i & 1:
            y ^= S1_COLUMNS[i]
    return y


S0 = bytes(_s0(x) for x in range(256))
S1 = bytes(_s1(x) for x in range(256))


# ---- Document 2, 3: the keystream generator

M31 = (1 << 31) - 1
M32 = (1 << 32) - 1
D = (
    *(0b100010011010111, 0b010011010111100, 0b110001001101011, 0b001001101011110),
    *(0b101011110001001, 0b011010111100010, 0b111000100110101, 0b000100110101111),
    *(0b100110101111000, 0b010111100010011, 0b110101111000100, 0b001101011110001),
    *(0b101111000100110, 0b011110001001101, 0b111100010011010, 0b100011110101100),
)


def rotl32(x: int, n: int) -> int:
    return (x << n | x >> (32 - n)) & M32


def l1(x: int) -> int:
    return x ^ rotl32(x, 2) ^ rotl32(x, 10) ^ rotl32(x, 18) ^ rotl32(x, 24)


def l2(x: int) -> int:
    return x ^ rotl32(x, 8) ^ rotl32(x, 14) ^ rotl32(x, 22) ^ rotl32(x, 30)


def sbox(x: int) -> int:
    return S0[x >> 24] << 24 | S1[x >> 16 & 0xFF] << 16 | S0[x >> 8 & 0xFF] << 8 | S1[x & 0xFF]


class Generator:
    """The LFSR of sixteen 31-bit cells, R1 and R2. Takes the loaded cells and runs the initialisation."""

    def __init__(self, cells: list[int]) -> None:
        self.s = cells
        self.r1 = self.r2 = 0
        for _ in range(32):
            w = self._f(self._bit_reorganization())
            self._lfsr(w >> 1)
        self._f(self._bit_reorganization())
        self._lfsr(0)

    def _bit_reorganization(self) -> tuple[int, int, int, int]:
        s = self.s
        return (
            s[15] >> 15 << 16 | s[14] & 0xFFFF,
            (s[11] & 0xFFFF) << 16 | s[9] >> 15,
            (s[7] & 0xFFFF) << 16 | s[5] >> 15,
            (s[2] & 0xFFFF) << 16 | s[0] >> 15,
        )

    def _f(self, x: tuple[int, int, int, int]) -> int:
        w = (x[0] ^ self.r1) + self.r2 & M32
        w1, w2 = self.r1 + x[1] & M32, self.r2 ^ x[2]
        self.r1 = sbox(l1((w1 << 16 | w2 >> 16) & M32))
        self.r2 = sbox(l2((w2 << 16 | w1 >> 16) & M32))
        return w

    def _lfsr(self, u: int) -> None:
        """Clocks the LFSR (3.2); u = 0: in the working mode."""
        s = self.s
        v = (s[15] << 15) + (s[13] << 17) + (s[10] << 21) + (s[4] << 20) + s[0] * 257
        self.s = [*s[1:], (v + u) % M31 or M31]

    def words(self) -> Iterator[int]:
        """Yields the keystream in 32-bit words."""
        while True:
            x = self._bit_reorganization()
            z = self._f(x) ^ x[3]
            self._lfsr(0)
            yield z


def zuc128(key: bytes, iv: bytes) -> Iterator[int]:
    """Returns the keystream of ZUC with a 128-bit key (3.5: s_i = k_i || d_i || iv_i)."""
    return Generator([k << 23 | d << 8 | v for k, d, v in zip(key, D, iv, strict=True)]).words()


# ---- ZUC-256, 2.1: d_0 .. d_15 for the keystream; for the MAC, d_0 and d_2 depend on the bytes of the tag

D256 = (0x22, 0x2F, 0x24, 0x2A, 0x6D, *8 * (0x40,), 0x52, 0x10, 0x30)
D256_MAC = {4: (0x22, 0x25), 8: (0x23, 0x24), 16: (0x23, 0x25)}
IV256_BYTES = 23


def iv256_parts(iv: bytes) -> list[int]:
    """Returns IV_0 .. IV_24 from an IV of 184 bits: seventeen bytes, then eight parts of six bits."""
    tail = int.from_bytes(iv[17:23], "big")
    return [*iv[:17], *(tail >> 42 - 6 * i & 0x3F for i in range(8))]


def zuc256(key: bytes, iv: bytes, tag_bytes: int = 0) -> Iterator[int]:
    """Returns the keystream of ZUC-256 (2.1). `tag_bytes`: 0 for the constants of encryption, else those of the MAC."""
    if len(key) != 32 or len(iv) != IV256_BYTES:
        raise ValueError("ZUC-256 takes a key of 32 bytes and an IV of 23")
    k, v, d = key, iv256_parts(iv), list(D256)
    if tag_bytes:
        d[0], d[2] = D256_MAC[tag_bytes]
    cells = (
        *((k[0], d[0], k[21], k[16]), (k[1], d[1], k[22], k[17]), (k[2], d[2], k[23], k[18])),
        *((k[3], d[3], k[24], k[19]), (k[4], d[4], k[25], k[20]), (v[0], d[5] | v[17], k[5], k[26])),
        *((v[1], d[6] | v[18], k[6], k[27]), (v[10], d[7] | v[19], k[7], v[2])),
        *((k[8], d[8] | v[20], v[3], v[11]), (k[9], d[9] | v[21], v[12], v[4])),
        *((v[5], d[10] | v[22], k[10], k[28]), (k[11], d[11] | v[23], v[6], v[13])),
        *((k[12], d[12] | v[24], v[7], v[14]), (k[13], d[13], v[15], v[8])),
        *((k[14], d[14] | k[31] >> 4, v[16], v[9]), (k[15], d[15] | k[31] & 15, k[30], k[29])),
    )
    return Generator([a << 23 | b << 16 | c << 8 | e for a, b, c, e in cells]).words()


# ---- Document 1: the modes


def iv_eea3(count: int, bearer: int, direction: int) -> bytes:
    """Returns the IV of 128-EEA3 (3.2)."""
    return 2 * (count.to_bytes(4, "big") + bytes([bearer << 3 | direction << 2, 0, 0, 0]))


def iv_eia3(count: int, bearer: int, direction: int) -> bytes:
    """Returns the IV of 128-EIA3 (4.2)."""
    half = count.to_bytes(4, "big") + bytes([bearer << 3, 0, 0, 0])
    other = bytearray(half)
    other[0] ^= direction << 7
    other[6] ^= direction << 7
    return half + bytes(other)


def first_bits(data: bytes, bits: int) -> bytes:
    """Returns the first `bits` bits of `data`; the unused bits of the last byte are zero."""
    count = (bits + 7) // 8
    value = int.from_bytes(data[:count], "big") >> 8 * count - bits << 8 * count - bits
    return value.to_bytes(count, "big")


def encrypt(words: Iterator[int], data: bytes, bits: int) -> bytes:
    """Returns the exclusive-or of data and keystream (3.4); the unused bits of the last byte are zero."""
    count = (bits + 31) // 32
    keystream = b"".join(next(words).to_bytes(4, "big") for _ in range(count))
    mixed = bytes(a ^ b for a, b in zip(data[: (bits + 7) // 8], keystream, strict=False))
    return first_bits(mixed, bits)


def mac(words: Iterator[int], data: bytes, bits: int, tag_bytes: int, first: bool) -> bytes:
    """Returns the universal hash of EIA3 (4.4) or ZUC-256 (3): the exclusive-or of a window of t keystream bits for
    each set bit of the message.

    A set bit is appended to the message. The mask is the last keystream word (EIA3) or the first `tag_bytes` bytes of
    the keystream (ZUC-256: `first`).
    """
    t = 8 * tag_bytes
    total = (bits + 31) // 32 + 2 * tag_bytes // 4 + 1
    stream = b"".join(next(words).to_bytes(4, "big") for _ in range(total)) + b"\0"  # a byte more, for the last window

    def window(at: int) -> int:
        byte, bit = divmod(at, 8)
        return int.from_bytes(stream[byte : byte + tag_bytes + 1], "big") >> 8 - bit & (1 << t) - 1

    start = t if first else 0
    tag = window(0) if first else window(32 * (-(-bits // 32) + 1))
    for i in range(bits):
        if data[i // 8] >> 7 - i % 8 & 1:
            tag ^= window(start + i)
    return (tag ^ window(start + bits)).to_bytes(tag_bytes, "big")


def eea3(key: bytes, count: int, bearer: int, direction: int, data: bytes, bits: int) -> bytes:
    return encrypt(zuc128(key, iv_eea3(count, bearer, direction)), data, bits)


@lru_cache(maxsize=1024)  # tests play the same jobs in several orders
def eia3(key: bytes, count: int, bearer: int, direction: int, data: bytes, bits: int) -> bytes:
    return mac(zuc128(key, iv_eia3(count, bearer, direction)), data, bits, 4, first=False)


def zuc256_encrypt(key: bytes, iv: bytes, data: bytes, bits: int) -> bytes:
    return encrypt(zuc256(key, iv), data, bits)


@lru_cache(maxsize=1024)
def zuc256_mac(key: bytes, iv: bytes, data: bytes, bits: int, tag_bytes: int) -> bytes:
    return mac(zuc256(key, iv, tag_bytes), data, bits, tag_bytes, first=True)
