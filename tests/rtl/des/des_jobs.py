# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes DES jobs, computes their results with the golden model, and runs them on the bench."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import engine_bench
import models

model = models.load("des")


class JobList:
    """A list for the bench. Keys in slots are loaded as they are needed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.slots: dict[int, tuple[int, bytes]] = {}
        self.count = 0

    def load(self, slot: int, opcode: int, key: bytes, refused: bool = False) -> None:
        if refused:
            self.slots.pop(slot, None)
        else:
            self.slots[slot] = opcode, key
        self.lines.append(f"K {slot} {opcode} {len(key)} {key.hex()} {int(refused)}")

    def note(self, line: str) -> None:
        self.lines.append(line)

    def _fields(self, letter: str, job: model.Job, info: model.KeyInfo, plan: model.Plan) -> list[object]:
        flags = job.decrypt | (job.slot is None) << 1
        for i, name in enumerate(("load", "save", "long_iv", "append")):
            flags |= job.flags.get(name, False) << 2 + i
        return [
            *(letter, self.count, job.opcode, job.key_field if job.slot is None else job.slot, 0, flags),
            *(job.payload_length, job.aad_length, 0, job.iv.ljust(16, b"\xaa").hex()),
            *(info.valid << 3 | info.encrypt << 2 | info.decrypt << 1 | info.mac, info.kind),
            len(dataclasses.fields(plan)),
            *dataclasses.astuple(plan),
        ]

    def plan(self, job: model.Job, info: model.KeyInfo) -> int:
        """Only asks the planner."""
        plan = model.plan(job, info)
        fields = [*self._fields("Q", job, info, plan), -1, 0, "-", 0, 0]
        self.lines.append(" ".join(map(str, fields)))
        return plan.status

    def add(self, job: model.Job, abort: int = -1) -> model.Result:
        """Runs a valid job; aborts it `abort` cycles after its command. Returns the expected result."""
        info = model.KeyInfo(kind=job.opcode)
        plan = model.plan(job, info)
        assert plan.status == model.OK, (plan, job)
        result = model.run(job)
        out = [result.payload[i : i + 16] for i in range(0, len(result.payload), 16)]
        given = model.words(job)
        fields = self._fields("J", job, info, plan)
        fields += [abort, result.status, result.tag.hex(), len(given), *(w.hex() for w in given), len(out)]
        fields += [x for w in out for x in (len(w), w.hex())]
        self.count += 1
        self.lines.append(" ".join(map(str, fields)))
        return result

    def play(self, where: Path, **options: int) -> engine_bench.Played:
        return engine_bench.play("des", self.lines, where, **options)


def random_job(rng: random.Random, opcode: int, blocks: int, decrypt: bool = False) -> model.Job:
    """A valid job with a key of its own, in TDES now and then of two."""
    key = rng.randbytes(model.key_bytes(opcode))
    if len(key) == 24 and rng.random() < 0.3:
        key = key[:16] + key[:8]
    return model.Job(opcode, key, decrypt=decrypt, iv=rng.randbytes(8), payload=rng.randbytes(8 * blocks))
