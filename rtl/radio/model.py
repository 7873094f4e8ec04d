# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The radio engine's golden model: jobs of ciphers and MACs, and PDUs that need both.

`plan` says what radio_plan.sv must answer, `run` what the engine must read, write and return for one job. The
algorithms are in rtl/zuc/model.py and rtl/snow3g/model.py. How a PDU is put together: TS 36.323 5.6 and 5.7, TS 38.323
5.8 and 5.9 (the MAC covers header and plaintext, and is itself enciphered), TS 24.301 4.4 (the MAC covers ciphertext).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from common.plan import KeyInfo, Plan

NONE, SNOW3G, ZUC256, ZUC = range(4)
OK, AUTH_FAILED, BAD_OPCODE, BAD_FLAGS, BAD_LENGTH, BAD_TAG_LENGTH, BAD_IV, BAD_KEY, KEY_DENIED = range(9)


def _sibling(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{name}_of_radio", Path(__file__).parents[1] / name / "model.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


zuc, snow3g = _sibling("zuc"), _sibling("snow3g")


def opcode_of(cipher: int, mac: int) -> int:
    return 0x40 | mac << 2 | cipher


OPCODES = [
    opcode_of(c, m) for m in range(4) for c in range(4) if (c or m) and not (c and m and ZUC256 in (c, m) and c != m)
]


@dataclass
class Job:
    """A descriptor without addresses, and what stands in memory."""

    opcode: int
    key: bytes  # the cipher's, then the MAC's
    slot: int | None = None  # None: inline
    decrypt: bool = False
    append: bool = False
    tag_length: int = 4
    count: int = 0
    bearer: int = 0
    direction: int = 0
    fresh: int = 0
    long_iv: bytes | None = None  # ZUC-256's
    clear_bytes: int = 0
    mac_of_ciphertext: bool = False
    bits: int = 0  # LENGTH of the payload
    payload: bytes = b""
    tag: bytes = b""  # to be verified, as it stands in the PDU
    # For refusals: what the descriptor claims, where it differs from the data above.
    length: int | None = None
    aad_length: int = 0
    key_field: int = 0
    spare: int = 0  # exclusive-or into the iv field
    flags: dict[str, bool] = field(default_factory=dict)

    @property
    def cipher(self) -> int:
        return self.opcode & 3

    @property
    def mac(self) -> int:
        return self.opcode >> 2 & 3

    @property
    def payload_length(self) -> int:
        return len(self.payload) if self.length is None else self.length

    def get(self, name: str) -> bool:
        present = {"append": self.append, "long_iv": self.long_iv is not None}
        return self.flags.get(name, present.get(name, False))

    def iv_field(self) -> int:
        value = self.bits % 8 << 96 | self.clear_bytes << 104 | self.mac_of_ciphertext << 112
        if self.long_iv is None:
            value |= self.direction << 69 | self.bearer << 64 | self.fresh << 32 | self.count
        else:
            value |= len(self.long_iv) << 64
        return value ^ self.spare


def key_bytes(opcode: int) -> int:
    one = 32 if ZUC256 in (opcode & 3, opcode >> 2 & 3) else 16
    return one * (2 if opcode & 3 and opcode & 12 else 1)


def refuse(job: Job, info: KeyInfo) -> int:
    """The first reason against it, or OK."""
    iv = job.iv_field()
    last_bits, clear = iv >> 96 & 7, iv >> 104 & 15
    of_ciphertext = iv >> 112 & 1
    if job.opcode not in OPCODES:
        return BAD_OPCODE
    long, both = ZUC256 in (job.cipher, job.mac), bool(job.cipher and job.mac)
    if job.get("load") or job.get("save") or job.get("long_iv") != long:
        return BAD_FLAGS
    if job.get("append") and (not job.mac or job.decrypt):
        return BAD_FLAGS
    tag_in_pdu = both and not of_ciphertext and (job.get("append") or job.decrypt)
    if job.aad_length or job.payload_length < clear or (last_bits and (tag_in_pdu or not job.payload_length)):
        return BAD_LENGTH
    if job.mac and job.tag_length not in ((4, 8, 16) if long else (4,)):
        return BAD_TAG_LENGTH
    reserved = 0xFFFE << 112 | 0xF0F8 << 96 | (0 if long else 0x3FFFFFF << 70)
    if iv & reserved or (clear and not job.cipher) or (of_ciphertext and not both):
        return BAD_IV
    if long and iv >> 64 & 0xFFFFFFFF != 23:
        return BAD_IV
    if job.slot is None:
        return BAD_KEY if job.key_field else OK
    if not info.valid or info.kind != job.opcode:
        return BAD_KEY
    allowed = (info.mac or not job.mac) and ((info.decrypt if job.decrypt else info.encrypt) or not job.cipher)
    return OK if allowed else KEY_DENIED


def plan(job: Job, info: KeyInfo) -> Plan:
    status = refuse(job, info)
    if status:
        return Plan(status)
    return Plan(
        status=OK,
        uses_key=int(job.slot is not None),
        key_words=0 if job.slot is not None else key_bytes(job.opcode) // 16,
        iv_bytes=len(job.long_iv or b""),
        payload_bytes=job.payload_length,
        tag_in_bytes=job.tag_length if job.mac and job.decrypt else 0,
        out_bytes=(job.payload_length if job.cipher else 0) + (job.tag_length if job.append else 0),
    )


# ---- The two halves of a job


def keystream(job: Job) -> Iterator[int]:
    key = job.key[: key_bytes(job.opcode) // (2 if job.mac else 1)]
    if job.cipher == ZUC256:
        return zuc.zuc256(key, job.long_iv)
    if job.cipher == ZUC:
        return zuc.zuc128(key, zuc.iv_eea3(job.count, job.bearer, job.direction))
    return snow3g.snow3g(key, snow3g.iv_f8(job.count, job.bearer, job.direction))


def mac_of(job: Job, data: bytes, bits: int) -> bytes:
    key = job.key[key_bytes(job.opcode) // 2 :] if job.cipher else job.key
    if job.mac == ZUC256:
        return zuc.zuc256_mac(key, job.long_iv, data, bits, job.tag_length)
    if job.mac == ZUC:
        return zuc.eia3(key, job.count, job.bearer, job.direction, data, bits)
    return snow3g.uia2(key, job.count, job.fresh, job.direction, data, bits)


@dataclass
class Result:
    status: int
    payload: bytes  # what goes to the destination, an appended tag not counted
    tag: bytes  # of the completion record
    appended: bytes = b""


def run(job: Job) -> Result:
    """A job that `plan` takes."""
    clear, body = job.payload[: job.clear_bytes], job.payload[job.clear_bytes :]
    stream = b""
    if job.cipher:
        words = keystream(job)
        need = len(body) + job.tag_length
        stream = b"".join(next(words).to_bytes(4, "big") for _ in range((need + 3) // 4))
        other = clear + bytes(a ^ b for a, b in zip(body, stream, strict=False))
        other = zuc.first_bits(other, job.bits)
    else:
        other = b""
    if not job.mac:
        return Result(OK, other, bytes(16))
    covered = job.payload if not job.cipher else other if job.mac_of_ciphertext != job.decrypt else job.payload
    mac = mac_of(job, covered, job.bits)
    in_pdu = mac
    if job.cipher and not job.mac_of_ciphertext:
        in_pdu = bytes(a ^ b for a, b in zip(mac, stream[len(body) :], strict=False))
    if job.decrypt and in_pdu != job.tag:
        return Result(AUTH_FAILED, other, bytes(16))
    return Result(OK, other, mac.ljust(16, b"\0"), in_pdu if job.append else b"")


def blocks(data: bytes) -> list[bytes]:
    return [data[i : i + 16] for i in range(0, len(data), 16)]


def pad16(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def words(job: Job) -> list[bytes]:
    """The engine's input, section after section (ow_engine_pkg.sv)."""
    data = job.key if job.slot is None else b""
    data += pad16(job.long_iv or b"") + pad16(job.payload)
    if job.mac and job.decrypt:
        data += pad16(job.tag)
    return blocks(data)
