# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model of SNOW 3G, UEA2 (128-EEA1) and UIA2 (128-EIA1), with the names of their specifications.

SNOW 3G: 3GPP TS 35.216; f8 and f9: TS 35.215; the LTE and 5G names: TS 33.401 annex B. Kept simple, not fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, reduce

M32 = (1 << 32) - 1
M64 = (1 << 64) - 1

# ---- TS 35.216 3.1: functions on bytes


def mulx(v: int, c: int) -> int:
    """Returns MULx of a byte (3.1.1)."""
    return (v << 1 ^ c if v & 0x80 else v << 1) & 0xFF


def mulx_pow(v: int, i: int, c: int) -> int:
    """Returns MULxPOW of a byte (3.1.2)."""
    for _ in range(i):
        v = mulx(v, c)
    return v


def gf_times(a: int, b: int, c: int) -> int:
    """Returns the product of two bytes modulo x^8 + c."""
    return reduce(lambda product, i: product ^ (mulx_pow(a, i, c) if b >> i & 1 else 0), range(8), 0)


def _power(x: int, n: int, c: int) -> int:
    return reduce(lambda product, _: gf_times(product, x, c), range(n), 1)


def _s_r(x: int) -> int:
    """Returns an entry of S_R (3.3.1), the S-box of Rijndael."""
    inverse = _power(x, 254, 0x1B)
    turned = [(inverse << i | inverse >> 8 - i) & 0xFF for i in range(5)]
    return reduce(int.__xor__, turned, 0x63)


def _s_q(x: int) -> int:
    """Returns an entry of S_Q (3.3.2 and annex 1): the Dickson polynomial g49 plus 0x25."""
    return reduce(lambda y, n: y ^ _power(x, n, 0x69), (1, 9, 13, 15, 33, 41, 45, 47, 49), 0x25)


S_R = bytes(_s_r(x) for x in range(256))
S_Q = bytes(_s_q(x) for x in range(256))

# 3.4.2 and 3.4.3
MUL_ALPHA = [sum(mulx_pow(c, i, 0xA9) << n for i, n in ((23, 24), (245, 16), (48, 8), (239, 0))) for c in range(256)]
DIV_ALPHA = [sum(mulx_pow(c, i, 0xA9) << n for i, n in ((16, 24), (39, 16), (6, 8), (64, 0))) for c in range(256)]


def _s_word(w: int, table: bytes, c: int) -> int:
    """Applies the S-box to each byte, then the matrix of MixColumn modulo x^8 + c (3.3)."""
    b = [table[x] for x in w.to_bytes(4, "big")]
    return int.from_bytes(
        bytes(
            mulx(b[i], c) ^ b[(i + 1) % 4] ^ b[(i + 2) % 4] ^ mulx(b[(i + 3) % 4], c) ^ b[(i + 3) % 4] for i in range(4)
        ),
        "big",
    )


def s1(w: int) -> int:
    return _s_word(w, S_R, 0x1B)


def s2(w: int) -> int:
    return _s_word(w, S_Q, 0x69)


# ---- TS 35.216 4: operation


class Generator:
    def __init__(self, k: list[int], iv: list[int]) -> None:
        """Runs the initialisation (4.1) with k_0 .. k_3 and IV_0 .. IV_3."""
        ones = [word ^ M32 for word in k]
        self.s = [
            *ones,
            *k,
            *(ones[0], ones[1] ^ iv[3], ones[2] ^ iv[2], ones[3]),
            *(k[0] ^ iv[1], k[1], k[2], k[3] ^ iv[0]),
        ]
        self.r1 = self.r2 = self.r3 = 0
        for _ in range(32):
            self._lfsr(self._fsm())
        # 4.2: the first output of the FSM is discarded.
        self._fsm()
        self._lfsr(0)

    def _lfsr(self, f: int) -> None:
        """Clocks the LFSR: in the initialisation mode (3.4.4), or with f = 0 in the keystream mode (3.4.5)."""
        s = self.s
        v = (s[0] << 8) & M32 ^ MUL_ALPHA[s[0] >> 24] ^ s[2] ^ s[11] >> 8 ^ DIV_ALPHA[s[11] & 0xFF] ^ f
        self.s = [*s[1:], v]

    def _fsm(self) -> int:
        """Clocks the FSM and returns its output F (3.4.6)."""
        s = self.s
        f = (s[15] + self.r1 & M32) ^ self.r2
        r = self.r2 + (self.r3 ^ s[5]) & M32
        self.r3, self.r2, self.r1 = s2(self.r2), s1(self.r1), r
        return f

    def words(self) -> Iterator[int]:
        """Yields the keystream in 32-bit words (4.2)."""
        while True:
            z = self._fsm() ^ self.s[0]
            self._lfsr(0)
            yield z


# ---- TS 35.215


def snow3g(key: bytes, iv: bytes) -> Iterator[int]:
    """Returns the keystream. CK and IK (3.4, 4.4), and the IVs below, begin with the word of index 3."""
    k, v = ([int.from_bytes(x[i : i + 4], "big") for i in (12, 8, 4, 0)] for x in (key, iv))
    return Generator(k, v).words()


def iv_f8(count: int, bearer: int, direction: int) -> bytes:
    """Returns the IV of UEA2 (3.4)."""
    return 2 * (count.to_bytes(4, "big") + (bearer << 27 | direction << 26).to_bytes(4, "big"))


def iv_f9(count: int, fresh: int, direction: int) -> bytes:
    """Returns the IV of UIA2 (4.4)."""
    words = (count, fresh, count ^ direction << 31, fresh ^ direction << 15)
    return b"".join(word.to_bytes(4, "big") for word in words)


def gf64_times(v: int, p: int) -> int:
    """Returns MUL with c = 0x1b (4.3.4)."""
    product = 0
    for i in range(64):
        if p >> i & 1:
            product ^= v
        v = (v << 1 ^ 0x1B if v >> 63 else v << 1) & M64
    return product


def uia2_hash(words: Iterator[int], data: bytes, bits: int) -> bytes:
    """Returns the MAC of UIA2 (4.5). Takes the first five keystream words."""
    z = [next(words) for _ in range(5)]
    p, q = z[0] << 32 | z[1], z[2] << 32 | z[3]
    used = first_bits(data, bits)
    value = 0
    for i in range(0, len(used), 8):
        value = gf64_times(value ^ int.from_bytes(used[i : i + 8].ljust(8, b"\0"), "big"), p)
    value = gf64_times(value ^ bits, q)
    return (value >> 32 ^ z[4]).to_bytes(4, "big")


def first_bits(data: bytes, bits: int) -> bytes:
    """Returns the first `bits` bits of `data`; the unused bits of the last byte are zero."""
    count = (bits + 7) // 8
    value = int.from_bytes(data[:count], "big") >> 8 * count - bits << 8 * count - bits
    return value.to_bytes(count, "big")


def uea2(key: bytes, count: int, bearer: int, direction: int, data: bytes, bits: int) -> bytes:
    """Encrypts or decrypts (3.5); the unused bits of the last byte are zero."""
    words = snow3g(key, iv_f8(count, bearer, direction))
    keystream = b"".join(next(words).to_bytes(4, "big") for _ in range((bits + 31) // 32))
    mixed = bytes(a ^ b for a, b in zip(data[: (bits + 7) // 8], keystream, strict=False))
    return first_bits(mixed, bits)


@lru_cache(maxsize=1024)  # tests play the same jobs in several orders
def uia2(key: bytes, count: int, fresh: int, direction: int, data: bytes, bits: int) -> bytes:
    return uia2_hash(snow3g(key, iv_f9(count, fresh, direction)), data, bits)


def eia1(key: bytes, count: int, bearer: int, direction: int, data: bytes, bits: int) -> bytes:
    """Returns the MAC of 128-EIA1: UIA2 with BEARER and 27 zero bits as FRESH (TS 33.401 B.2.2)."""
    return uia2(key, count, bearer << 27, direction, data, bits)
