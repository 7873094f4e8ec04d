# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-DSA in the words of FIPS 204: the parameter sets, keys, signatures and their verification (algorithms 1 to 8)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from lattice import mldsa_parts as parts
from lattice.mldsa_parts import D, Poly, Q


@dataclass(frozen=True)
class Parameters:
    """A column of table 1, and the sizes of table 2 in bytes. `strength` is the collision strength, lambda, in bits."""

    name: str
    tau: int
    strength: int
    gamma1: int
    gamma2: int
    k: int
    l: int  # noqa: E741
    eta: int
    omega: int

    @property
    def beta(self) -> int:
        return self.tau * self.eta

    @property
    def public_bytes(self) -> int:
        return 32 + 320 * self.k

    @property
    def private_bytes(self) -> int:
        return 128 + 32 * ((self.k + self.l) * (2 * self.eta).bit_length() + D * self.k)

    @property
    def signature_bytes(self) -> int:
        return self.strength // 4 + 32 * self.l * self.gamma1.bit_length() + self.omega + self.k


SETS = (
    Parameters("ML-DSA-44", 39, 128, 1 << 17, (Q - 1) // 88, 4, 4, 2, 80),
    Parameters("ML-DSA-65", 49, 192, 1 << 19, (Q - 1) // 32, 6, 5, 4, 55),
    Parameters("ML-DSA-87", 60, 256, 1 << 19, (Q - 1) // 32, 8, 7, 2, 75),
)
BY_NAME = {each.name: each for each in SETS}

# 5.4.1: pre-hash functions and their object identifiers (DER), which share all but the last byte.
_OID = bytes.fromhex("0609608648016503040200")[:-1]
PRE_HASHES: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "SHA2-256": (1, lambda m: hashlib.sha256(m).digest()),
    "SHA2-384": (2, lambda m: hashlib.sha384(m).digest()),
    "SHA2-512": (3, lambda m: hashlib.sha512(m).digest()),
    "SHA2-224": (4, lambda m: hashlib.sha224(m).digest()),
    "SHA2-512/224": (5, lambda m: hashlib.new("sha512_224", m).digest()),
    "SHA2-512/256": (6, lambda m: hashlib.new("sha512_256", m).digest()),
    "SHA3-224": (7, lambda m: hashlib.sha3_224(m).digest()),
    "SHA3-256": (8, lambda m: hashlib.sha3_256(m).digest()),
    "SHA3-384": (9, lambda m: hashlib.sha3_384(m).digest()),
    "SHA3-512": (10, lambda m: hashlib.sha3_512(m).digest()),
    "SHAKE-128": (11, lambda m: hashlib.shake_128(m).digest(32)),
    "SHAKE-256": (12, lambda m: hashlib.shake_256(m).digest(64)),
}


def h(data: bytes, length: int) -> bytes:
    return hashlib.shake_256(data).digest(length)


def formatted(message: bytes, context: bytes = b"", pre_hash: str | None = None) -> bytes:
    """M' of algorithms 2 and 4: what is signed of a message under a context."""
    if len(context) > 255:
        raise ValueError("a context has at most 255 bytes")
    head = bytes([pre_hash is not None, len(context)]) + context
    if pre_hash is None:
        return head + message
    last, function = PRE_HASHES[pre_hash]
    return head + _OID + bytes([last]) + function(message)


def mu_of(public: bytes, formatted_message: bytes) -> bytes:
    """The representative mu of a message under a public key."""
    return h(h(public, 64) + formatted_message, 64)


# ---- 6.1: keys.
def keygen(p: Parameters, seed: bytes) -> tuple[bytes, bytes]:
    """Algorithm 6: pk, sk."""
    expanded = h(seed + bytes([p.k, p.l]), 128)
    rho, rho2, key = expanded[:32], expanded[32:96], expanded[96:]
    a = parts.expand_a(rho, p.k, p.l)
    s1, s2 = parts.expand_s(rho2, p.eta, p.k, p.l)
    s1_hat = [parts.ntt(f) for f in s1]
    t = [parts.add(parts.inverse_ntt(parts.dot(row, s1_hat)), s2[i]) for i, row in enumerate(a)]
    t1, t0 = ([[parts.power2_round(x)[which] for x in f] for f in t] for which in (0, 1))
    pk = rho + b"".join(parts.simple_bit_pack(f, 1023) for f in t1)
    sk = rho + key + h(pk, 64)
    sk += b"".join(parts.bit_pack(f, p.eta, p.eta) for f in s1 + s2)
    sk += b"".join(parts.bit_pack(f, (1 << D - 1) - 1, 1 << D - 1) for f in t0)
    return pk, sk


@dataclass(frozen=True)
class PrivateKey:
    """Algorithm 25: what an encoded private key contains."""

    rho: bytes
    key: bytes
    tr: bytes
    s1: list[Poly]
    s2: list[Poly]
    t0: list[Poly]


def decode_private(p: Parameters, sk: bytes) -> PrivateKey:
    at = 128
    eta_bytes, t0_bytes = 32 * (2 * p.eta).bit_length(), 32 * D
    vectors: list[list[Poly]] = []
    for count, size, a, b in (
        (p.l, eta_bytes, p.eta, p.eta),
        (p.k, eta_bytes, p.eta, p.eta),
        (p.k, t0_bytes, (1 << D - 1) - 1, 1 << D - 1),
    ):
        vectors.append([parts.bit_unpack(sk[at + size * i : at + size * (i + 1)], a, b) for i in range(count)])
        at += size * count
    return PrivateKey(sk[:32], sk[32:64], sk[64:128], *vectors)


def check_private(p: Parameters, sk: bytes) -> bool:
    """Whether algorithm 24 makes such a key: its length, and that s1 and s2 are in range."""
    if len(sk) != p.private_bytes:
        return False
    private = decode_private(p, sk)
    return all(abs(x) <= p.eta for f in private.s1 + private.s2 for x in f)


# ---- 6.2: signing.
@dataclass(frozen=True)
class Signed:
    """A signature, and how many rounds of the loop it took."""

    signature: bytes
    rounds: int


def sign_mu(p: Parameters, sk: bytes, mu: bytes, rnd: bytes = bytes(32)) -> Signed:
    """Algorithm 7 from step 7 on; `rnd` of zeros is the deterministic variant."""
    private = decode_private(p, sk)
    s1_hat, s2_hat, t0_hat = ([parts.ntt(f) for f in of] for of in (private.s1, private.s2, private.t0))
    a = parts.expand_a(private.rho, p.k, p.l)
    rho2 = h(private.key + rnd + mu, 64)
    kappa = rounds = 0
    while True:
        rounds += 1
        y = parts.expand_mask(rho2, kappa, p.gamma1, p.l)
        kappa += p.l
        y_hat = [parts.ntt(f) for f in y]
        w = [parts.inverse_ntt(parts.dot(row, y_hat)) for row in a]
        w1 = [[parts.high_bits(x, p.gamma2) for x in f] for f in w]
        c_tilde = h(mu + encode_w1(p, w1), p.strength // 4)
        c_hat = parts.ntt(parts.sample_in_ball(c_tilde, p.tau))
        cs1, cs2, ct0 = ([parts.inverse_ntt(parts.multiply(c_hat, f)) for f in of] for of in (s1_hat, s2_hat, t0_hat))
        z = [parts.add(f, g) for f, g in zip(y, cs1, strict=True)]
        rest = [parts.subtract(f, g) for f, g in zip(w, cs2, strict=True)]
        low = [[parts.decompose(x, p.gamma2)[1] for x in f] for f in rest]
        if parts.norm(z) >= p.gamma1 - p.beta or parts.norm(low) >= p.gamma2 - p.beta:
            continue
        hints = [
            [parts.make_hint(-x % Q, (y0 + x) % Q, p.gamma2) for x, y0 in zip(f, g, strict=True)]
            for f, g in zip(ct0, rest, strict=True)
        ]
        if parts.norm(ct0) >= p.gamma2 or sum(map(sum, hints)) > p.omega:
            continue
        packed = b"".join(parts.bit_pack([parts.centred(x) for x in f], p.gamma1 - 1, p.gamma1) for f in z)
        return Signed(c_tilde + packed + parts.hint_bit_pack(hints, p.omega), rounds)


def sign(
    p: Parameters,
    sk: bytes,
    message: bytes,
    context: bytes = b"",
    rnd: bytes = bytes(32),
    pre_hash: str | None = None,
) -> bytes:
    """Algorithms 2 and 4."""
    mu = h(sk[64:128] + formatted(message, context, pre_hash), 64)
    return sign_mu(p, sk, mu, rnd).signature


# ---- 6.3: verification.
def encode_w1(p: Parameters, w1: list[Poly]) -> bytes:
    """Algorithm 28."""
    return b"".join(parts.simple_bit_pack(f, (Q - 1) // (2 * p.gamma2) - 1) for f in w1)


def verify_mu(p: Parameters, pk: bytes, mu: bytes, signature: bytes) -> bool:
    """Algorithm 8 from step 7 on."""
    if len(pk) != p.public_bytes or len(signature) != p.signature_bytes:
        return False
    t1 = [parts.simple_bit_unpack(pk[32 + 320 * i : 352 + 320 * i], 1023) for i in range(p.k)]
    size, at = 32 * p.gamma1.bit_length(), p.strength // 4
    c_tilde = signature[:at]
    z = [parts.bit_unpack(signature[at + size * i : at + size * (i + 1)], p.gamma1 - 1, p.gamma1) for i in range(p.l)]
    hints = parts.hint_bit_unpack(signature[at + size * p.l :], p.k, p.omega)
    if hints is None or parts.norm(z) >= p.gamma1 - p.beta:
        return False
    c_hat = parts.ntt(parts.sample_in_ball(c_tilde, p.tau))
    z_hat = [parts.ntt(f) for f in z]
    w1 = []
    for row, f, hint in zip(parts.expand_a(pk[:32], p.k, p.l), t1, hints, strict=True):
        scaled = parts.ntt([x << D for x in f])
        w = parts.inverse_ntt(parts.subtract(parts.dot(row, z_hat), parts.multiply(c_hat, scaled)))
        w1.append([parts.use_hint(bit, x, p.gamma2) for bit, x in zip(hint, w, strict=True)])
    return h(mu + encode_w1(p, w1), p.strength // 4) == c_tilde


def verify(
    p: Parameters, pk: bytes, message: bytes, signature: bytes, context: bytes = b"", pre_hash: str | None = None
) -> bool:
    """Algorithms 3 and 5."""
    return len(context) <= 255 and verify_mu(p, pk, mu_of(pk, formatted(message, context, pre_hash)), signature)
