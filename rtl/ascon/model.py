# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The Ascon engine's golden model: which jobs are valid, what goes in and what comes out. The algorithms:
outwork/algorithms/ascon_reference.py.

A saved state is the 40 bytes of the permutation's state and 8 zeros. Of an AEAD it stands behind whole blocks of
plaintext, domain separation included; of the others behind whole blocks of message.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from common.plan import KeyInfo as AnyKeyInfo
from common.plan import Plan

from outwork.algorithms import ascon_reference as ascon

AEAD128, HASH256, XOF128, CXOF128 = range(0x80, 0x84)
OPCODES = (AEAD128, HASH256, XOF128, CXOF128)
OK, AUTH_FAILED, BAD_OPCODE, BAD_FLAGS, BAD_LENGTH, BAD_TAG_LENGTH, BAD_IV, BAD_KEY, KEY_DENIED = range(9)
IVS = {HASH256: ascon.IV_HASH256, XOF128: ascon.IV_XOF128}


@dataclass
class KeyInfo(AnyKeyInfo):
    """What the shell says of a slot with a key for Ascon."""

    kind: int = AEAD128


@dataclass
class Job:
    """A descriptor without addresses, and what stands in memory."""

    opcode: int
    payload: bytes = b""
    key: bytes = b""
    slot: int | None = None  # None: inline
    decrypt: bool = False
    iv: bytes = bytes(16)
    aad: bytes = b""
    tag_length: int = 0
    tag: bytes = b""  # to be verified
    asked: int = 0  # bytes of extendable output
    customization: bytes = b""
    load: bytes | None = None
    flags: set[str] = field(default_factory=set)  # save, append; others are wrong
    # For refusals: what the descriptor claims, where it differs from the data above.
    length: int | None = None
    aad_length: int | None = None
    long_iv_length: int | None = None
    key_field: int = 0
    inline: bool | None = None

    @property
    def is_aead(self) -> bool:
        return self.opcode == AEAD128

    @property
    def is_inline(self) -> bool:
        return (self.is_aead and self.slot is None) if self.inline is None else self.inline

    @property
    def saves(self) -> bool:
        return "save" in self.flags

    @property
    def payload_length(self) -> int:
        return len(self.payload) if self.length is None else self.length

    @property
    def second_length(self) -> int:
        """The descriptor's aad_length."""
        own = len(self.aad) if self.is_aead else self.asked
        return own if self.aad_length is None else self.aad_length

    @property
    def long_iv(self) -> bool:
        return bool(self.customization) or "long_iv" in self.flags

    @property
    def long_iv_bytes(self) -> int:
        return len(self.customization) if self.long_iv_length is None else self.long_iv_length


def refuse(job: Job, info: KeyInfo) -> int:
    """The first reason against it, or OK."""
    if job.opcode not in OPCODES:
        return BAD_OPCODE
    loads, appends = job.load is not None, "append" in job.flags
    if job.is_aead:
        if job.long_iv or (appends and (job.decrypt or job.saves)):
            return BAD_FLAGS
    elif job.decrypt or job.is_inline or appends or (job.long_iv and job.opcode != CXOF128):
        return BAD_FLAGS
    if job.saves and job.payload_length % (ascon.AEAD_RATE if job.is_aead else ascon.HASH_RATE):
        return BAD_LENGTH
    if job.is_aead:
        wrong = loads and job.second_length
    else:
        fixed = job.saves or job.opcode == HASH256
        wrong = job.second_length if fixed else not job.second_length
    if wrong:
        return BAD_LENGTH
    if job.is_aead and not job.saves and not 4 <= job.tag_length <= 16:
        return BAD_TAG_LENGTH
    if job.long_iv and not loads and not 1 <= job.long_iv_bytes <= ascon.CUSTOMIZATION_MAX:
        return BAD_IV
    if not job.is_aead:
        return OK
    if job.is_inline:
        return BAD_KEY if job.key_field else OK
    if not info.valid or info.kind != AEAD128:
        return BAD_KEY
    return OK if (info.decrypt if job.decrypt else info.encrypt) else KEY_DENIED


def plan(job: Job, info: KeyInfo) -> Plan:
    status = refuse(job, info)
    if status:
        return Plan(status)
    loads = job.load is not None
    if job.is_aead:
        out = job.payload_length + (job.tag_length if "append" in job.flags else 0)
    else:
        out = 0 if job.saves else 32 if job.opcode == HASH256 else job.second_length
    return Plan(
        status=OK,
        uses_key=int(job.is_aead and not job.is_inline),
        key_words=int(job.is_aead and job.is_inline),
        iv_bytes=job.long_iv_bytes if job.long_iv and not loads else 0,
        payload_bytes=job.payload_length,
        tag_in_bytes=job.tag_length if job.is_aead and job.decrypt and not job.saves else 0,
        out_bytes=out,
        state_in=int(loads),
        state_out=int(job.saves),
        state_at=4,
        state_words=3,
        aad_bytes=job.second_length if job.is_aead else 0,
    )


@dataclass
class Result:
    status: int
    payload: bytes
    tag: bytes = bytes(16)  # of the completion record
    appended: bytes = b""
    state: bytes = b""


def pack_state(s: ascon.State) -> bytes:
    return b"".join(word.to_bytes(8, "little") for word in s) + bytes(8)


def unpack_state(data: bytes) -> ascon.State:
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, 40, 8)]


def run(job: Job) -> Result:
    """A job that `plan` takes."""
    return _run_aead(job) if job.is_aead else _run_hash(job)


def _run_aead(job: Job) -> Result:
    s = ascon.aead_initial(job.key, job.iv, job.aad) if job.load is None else unpack_state(job.load)
    whole = len(job.payload) // ascon.AEAD_RATE * ascon.AEAD_RATE
    s, out = ascon.aead_blocks(s, job.payload[:whole], job.decrypt)
    if job.saves:
        return Result(OK, out, state=pack_state(s))
    s, last = ascon.aead_last(s, job.payload[whole:], job.decrypt)
    tag = ascon.aead_tag(job.key, s)[: job.tag_length]
    if job.decrypt and tag != job.tag:
        return Result(AUTH_FAILED, out + last)
    return Result(OK, out + last, tag.ljust(16, b"\0"), tag if "append" in job.flags else b"")


def _run_hash(job: Job) -> Result:
    if job.load is not None:
        s = unpack_state(job.load)
    elif job.opcode == CXOF128:
        s = ascon.customized(job.customization)
    else:
        s = ascon.initial(IVS[job.opcode])
    if job.saves:
        return Result(OK, b"", state=pack_state(ascon.absorb(s, job.payload)))
    s = ascon.absorb(s, ascon.pad(job.payload, ascon.HASH_RATE))
    out = ascon.squeeze(s, 32 if job.opcode == HASH256 else job.asked)
    return Result(OK, out, out[:16].ljust(16, b"\0"))


def _pieces(data: bytes, size: int) -> list[bytes]:
    return [data[i : i + size] for i in range(0, len(data), size)]


def words(job: Job) -> list[bytes]:
    """The engine's input, section after section (ow_engine_pkg.sv)."""
    sections = [job.key if job.is_aead and job.is_inline else b"", job.load or b""]
    sections += [job.customization if job.load is None else b"", job.aad, job.payload]
    sections += [job.tag if job.decrypt and not job.saves else b""]
    return [word.ljust(16, b"\0") for section in sections for word in _pieces(section, 16)]


def words_out(job: Job, result: Result) -> list[bytes]:
    """The engine's output. A hash function gives its 8 bytes a permutation as they come; a tag begins a word."""
    return [
        *_pieces(result.payload, ascon.AEAD_RATE if job.is_aead else ascon.HASH_RATE),
        *_pieces(result.appended, 16),
        *_pieces(result.state, 16),
    ]
