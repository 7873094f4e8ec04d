# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes DES jobs, computes their results with the golden model, and runs them on the bench."""

from __future__ import annotations

import dataclasses
import random

import models
from job_lines import JobLines

model = models.load("des")


class JobList(JobLines):
    """A list for the bench."""

    engine = "des"

    def _fields(self, job: model.Job, info: model.KeyInfo, plan: model.Plan) -> list[object]:
        flags = job.decrypt | (job.slot is None) << 1
        for i, name in enumerate(("load", "save", "long_iv", "append")):
            flags |= job.flags.get(name, False) << 2 + i
        return [
            *(job.opcode, job.key_field if job.slot is None else job.slot, 0, flags),
            *(job.payload_length, job.aad_length, 0, job.iv.ljust(16, b"\xaa").hex()),
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
        out = [result.payload[i : i + 16] for i in range(0, len(result.payload), 16)]
        self.run(self._fields(job, info, plan), result, model.words(job), out, abort)
        return result


def random_job(rng: random.Random, opcode: int, blocks: int, decrypt: bool = False) -> model.Job:
    """A valid job with a key of its own, in TDES now and then of two."""
    key = rng.randbytes(model.key_bytes(opcode))
    if len(key) == 24 and rng.random() < 0.3:
        key = key[:16] + key[:8]
    return model.Job(opcode, key, decrypt=decrypt, iv=rng.randbytes(8), payload=rng.randbytes(8 * blocks))
