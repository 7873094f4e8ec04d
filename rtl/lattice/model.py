# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lattice engine's golden model: which jobs are valid, what goes in and what comes out. The algorithms: mlkem.py,
mldsa.py.

A key that is none makes BAD_OPERAND, and zeros in place of the result: an encapsulation key with a coefficient that is not
below q (FIPS 203, 7.2), a decapsulation key whose hash is wrong (7.3); a private key with a coefficient of s1 or s2 out of
range (FIPS 204, algorithm 25), or with which 814 rounds give no signature. A signature that is not valid makes AUTH_FAILED.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from common.plan import Plan
from lattice import mldsa, mlkem

MLKEM_KEYGEN, MLKEM_ENCAPSULATE, MLKEM_DECAPSULATE = range(0xA0, 0xA3)
MLDSA_KEYGEN, MLDSA_SIGN, MLDSA_VERIFY = range(0xA3, 0xA6)
KEM_OPCODES = (MLKEM_KEYGEN, MLKEM_ENCAPSULATE, MLKEM_DECAPSULATE)
DSA_OPCODES = (MLDSA_KEYGEN, MLDSA_SIGN, MLDSA_VERIFY)
OPCODES = KEM_OPCODES + DSA_OPCODES
# Their private keys are in the AAD.
INLINE_KEY = (MLKEM_DECAPSULATE, MLDSA_SIGN)
OK, AUTH_FAILED, BAD_OPCODE, BAD_FLAGS, BAD_LENGTH, BAD_TAG_LENGTH, BAD_IV, BAD_KEY = range(8)
TIMEOUT, BAD_OPERAND = 13, 15
BY_K = {p.k: p for p in mlkem.SETS}
DSA_BY_K = {p.k: p for p in mldsa.SETS}
FLAGS = ("decrypt", "inline", "load", "save", "long_iv", "append")


@dataclass
class Job:
    """A descriptor without addresses, and what stands in memory."""

    opcode: int
    aad: bytes = b""
    payload: bytes = b""
    iv: bytes = bytes(16)
    key_field: int = 0
    flags: set[str] = field(default_factory=set)
    # For refusals: what the descriptor claims, where it differs from the data above.
    aad_length: int | None = None
    length: int | None = None

    @property
    def lengths(self) -> tuple[int, int]:
        """Of AAD and payload."""
        return (
            len(self.aad) if self.aad_length is None else self.aad_length,
            len(self.payload) if self.length is None else self.length,
        )

    @property
    def parameters(self) -> mlkem.Parameters | None:
        return BY_K.get(int.from_bytes(self.iv, "little"))

    @property
    def dsa_parameters(self) -> mldsa.Parameters | None:
        return DSA_BY_K.get(int.from_bytes(self.iv, "little"))


def keygen(p: mlkem.Parameters, d: bytes, z: bytes) -> Job:
    return Job(MLKEM_KEYGEN, payload=d + z, iv=p.k.to_bytes(16, "little"))


def encapsulate(p: mlkem.Parameters, ek: bytes, m: bytes) -> Job:
    return Job(MLKEM_ENCAPSULATE, ek, m, p.k.to_bytes(16, "little"))


def decapsulate(p: mlkem.Parameters, dk: bytes, c: bytes) -> Job:
    return Job(MLKEM_DECAPSULATE, dk, c, p.k.to_bytes(16, "little"), flags={"inline"})


def dsa_keygen(p: mldsa.Parameters, seed: bytes) -> Job:
    return Job(MLDSA_KEYGEN, payload=seed, iv=p.k.to_bytes(16, "little"))


def dsa_sign(p: mldsa.Parameters, sk: bytes, mu: bytes, rnd: bytes = bytes(32)) -> Job:
    return Job(MLDSA_SIGN, sk, mu + rnd, p.k.to_bytes(16, "little"), flags={"inline"})


def dsa_verify(p: mldsa.Parameters, pk: bytes, mu: bytes, signature: bytes) -> Job:
    return Job(MLDSA_VERIFY, pk, mu + signature, p.k.to_bytes(16, "little"))


def sizes(opcode: int, k: int) -> tuple[int, int, int] | None:
    """Bytes of AAD, payload and result; None if k is no parameter set's."""
    if opcode in DSA_OPCODES:
        d = DSA_BY_K.get(k)
        return (
            d
            and {
                MLDSA_KEYGEN: (0, 32, d.public_bytes + d.private_bytes),
                MLDSA_SIGN: (d.private_bytes, 96, d.signature_bytes),
                MLDSA_VERIFY: (d.public_bytes, 64 + d.signature_bytes, 0),
            }[opcode]
        )
    p = BY_K.get(k)
    return (
        p
        and {
            MLKEM_KEYGEN: (0, 64, p.dk_bytes),
            MLKEM_ENCAPSULATE: (p.ek_bytes, 32, p.ciphertext_bytes + 32),
            MLKEM_DECAPSULATE: (p.dk_bytes, p.ciphertext_bytes, 32),
        }[opcode]
    )


def refuse(job: Job) -> int:
    """The first reason against it, or OK."""
    if job.opcode not in OPCODES:
        return BAD_OPCODE
    if job.flags != ({"inline"} if job.opcode in INLINE_KEY else set()):
        return BAD_FLAGS
    expected = sizes(job.opcode, int.from_bytes(job.iv, "little"))
    if expected is None:
        return BAD_IV
    if job.lengths != expected[:2]:
        return BAD_LENGTH
    return BAD_KEY if "inline" in job.flags and job.key_field else OK


def plan(job: Job) -> Plan:
    status = refuse(job)
    expected = None if status else sizes(job.opcode, int.from_bytes(job.iv, "little"))
    if expected is None:
        return Plan(status)
    aad, payload, result = expected
    return Plan(OK, aad_bytes=aad, payload_bytes=payload, out_bytes=result)


@dataclass
class Result:
    status: int
    payload: bytes
    tag: bytes = bytes(16)


def run(job: Job) -> Result:
    """A job that `plan` takes."""
    if job.opcode in DSA_OPCODES:
        return run_dsa(job)
    p = job.parameters
    assert p is not None
    try:
        if job.opcode == MLKEM_KEYGEN:
            return Result(OK, mlkem.keygen(p, job.payload[:32], job.payload[32:])[1])
        if job.opcode == MLKEM_ENCAPSULATE:
            key, c = mlkem.encapsulate(p, job.aad, job.payload)
            return Result(OK, c + key)
        return Result(OK, mlkem.decapsulate(p, job.aad, job.payload))
    except mlkem.InvalidInputError:
        return Result(BAD_OPERAND, bytes(plan(job).out_bytes))


def run_dsa(job: Job) -> Result:
    p = job.dsa_parameters
    assert p is not None
    if job.opcode == MLDSA_KEYGEN:
        return Result(OK, b"".join(mldsa.keygen(p, job.payload)))
    mu, rest = job.payload[:64], job.payload[64:]
    if job.opcode == MLDSA_VERIFY:
        return Result(OK if mldsa.verify_mu(p, job.aad, mu, rest) else AUTH_FAILED, b"")
    if not mldsa.check_private(p, job.aad):
        return Result(BAD_OPERAND, bytes(p.signature_bytes))
    return Result(OK, mldsa.sign_mu(p, job.aad, mu, rest).signature)


def words(data: bytes) -> list[bytes]:
    """Of a section or a result, the last one possibly shorter."""
    return [data[i : i + 16] for i in range(0, len(data), 16)]
