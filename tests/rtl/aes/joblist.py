# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes jobs, computes their results with the golden model, and runs them on the bench."""

from __future__ import annotations

import dataclasses
import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import engine_bench
from job_lines import JobLines

ROOT = Path(__file__).resolve().parents[3]


def _load_model() -> ModuleType:
    spec = importlib.util.spec_from_file_location("aes_model", ROOT / "rtl/aes/model.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["aes_model"] = module
    spec.loader.exec_module(module)
    return module


model = _load_model()
STATE = (4, 3)  # the context's first word of a state, and its words
MODES = {n: getattr(model, n) for n in ("ECB", "CBC", "CTR", "GCM", "GMAC", "XTS", "CCM", "CMAC", "EEA2", "EIA2")}


class JobList(JobLines):
    """A list for the bench."""

    engine = "aes"

    def __init__(self, enable_decrypt: bool = True) -> None:
        super().__init__(Stages=14, EnableDecrypt=int(enable_decrypt), SBoxMemory=0)
        self.enable_decrypt = enable_decrypt

    def load_keys(self, slot: int, key: bytes, tweak_key: bytes = b"") -> None:
        self.slots[slot] = key, tweak_key
        sizes = len(key) // 8 - 2 << 7 | bool(tweak_key) << 9
        self.load_key(slot, 0, sizes, key.ljust(32, bytes(1)) + tweak_key, False)

    def _fields(self, job: model.Job, info: model.KeyInfo, plan: model.Plan) -> list[object]:
        flags = job.decrypt | (job.slot is None) << 1
        for i, name in enumerate(("load", "save", "long_iv", "append")):
            flags |= job.get(name) << 2 + i
        key = job.slot if job.slot is not None else job.key_length
        bits = (
            info.two_keys << 6 | info.length << 4 | info.valid << 3 | info.encrypt << 2 | info.decrypt << 1 | info.mac
        )
        planned = [
            *(plan.status, plan.uses_key, plan.key_words, plan.iv_bytes, plan.payload_bytes, plan.tag_in_bytes),
            *(plan.out_bytes, plan.state_in, plan.state_out, *(STATE if plan.status == model.OK else (0, 0))),
            *(plan.aad_skew, plan.aad_bytes),
        ]
        return [
            *(job.opcode, key, job.tag_length, flags, job.payload_length, job.aad_bytes),
            *(len(job.long_iv or b""), job.iv.ljust(16, b"\xaa").hex()),
            *(bits, info.kind, len(planned), *planned),
        ]

    def plan(self, job: model.Job, info: model.KeyInfo) -> None:
        """Only asks the planner."""
        plan = model.plan(job, info, self.enable_decrypt)
        self.ask(self._fields(job, info, plan))

    def add(self, job: model.Job, info: model.KeyInfo | None = None, abort: int = -1) -> model.Result:
        """Runs a valid job; aborts it `abort` cycles after its command. Returns the expected result."""
        if info is None:
            info = model.KeyInfo(two_keys=job.opcode == model.XTS, length=job.key_length)
        plan = model.plan(job, info, self.enable_decrypt)
        assert plan.status == model.OK, plan
        result = model.run(job)
        out = result.payload if job.opcode not in model.MACS else b""
        # An appended tag and the words of the state are words of their own.
        words = [
            *model.blocks(out),
            *([result.appended] if result.appended else []),
            *model.blocks(result.state),
        ]
        self.run(self._fields(job, info, plan), result, model.words(job), words, abort)
        return result


class Build(NamedTuple):
    """The parameters of an engine."""

    stages: int = 14
    decrypt: bool = True
    sbox_memory: bool = False
    gates: bool = False  # the netlist

    def __str__(self) -> str:
        return f"{'gates-' * self.gates}stages{self.stages}{'' if self.decrypt else '-forward'}{'-memory' if self.sbox_memory else ''}"


def play(jobs: JobList, where: Path, build: Build | None = None, **options: int) -> engine_bench.Played:
    """Runs a list; an AssertionError tells what differed and how to see it again."""
    build = build or Build()
    parameters = {
        "Stages": build.stages,
        "EnableDecrypt": int(build.decrypt),
        "SBoxMemory": int(build.sbox_memory),
    }
    if build.gates:
        parameters = engine_bench.GATES
    return engine_bench.play("aes", jobs.lines, where, parameters, abort=128, **options)


def bytes_of(rng: random.Random, n: int) -> bytes:
    return rng.randbytes(n)


def random_job(
    rng: random.Random,
    mode: int,
    decrypt: bool,
    length: int,
    key: bytes,
    tweak_key: bytes = b"",
    slot: int | None = None,
    aad_length: int | None = None,
    iv_length: int | None = None,
    tag_length: int | None = None,
) -> model.Job:
    """A valid job; for decryption of a message with a tag a genuine one, now and then spoilt."""
    job = model.Job(mode, key, tweak_key, slot, iv=rng.randbytes(16))
    if mode in (model.ECB, model.CBC):
        length -= length % 16
    if mode == model.XTS:
        length = max(length, 16)
    job.payload = rng.randbytes(length)
    if mode in (model.GCM, model.CCM):
        job.aad = rng.randbytes(rng.choice([0, 1, 12, 13, 14, 16, 20, 32, 45]) if aad_length is None else aad_length)
    if mode in (model.GCM, model.GMAC):
        job.iv = job.iv[:12]
        n = rng.choice([12, 12, 1, 8, 12, 16, 17, 60]) if iv_length is None else iv_length
        if n != 12 or rng.random() < 0.2:
            job.long_iv = rng.randbytes(n)
    if mode == model.CCM:
        q = next(q for q in range(rng.randint(2, 8), 9) if length < 1 << 8 * q)
        job.iv = bytes([q - 1]) + job.iv[1 : 16 - q] + bytes(q)
    if mode in model.RADIO:
        way, last_bits = rng.randrange(64), rng.randrange(8) if length else 0
        job.iv = job.iv[:8] + bytes([way, 0, 0, 0, last_bits, 0, 0, 0])
    if mode in model.TAGGED:
        lengths = {model.CCM: range(4, 17, 2), model.GCM: range(4, 17), model.EIA2: (4,)}.get(
            mode, range(4 if decrypt else 1, 17)
        )
        job.tag_length = rng.choice([max(lengths), rng.choice(list(lengths))]) if tag_length is None else tag_length
        if not decrypt:
            job.append = rng.random() < 0.5
    if decrypt:
        job.decrypt = True
        if mode in model.TAGGED:
            job = sealed(rng, job, spoil=rng.random() < 0.15)
    return job


def sealed(rng: random.Random, job: model.Job, spoil: bool) -> model.Job:
    """The decryption of what the job's payload encrypts to."""
    result = model.run(dataclasses.replace(job, decrypt=False))
    job.tag = result.tag[: job.tag_length]
    if job.opcode in (model.GCM, model.CCM):
        job.payload = result.payload
    if spoil:
        bit = rng.randrange(8 * job.tag_length)
        tag = bytearray(job.tag)
        tag[bit // 8] ^= 1 << bit % 8
        job.tag = bytes(tag)
    return job
