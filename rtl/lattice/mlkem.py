# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM in the words of FIPS 203: the parameter sets, and algorithms 3 to 21 in their order."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

Q = 3329
N = 256
Poly = list[int]


@dataclass(frozen=True)
class Parameters:
    """A row of table 2, and the sizes of table 3 in bytes."""

    name: str
    k: int
    eta1: int
    du: int
    dv: int
    eta2: int = 2

    @property
    def ek_bytes(self) -> int:
        return 384 * self.k + 32

    @property
    def dk_bytes(self) -> int:
        return 768 * self.k + 96

    @property
    def ciphertext_bytes(self) -> int:
        return 32 * (self.du * self.k + self.dv)


SETS = (
    Parameters("ML-KEM-512", k=2, eta1=3, du=10, dv=4),
    Parameters("ML-KEM-768", k=3, eta1=2, du=10, dv=4),
    Parameters("ML-KEM-1024", k=4, eta1=2, du=11, dv=5),
)
BY_NAME = {each.name: each for each in SETS}


class InvalidInputError(ValueError):
    """An input that section 7.2 or 7.3 refuses."""


# ---- 4.1: hash functions.
def prf(eta: int, s: bytes, b: int) -> bytes:
    return hashlib.shake_256(s + bytes([b])).digest(64 * eta)


def h(s: bytes) -> bytes:
    return hashlib.sha3_256(s).digest()


def j(s: bytes) -> bytes:
    return hashlib.shake_256(s).digest(32)


def g(c: bytes) -> tuple[bytes, bytes]:
    digest = hashlib.sha3_512(c).digest()
    return digest[:32], digest[32:]


# ---- 4.2.1: bits, bytes, compression.
def byte_encode(d: int, f: Poly) -> bytes:
    """Algorithm 5."""
    return sum(a << d * i for i, a in enumerate(f)).to_bytes(32 * d, "little")


def byte_decode(d: int, b: bytes) -> Poly:
    """Algorithm 6. With d = 12 modulo q."""
    bits = int.from_bytes(b, "little")
    m = 1 << d if d < 12 else Q
    return [(bits >> d * i & (1 << d) - 1) % m for i in range(N)]


def compress(d: int, x: int) -> int:
    """(4.7): 2^d x / q, rounded to the nearest integer, halves up."""
    return ((x << d) + Q // 2) // Q % (1 << d)


def decompress(d: int, y: int) -> int:
    """(4.8)"""
    return (Q * y + (1 << d - 1)) >> d


# ---- 4.2.2: sampling.
def sample_ntt(seed: bytes) -> Poly:
    """Algorithm 7, from the 34 bytes rho, j, i."""
    length = 168 * 5
    while True:
        stream = hashlib.shake_128(seed).digest(length)
        a: Poly = []
        for i in range(0, length, 3):
            c0, c1, c2 = stream[i : i + 3]
            for value in (c0 | (c1 & 15) << 8, c1 >> 4 | c2 << 4):
                if value < Q and len(a) < N:
                    a.append(value)
        if len(a) == N:
            return a
        length += 168


def sample_poly_cbd(eta: int, b: bytes) -> Poly:
    """Algorithm 8."""
    bits = int.from_bytes(b, "little")
    ones = [(bits >> eta * i & (1 << eta) - 1).bit_count() for i in range(2 * N)]
    return [(ones[2 * i] - ones[2 * i + 1]) % Q for i in range(N)]


# ---- 4.3: the number-theoretic transform.
def bit_reverse_7(i: int) -> int:
    return int(f"{i:07b}"[::-1], 2)


ZETAS = [pow(17, bit_reverse_7(i), Q) for i in range(128)]
GAMMAS = [pow(17, 2 * bit_reverse_7(i) + 1, Q) for i in range(128)]


def ntt(f: Poly) -> Poly:
    """Algorithm 9."""
    f = list(f)
    i, length = 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            for at in range(start, start + length):
                t = ZETAS[i] * f[at + length] % Q
                f[at], f[at + length] = (f[at] + t) % Q, (f[at] - t) % Q
            i += 1
        length //= 2
    return f


def inverse_ntt(f: Poly) -> Poly:
    """Algorithm 10."""
    f = list(f)
    i, length = 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            for at in range(start, start + length):
                t = f[at]
                f[at] = (t + f[at + length]) % Q
                f[at + length] = ZETAS[i] * (f[at + length] - t) % Q
            i -= 1
        length *= 2
    return [a * 3303 % Q for a in f]


def multiply_ntts(f: Poly, g: Poly) -> Poly:
    """Algorithms 11 and 12."""
    out: Poly = []
    for i, gamma in enumerate(GAMMAS):
        a0, a1, b0, b1 = f[2 * i], f[2 * i + 1], g[2 * i], g[2 * i + 1]
        out += [(a0 * b0 + a1 * b1 * gamma) % Q, (a0 * b1 + a1 * b0) % Q]
    return out


def add(f: Poly, g: Poly) -> Poly:
    return [(a + b) % Q for a, b in zip(f, g, strict=True)]


def subtract(f: Poly, g: Poly) -> Poly:
    return [(a - b) % Q for a, b in zip(f, g, strict=True)]


def dot(f: list[Poly], g: list[Poly]) -> Poly:
    total = [0] * N
    for a, b in zip(f, g, strict=True):
        total = add(total, multiply_ntts(a, b))
    return total


# ---- 5: K-PKE.
def matrix(p: Parameters, rho: bytes) -> list[list[Poly]]:
    return [[sample_ntt(rho + bytes([column, row])) for column in range(p.k)] for row in range(p.k)]


def pke_keygen(p: Parameters, d: bytes) -> tuple[bytes, bytes]:
    """Algorithm 13: ek_PKE, dk_PKE."""
    rho, sigma = g(d + bytes([p.k]))
    noise = [ntt(sample_poly_cbd(p.eta1, prf(p.eta1, sigma, n))) for n in range(2 * p.k)]
    s, e = noise[: p.k], noise[p.k :]
    t = [add(dot(row, s), e[i]) for i, row in enumerate(matrix(p, rho))]
    return b"".join(byte_encode(12, f) for f in t) + rho, b"".join(byte_encode(12, f) for f in s)


def pke_encrypt(p: Parameters, ek: bytes, m: bytes, r: bytes) -> bytes:
    """Algorithm 14."""
    t = [byte_decode(12, ek[384 * i : 384 * (i + 1)]) for i in range(p.k)]
    a = matrix(p, ek[384 * p.k :])
    y = [ntt(sample_poly_cbd(p.eta1, prf(p.eta1, r, n))) for n in range(p.k)]
    e1 = [sample_poly_cbd(p.eta2, prf(p.eta2, r, p.k + n)) for n in range(p.k)]
    e2 = sample_poly_cbd(p.eta2, prf(p.eta2, r, 2 * p.k))
    u = [add(inverse_ntt(dot([row[i] for row in a], y)), e1[i]) for i in range(p.k)]
    mu = [decompress(1, bit) for bit in byte_decode(1, m)]
    v = add(add(inverse_ntt(dot(t, y)), e2), mu)
    c1 = b"".join(byte_encode(p.du, [compress(p.du, x) for x in f]) for f in u)
    return c1 + byte_encode(p.dv, [compress(p.dv, x) for x in v])


def pke_decrypt(p: Parameters, dk: bytes, c: bytes) -> bytes:
    """Algorithm 15."""
    step = 32 * p.du
    u = [[decompress(p.du, y) for y in byte_decode(p.du, c[step * i : step * (i + 1)])] for i in range(p.k)]
    v = [decompress(p.dv, y) for y in byte_decode(p.dv, c[step * p.k :])]
    s = [byte_decode(12, dk[384 * i : 384 * (i + 1)]) for i in range(p.k)]
    w = subtract(v, inverse_ntt(dot(s, [ntt(f) for f in u])))
    return byte_encode(1, [compress(1, x) for x in w])


# ---- 6: internal algorithms; 7: ML-KEM with its checks.
def keygen(p: Parameters, d: bytes, z: bytes) -> tuple[bytes, bytes]:
    """Algorithm 16: ek, dk."""
    ek, dk_pke = pke_keygen(p, d)
    return ek, dk_pke + ek + h(ek) + z


def check_ek(p: Parameters, ek: bytes) -> bool:
    """7.2: the length, and the modulus check."""
    if len(ek) != p.ek_bytes:
        return False
    t = ek[: 384 * p.k]
    return t == b"".join(byte_encode(12, byte_decode(12, t[i : i + 384])) for i in range(0, len(t), 384))


def check_dk(p: Parameters, dk: bytes) -> bool:
    """7.3: the length, and the hash check."""
    ek = dk[384 * p.k : 768 * p.k + 32]
    return len(dk) == p.dk_bytes and h(ek) == dk[768 * p.k + 32 : 768 * p.k + 64]


def encapsulate(p: Parameters, ek: bytes, m: bytes) -> tuple[bytes, bytes]:
    """Algorithms 17 and 20: K, c."""
    if not check_ek(p, ek):
        raise InvalidInputError(f"not an encapsulation key of {p.name}")
    key, r = g(m + h(ek))
    return key, pke_encrypt(p, ek, m, r)


def decapsulate(p: Parameters, dk: bytes, c: bytes) -> bytes:
    """Algorithms 18 and 21: K, or by implicit rejection a secret that the ciphertext alone does not give."""
    if not check_dk(p, dk) or len(c) != p.ciphertext_bytes:
        raise InvalidInputError(f"not a decapsulation key or ciphertext of {p.name}")
    ek, hash_of_ek, z = dk[384 * p.k : 768 * p.k + 32], dk[768 * p.k + 32 : 768 * p.k + 64], dk[768 * p.k + 64 :]
    m = pke_decrypt(p, dk[: 384 * p.k], c)
    key, r = g(m + hash_of_ek)
    return key if pke_encrypt(p, ek, m, r) == c else j(z + c)
