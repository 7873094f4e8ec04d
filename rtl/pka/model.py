# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The public-key engine's golden model: what each operation returns, in the words of RFC 8017, FIPS 186-5, SP 800-56A,
RFC 7748 and RFC 8032.

Plain numbers, none of the hardware's: machine.py is the model of that. `montgomery` is the literature's product, against which
the machine's is checked.
"""

from __future__ import annotations

from dataclasses import dataclass

from pka import curve25519, isa
from pka.constants import STATUSES
from pka.curves import Curve

OK = 0
BAD_OPERAND, FAULT, AUTH_FAILED = STATUSES["BAD_OPERAND"], STATUSES["FAULT"], STATUSES["AUTH_FAILED"]


@dataclass(frozen=True)
class Result:
    status: int
    output: bytes = b""


def i2osp(x: int, length: int) -> bytes:
    """RFC 8017, 4.1"""
    return x.to_bytes(length, "big")


def bytes_of(bits: int) -> int:
    return -(-bits // 8)


def montgomery(a: int, b: int, m: int, words: int) -> int:
    """Montgomery 1985, for R = 2^(136 words), without the last subtraction: (a b + q m) / R with q = -a b / m mod R."""
    r = 1 << isa.WORD_BITS * words
    q = -a * b * pow(m, -1, r) % r
    return (a * b + q * m) // r


# ---- RSA


def exact(value: int, bits: int) -> bool:
    return value.bit_length() == bits


def modexp(m: int, e: int, x: int, m_bits: int, e_bits: int) -> Result:
    length = bytes_of(m_bits)
    if not (m & 1 and exact(m, m_bits) and x < m and e.bit_length() <= e_bits):
        return Result(BAD_OPERAND, bytes(length))
    return Result(OK, i2osp(pow(x, e, m), length))


def rsaep(n: int, e: int, m: int, n_bits: int, e_bits: int) -> Result:
    """RFC 8017, 5.1.1 and 5.2.2. e is public and given with its exact length."""
    if not exact(e, e_bits):
        return Result(BAD_OPERAND, bytes(bytes_of(n_bits)))
    return modexp(n, e, m, n_bits, e_bits)


@dataclass(frozen=True)
class RsaKey:
    """RFC 8017, 3.2, the second representation."""

    n: int
    e: int
    p: int
    q: int
    dp: int
    dq: int
    qinv: int

    @property
    def parameters(self) -> list[int]:
        return [x.bit_length() for x in (self.n, self.e, self.p, self.q)]

    def encode(self) -> bytes:
        n, e, p, q = (bytes_of(bits) for bits in self.parameters)
        lengths = ((self.n, n), (self.e, e), (self.p, p), (self.q, q), (self.dp, p), (self.dq, q), (self.qinv, p))
        return b"".join(i2osp(value, length) for value, length in lengths)


def rsadp(key: RsaKey, c: int) -> Result:
    """RFC 8017, 5.1.2 and 5.2.1, step 2.b; what leaves is right under the public key."""
    n_bits = key.parameters[0]
    length = bytes_of(n_bits)
    if not (c < key.n and key.n & key.p & key.q & 1 and key.dp < key.p and key.dq < key.q):
        return Result(BAD_OPERAND, bytes(length))
    m_1, m_2 = pow(c, key.dp, key.p), pow(c, key.dq, key.q)
    h = (m_1 - m_2) * key.qinv % key.p
    m = m_2 + key.q * h
    if m >= key.n or pow(m, key.e, key.n) != c:
        return Result(FAULT, bytes(length))
    return Result(OK, i2osp(m, length))


# ---- Curves


def public_key(curve: Curve, x: int, y: int) -> bool:
    """SP 800-56A, 5.6.2.3.4; the cofactor is 1."""
    return x < curve.p and y < curve.p and curve.contains((x, y))


def scalar(curve: Curve, k: int) -> bool:
    return 0 < k < curve.n


def multiply(curve: Curve, k: int, point: tuple[int, int]) -> Result:
    """SP 800-56A, 5.7.1.2; the shared secret is the first half."""
    if not (scalar(curve, k) and public_key(curve, *point)):
        return Result(BAD_OPERAND, bytes(2 * curve.bytes))
    product = curve.multiply(k, point)
    assert product
    return Result(OK, i2osp(product[0], curve.bytes) + i2osp(product[1], curve.bytes))


def public(curve: Curve, d: int) -> Result:
    """FIPS 186-5, A.2: the public key of d."""
    return multiply(curve, d, curve.g)


def sign(curve: Curve, d: int, e: int, k: int) -> Result:
    """FIPS 186-5, 6.4.1, from step 4 on; e is the hash as a number."""
    length = curve.bytes
    if not (scalar(curve, d) and scalar(curve, k)):
        return Result(BAD_OPERAND, bytes(2 * length))
    point = curve.multiply(k, curve.g)
    assert point
    r = point[0] % curve.n
    s = pow(k, -1, curve.n) * (e + r * d) % curve.n
    if not (r and s):
        return Result(FAULT, bytes(2 * length))
    return Result(OK, i2osp(r, length) + i2osp(s, length))


def verify(curve: Curve, q: tuple[int, int], e: int, r: int, s: int) -> Result:
    """FIPS 186-5, 6.4.2, from step 1 on."""
    if not public_key(curve, *q):
        return Result(BAD_OPERAND)
    if not (scalar(curve, r) and scalar(curve, s)):
        return Result(AUTH_FAILED)
    inverse = pow(s, -1, curve.n)
    u, v = e * inverse % curve.n, r * inverse % curve.n
    point = curve.add(curve.multiply(u, curve.g), curve.multiply(v, q))
    return Result(OK if point and point[0] % curve.n == r else AUTH_FAILED)


# ---- Jobs


@dataclass(frozen=True)
class Job:
    """What a program is given, and what it must return."""

    program: str
    parameters: tuple[int, ...]
    payload: bytes
    expected: Result


def job_modexp(m: int, e: int, x: int, m_bits: int | None = None, e_bits: int | None = None) -> Job:
    m_bits = m.bit_length() if m_bits is None else m_bits
    e_bits = max(1, e.bit_length()) if e_bits is None else e_bits
    length = bytes_of(m_bits)
    payload = i2osp(m, length) + i2osp(e, bytes_of(e_bits)) + i2osp(x, length)
    return Job("modexp", (m_bits, e_bits), payload, modexp(m, e, x, m_bits, e_bits))


def job_rsa_public(n: int, e: int, m: int, n_bits: int | None = None, e_bits: int | None = None) -> Job:
    job = job_modexp(n, e, m, n_bits, e_bits)
    return Job("rsa_public", job.parameters, job.payload, rsaep(n, e, m, *job.parameters))


def job_rsa_private(key: RsaKey, c: int, random: bytes) -> Job:
    """`random` are six numbers of seven bytes: for q and p a factor, a multiple of the order, a multiple of the modulus."""
    payload = key.encode() + i2osp(c, bytes_of(key.parameters[0])) + random
    return Job("rsa_private", tuple(key.parameters), payload, rsadp(key, c))


def _curve_job(name: str, curve: Curve, numbers: list[int | bytes], expected: Result) -> Job:
    payload = b"".join(x if isinstance(x, bytes) else i2osp(x, curve.bytes) for x in numbers)
    return Job(name, (0, curve.code), payload, expected)


def random_length(curve: Curve) -> int:
    """Bytes that blind a scalar and coordinates."""
    return curve.blind_bytes + curve.bytes


def job_public(curve: Curve, d: int, random: bytes) -> Job:
    return _curve_job("ec_public", curve, [d, random], public(curve, d))


def job_multiply(curve: Curve, k: int, point: tuple[int, int], random: bytes) -> Job:
    return _curve_job("ec_multiply", curve, [k, *point, random], multiply(curve, k, point))


def job_check(curve: Curve, point: tuple[int, int]) -> Job:
    return _curve_job("ec_check", curve, [*point], Result(OK if public_key(curve, *point) else BAD_OPERAND))


def job_sign(curve: Curve, d: int, e: int, k: int, random: bytes, random_order: bytes) -> Job:
    return _curve_job("ec_sign", curve, [d, e, k, random, random_order], sign(curve, d, e, k))


def job_verify(curve: Curve, q: tuple[int, int], e: int, r: int, s: int) -> Job:
    return _curve_job("ec_verify", curve, [*q, e, r, s], verify(curve, q, e, r, s))


# ---- Curve25519: numbers are the standards' strings read from the last byte on; the model is curve25519.py.


def _job_25519(name: str, numbers: list[bytes], expected: Result) -> Job:
    return Job(name, (0, curve25519.CODE), b"".join(numbers), expected)


def _number_25519(x: int) -> bytes:
    return i2osp(x, curve25519.BYTES)


def _hash_25519(x: int) -> bytes:
    return i2osp(x, curve25519.HASH_BYTES)


def job_x25519(k: int, u: int, random: bytes) -> Job:
    """RFC 7748, 6.1: zero is refused. `random` is one number."""
    shared = curve25519.x25519(k, u)
    return _job_25519(
        "x25519",
        [_number_25519(k), _number_25519(u), random],
        Result(OK if shared else BAD_OPERAND, _number_25519(shared)),
    )


def job_ed25519_public(s: int, random: bytes) -> Job:
    """`random` are eight bytes and one number."""
    return _job_25519("ed25519_public", [_hash_25519(s), random], Result(OK, _number_25519(curve25519.public(s))))


def job_ed25519_sign(a: int, r: int, h: int, random: bytes) -> Job:
    """`random` is one number."""
    signed = Result(OK, _number_25519(curve25519.sign(a, r, h)))
    return _job_25519("ed25519_sign", [_number_25519(a), _hash_25519(r), _hash_25519(h), random], signed)


def job_ed25519_verify(key: int, r: int, s: int, h: int) -> Job:
    good = curve25519.verify(key, r, s, h)
    status = BAD_OPERAND if good is None else OK if good else AUTH_FAILED
    return _job_25519("ed25519_verify", [*(_number_25519(x) for x in (key, r, s)), _hash_25519(h)], Result(status))
