# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The AES engine's golden model, in the words of FIPS 197, SP 800-38A to E, IEEE 1619 and 3GPP TS 33.401.

`plan` says what aes_plan.sv must answer, `run` what the engine must read, write and return for one job. Bytes are in the
standards' order, which is the order in memory. Slow and plain on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from aes_primitives import ZERO, blocks, cipher, double, ghash, inc, inv_cipher, pad16, times_alpha, xor
from common.plan import KeyInfo as AnyKeyInfo
from common.plan import Plan

ECB, CBC, CTR, GCM, GMAC, XTS, CCM, CMAC = range(0x10, 0x18)
OK, AUTH_FAILED, BAD_OPCODE, BAD_FLAGS, BAD_LENGTH, BAD_TAG_LENGTH, BAD_IV, BAD_KEY, KEY_DENIED = range(9)
BITS_128, BITS_192, BITS_256 = range(3)
EEA2, EIA2 = 0x1A, 0x1F
TAGGED = (GCM, GMAC, CCM, CMAC, EIA2)
MACS = (GMAC, CMAC, EIA2)
RADIO = (EEA2, EIA2)


@dataclass
class KeyInfo(AnyKeyInfo):
    """What the shell says of a slot with a key for AES."""

    two_keys: bool = False
    length: int = BITS_256


@dataclass
class Job:
    """A descriptor without addresses, and what stands in memory."""

    opcode: int
    key: bytes
    tweak_key: bytes = b""
    slot: int | None = None  # None: inline
    decrypt: bool = False
    load: bytes | None = None  # the saved state
    save: bool = False
    append: bool = False
    tag_length: int = 0
    iv: bytes = ZERO  # the descriptor's field; GCM: 12 bytes; EEA2, EIA2: a radio IV
    long_iv: bytes | None = None
    aad: bytes = b""
    payload: bytes = b""
    tag: bytes = b""  # to be verified
    # For refusals: what the descriptor claims, where it differs from the data above.
    length: int | None = None
    aad_length: int | None = None
    inline_length: int | None = None
    flags: dict[str, bool] = field(default_factory=dict)

    def get(self, name: str) -> bool:
        return self.flags.get(
            name,
            {
                "load": self.load is not None,
                "save": self.save,
                "append": self.append,
                "long_iv": self.long_iv is not None,
            }[name],
        )

    @property
    def payload_length(self) -> int:
        return len(self.payload) if self.length is None else self.length

    @property
    def aad_bytes(self) -> int:
        return len(self.aad) if self.aad_length is None else self.aad_length

    @property
    def key_length(self) -> int:
        return len(self.key) // 8 - 2 if self.inline_length is None else self.inline_length


def refuse(job: Job, info: KeyInfo, enable_decrypt: bool = True) -> int:
    """The first thing that is wrong with a job."""
    op, length = job.opcode, job.payload_length
    load, save, append, long_iv = (job.get(n) for n in ("load", "save", "append", "long_iv"))
    mac = op in MACS
    if not (ECB <= op <= CMAC or op in RADIO) or (job.decrypt and not enable_decrypt and op in (ECB, CBC, XTS)):
        return BAD_OPCODE
    if (load or save) and op not in (XTS, GCM, GMAC, CMAC):
        return BAD_FLAGS
    if append and (op not in TAGGED or job.decrypt or save):
        return BAD_FLAGS
    if long_iv and op not in (GCM, GMAC):
        return BAD_FLAGS

    q = job.iv[0] + 1
    if length % 16 and (op in (ECB, CBC) or save):
        return BAD_LENGTH
    if op == XTS and length < 16:
        return BAD_LENGTH
    # Only the low bits of a flags byte that is wrong anyway.
    if op == CCM and length >= 1 << 8 * (job.iv[0] % 8 + 1):
        return BAD_LENGTH
    if op in RADIO and _last_bits(job) and length == 0:
        return BAD_LENGTH
    if op == CMAC and load and not save and length == 0:
        return BAD_LENGTH
    if job.aad_bytes and not (op == CCM or (op == GCM and not load)):
        return BAD_LENGTH

    if op in TAGGED and not save:
        least = 1 if mac and not job.decrypt else 4
        if (
            not least <= job.tag_length <= 16
            or (op == CCM and job.tag_length % 2)
            or (op == EIA2 and job.tag_length != 4)
        ):
            return BAD_TAG_LENGTH

    if long_iv and not load and not job.long_iv:
        return BAD_IV
    if op == CCM and (not 2 <= q <= 8 or any(job.iv[16 - q :])):
        return BAD_IV

    if op in RADIO and (job.iv[8] >> 6 or any(job.iv[9:12]) or job.iv[12] >> 3 or any(job.iv[13:])):
        return BAD_IV

    length_code = job.key_length if job.slot is None else info.length
    if length_code > BITS_256 or (op == XTS and length_code == BITS_192) or (op in RADIO and length_code != BITS_128):
        return BAD_KEY
    if job.slot is not None:
        if not info.valid or info.kind or info.two_keys != (op == XTS):
            return BAD_KEY
        # GMACs under IVs of the caller's choice give the block cipher.
        if op == GMAC and not info.encrypt:
            return KEY_DENIED
        if not (info.mac if mac else info.decrypt if job.decrypt else info.encrypt):
            return KEY_DENIED
    return OK


def plan(job: Job, info: KeyInfo, enable_decrypt: bool = True) -> Plan:
    status = refuse(job, info, enable_decrypt)
    if status:
        return Plan(status)
    op = job.opcode
    key_words = 0
    if job.slot is None:
        key_words = (3 if op == XTS else 1) + (job.key_length != BITS_128)
    skew = 0
    if op == CCM and job.aad_bytes:
        skew = 2 if job.aad_bytes < 0xFF00 else 6
    long_iv = job.get("long_iv") and not job.get("load")
    return Plan(
        status=OK,
        uses_key=int(job.slot is not None),
        key_words=key_words,
        state_in=int(job.get("load")),
        state_out=int(job.get("save")),
        iv_bytes=len(job.long_iv or b"") if long_iv else 0,
        aad_skew=skew,
        aad_bytes=job.aad_bytes,
        payload_bytes=job.payload_length,
        tag_in_bytes=job.tag_length if op in TAGGED and job.decrypt and not job.get("save") else 0,
        out_bytes=(0 if op in MACS else job.payload_length) + (job.tag_length if job.get("append") else 0),
    )


@dataclass
class Result:
    status: int
    payload: bytes  # what goes to the destination, an appended tag not counted
    tag: bytes  # of the completion record
    appended: bytes = b""
    state: bytes = b""


def run(job: Job) -> Result:
    """A job that `plan` takes."""
    op, key = job.opcode, job.key
    if op == ECB:
        direction = inv_cipher if job.decrypt else cipher
        return Result(OK, b"".join(direction(key, b) for b in blocks(job.payload)), ZERO)
    if op == CBC:
        return _cbc(job)
    if op == CTR:
        out, counter = _ctr(key, job.iv, job.payload, 128)
        return Result(OK, out, counter)
    if op == XTS:
        return _xts(job)
    if op == EEA2:
        return _eea2(job)
    if op == CMAC:
        return _cmac(job)
    if op == EIA2:
        return _eia2(job)
    if op == CCM:
        return _ccm(job)
    return _gcm(job)


def _finish(job: Job, payload: bytes, mac: bytes) -> Result:
    """The end of an authenticated message."""
    tag = mac[: job.tag_length]
    if job.decrypt and tag != job.tag:
        return Result(AUTH_FAILED, payload, ZERO)
    return Result(OK, payload, tag + bytes(16 - len(tag)), tag if job.append else b"")


def _cbc(job: Job) -> Result:
    """SP 800-38A 6.2"""
    out, chain = b"", job.iv
    for block in blocks(job.payload):
        if job.decrypt:
            out += xor(inv_cipher(job.key, block), chain)
            chain = block
        else:
            chain = cipher(job.key, xor(block, chain))
            out += chain
    return Result(OK, out, chain)


def _ctr(key: bytes, counter: bytes, data: bytes, bits: int) -> tuple[bytes, bytes]:
    """SP 800-38A 6.5, SP 800-38D 6.5"""
    out = b""
    for block in blocks(data):
        out += xor(cipher(key, counter), block)
        counter = inc(counter, bits)
    return out, counter


def _state(w0: bytes, w1: bytes, aad: int, payload: int) -> bytes:
    return w0 + w1 + aad.to_bytes(8, "little") + payload.to_bytes(8, "little")


def _lengths(state: bytes) -> tuple[int, int]:
    return int.from_bytes(state[32:40], "little"), int.from_bytes(state[40:48], "little")


def _gcm(job: Job) -> Result:
    """SP 800-38D 7.1 and 7.2; GMAC is GCM without payload."""
    key, h = job.key, cipher(job.key, ZERO)
    aad, payload = (job.payload, b"") if job.opcode == GMAC else (job.aad, job.payload)
    if job.load is not None:
        counter, y = job.load[:16], job.load[16:32]
        aad_bytes, payload_bytes = _lengths(job.load)
        j0 = inc(counter, 32, -1 - payload_bytes // 16)
    else:
        iv = job.iv[:12] if job.long_iv is None else job.long_iv
        if len(iv) == 12:
            j0 = iv + bytes([0, 0, 0, 1])
        else:
            j0 = ghash(h, ZERO, pad16(iv) + bytes(8) + (8 * len(iv)).to_bytes(8, "big"))
        counter, y = inc(j0, 32), ZERO
        aad_bytes = payload_bytes = 0
    aad_bytes += len(aad)
    payload_bytes += len(payload)
    out, counter = _ctr(key, counter, payload, 32)
    y = ghash(h, y, pad16(aad) + pad16(payload if job.decrypt else out))
    if job.save:
        return Result(OK, out, ZERO, state=_state(counter, y, aad_bytes, payload_bytes))
    y = ghash(h, y, (8 * aad_bytes).to_bytes(8, "big") + (8 * payload_bytes).to_bytes(8, "big"))
    return _finish(job, out, xor(y, cipher(key, j0)))


def _ccm(job: Job) -> Result:
    """SP 800-38C 6.1 and 6.2, formatted as in appendix A."""
    q = job.iv[0] + 1
    out, _ = _ctr(job.key, inc(job.iv, 8 * q), job.payload, 8 * q)
    plain = out if job.decrypt else job.payload
    flags = (64 if job.aad else 0) + 8 * ((job.tag_length - 2) // 2) + q - 1
    data = bytes([flags]) + job.iv[1 : 16 - q] + len(plain).to_bytes(q, "big")
    if job.aad:
        a = len(job.aad)
        prefix = a.to_bytes(2, "big") if a < 0xFF00 else b"\xff\xfe" + a.to_bytes(4, "big")
        data += pad16(prefix + job.aad)
    mac = ZERO
    for block in blocks(data + pad16(plain)):
        mac = cipher(job.key, xor(mac, block))
    return _finish(job, out, xor(mac, cipher(job.key, job.iv)))


def _cmac(job: Job) -> Result:
    """SP 800-38B 6.2"""
    k1 = double(cipher(job.key, ZERO))
    k2 = double(k1)
    mac = job.load[16:32] if job.load is not None else ZERO
    before = _lengths(job.load)[1] if job.load is not None else 0
    *full, last = blocks(job.payload) or [b""]
    for block in full:
        mac = cipher(job.key, xor(mac, block))
    if job.save:
        if last:
            mac = cipher(job.key, xor(mac, last))
        w0 = job.load[:16] if job.load is not None else ZERO
        return Result(OK, b"", ZERO, state=_state(w0, mac, 0, before + len(job.payload)))
    last = xor(last, k1) if len(last) == 16 else xor(pad16(last + b"\x80"), k2)
    return _finish(job, b"", cipher(job.key, xor(mac, last)))


def _last_bits(job: Job) -> int:
    return job.iv[12] & 7


def _count_bearer_direction(job: Job) -> bytes:
    """COUNT, BEARER, DIRECTION and 26 zeros"""
    return job.iv[3::-1] + bytes([(job.iv[8] & 31) << 3 | (job.iv[8] >> 5 & 1) << 2, 0, 0, 0])


def _eea2(job: Job) -> Result:
    """TS 33.401 B.1.3"""
    out, _ = _ctr(job.key, _count_bearer_direction(job) + bytes(8), job.payload, 128)
    if _last_bits(job):
        out = out[:-1] + bytes([out[-1] & ~(0xFF >> _last_bits(job))])
    return Result(OK, out, ZERO)


def _eia2(job: Job) -> Result:
    """TS 33.401 B.2.3: SP 800-38B 6.2 on a string of bits"""
    k1 = double(cipher(job.key, ZERO))
    n = 8 * len(job.payload) - (8 - _last_bits(job)) % 8
    text = int.from_bytes(_count_bearer_direction(job) + job.payload, "big") >> (8 - _last_bits(job)) % 8
    bits = f"{text:0{64 + n}b}"
    complete = len(bits) % 128 == 0
    if not complete:
        bits += "1"
        bits += "0" * (-len(bits) % 128)
    *full, last = blocks(int(bits, 2).to_bytes(len(bits) // 8, "big"))
    mac = ZERO
    for block in full:
        mac = cipher(job.key, xor(mac, block))
    return _finish(job, b"", cipher(job.key, xor(mac, xor(last, k1 if complete else double(k1)))))


def _xts(job: Job) -> Result:
    """IEEE 1619 5.3 and 5.4"""
    direction = inv_cipher if job.decrypt else cipher
    tweak = job.load[:16] if job.load is not None else cipher(job.tweak_key, job.iv)
    before = _lengths(job.load)[1] if job.load is not None else 0

    def one(block: bytes, t: bytes) -> bytes:
        return xor(direction(job.key, xor(block, t)), t)

    out = b""
    parts = blocks(job.payload)
    steal = len(parts[-1]) % 16
    for block in parts[: -2 if steal else None]:
        out += one(block, tweak)
        tweak = times_alpha(tweak)
    if steal:
        first, second = tweak, times_alpha(tweak)
        if job.decrypt:
            first, second = second, first
        left_over = one(parts[-2], first)
        out += one(parts[-1] + left_over[steal:], second) + left_over[:steal]
    state = _state(tweak, ZERO, 0, before + len(job.payload)) if job.save else b""
    return Result(OK, out, ZERO, state=state)


def words(job: Job) -> list[bytes]:
    """The engine's input, section after section (ow_engine_pkg.sv)."""
    answer = plan(job, KeyInfo(two_keys=job.opcode == XTS, length=job.key_length))
    data = b""
    if job.slot is None:
        data += (job.key.ljust(32, b"\0") + job.tweak_key.ljust(32, b"\0"))[: 16 * answer.key_words]
    if job.load is not None:
        data += job.load
    if answer.iv_bytes:
        data += pad16(job.long_iv or b"")
    data += pad16(bytes(answer.aad_skew) + job.aad) if job.aad else b""
    data += pad16(job.payload)
    if answer.tag_in_bytes:
        data += pad16(job.tag)
    return blocks(data)
