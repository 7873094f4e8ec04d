# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lattice engine's golden model: which jobs are valid, what goes in and what comes out. The algorithms: mlkem.py.

A key that is none makes BAD_OPERAND, and zeros in place of the result: an encapsulation key with a coefficient that is not
below q (FIPS 203, 7.2), a decapsulation key whose hash is wrong (7.3).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from common.plan import Plan
from lattice import mlkem

MLKEM_KEYGEN, MLKEM_ENCAPSULATE, MLKEM_DECAPSULATE = range(0xA0, 0xA3)
OPCODES = (MLKEM_KEYGEN, MLKEM_ENCAPSULATE, MLKEM_DECAPSULATE)
OK, AUTH_FAILED, BAD_OPCODE, BAD_FLAGS, BAD_LENGTH, BAD_TAG_LENGTH, BAD_IV, BAD_KEY = range(8)
TIMEOUT, BAD_OPERAND = 13, 15
BY_K = {p.k: p for p in mlkem.SETS}
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


def keygen(p: mlkem.Parameters, d: bytes, z: bytes) -> Job:
    return Job(MLKEM_KEYGEN, payload=d + z, iv=p.k.to_bytes(16, "little"))


def encapsulate(p: mlkem.Parameters, ek: bytes, m: bytes) -> Job:
    return Job(MLKEM_ENCAPSULATE, ek, m, p.k.to_bytes(16, "little"))


def decapsulate(p: mlkem.Parameters, dk: bytes, c: bytes) -> Job:
    return Job(MLKEM_DECAPSULATE, dk, c, p.k.to_bytes(16, "little"), flags={"inline"})


def sizes(opcode: int, p: mlkem.Parameters) -> tuple[int, int, int]:
    """Bytes of AAD, payload and result."""
    return {
        MLKEM_KEYGEN: (0, 64, p.dk_bytes),
        MLKEM_ENCAPSULATE: (p.ek_bytes, 32, p.ciphertext_bytes + 32),
        MLKEM_DECAPSULATE: (p.dk_bytes, p.ciphertext_bytes, 32),
    }[opcode]


def refuse(job: Job) -> int:
    """The first reason against it, or OK."""
    if job.opcode not in OPCODES:
        return BAD_OPCODE
    if job.flags != ({"inline"} if job.opcode == MLKEM_DECAPSULATE else set()):
        return BAD_FLAGS
    p = job.parameters
    if p is None:
        return BAD_IV
    if job.lengths != sizes(job.opcode, p)[:2]:
        return BAD_LENGTH
    return BAD_KEY if "inline" in job.flags and job.key_field else OK


def plan(job: Job) -> Plan:
    status = refuse(job)
    p = job.parameters
    if status or p is None:
        return Plan(status)
    aad, payload, result = sizes(job.opcode, p)
    return Plan(OK, aad_bytes=aad, payload_bytes=payload, out_bytes=result)


@dataclass
class Result:
    status: int
    payload: bytes
    tag: bytes = bytes(16)


def run(job: Job) -> Result:
    """A job that `plan` takes."""
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
        return Result(BAD_OPERAND, bytes(sizes(job.opcode, p)[2]))


def words(data: bytes) -> list[bytes]:
    """Sections and results are whole words."""
    return [data[i : i + 16] for i in range(0, len(data), 16)]
