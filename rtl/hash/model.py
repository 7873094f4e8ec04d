# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The hash functions' golden model, in the words of FIPS 180-4, FIPS 202, FIPS 198-1 and SP 800-185.

Constants are computed from their definitions. Bytes are in the order of the standards and of memory. Slow and
plain on purpose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

KEPT = 1 << 14  # results of a compression function that are kept: tests play the same jobs in several orders


def primes(count: int) -> list[int]:
    found: list[int] = []
    n = 2
    while len(found) < count:
        if all(n % p for p in found):
            found.append(n)
        n += 1
    return found


def icbrt(n: int) -> int:
    """The integer part of the cube root."""
    x = 1 << -(-n.bit_length() // 3)
    while (y := (2 * x + n // (x * x)) // 3) < x:
        x = y
    return x


# ---- FIPS 180-4


def k_words(w: int, rounds: int) -> list[int]:
    """4.2.2, 4.2.3: the first w bits of the fractional parts of the cube roots of the first primes."""
    return [icbrt(p << 3 * w) % (1 << w) for p in primes(rounds)]


def h_words(w: int, first: int, skip: int = 0) -> list[int]:
    """5.3.2 to 5.3.5: w bits of the fractional parts of the square roots of eight primes, after `skip` bits."""
    return [isqrt(p << 2 * (w + skip)) % (1 << w) for p in primes(first + 8)[first:]]


K256, K512 = k_words(32, 64), k_words(64, 80)
K1 = [0x5A827999] * 20 + [0x6ED9EBA1] * 20 + [0x8F1BBCDC] * 20 + [0xCA62C1D6] * 20
H1 = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0]


def ch(x: int, y: int, z: int) -> int:
    return x & y ^ ~x & z


def parity(x: int, y: int, z: int) -> int:
    return x ^ y ^ z


def maj(x: int, y: int, z: int) -> int:
    return x & y ^ x & z ^ y & z


def rotl(x: int, n: int, w: int) -> int:
    return (x << n | x >> w - n) % (1 << w)


# Rotations of Sigma_0, Sigma_1, and rotations and shift of sigma_0, sigma_1 (4.1.2, 4.1.3), by word size.
BIG = {32: ((2, 13, 22), (6, 11, 25)), 64: ((28, 34, 39), (14, 18, 41))}
SMALL = {32: ((7, 18, 3), (17, 19, 10)), 64: ((1, 8, 7), (19, 61, 6))}


def big_sigma(i: int, x: int, w: int) -> int:
    a, b, c = BIG[w][i]
    twice = x << w | x  # whose lower word, shifted, is the word rotated
    return (twice >> a ^ twice >> b ^ twice >> c) % (1 << w)


def small_sigma(i: int, x: int, w: int) -> int:
    a, b, c = SMALL[w][i]
    twice = x << w | x
    return (twice >> a ^ twice >> b) % (1 << w) ^ x >> c


def sha1_schedule(block: bytes) -> list[int]:
    """6.1.2 step 1"""
    w = [int.from_bytes(block[i : i + 4]) for i in range(0, 64, 4)]
    for t in range(16, 80):
        w.append(rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1, 32))
    return w


def sha1_round(v: list[int], t: int, wt: int) -> list[int]:
    """6.1.2 step 3"""
    a, b, c, d, e = v
    f = ch if t < 20 else maj if 40 <= t < 60 else parity
    return [(rotl(a, 5, 32) + f(b, c, d) + e + K1[t] + wt) % (1 << 32), a, rotl(b, 30, 32), c, d]


def sha2_schedule(block: bytes, w: int) -> list[int]:
    """6.2.2, 6.4.2 step 1"""
    words = [int.from_bytes(block[i : i + w // 8]) for i in range(0, 2 * w, w // 8)]
    for t in range(16, 64 if w == 32 else 80):
        s0, s1 = small_sigma(0, words[t - 15], w), small_sigma(1, words[t - 2], w)
        words.append((s1 + words[t - 7] + s0 + words[t - 16]) % (1 << w))
    return words


def sha2_round(v: list[int], kt: int, wt: int, w: int) -> list[int]:
    """6.2.2, 6.4.2 step 3"""
    a, b, c, d, e, f, g, h = v
    t1 = h + big_sigma(1, e, w) + ch(e, f, g) + kt + wt
    t2 = big_sigma(0, a, w) + maj(a, b, c)
    return [(t1 + t2) % (1 << w), a, b, c, (d + t1) % (1 << w), e, f, g]


def sha_block(chain: list[int], block: bytes) -> list[int]:
    """One pass of 6.1.2 (five words), 6.2.2 (a block of 64 bytes) or 6.4.2 (of 128)."""
    v, w = chain, 32 if len(block) == 64 else 64
    if len(chain) == 5:
        for t, wt in enumerate(sha1_schedule(block)):
            v = sha1_round(v, t, wt)
    else:
        for kt, wt in zip(K256 if w == 32 else K512, sha2_schedule(block, w), strict=True):
            v = sha2_round(v, kt, wt, w)
    return [(x + y) % (1 << w) for x, y in zip(chain, v, strict=True)]


# ---- FIPS 202

Lanes = list[list[int]]  # A[x][y], of 64 bits
MASK64 = (1 << 64) - 1


def rc_bit(t: int) -> int:
    """Algorithm 5"""
    r = 1
    for _ in range(t % 255):
        r <<= 1
        r ^= 0x171 if r & 0x100 else 0
    return r & 1


RC = [sum(rc_bit(j + 7 * ir) << (1 << j) - 1 for j in range(7)) for ir in range(24)]


def rho_offsets() -> list[list[int]]:
    """Algorithm 2"""
    offsets = [[0] * 5 for _ in range(5)]
    x, y = 1, 0
    for t in range(24):
        offsets[x][y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


RHO = rho_offsets()


def rnd(a: Lanes, ir: int) -> Lanes:
    """3.3: iota(chi(pi(rho(theta(A)))), ir)"""
    c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
    d = [c[(x - 1) % 5] ^ rotl(c[(x + 1) % 5], 1, 64) for x in range(5)]
    a = [[rotl(a[x][y] ^ d[x], RHO[x][y], 64) for y in range(5)] for x in range(5)]
    a = [[a[(x + 3 * y) % 5][x] for y in range(5)] for x in range(5)]
    a = [[a[x][y] ^ (~a[(x + 1) % 5][y] & MASK64 & a[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]
    a[0][0] ^= RC[ir]
    return a


def lanes_of(state: bytes) -> Lanes:
    """3.1.2; lane (x, y) is the little-endian word 5y + x."""
    return [[int.from_bytes(state[8 * (5 * y + x) :][:8], "little") for y in range(5)] for x in range(5)]


def bytes_of(a: Lanes) -> bytes:
    return b"".join(a[x][y].to_bytes(8, "little") for y in range(5) for x in range(5))


@lru_cache(maxsize=KEPT)
def keccak_f(state: bytes) -> bytes:
    """3.4: Keccak-p[1600, 24]"""
    a = lanes_of(state)
    for ir in range(24):
        a = rnd(a, ir)
    return bytes_of(a)


def xor(a: bytes, b: bytes) -> bytes:
    """The longer one's tail stays."""
    n = max(len(a), len(b))
    return (int.from_bytes(a.ljust(n, b"\0")) ^ int.from_bytes(b.ljust(n, b"\0"))).to_bytes(n)


# ---- The algorithms


@dataclass(frozen=True)
class Algorithm:
    name: str
    block: int  # bytes: FIPS 180-4 block, FIPS 202 rate
    digest: int  # bytes; 0: any (extendable output)
    initial: bytes  # chaining value or state before the first block
    compress: Callable[[bytes, bytes], bytes]
    suffix: int = 0  # FIPS 202 B.2: the first padding byte; 0: FIPS 180-4 padding

    @property
    def is_keccak(self) -> bool:
        return self.suffix != 0

    def pad(self, total: int) -> bytes:
        """What follows a message of `total` bytes: FIPS 180-4 5.1, FIPS 202 5.1."""
        if self.is_keccak:
            q = self.block - total % self.block
            return bytes([self.suffix ^ 0x80]) if q == 1 else bytes([self.suffix]) + bytes(q - 2) + b"\x80"
        length_bytes = self.block // 8
        zeros = -(total + 1 + length_bytes) % self.block
        return b"\x80" + bytes(zeros) + (8 * total).to_bytes(length_bytes)


def _chain_bytes(words: list[int], w: int) -> bytes:
    return b"".join(x.to_bytes(w // 8) for x in words)


def _sha_compress(w: int, count: int) -> Callable[[bytes, bytes], bytes]:
    @lru_cache(maxsize=KEPT)
    def compress(chain: bytes, block: bytes) -> bytes:
        words = [int.from_bytes(chain[i : i + w // 8]) for i in range(0, count * w // 8, w // 8)]
        return _chain_bytes(sha_block(words, block), w)

    return compress


def _keccak_compress(state: bytes, block: bytes) -> bytes:
    return keccak_f(xor(state, block))


def _sha512_t_initial(t: int) -> bytes:
    """5.3.6: SHA-512 of the name, from an initial value of its own."""
    chain = _chain_bytes([h ^ 0xA5A5A5A5A5A5A5A5 for h in h_words(64, 0)], 64)
    sha512 = Algorithm("", 128, 64, chain, _sha_compress(64, 8))
    return digest(sha512, f"SHA-512/{t}".encode())


def digest(algorithm: Algorithm, message: bytes, length: int | None = None, chain: bytes | None = None) -> bytes:
    """The digest or, of an extendable output, its first `length` bytes. `chain`: goes on from there after whole blocks."""
    chain = algorithm.initial if chain is None else chain
    data = message + algorithm.pad(len(message))
    for i in range(0, len(data), algorithm.block):
        chain = algorithm.compress(chain, data[i : i + algorithm.block])
    return squeeze(algorithm, chain, algorithm.digest if length is None else length)


def squeeze(algorithm: Algorithm, chain: bytes, length: int) -> bytes:
    if not algorithm.is_keccak:
        return chain[:length]
    out = chain[: algorithm.block]  # FIPS 202, algorithm 8
    while len(out) < length:
        chain = keccak_f(chain)
        out += chain[: algorithm.block]
    return out[:length]


def _sha(name: str, w: int, size: int, initial: list[int] | bytes) -> Algorithm:
    if isinstance(initial, list):
        initial = _chain_bytes(initial, w)
    return Algorithm(name, 2 * w, size, initial, _sha_compress(w, 8 * len(initial) // w))


def _keccak(name: str, rate: int, size: int, suffix: int) -> Algorithm:
    return Algorithm(name, rate, size, bytes(200), _keccak_compress, suffix)


SHA1 = _sha("SHA-1", 32, 20, H1)
SHA224 = _sha("SHA-224", 32, 28, h_words(32, 8, 32))
SHA256 = _sha("SHA-256", 32, 32, h_words(32, 0))
SHA384 = _sha("SHA-384", 64, 48, h_words(64, 8))
SHA512 = _sha("SHA-512", 64, 64, h_words(64, 0))
SHA512_224 = _sha("SHA-512/224", 64, 28, _sha512_t_initial(224))
SHA512_256 = _sha("SHA-512/256", 64, 32, _sha512_t_initial(256))
SHA3_224 = _keccak("SHA3-224", 144, 28, 0x06)
SHA3_256 = _keccak("SHA3-256", 136, 32, 0x06)
SHA3_384 = _keccak("SHA3-384", 104, 48, 0x06)
SHA3_512 = _keccak("SHA3-512", 72, 64, 0x06)
SHAKE128 = _keccak("SHAKE128", 168, 0, 0x1F)
SHAKE256 = _keccak("SHAKE256", 136, 0, 0x1F)
CSHAKE128 = _keccak("cSHAKE128", 168, 0, 0x04)
CSHAKE256 = _keccak("cSHAKE256", 136, 0, 0x04)
HASHES = (SHA1, SHA224, SHA256, SHA384, SHA512, SHA512_224, SHA512_256, SHA3_224, SHA3_256, SHA3_384, SHA3_512)
XOFS = (SHAKE128, SHAKE256)


# ---- FIPS 198-1


def hmac_pads(algorithm: Algorithm, key: bytes) -> tuple[bytes, bytes]:
    """Steps 1 to 4 and 7 of table 1: (K0 xor ipad), (K0 xor opad)."""
    if len(key) > algorithm.block:
        key = digest(algorithm, key)
    k0 = key.ljust(algorithm.block, b"\0")
    return bytes(b ^ 0x36 for b in k0), bytes(b ^ 0x5C for b in k0)


def hmac(algorithm: Algorithm, key: bytes, message: bytes) -> bytes:
    inner, outer = hmac_pads(algorithm, key)
    return digest(algorithm, outer + digest(algorithm, inner + message))


# ---- SP 800-185


def encode(number: int) -> bytes:
    """The digits of left_encode and right_encode (2.3.1)."""
    return number.to_bytes(max(1, -(-number.bit_length() // 8)))


def left_encode(number: int) -> bytes:
    return bytes([len(encode(number))]) + encode(number)


def right_encode(number: int) -> bytes:
    return encode(number) + bytes([len(encode(number))])


def encode_string(string: bytes) -> bytes:
    return left_encode(8 * len(string)) + string


def bytepad(data: bytes, w: int) -> bytes:
    data = left_encode(w) + data
    return data + bytes(-len(data) % w)


def kmac_prefix(algorithm: Algorithm, key: bytes, customization: bytes = b"") -> bytes:
    """What stands before the message: cSHAKE's N and S (3.3), then the key (4.3)."""
    names = encode_string(b"KMAC") + encode_string(customization)
    return bytepad(names, algorithm.block) + bytepad(encode_string(key), algorithm.block)


def kmac(algorithm: Algorithm, key: bytes, message: bytes, length: int, customization: bytes = b"") -> bytes:
    """4.3, over CSHAKE128 or CSHAKE256."""
    data = kmac_prefix(algorithm, key, customization) + message + right_encode(8 * length)
    return digest(algorithm, data, length)
