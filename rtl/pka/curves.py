# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The curves of the public-key engine (SP 800-186, SEC 2) and the constants that its ROM holds for each."""

from __future__ import annotations

from dataclasses import dataclass

from pka import isa

Point = tuple[int, int] | None  # None: the point at infinity


@dataclass(frozen=True)
class Curve:
    """y^2 = x^3 + a x + b modulo p; G of prime order n; cofactor 1. Scalars are blinded with `blind_bytes` random bytes."""

    name: str
    code: int
    p: int
    a: int
    b: int
    n: int
    g: tuple[int, int]
    blind_bytes: int

    @property
    def bits(self) -> int:
        return self.p.bit_length()

    @property
    def bytes(self) -> int:
        return -(-self.bits // 8)

    @property
    def spacing(self) -> int:
        """Between the teeth of the comb: a quarter of the bits of a blinded scalar, in whole windows of four."""
        return 4 * -(-(self.n.bit_length() + 8 * self.blind_bytes) // 16)

    def contains(self, point: Point) -> bool:
        return point is None or (point[1] ** 2 - point[0] ** 3 - self.a * point[0] - self.b) % self.p == 0

    def add(self, left: Point, right: Point) -> Point:
        """SEC 1, 2.2.1."""
        if left is None or right is None:
            return left or right
        (x1, y1), (x2, y2) = left, right
        if x1 == x2:
            if (y1 + y2) % self.p == 0:
                return None
            slope = (3 * x1 * x1 + self.a) * pow(2 * y1, -1, self.p)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, self.p)
        x3 = (slope * slope - x1 - x2) % self.p
        return x3, (slope * (x1 - x3) - y1) % self.p

    def multiply(self, k: int, point: Point) -> Point:
        total: Point = None
        while k:
            if k & 1:
                total = self.add(total, point)
            point, k = self.add(point, point), k >> 1
        return total


P256 = Curve(
    "P-256",
    0,
    2**256 - 2**224 + 2**192 + 2**96 - 1,
    -3,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    (
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
    8,
)
P384 = Curve(
    "P-384",
    1,
    2**384 - 2**128 - 2**96 + 2**32 - 1,
    -3,
    0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
    (
        0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
        0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    ),
    24,
)
P521 = Curve(
    "P-521",
    2,
    2**521 - 1,
    -3,
    int(
        "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e"
        "937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
        16,
    ),
    int("01" + "ff" * 32 + "fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409", 16),
    (
        int(
            "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3"
            "c1856a429bf97e7e31c2e5bd66",
            16,
        ),
        int(
            "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c70"
            "86a272c24088be94769fd16650",
            16,
        ),
    ),
    32,
)
SECP256K1 = Curve(
    "secp256k1",
    3,
    2**256 - 2**32 - 977,
    0,
    7,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
    (
        0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
        0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    ),
    16,
)
CURVES = (P256, P384, P521, SECP256K1)

# Constants of a curve, in units of its n words. The comb's entry i is the sum of 2^(spacing j) G over the bits j of i;
# coordinates are in Montgomery form; entry 0 stands for infinity, (0, 1).
ITEMS = ("P", "P_N0", "P_R2", "ONE", "B", "N", "N_N0", "N_R2", "GX", "GY")
FIRST_OF_TABLE = {"GX": 8, "GY": 8 + isa.TABLE}
ITEM_COUNT = 8 + 2 * isa.TABLE
# Parameters of a curve, behind the eight of the job. A tooth is where one of the
# comb's four first bits stands in a scalar; WINDOWS come before the comb when two scalars are worked off together.
PARAMETERS = (
    "BITS",
    "BYTES",
    "ORDER_BITS",
    "BLIND_BYTES",
    "A_IS_ZERO",
    "TOOTH0",
    "TOOTH1",
    "TOOTH2",
    "TOOTH3",
    "WINDOWS",
)


def montgomery(curve: Curve) -> int:
    return 1 << isa.WORD_BITS * isa.words_of(curve.bits + isa.SLACK)


def negative_inverse(m: int) -> int:
    return -pow(m, -1, 1 << isa.WORD_BITS) % (1 << isa.WORD_BITS)


def comb(curve: Curve) -> list[Point]:
    teeth: list[Point] = [curve.multiply(1 << curve.spacing * j, curve.g) for j in range(4)]
    table: list[Point] = []
    for index in range(isa.TABLE):
        point: Point = None
        for j in range(4):
            if index >> j & 1:
                point = curve.add(point, teeth[j])
        table.append(point)
    return table


def constants(curve: Curve) -> list[int]:
    """One number for each item. B is what the complete formulas multiply by: b, or 3 b where a = 0."""
    r, p, n = montgomery(curve), curve.p, curve.n
    b = curve.b * (1 if curve.a else 3)
    points = [point or (0, 1) for point in comb(curve)]
    single = [p, negative_inverse(p), r * r % p, r % p, b * r % p, n, negative_inverse(n), r * r % n]
    return single + [x * r % p for x, _ in points] + [y * r % p for _, y in points]


def parameters(curve: Curve) -> list[int]:
    teeth = [curve.spacing * j - 1 for j in range(1, 5)]
    order_bits = curve.n.bit_length()
    windows = (order_bits + 3) // 4 - 1 - curve.spacing // 4
    return [curve.bits, curve.bytes, order_bits, curve.blind_bytes, int(curve.a == 0), *teeth, windows]
