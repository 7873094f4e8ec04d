# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes radio jobs, computes their results with the golden model, and runs them on the bench."""

from __future__ import annotations

import dataclasses
import random

import models
from job_lines import JobLines

model = models.load("radio")
EEA1, EEA3, EIA1, EIA3 = 0x41, 0x43, 0x44, 0x4C
LANES = 4


class JobList(JobLines):
    """A list for the bench."""

    engine = "radio"

    def _fields(self, job: model.Job, info: model.KeyInfo, plan: model.Plan) -> list[object]:
        flags = job.decrypt | (job.slot is None) << 1
        for i, name in enumerate(("load", "save", "long_iv", "append")):
            flags |= job.get(name) << 2 + i
        iv = job.iv_field()
        return [
            *(job.opcode, job.key_field if job.slot is None else job.slot, job.tag_length, flags),
            *(job.payload_length, job.aad_length, iv >> 64 & 0xFFFFFFFF, iv.to_bytes(16, "little").hex()),
            *(info.valid << 3 | info.encrypt << 2 | info.decrypt << 1 | info.mac, info.kind),
            len(dataclasses.fields(plan)),
            *dataclasses.astuple(plan),
        ]

    def plan(self, job: model.Job, info: model.KeyInfo) -> int:
        """Only asks the planner."""
        plan = model.plan(job, info)
        self.ask(self._fields(job, info, plan))
        return plan.status

    def add(self, job: model.Job, abort: int = -1) -> model.Result:
        """Runs a valid job; aborts it `abort` cycles after its command. Returns the expected result."""
        info = model.KeyInfo(kind=job.opcode)
        plan = model.plan(job, info)
        assert plan.status == model.OK, (plan, job)
        result = model.run(job)
        # An appended tag is a word of its own.
        out = [*model.blocks(result.payload), *([result.appended] if result.appended else [])]
        self.run(self._fields(job, info, plan), result, model.words(job), out, abort)
        return result


def random_job(rng: random.Random, opcode: int, bits: int, decrypt: bool = False, spoil: float = 0.15) -> model.Job:
    """A valid job with a key of its own; to be verified it has a genuine MAC, now and then spoilt."""
    job = model.Job(opcode, rng.randbytes(model.key_bytes(opcode)), bits=bits)
    job.count, job.fresh = rng.getrandbits(32), rng.getrandbits(32)
    job.bearer, job.direction = rng.getrandbits(5), rng.getrandbits(1)
    if model.ZUC256 in (job.cipher, job.mac):
        job.long_iv = rng.randbytes(23)
        job.tag_length = rng.choice([4, 8, 16])
    both = bool(job.cipher and job.mac)
    job.mac_of_ciphertext = both and rng.random() < 0.5
    job.append = bool(job.mac) and not decrypt and rng.random() < 0.7
    if both and not job.mac_of_ciphertext and (job.append or decrypt):
        job.bits = bits = -(-bits // 8) * 8
    # What stands behind the last bit does not matter.
    job.payload = rng.randbytes(-(-bits // 8))
    if job.cipher:
        job.clear_bytes = min(rng.choice([0, 0, rng.randrange(16)]), len(job.payload))
    if decrypt:
        job = received(job)
        if job.mac and rng.random() < spoil:
            bit = rng.randrange(8 * job.tag_length)
            tag = bytearray(job.tag)
            tag[bit // 8] ^= 1 << bit % 8
            job.tag = bytes(tag)
    return job


def received(job: model.Job) -> model.Job:
    """The job that verifies and deciphers what this one sends."""
    if job.cipher and job.mac and not job.mac_of_ciphertext:
        job = dataclasses.replace(job, bits=8 * len(job.payload))
    sent = model.run(dataclasses.replace(job, append=bool(job.mac)))
    payload = sent.payload if job.cipher else job.payload
    return dataclasses.replace(job, decrypt=True, append=False, payload=payload, tag=sent.appended)
