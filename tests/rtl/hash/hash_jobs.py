# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs of the hash engine: expected plans and results, and lists of jobs for the bench.

A saved state is the number of bytes so far (8 bytes, little-endian), the bytes of the partial block (1), 7 zeros; then for
SHA-1 and SHA-2 the chaining value in 64 bytes and the partial block, zero-padded; for Keccak the 200 bytes of the state
with the partial block added, and 8 zeros.
"""

from __future__ import annotations

import dataclasses
import random
from dataclasses import dataclass

import models
from common.plan import KeyInfo, Plan
from job_lines import JobLines

model = models.load("hash")
OK, AUTH_FAILED, BAD_OPCODE, BAD_FLAGS, BAD_LENGTH, BAD_TAG_LENGTH, BAD_IV, BAD_KEY, KEY_DENIED = range(9)
HASH, KEYED = 0x20, 0x30
ALGORITHMS = {
    0x0: model.SHA1,
    0x1: model.SHA224,
    0x2: model.SHA256,
    0x3: model.SHA384,
    0x4: model.SHA512,
    0x5: model.SHA512_224,
    0x6: model.SHA512_256,
    0x8: model.SHA3_224,
    0x9: model.SHA3_256,
    0xA: model.SHA3_384,
    0xB: model.SHA3_512,
    0xC: model.SHAKE128,
    0xD: model.SHAKE256,
}
HASHES = [HASH | a for a in ALGORITHMS]
MACS = [KEYED | a for a in ALGORITHMS]
ZERO = bytes(16)


def is_kmac(opcode: int) -> bool:
    return opcode in (0x3C, 0x3D)


def is_hmac(opcode: int) -> bool:
    return KEYED <= opcode < 0x3C


def algorithm_of(opcode: int) -> model.Algorithm:
    return {0x3C: model.CSHAKE128, 0x3D: model.CSHAKE256}.get(opcode) or ALGORITHMS[opcode & 15]


def blocks(data: bytes) -> list[bytes]:
    return [data[i : i + 16] for i in range(0, len(data), 16)]


def pad16(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


@dataclass
class Job:
    """A descriptor without addresses, and what stands in memory. `prepared`: the inline key is two chaining values."""

    opcode: int
    payload: bytes = b""
    key: bytes = b""
    slot: int | None = None
    inline: bool = False
    prepared: bool = False
    decrypt: bool = False
    load: bytes | None = None
    save: bool = False
    asked: int = 0  # bytes of output, of what is verified
    tag: bytes = b""
    # For refusals: what the descriptor claims beside the data above.
    length: int | None = None
    key_field: int | None = None
    long_iv: bool = False
    append: bool = False

    @property
    def payload_length(self) -> int:
        return len(self.payload) if self.length is None else self.length

    @property
    def key_byte(self) -> int:
        if self.key_field is not None:
            return self.key_field
        if not self.inline:
            return self.slot or 0
        return 0x80 if self.prepared else len(self.key)


def family(opcode: int) -> int:
    digit = opcode & 15
    return 0 if digit < 3 else 1 if digit < 8 else 2


def refuse(job: Job, info: KeyInfo, families: tuple[bool, ...] = (True, True, True)) -> int:
    """The first thing that is wrong with a job."""
    op = job.opcode
    if op not in (*HASHES, *MACS) or not families[family(op)]:
        return BAD_OPCODE
    keyed, algorithm = op >= KEYED, algorithm_of(op)
    if job.long_iv or job.append or (not keyed and (job.inline or job.decrypt)) or (job.decrypt and job.save):
        return BAD_FLAGS
    if job.save or (not keyed and algorithm.digest):
        if job.asked:
            return BAD_LENGTH
    elif not keyed:
        if not job.asked:
            return BAD_LENGTH
    else:
        most = 64 if job.decrypt else 2**32
        if not is_kmac(op):
            most = algorithm.digest
        if not (4 if job.decrypt else 1) <= job.asked <= most:
            return BAD_TAG_LENGTH
    if keyed and job.inline:
        key = job.key_byte
        if (key != 0x80 or algorithm.is_keccak) if key & 0x80 else key > 64:
            return BAD_KEY
    elif keyed:
        if not info.valid or info.kind != op:
            return BAD_KEY
        if not info.mac:
            return KEY_DENIED
    return OK


def plan(job: Job, info: KeyInfo, families: tuple[bool, ...] = (True, True, True)) -> Plan:
    status = refuse(job, info, families)
    if status:
        return Plan(status)
    op, load = job.opcode, job.load is not None
    key_words = 0
    if job.inline and not (load and (job.save or is_kmac(op))):
        key_words = (4 if family(op) == 0 else 8) if job.key_byte & 0x80 else -(-job.key_byte // 16)
    out = 0 if job.save or job.decrypt else job.asked or algorithm_of(op).digest
    return Plan(
        status=OK,
        uses_key=int(op >= KEYED and not job.inline),
        key_words=key_words,
        payload_bytes=job.payload_length,
        tag_in_bytes=job.asked if job.decrypt else 0,
        out_bytes=out,
        state_in=int(load),
        state_out=int(job.save),
        state_at=8,
        state_words=(9, 13, 14)[family(op)],
    )


@dataclass
class Result:
    status: int
    out: bytes
    tag: bytes = ZERO
    state: bytes = b""


def pack_state(algorithm: model.Algorithm, count: int, chain: bytes, partial: bytes) -> bytes:
    head = count.to_bytes(8, "little") + bytes([len(partial)]) + bytes(7)
    if algorithm.is_keccak:
        return head + model.xor(chain, partial) + bytes(8)
    return head + chain.ljust(64, b"\0") + partial.ljust(algorithm.block, b"\0")


def unpack_state(algorithm: model.Algorithm, state: bytes) -> tuple[int, bytes, bytes]:
    """Count, chaining value, partial block; Keccak's partial block is in the state already."""
    count, partial = int.from_bytes(state[:8], "little"), state[8]
    if algorithm.is_keccak:
        return count, state[16:216], bytes(partial)
    return count, state[16 : 16 + len(algorithm.initial)], state[80 : 80 + partial]


def compress_all(algorithm: model.Algorithm, chain: bytes, data: bytes) -> tuple[bytes, bytes]:
    """Chaining value behind the whole blocks, and the rest."""
    whole = len(data) // algorithm.block * algorithm.block
    for i in range(0, whole, algorithm.block):
        chain = algorithm.compress(chain, data[i : i + algorithm.block])
    return chain, data[whole:]


def key_chains(opcode: int, key: bytes) -> tuple[bytes, bytes]:
    """HMAC's inner and outer chaining values; KMAC's state and nothing."""
    algorithm = algorithm_of(opcode)
    if is_kmac(opcode):
        return compress_all(algorithm, algorithm.initial, model.kmac_prefix(algorithm, key))[0], b""
    inner, outer = (algorithm.compress(algorithm.initial, pad) for pad in model.hmac_pads(algorithm, key))
    return inner, outer


def run(job: Job) -> Result:
    """A job that `plan` takes."""
    op, algorithm = job.opcode, algorithm_of(job.opcode)
    count, chain, partial, outer = 0, algorithm.initial, b"", b""
    if op >= KEYED:
        chain, outer = key_chains(op, job.key)
        count = algorithm.block if is_hmac(op) else 0
    if job.load is not None:
        count, chain, partial = unpack_state(algorithm, job.load)
    count += len(job.payload)
    data = partial + job.payload
    if job.save:
        chain, rest = compress_all(algorithm, chain, data)
        return Result(OK, b"", state=pack_state(algorithm, count, chain, rest))
    if not algorithm.is_keccak and count >= 1 << 61:
        return Result(BAD_LENGTH, b"")
    if is_kmac(op):
        data += model.right_encode(8 * job.asked)
    # The padding's length follows from what is in the last block.
    padding = algorithm.pad(len(data) if algorithm.is_keccak else count)
    chain, rest = compress_all(algorithm, chain, data + padding)
    assert not rest
    if is_hmac(op):
        inner = chain[: algorithm.digest]
        chain, _ = compress_all(algorithm, outer, inner + algorithm.pad(algorithm.block + len(inner)))
    out = model.squeeze(algorithm, chain, job.asked or algorithm.digest)
    if job.decrypt:
        return Result(OK, b"", out[:16].ljust(16, b"\0")) if out == job.tag else Result(AUTH_FAILED, b"")
    return Result(OK, out, out[:16].ljust(16, b"\0"))


def words_in(job: Job, answer: Plan) -> list[bytes]:
    """The engine's input, section after section (ow_engine_pkg.sv)."""
    data = b""
    if answer.key_words and job.prepared:
        data += b"".join(chain.ljust(8 * answer.key_words, b"\0") for chain in key_chains(job.opcode, job.key))
    elif answer.key_words:
        data += pad16(job.key)
    data += job.load or b""
    return blocks(data + pad16(job.payload) + pad16(job.tag))


def words_out(job: Job, result: Result) -> list[bytes]:
    """Words end where a block of extendable output ends."""
    if result.status != OK:
        return []
    rate = algorithm_of(job.opcode).block if algorithm_of(job.opcode).is_keccak else 64
    out = [w for i in range(0, len(result.out), rate) for w in blocks(result.out[i : i + rate])]
    return [*out, *blocks(result.state)]


class JobList(JobLines):
    """A list for the bench."""

    engine = "hash"

    def __init__(self, **parameters: int) -> None:
        super().__init__(**parameters)
        units = [parameters.get(name, 1) for name in ("Sha256Units", "Sha512Units", "KeccakUnits")]
        self.families = tuple(n != 0 for n in units)

    def _fields(self, job: Job, info: KeyInfo, answer: Plan) -> list[object]:
        flags = job.decrypt | job.inline << 1 | (job.load is not None) << 2 | job.save << 3
        flags |= job.long_iv << 4 | job.append << 5
        return [
            *(job.opcode, job.key_byte, 0, int(flags), job.payload_length, job.asked, 0, "-"),
            *(info.valid << 3 | info.encrypt << 2 | info.decrypt << 1 | info.mac, info.kind),
            len(dataclasses.fields(answer)),
            *dataclasses.astuple(answer),
        ]

    def plan(self, job: Job, info: KeyInfo) -> int:
        """Only asks the planner."""
        answer = plan(job, info, self.families)
        self.ask(self._fields(job, info, answer))
        return answer.status

    def add(self, job: Job, abort: int = -1) -> Result:
        """Runs a valid job; aborts it `abort` cycles after its command. Returns the expected result."""
        info = KeyInfo(kind=job.opcode)
        answer = plan(job, info, self.families)
        assert answer.status == OK, (answer, job)
        result = run(job)
        self.run(self._fields(job, info, answer), result, words_in(job, answer), words_out(job, result), abort)
        return result


def random_job(rng: random.Random, opcode: int, length: int, spoil: float = 0.15) -> Job:
    """A valid job, a MAC with an inline key; what is to be verified is genuine, now and then spoilt."""
    algorithm = algorithm_of(opcode)
    job = Job(opcode, rng.randbytes(length))
    if opcode < KEYED:
        job.asked = 0 if algorithm.digest else rng.choice([1, 16, 32, 64, rng.randrange(1, 400)])
        return job
    job.inline = True
    job.key = rng.randbytes(rng.choice([0, 1, 15, 16, 17, 20, 31, 32, 33, 48, 63, 64]))
    job.prepared = is_hmac(opcode) and not algorithm.is_keccak and rng.random() < 0.4
    most = algorithm.digest or 64
    job.decrypt = rng.random() < 0.5
    job.asked = rng.choice([most, rng.randrange(4 if job.decrypt else 1, most + 1)])
    return verified(rng, job, spoil) if job.decrypt else job


def verified(rng: random.Random, job: Job, spoil: float) -> Job:
    """The verification of the job's MAC."""
    job = dataclasses.replace(job, decrypt=False, tag=b"")
    tag = bytearray(run(job).out)
    if rng.random() < spoil:
        bit = rng.randrange(8 * len(tag))
        tag[bit // 8] ^= 1 << bit % 8
    return dataclasses.replace(job, decrypt=True, tag=bytes(tag))
