# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""X25519 (RFC 7748) and Ed25519 (RFC 8032) on numbers: the golden model, and the constants that the engine's ROM holds.

A number stands for the string of bytes that the standards have, least significant byte first.
"""

from __future__ import annotations

from pka import curves, isa

CODE = 4
P = 2**255 - 19
A24 = (486662 - 2) // 4
ORDER = 2**252 + 27742317777372353535851937790883648493
BYTES = 32
HASH_BYTES = 64
BLIND_BYTES = 8
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # of -1
R = 1 << 2 * isa.WORD_BITS
SPACING = 80  # between the teeth of the comb: a quarter of the bits of a blinded scalar

Point = tuple[int, int]
NEUTRAL: Point = (0, 1)


# ---- RFC 7748


def decode_scalar(k: int) -> int:
    """5, decodeScalar25519."""
    return k & ~7 & (1 << 255) - 1 | 1 << 254


def decode_u(u: int) -> int:
    """5, decodeUCoordinate; the result is modulo p."""
    return (u & (1 << 255) - 1) % P


def x25519(k: int, u: int) -> int:
    """5."""
    k, x_1 = decode_scalar(k), decode_u(u)
    x_2, z_2, x_3, z_3 = 1, 0, x_1, 1
    swap = 0
    for t in reversed(range(255)):
        k_t = k >> t & 1
        if swap ^ k_t:
            x_2, x_3, z_2, z_3 = x_3, x_2, z_3, z_2
        swap = k_t
        a, b, c, d = x_2 + z_2, x_2 - z_2, x_3 + z_3, x_3 - z_3
        aa, bb, da, cb = a * a, b * b, d * a, c * b
        e = aa - bb
        x_3, z_3 = (da + cb) ** 2 % P, x_1 * (da - cb) ** 2 % P
        x_2, z_2 = aa * bb % P, e * (aa + A24 * e) % P
    if swap:
        x_2, z_2 = x_3, z_3
    return x_2 * pow(z_2, P - 2, P) % P


# ---- RFC 8032


def add(left: Point, right: Point) -> Point:
    """5.1.4, in affine coordinates; complete."""
    (x1, y1), (x2, y2) = left, right
    product = D * x1 * x2 * y1 * y2 % P
    inverse = pow(1 - product * product, -1, P)
    x = (x1 * y2 + x2 * y1) * (1 - product) * inverse
    y = (y1 * y2 + x1 * x2) * (1 + product) * inverse
    return x % P, y % P


def multiply(k: int, point: Point) -> Point:
    total = NEUTRAL
    while k:
        if k & 1:
            total = add(total, point)
        point, k = add(point, point), k >> 1
    return total


def encode(point: Point) -> int:
    """5.1.2."""
    return point[1] | (point[0] & 1) << 255


def decode(encoded: int) -> Point | None:
    """5.1.3."""
    sign, y = encoded >> 255, encoded & (1 << 255) - 1
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * ROOT % P
    if v * x * x % P != u or (x == 0 and sign):
        return None
    return (x if x & 1 == sign else P - x), y


BASE_U = 9
BASE = decode(4 * pow(5, -1, P) % P)
assert BASE


def public(s: int) -> int:
    """5.1.5, steps 3 and 4, for a number s."""
    return encode(multiply(s, BASE))


def sign(a: int, r: int, h: int) -> int:
    """5.1.6, step 5: S."""
    return (r + h * a) % ORDER


def verify(key: int, r: int, s: int, h: int) -> bool | None:
    """5.1.7, without the cofactor; None if `key` is no point."""
    point = decode(key)
    if point is None:
        return None
    negative = (-point[0] % P, point[1])
    return s < ORDER and encode(add(multiply(s, BASE), multiply(h, negative))) == r


# ---- ROM

# Constants behind those of curves.ITEMS, of which b is A24: of the comb's entries y - x, y + x, 2 d x y; 2 d; the root
# of -1. In Montgomery form.
PLACES = {"YM": 8, "YP": 8 + isa.TABLE, "TD": 8 + 2 * isa.TABLE, "D2": 8 + 3 * isa.TABLE, "I": 9 + 3 * isa.TABLE}


def comb() -> list[Point]:
    """Entry i is the sum of 2^(SPACING j) B over the bits j of i."""
    teeth = [multiply(1 << SPACING * j, BASE) for j in range(4)]
    table = [NEUTRAL] * isa.TABLE
    for index in range(isa.TABLE):
        for j in range(4):
            if index >> j & 1:
                table[index] = add(table[index], teeth[j])
    return table


def constants() -> list[int]:
    minus, plus, products = zip(*(((y - x), (y + x), 2 * D * x * y) for x, y in comb()), strict=True)
    single = [P, curves.negative_inverse(P), R * R % P, R % P, A24 * R % P]
    single += [ORDER, curves.negative_inverse(ORDER), R * R % ORDER]
    return single + [x * R % P for x in (*minus, *plus, *products, 2 * D, ROOT)]


def parameters() -> list[int]:
    """In the order of curves.PARAMETERS."""
    teeth = [SPACING * j - 1 for j in range(1, 5)]
    windows = 64 - 1 - SPACING // 4
    return [P.bit_length(), BYTES, ORDER.bit_length(), BLIND_BYTES, 0, *teeth, windows]
