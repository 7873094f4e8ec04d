# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes lists of jobs for the lattice engine, with the results that the golden model gives."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from pathlib import Path

import engine_bench
import models
import pytest
from job_lines import JobLines

model = models.load("lattice")
# A test that the fast ones play on the smallest build too, and the slow ones on its netlist (the fixture `butterflies`).
smallest_too = pytest.mark.parametrize(
    "butterflies", [8, 2, *(pytest.param(each, marks=pytest.mark.slow) for each in (4, "gates"))], indirect=True
)


class JobList(JobLines):
    """A list for the bench."""

    engine = "lattice"

    def _fields(self, job: model.Job, info: model.KeyInfo, plan: model.Plan) -> list[object]:
        flags = sum((name in job.flags) << bit for bit, name in enumerate(model.FLAGS))
        aad, payload = job.lengths
        return [
            *(job.opcode, job.key_field, 0, flags, payload, aad, 0, job.iv.hex()),
            *(info.valid << 3 | info.decrypt << 1 | info.length << 4, info.kind),
            *(len(dataclasses.fields(plan)), *dataclasses.astuple(plan)),
        ]

    def play(self, where: Path, **options: int) -> engine_bench.Played:
        """A signature of ML-DSA may take a million cycles."""
        return super().play(where, **{"patience": 2_000_000} | options)

    def plan(self, job: model.Job, info: model.KeyInfo | None = None) -> int:
        """Only asks the planner."""
        info = info or model.KeyInfo()
        plan = model.plan(job, info)
        self.ask(self._fields(job, info, plan))
        return plan.status

    def load_seed(self, slot: int, kind: int, length: int, seed: bytes, refused: bool = False) -> None:
        """Loads a key for MLKEM_DECAPSULATE or MLDSA_SIGN with the parameter set `length`."""
        self.load_key(slot, kind, len(seed) | length << 7, seed, refused)

    def add(
        self, job: model.Job, abort: int = -1, result: model.Result | None = None, refused: bool = False
    ) -> model.Result:
        """Runs a valid job; aborts it `abort` cycles after its command; the key that it makes may be `refused`. Returns the
        expected result: `result`, or the model's."""
        info = model.slot_info(job) if job.slotted else model.KeyInfo()
        plan = model.plan(job, info)
        assert plan.status == model.OK, plan
        result = result or model.run(job)
        given = [word.ljust(16, b"\0") for section in (job.aad, job.payload) for word in model.words(section)]
        made = "-"
        if job.makes_key:
            made = f"{job.iv[1]},{int.from_bytes(job.iv[2:4], 'little')},{result.made.hex()}"
            result = replace(result, status=model.KEY_DENIED) if refused else result
        self.run(self._fields(job, info, plan), result, given, model.words(result.payload), abort, made)
        return result
