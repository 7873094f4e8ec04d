# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs of AES with HMAC, composed of the two engines' golden models, and lists of them for the bench.

The order is that of RFC 4303 (ESP) and RFC 7366 (TLS): the HMAC covers the AAD and the ciphertext.
"""

from __future__ import annotations

import dataclasses
import random
from dataclasses import dataclass

import hash_jobs
import models
from hash_jobs import (
    AUTH_FAILED,
    BAD_FLAGS,
    BAD_KEY,
    BAD_LENGTH,
    BAD_OPCODE,
    BAD_TAG_LENGTH,
    KEY_DENIED,
    OK,
    ZERO,
    KeyInfo,
    Plan,
    blocks,
    pad16,
)
from job_lines import JobLines

aes = models.load("aes")
mac = models.load("hash")
HASHES = [mac.SHA1, mac.SHA256, mac.SHA384, mac.SHA512]
COMBINED = range(0x70, 0x78)
CIPHERS = [aes.ECB, aes.CBC, aes.CTR]


def is_counter(opcode: int) -> bool:
    return bool(opcode & 4)


def hash_of(opcode: int) -> mac.Algorithm:
    return HASHES[opcode & 3]


@dataclass
class Keys:
    """What stands in a slot."""

    kind: int  # 0: AES
    key: bytes
    mac_key: bytes = b""


@dataclass
class Job:
    """A descriptor without addresses, and what stands in memory. The tag's length is counted in 4 bytes."""

    opcode: int
    slot: int
    iv: bytes = ZERO
    aad: bytes = b""
    payload: bytes = b""
    decrypt: bool = False
    append: bool = False
    tag_length: int = 4
    tag: bytes = b""
    # For refusals: what the descriptor claims beside the data above.
    length: int | None = None
    aad_length: int | None = None
    inline: bool = False
    load: bool = False
    save: bool = False
    long_iv: bool = False

    @property
    def payload_length(self) -> int:
        return len(self.payload) if self.length is None else self.length

    @property
    def aad_bytes(self) -> int:
        return len(self.aad) if self.aad_length is None else self.aad_length


def refuse(job: Job, info: KeyInfo, built: tuple[bool, bool] = (True, True), inverse: bool = True) -> int:
    """The first thing that is wrong with a job. `built`: units for SHA-1 and SHA-256, for SHA-384 and SHA-512."""
    op = job.opcode
    if op not in COMBINED or not built[op >> 1 & 1] or (job.decrypt and not is_counter(op) and not inverse):
        return BAD_OPCODE
    if job.inline or job.load or job.save or job.long_iv or (job.append and job.decrypt):
        return BAD_FLAGS
    if (not is_counter(op) and job.payload_length % 16) or job.payload_length + job.aad_bytes >= 1 << 32:
        return BAD_LENGTH
    most = hash_of(op).digest // 4
    if not (job.append or job.decrypt):
        most = min(most, 4)  # the completion record holds 16 bytes
    if not 1 <= job.tag_length <= most:
        return BAD_TAG_LENGTH
    if not info.valid or info.kind != op:
        return BAD_KEY
    if not (info.decrypt if job.decrypt else info.encrypt):
        return KEY_DENIED
    return OK


def plan(job: Job, info: KeyInfo, built: tuple[bool, bool] = (True, True), inverse: bool = True) -> Plan:
    status = refuse(job, info, built, inverse)
    if status:
        return Plan(status)
    tag = 4 * job.tag_length
    return Plan(
        status=OK,
        uses_key=1,
        payload_bytes=job.payload_length,
        tag_in_bytes=tag if job.decrypt else 0,
        out_bytes=job.payload_length + (tag if job.append else 0),
    )


@dataclass
class Result:
    status: int
    payload: bytes
    tag: bytes  # of the completion record
    appended: bytes = b""


def crypt(job: Job, key: bytes) -> bytes:
    mode = aes.CTR if is_counter(job.opcode) else aes.CBC
    return aes.run(aes.Job(mode, key, iv=job.iv, payload=job.payload, decrypt=job.decrypt)).payload


def run(job: Job, keys: Keys) -> Result:
    """A job that `plan` takes: encrypt, then MAC."""
    payload = crypt(job, keys.key)
    ciphertext = job.payload if job.decrypt else payload
    tag = mac.hmac(hash_of(job.opcode), keys.mac_key, job.aad + ciphertext)[: 4 * job.tag_length]
    if job.decrypt and tag != job.tag:
        return Result(AUTH_FAILED, payload, ZERO)
    return Result(OK, payload, tag[:16].ljust(16, b"\0"), tag if job.append else b"")


class JobList(JobLines):
    """A list for the bench, of AES, of hashes, and of both."""

    engine = "combined"

    def __init__(self, **parameters: int) -> None:
        super().__init__(**parameters)
        self.built = parameters.get("Sha256Units", 1) != 0, parameters.get("Sha512Units", 1) != 0
        self.inverse = parameters.get("AesDecrypt", 1) != 0

    def load_keys(self, slot: int, keys: Keys, refused: bool = False) -> None:
        length, data = 0, keys.key
        if keys.kind in COMBINED or keys.kind == 0:
            length = len(keys.key) // 8 - 2
            data = keys.key.ljust(32, b"\0") + keys.mac_key
        size = len(keys.mac_key) if keys.kind in COMBINED else len(keys.key) if keys.kind else 0
        if not refused:
            self.slots[slot] = keys
        self.load_key(slot, keys.kind, size | length << 7, data, refused)

    def _fields(self, job: Job, info: KeyInfo, answer: Plan) -> list[object]:
        flags = job.decrypt | job.inline << 1 | job.load << 2 | job.save << 3 | job.long_iv << 4 | job.append << 5
        return [
            *(job.opcode, job.slot, job.tag_length, flags, job.payload_length, job.aad_bytes, 0, job.iv.hex()),
            *(info.valid << 3 | info.encrypt << 2 | info.decrypt << 1 | info.mac, info.kind),
            7,
            *dataclasses.astuple(answer)[:7],
        ]

    def plan(self, job: Job, info: KeyInfo) -> int:
        """Only asks the planner."""
        answer = plan(job, info, self.built, self.inverse)
        self.ask(self._fields(job, info, answer))
        return answer.status

    def add(self, job: Job, abort: int = -1) -> Result:
        """Runs a valid job; aborts it `abort` cycles after its command. Returns the expected result."""
        info = KeyInfo(encrypt=True, decrypt=True, kind=job.opcode)
        answer = plan(job, info, self.built, self.inverse)
        assert answer.status == OK, (answer, job)
        result = run(job, self.slots[job.slot])
        given = blocks(pad16(job.aad)) + blocks(pad16(job.payload)) + blocks(pad16(job.tag))
        out = blocks(result.payload) + blocks(result.appended)
        self.run(self._fields(job, info, answer), result, given, out, abort)
        return result

    def add_cipher(self, job: Job, abort: int = -1) -> None:
        """A job of AES alone (ECB, CBC, CTR)."""
        answer = Plan(OK, uses_key=1, payload_bytes=len(job.payload), out_bytes=len(job.payload))
        key = self.slots[job.slot].key
        done = aes.run(aes.Job(job.opcode, key, iv=job.iv, payload=job.payload, decrypt=job.decrypt))
        result = Result(OK, done.payload, done.tag)
        fields = self._fields(job, KeyInfo(encrypt=True, decrypt=True), answer)
        self.run(fields, result, blocks(pad16(job.payload)), blocks(done.payload), abort)

    def add_hash(self, job: hash_jobs.Job, abort: int = -1) -> None:
        """A job of the hash engine alone."""
        answer, done = hash_jobs.plan(job, KeyInfo(kind=job.opcode)), hash_jobs.run(job)
        flags = job.decrypt | job.inline << 1 | (job.load is not None) << 2 | job.save << 3
        fields = [job.opcode, job.key_byte, 0, flags, len(job.payload), job.asked, 0, "-", 9, job.opcode]
        result = Result(done.status, b"", done.tag)
        given, out = hash_jobs.words_in(job, answer), hash_jobs.words_out(job, done)
        self.run([*fields, 7, *dataclasses.astuple(answer)[:7]], result, given, out, abort)


def random_keys(rng: random.Random, kind: int) -> Keys:
    sizes = [0, 1, 16, 20, 31, 32, 33, 48, 64]
    return Keys(kind, rng.randbytes(rng.choice([16, 24, 32])), rng.randbytes(rng.choice(sizes)) if kind else b"")


def random_job(rng: random.Random, jobs: JobList, slot: int, length: int, aad_length: int, spoil: float = 0.2) -> Job:
    """A valid job with the keys of a slot; what is to be verified is genuine, now and then spoilt."""
    keys = jobs.slots[slot]
    if not is_counter(keys.kind):
        length &= ~15
    job = Job(keys.kind, slot, rng.randbytes(16), rng.randbytes(aad_length), rng.randbytes(length))
    job.append = rng.random() < 0.5
    job.tag_length = rng.randrange(1, hash_of(job.opcode).digest // 4 + 1)
    if not job.append:
        job.tag_length = min(job.tag_length, 4)
    if rng.random() < 0.5 and (jobs.inverse or is_counter(job.opcode)):
        job = opened(rng, job, keys, spoil)
    return job


def opened(rng: random.Random, job: Job, keys: Keys, spoil: float) -> Job:
    """The decryption of the same bytes, as if they were the ciphertext."""
    tag = bytearray(mac.hmac(hash_of(job.opcode), keys.mac_key, job.aad + job.payload)[: 4 * job.tag_length])
    if rng.random() < spoil:
        bit = rng.randrange(8 * len(tag))
        tag[bit // 8] ^= 1 << bit % 8
    return dataclasses.replace(job, decrypt=True, append=False, tag=bytes(tag))
