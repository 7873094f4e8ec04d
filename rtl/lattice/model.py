# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lattice engine's golden model: which jobs are valid, what goes in and what comes out. The algorithms: mlkem.py,
mldsa.py.

A key that is none makes BAD_OPERAND, and zeros in place of the result: an encapsulation key with a coefficient that is not
below q (FIPS 203, 7.2), a decapsulation key whose hash is wrong (7.3); a private key with a coefficient of s1 or s2 out of
range (FIPS 204, algorithm 25), or with which 814 rounds give no signature. A signature that is not valid makes AUTH_FAILED.

A key in a slot is its seed: d and z for MLKEM_DECAPSULATE, xi for MLDSA_SIGN, of one parameter set. Key generation of a slot
gives the public key. The iv field has k, and for DECAPSULATE with a key in a slot another slot and its generation, if the
shared secret is to become the key there: then it does not leave. Without the permission to decrypt it never does.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from common.plan import Plan
from lattice import mldsa, mlkem

MLKEM_KEYGEN, MLKEM_ENCAPSULATE, MLKEM_DECAPSULATE = range(0xA0, 0xA3)
MLDSA_KEYGEN, MLDSA_SIGN, MLDSA_VERIFY = range(0xA3, 0xA6)
KEM_OPCODES = (MLKEM_KEYGEN, MLKEM_ENCAPSULATE, MLKEM_DECAPSULATE)
DSA_OPCODES = (MLDSA_KEYGEN, MLDSA_SIGN, MLDSA_VERIFY)
OPCODES = KEM_OPCODES + DSA_OPCODES
# Their private keys are in the AAD or in a slot.
INLINE_KEY = (MLKEM_DECAPSULATE, MLDSA_SIGN)
OK, AUTH_FAILED, BAD_OPCODE, BAD_FLAGS, BAD_LENGTH, BAD_TAG_LENGTH, BAD_IV, BAD_KEY, KEY_DENIED = range(9)
TIMEOUT, BAD_OPERAND = 13, 15
BY_K = {p.k: p for p in mlkem.SETS}
DSA_BY_K = {p.k: p for p in mldsa.SETS}
# What a slot's key is for, by opcode.
KINDS = dict.fromkeys(KEM_OPCODES, MLKEM_DECAPSULATE) | dict.fromkeys(DSA_OPCODES, MLDSA_SIGN)
SEED_BYTES = {MLKEM_DECAPSULATE: 64, MLDSA_SIGN: 32}
FLAGS = ("decrypt", "inline", "load", "save", "long_iv", "append")


@dataclass
class KeyInfo:
    """What the device knows of a key in a slot. `length` is the parameter set, from 0 on."""

    valid: bool = False
    kind: int = 0
    length: int = 0
    decrypt: bool = False


@dataclass
class Job:
    """A descriptor without addresses, and what stands in memory. `seed`: of the key in the slot `key_field`."""

    opcode: int
    aad: bytes = b""
    payload: bytes = b""
    iv: bytes = bytes(16)
    key_field: int = 0
    flags: set[str] = field(default_factory=set)
    seed: bytes = b""
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
    def k(self) -> int:
        """The parameter set's number; 0 where the iv field has bits that this job may not set."""
        allowed = 0xFFFFFF0F if self.makes_key else 0xF
        word = int.from_bytes(self.iv, "little")
        return 0 if word & ~allowed else word & 0xF

    @property
    def makes_key(self) -> bool:
        """Whether the shared secret becomes the key of a slot: that of byte 1, if its generation in bytes 2 and 3 is this."""
        return self.opcode == MLKEM_DECAPSULATE and self.slotted and self.iv[2:4] != bytes(2)

    @property
    def slotted(self) -> bool:
        """Whether its private key is in a slot."""
        if self.opcode in INLINE_KEY:
            return "inline" not in self.flags
        return self.opcode in (MLKEM_KEYGEN, MLDSA_KEYGEN) and self.lengths[1] == 0

    @property
    def parameters(self) -> mlkem.Parameters | None:
        return BY_K.get(self.k)

    @property
    def dsa_parameters(self) -> mldsa.Parameters | None:
        return DSA_BY_K.get(self.k)


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


def in_slot(p: mlkem.Parameters | mldsa.Parameters, opcode: int, slot: int, seed: bytes, payload: bytes = b"") -> Job:
    """A job whose private key is in a slot: payload of DECAPSULATE or SIGN, none of KEYGEN."""
    return Job(opcode, payload=payload, iv=p.k.to_bytes(16, "little"), key_field=slot, seed=seed)


def make_key(p: mlkem.Parameters, slot: int, seed: bytes, c: bytes, made_slot: int, generation: int) -> Job:
    """Decapsulates for the slot `made_slot`, under the key in `slot`."""
    iv = bytes([p.k, made_slot]) + generation.to_bytes(2, "little") + bytes(12)
    return Job(MLKEM_DECAPSULATE, payload=c, iv=iv, key_field=slot, seed=seed)


def slot_info(job: Job) -> KeyInfo:
    """Of the key that a job with a slot needs."""
    number = (job.k >> 1 if job.opcode in DSA_OPCODES else job.k) - 2
    return KeyInfo(True, KINDS[job.opcode], number, decrypt=job.opcode == MLKEM_DECAPSULATE and not job.makes_key)


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


def slotted_sizes(opcode: int, k: int) -> tuple[int, int, int] | None:
    """The same with the private key in a slot."""
    expected = sizes(opcode, k)
    if expected is None:
        return None
    if opcode == MLKEM_KEYGEN:
        return 0, 0, BY_K[k].ek_bytes
    if opcode == MLDSA_KEYGEN:
        return 0, 0, DSA_BY_K[k].public_bytes
    return 0, *expected[1:]


def expected_sizes(job: Job) -> tuple[int, int, int] | None:
    expected = (slotted_sizes if job.slotted else sizes)(job.opcode, job.k)
    return (*expected[:2], 0) if expected and job.makes_key else expected


def refuse(job: Job, info: KeyInfo) -> int:
    """The first reason against it, or OK."""
    if job.opcode not in OPCODES:
        return BAD_OPCODE
    if job.flags - ({"inline"} if job.opcode in INLINE_KEY else set()):
        return BAD_FLAGS
    expected = expected_sizes(job)
    if expected is None:
        return BAD_IV
    if job.lengths != expected[:2]:
        return BAD_LENGTH
    if job.slotted:
        needed = slot_info(job)
        if replace(info, decrypt=needed.decrypt) != needed:
            return BAD_KEY
        return KEY_DENIED if needed.decrypt and not info.decrypt else OK
    return BAD_KEY if "inline" in job.flags and job.key_field else OK


def plan(job: Job, info: KeyInfo) -> Plan:
    status = refuse(job, info)
    expected = None if status else expected_sizes(job)
    if expected is None:
        return Plan(status)
    aad, payload, result = expected
    return Plan(OK, uses_key=int(job.slotted), aad_bytes=aad, payload_bytes=payload, out_bytes=result)


@dataclass
class Result:
    status: int
    payload: bytes
    tag: bytes = bytes(16)
    made: bytes = b""  # what becomes a slot's key


def run(job: Job) -> Result:
    """A job that `plan` takes."""
    if job.slotted:
        return run_slotted(job)
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
        expected = sizes(job.opcode, job.k)
        assert expected is not None
        return Result(BAD_OPERAND, bytes(expected[2]))


def run_slotted(job: Job) -> Result:
    """The job with the key that the slot's seed makes."""
    d, p = job.dsa_parameters, job.parameters
    if job.opcode in DSA_OPCODES:
        assert d is not None
        public, private = mldsa.keygen(d, job.seed)
    else:
        assert p is not None
        public, private = mlkem.keygen(p, job.seed[:32], job.seed[32:])
    if job.opcode in (MLKEM_KEYGEN, MLDSA_KEYGEN):
        return Result(OK, public)
    result = run(replace(job, aad=private, flags={"inline"}, key_field=0, iv=job.k.to_bytes(16, "little")))
    return Result(OK, b"", made=result.payload) if job.makes_key else result


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
