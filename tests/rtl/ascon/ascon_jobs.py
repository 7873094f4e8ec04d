# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes Ascon jobs, computes their results with the golden model, and runs them on the bench."""

from __future__ import annotations

import dataclasses
import random

import models
from job_lines import JobLines

model = models.load("ascon")


class JobList(JobLines):
    """A list for the bench."""

    engine = "ascon"

    def __init__(self, **parameters: int) -> None:
        # The bench without parameters has these.
        super().__init__(**({} if parameters == {"Rounds": 2, "Units": 2} else parameters))

    def _fields(self, job: model.Job, info: model.KeyInfo, plan: model.Plan) -> list[object]:
        flags = job.decrypt | job.is_inline << 1 | (job.load is not None) << 2 | job.saves << 3
        flags |= job.long_iv << 4 | ("append" in job.flags) << 5
        key = job.key_field if job.is_inline else job.slot or 0
        return [
            *(job.opcode, key, job.tag_length, int(flags)),
            *(job.payload_length, job.second_length, job.long_iv_bytes, job.iv.hex()),
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
        info = model.KeyInfo()
        plan = model.plan(job, info)
        assert plan.status == model.OK, (plan, job)
        result = model.run(job)
        self.run(self._fields(job, info, plan), result, model.words(job), model.words_out(job, result), abort)
        return result


def random_job(rng: random.Random, opcode: int, length: int, aad: int = 0, spoil: float = 0.15) -> model.Job:
    """A valid job of one piece, an AEAD with an inline key; what is to be verified is genuine, now and then spoilt."""
    job = model.Job(opcode, rng.randbytes(length))
    if opcode != model.AEAD128:
        job.asked = 0 if opcode == model.HASH256 else rng.choice([1, 8, 16, 32, 64, rng.randrange(1, 200)])
        if opcode == model.CXOF128:
            job.customization = rng.randbytes(rng.choice([0, 1, 7, 8, 9, 16, 17, 256, rng.randrange(257)]))
        return job
    job.key, job.iv, job.aad = rng.randbytes(16), rng.randbytes(16), rng.randbytes(aad)
    job.tag_length = rng.choice([16, 16, rng.randrange(4, 17)])
    if rng.random() < 0.5:
        return received(rng, job, spoil)
    if rng.random() < 0.7:
        job.flags.add("append")
    return job


def received(rng: random.Random, job: model.Job, spoil: float) -> model.Job:
    """The decryption of what the job makes."""
    result = model.run(job)
    tag = bytearray(result.tag[: job.tag_length])
    if rng.random() < spoil:
        bit = rng.randrange(8 * len(tag))
        tag[bit // 8] ^= 1 << bit % 8
    return dataclasses.replace(job, payload=result.payload, decrypt=True, tag=bytes(tag), flags=set())


def pieces(rng: random.Random, job: model.Job, cut: int) -> list[model.Job]:
    """The job in two pieces: the first saves a state, the second continues it."""
    first = dataclasses.replace(job, payload=job.payload[:cut], flags={"save"}, asked=0, tag=b"")
    state = model.run(first).state
    rest = dataclasses.replace(job, payload=job.payload[cut:], load=state, aad=b"", iv=rng.randbytes(16))
    return [first, rest]
