# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What ML-DSA is made of, in the words of FIPS 204, section 7: packing, sampling, rounding, hints and the transform."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator

Q = 8380417
N = 256
D = 13
Poly = list[int]


# ---- 7.1: bit strings.
def _pack(f: Poly, bits: int) -> bytes:
    return sum(a << bits * i for i, a in enumerate(f)).to_bytes(32 * bits, "little")


def _unpack(data: bytes, bits: int) -> Poly:
    number = int.from_bytes(data, "little")
    return [number >> bits * i & (1 << bits) - 1 for i in range(N)]


def simple_bit_pack(w: Poly, b: int) -> bytes:
    """Algorithm 16."""
    return _pack(w, b.bit_length())


def simple_bit_unpack(v: bytes, b: int) -> Poly:
    """Algorithm 18."""
    return _unpack(v, b.bit_length())


def bit_pack(w: Poly, a: int, b: int) -> bytes:
    """Algorithm 17, of numbers from -a to b, or the same modulo q."""
    return _pack([(b - x) % Q for x in w], (a + b).bit_length())


def bit_unpack(v: bytes, a: int, b: int) -> Poly:
    """Algorithm 19: numbers from b - 2^c + 1 to b."""
    return [b - x for x in _unpack(v, (a + b).bit_length())]


def hint_bit_pack(h: list[Poly], omega: int) -> bytes:
    """Algorithm 20."""
    places: list[int] = []
    ends: list[int] = []
    for f in h:
        places += [i for i, bit in enumerate(f) if bit]
        ends.append(len(places))
    return bytes(places).ljust(omega, b"\0") + bytes(ends)


def hint_bit_unpack(y: bytes, k: int, omega: int) -> list[Poly] | None:
    """Algorithm 21. None for what hint_bit_pack does not make."""
    h: list[Poly] = []
    start = 0
    for end in y[omega : omega + k]:
        places = y[start:end]
        if not start <= end <= omega or any(a >= b for a, b in itertools.pairwise(places)):
            return None
        h.append([int(i in places) for i in range(N)])
        start = end
    return None if any(y[start:omega]) else h


# ---- 7.3: sampling.
def _bytes_of(digest: Callable[[int], bytes]) -> Iterator[int]:
    at, length = 0, 1024
    while True:
        yield from digest(length)[at:]
        at, length = length, 2 * length


def sample_in_ball(rho: bytes, tau: int) -> Poly:
    """Algorithm 29: tau coefficients of 1 or -1."""
    stream = _bytes_of(hashlib.shake_256(rho).digest)
    signs = int.from_bytes(bytes(next(stream) for _ in range(8)), "little")
    c = [0] * N
    for i in range(N - tau, N):
        j = next(at for at in stream if at <= i)
        c[i], c[j] = c[j], 1 - 2 * (signs >> i + tau - N & 1)
    return c


def rej_ntt_poly(rho: bytes) -> Poly:
    """Algorithm 30, with algorithm 14."""
    stream = _bytes_of(hashlib.shake_128(rho).digest)
    a: Poly = []
    while len(a) < N:
        value = next(stream) | next(stream) << 8 | (next(stream) & 127) << 16
        if value < Q:
            a.append(value)
    return a


def rej_bounded_poly(rho: bytes, eta: int) -> Poly:
    """Algorithm 31, with algorithm 15."""
    a: Poly = []
    for byte in _bytes_of(hashlib.shake_256(rho).digest):
        for half in (byte & 15, byte >> 4):
            if eta == 2 and half < 15:
                a.append(2 - half % 5)
            elif eta == 4 and half < 9:
                a.append(4 - half)
        if len(a) >= N:
            break
    return a[:N]


def expand_a(rho: bytes, k: int, l: int) -> list[list[Poly]]:  # noqa: E741
    """Algorithm 32."""
    return [[rej_ntt_poly(rho + bytes([s, r])) for s in range(l)] for r in range(k)]


def expand_s(rho: bytes, eta: int, k: int, l: int) -> tuple[list[Poly], list[Poly]]:  # noqa: E741
    """Algorithm 33."""
    s = [rej_bounded_poly(rho + r.to_bytes(2, "little"), eta) for r in range(k + l)]
    return s[:l], s[l:]


def expand_mask(rho: bytes, mu: int, gamma1: int, l: int) -> list[Poly]:  # noqa: E741
    """Algorithm 34."""
    size = 32 * gamma1.bit_length()
    return [
        bit_unpack(hashlib.shake_256(rho + (mu + r).to_bytes(2, "little")).digest(size), gamma1 - 1, gamma1)
        for r in range(l)
    ]


# ---- 7.4: high and low bits, hints.
def centred(x: int, m: int = Q) -> int:
    """x mod+- m: from -ceil(m / 2) + 1 to floor(m / 2)."""
    x %= m
    return x - m if x > m // 2 else x


def norm(w: list[Poly]) -> int:
    """The largest absolute value modulo q."""
    return max(abs(centred(x)) for f in w for x in f)


def power2_round(r: int) -> tuple[int, int]:
    """Algorithm 35."""
    r %= Q
    r0 = centred(r, 1 << D)
    return (r - r0) >> D, r0


def decompose(r: int, gamma2: int) -> tuple[int, int]:
    """Algorithm 36."""
    r %= Q
    r0 = centred(r, 2 * gamma2)
    if r - r0 == Q - 1:
        return 0, r0 - 1
    return (r - r0) // (2 * gamma2), r0


def high_bits(r: int, gamma2: int) -> int:
    """Algorithm 37."""
    return decompose(r, gamma2)[0]


def make_hint(z: int, r: int, gamma2: int) -> int:
    """Algorithm 39."""
    return int(high_bits(r, gamma2) != high_bits(r + z, gamma2))


def use_hint(h: int, r: int, gamma2: int) -> int:
    """Algorithm 40."""
    m = (Q - 1) // (2 * gamma2)
    r1, r0 = decompose(r, gamma2)
    if not h:
        return r1
    return (r1 + 1) % m if r0 > 0 else (r1 - 1) % m


# ---- 7.5: the number-theoretic transform; 7.6: arithmetic.
ZETAS = [pow(1753, int(f"{i:08b}"[::-1], 2), Q) for i in range(N)]


def ntt(w: Poly) -> Poly:
    """Algorithm 41."""
    w = list(w)
    m, length = 0, 128
    while length >= 1:
        for start in range(0, N, 2 * length):
            m += 1
            for at in range(start, start + length):
                t = ZETAS[m] * w[at + length] % Q
                w[at], w[at + length] = (w[at] + t) % Q, (w[at] - t) % Q
        length //= 2
    return w


def inverse_ntt(w: Poly) -> Poly:
    """Algorithm 42."""
    w = list(w)
    m, length = 256, 1
    while length < N:
        for start in range(0, N, 2 * length):
            m -= 1
            for at in range(start, start + length):
                t = w[at]
                w[at] = (t + w[at + length]) % Q
                w[at + length] = -ZETAS[m] * (t - w[at + length]) % Q
        length *= 2
    return [a * 8347681 % Q for a in w]


def multiply(f: Poly, g: Poly) -> Poly:
    """Algorithm 45."""
    return [a * b % Q for a, b in zip(f, g, strict=True)]


def add(f: Poly, g: Poly) -> Poly:
    return [(a + b) % Q for a, b in zip(f, g, strict=True)]


def subtract(f: Poly, g: Poly) -> Poly:
    return [(a - b) % Q for a, b in zip(f, g, strict=True)]


def dot(f: list[Poly], g: list[Poly]) -> Poly:
    """Algorithm 48, a row of it."""
    total = [0] * N
    for a, b in zip(f, g, strict=True):
        total = add(total, multiply(a, b))
    return total
