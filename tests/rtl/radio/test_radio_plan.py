# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The radio engine's planner against the model, and the tables of the RTL against their definitions."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import models
from radio_jobs import JobList, model, random_job

ROOT = Path(__file__).resolve().parents[3]
zuc, snow3g = models.load("zuc"), models.load("snow3g")


def table(package: str, name: str) -> list[int]:
    text = (ROOT / f"rtl/{package}/{package}_pkg.sv").read_text()
    found = re.search(rf"logic \[\d+:0\] {name} \[\d+\] = '{{(.*?)}};", text, re.S)
    assert found
    return [int(v, 16) for v in re.findall(r"'h([0-9a-f]+)", found[1])]


def test_tables_are_what_the_specifications_define() -> None:
    assert bytes(table("zuc", "S0")) == zuc.S0
    assert bytes(table("zuc", "S1")) == zuc.S1
    assert tuple(table("zuc", "D")) == zuc.D
    assert bytes(table("snow3g", "SQ")) == snow3g.S_Q
    for name, values in (("MulAlpha", snow3g.MUL_ALPHA), ("DivAlpha", snow3g.DIV_ALPHA)):
        columns = table("snow3g", name)
        for c in range(256):
            total = 0
            for i in range(8):
                total ^= columns[i] if c >> i & 1 else 0
            assert total == values[c]


def test_each_rule_by_itself(tmp_path: Path) -> None:
    """A job that is right, then the same with one thing wrong."""
    rng = random.Random("rules")
    jobs = JobList()
    key = model.KeyInfo()

    def check(status: int, job: model.Job, info: model.KeyInfo = key) -> None:
        assert jobs.plan(job, info) == status, job

    for opcode in model.OPCODES:
        job = random_job(rng, opcode, 8 * 40)
        job.clear_bytes, job.append = (2 if job.cipher else 0), False
        check(model.OK, job)
        for flag in ("load", "save"):
            check(model.BAD_FLAGS, replace(job, flags={flag: True}))
        check(model.BAD_FLAGS, replace(job, flags={"long_iv": job.long_iv is None}))
        check(model.OK if job.mac else model.BAD_FLAGS, replace(job, append=True))
        check(model.BAD_FLAGS, replace(job, append=True, decrypt=True))
        check(model.BAD_LENGTH, replace(job, aad_length=1))
        check(model.BAD_LENGTH if job.cipher else model.OK, replace(job, length=1))
        check(model.BAD_LENGTH, replace(job, length=0, clear_bytes=0, bits=3))
        for spare in (67, 70, 95, 99, 103, 108, 111, 113, 127):
            bad = spare > 95 or (spare >= 70 and job.long_iv is None) or (job.long_iv is not None)
            if spare == 67 and job.long_iv is None:
                bad = False  # a bit of BEARER
            check(model.BAD_IV if bad else model.OK, replace(job, spare=1 << spare))
        if job.mac:
            check(model.BAD_TAG_LENGTH, replace(job, tag_length=5))
            check(model.OK if job.long_iv else model.BAD_TAG_LENGTH, replace(job, tag_length=16))
        if job.cipher and job.mac:
            check(model.OK, replace(job, bits=317, mac_of_ciphertext=False))
            check(model.BAD_LENGTH, replace(job, bits=317, mac_of_ciphertext=False, append=True))
            check(model.OK, replace(job, bits=317, mac_of_ciphertext=True, append=True))
        else:
            check(model.BAD_IV, replace(job, mac_of_ciphertext=True))
        if not job.cipher:
            check(model.BAD_IV, replace(job, clear_bytes=1))
        check(model.BAD_KEY, replace(job, key_field=1))
        held = replace(job, slot=7)
        check(model.OK, held, model.KeyInfo(kind=opcode))
        check(model.BAD_KEY, held, model.KeyInfo(kind=opcode ^ 1))
        check(model.BAD_KEY, held, model.KeyInfo(valid=False, kind=opcode))
        check(model.KEY_DENIED if job.mac else model.OK, held, model.KeyInfo(mac=False, kind=opcode))
        check(model.KEY_DENIED if job.cipher else model.OK, held, model.KeyInfo(encrypt=False, kind=opcode))
        check(model.OK, held, model.KeyInfo(decrypt=False, kind=opcode))
        check(
            model.KEY_DENIED if job.cipher else model.OK,
            replace(held, decrypt=True),
            model.KeyInfo(decrypt=False, kind=opcode),
        )
    for opcode in set(range(0x40, 0x50)) - set(model.OPCODES) | {0x00, 0x13, 0x53, 0xC3}:
        check(model.BAD_OPCODE, model.Job(opcode, b""))
    jobs.play(tmp_path)


def test_random_descriptors(tmp_path: Path) -> None:
    rng = random.Random("descriptors")
    jobs = JobList()
    seen = set()
    for _ in range(6000):
        opcode = rng.choice([*model.OPCODES, rng.randrange(256)])
        job = random_job(rng, opcode if opcode in model.OPCODES else 0x43, rng.choice([0, 5, 64, 300]))
        job.opcode = opcode
        job.decrypt, job.append = rng.random() < 0.3, rng.random() < 0.3
        job.mac_of_ciphertext, job.clear_bytes = rng.random() < 0.3, rng.choice([0, 0, 2, 15])
        job.tag_length = rng.choice([4, 4, 4, 8, 16, rng.randrange(32)])
        job.length = rng.choice([len(job.payload), rng.getrandbits(32), 2**32 - 1])
        job.aad_length = rng.choice([0] * 9 + [1])
        job.key_field = rng.choice([0, 0, 0, 2])
        job.slot = rng.choice([None, rng.randrange(256)])
        job.spare = rng.choice([0, 0, 0, 1 << rng.randrange(128)])
        job.flags = {name: True for name in ("load", "save", "long_iv") if rng.random() < 0.05}
        info = model.KeyInfo(*(rng.random() < 0.9 for _ in range(4)), kind=rng.choice([opcode, opcode, 0]))
        seen.add(jobs.plan(job, info))
    assert seen == set(range(9)) - {model.AUTH_FAILED}
    jobs.play(tmp_path)
