# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The Ascon engine, word by word, against the model."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import ascon_answers
import pytest
from ascon_jobs import JobList, model, pieces, random_job
from engine_bench import GATES, both_forms

BY_OPCODE = {"ids": lambda opcode: f"{opcode:02x}"}


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_known_answers(tmp_path: Path, rounds: int) -> None:
    """A sample of the designers' known answers, as jobs whose results must be these answers."""
    jobs = JobList(Rounds=rounds, Units=4 // rounds)
    for record in ascon_answers.records("aead128")[::17]:
        job = model.Job(model.AEAD128, record["PT"], record["Key"], iv=record["Nonce"], aad=record["AD"])
        job.tag_length, job.flags = 16, {"append"}
        result = jobs.add(job)
        assert result.payload + result.appended == record["CT"]
        jobs.add(replace(job, payload=result.payload, decrypt=True, tag=result.tag, flags=set()))
    for name, opcode in (("hash256", model.HASH256), ("xof128", model.XOF128), ("cxof128", model.CXOF128)):
        for record in ascon_answers.records(name)[:1025:41]:
            asked = 0 if opcode == model.HASH256 else 64
            job = model.Job(opcode, record["Msg"], asked=asked, customization=record.get("Z", b""))
            assert jobs.add(job).payload == record["MD"]
    jobs.note("R")
    jobs.play(tmp_path)


@both_forms
@pytest.mark.parametrize("opcode", model.OPCODES, **BY_OPCODE)
def test_every_length(tmp_path: Path, opcode: int) -> None:
    rng = random.Random(f"lengths {opcode}")
    jobs = JobList()
    for length in [*range(50), 255, 256, 1000]:
        jobs.add(random_job(rng, opcode, length, aad=rng.choice([0, length, rng.randrange(50)])))
        jobs.add(random_job(rng, opcode, 5, aad=length))
    jobs.note("R")
    jobs.play(tmp_path)


@both_forms
@pytest.mark.parametrize("opcode", model.OPCODES, **BY_OPCODE)
def test_pieces(tmp_path: Path, opcode: int) -> None:
    """A message that is saved and continued has the result of the whole one; an empty piece changes nothing."""
    rng = random.Random(f"pieces {opcode}")
    jobs = JobList()
    for length in [0, 1, 15, 16, 17, 48, 64, 100]:
        for cut in range(0, length + 1, 16):
            job = random_job(rng, opcode, length, aad=rng.choice([0, 3, 16]), spoil=0)
            whole = model.run(job)
            first, last = (jobs.add(piece) for piece in pieces(rng, job, cut))
            assert first.payload + last.payload == whole.payload
            assert last.tag == whole.tag
    jobs.note("R")
    jobs.play(tmp_path, in_=60)


def mixed(rng: random.Random, jobs: JobList, count: int) -> None:
    for n in range(count):
        if n % 20 == 0:
            jobs.load(rng.randrange(32), model.AEAD128, rng.randbytes(16))
        job = random_job(
            rng, rng.choice(model.OPCODES), rng.choice([0, 1, 16, rng.randrange(400)]), rng.choice([0, 5, 40])
        )
        if job.is_aead and rng.random() < 0.6:
            job.slot = rng.choice(list(jobs.slots))
            job.key = jobs.slots[job.slot][1]
            if job.decrypt:
                job = replace(job, decrypt=False)
        some = pieces(rng, job, len(job.payload) // 16 * 16) if rng.random() < 0.2 and not job.decrypt else [job]
        for piece in some:
            jobs.add(piece, abort=rng.randrange(300) if rng.random() < 0.1 else -1)


@pytest.mark.parametrize(
    ("seed", "parameters", "options"),
    [
        (0, {}, {"gate": 1}),
        (1, {}, {"in_": 20, "gap": 90, "watch": 1, "gate": 1}),
        (2, {"Units": 1, "Rounds": 4}, {"out": 30, "gap": 3}),
        (3, {"Units": 4, "Rounds": 1}, {"grant": 20, "in_": 60, "out": 60}),
        (4, {}, {"grant": 70, "streams": 5, "watch": 1}),
        (5, {}, {"grant": 30, "in_": 8, "out": 8}),
        *(
            pytest.param(seed, GATES, options, marks=pytest.mark.slow)
            for seed, options in ((6, {"gate": 1}), (7, {"grant": 20, "in_": 60, "out": 60}))
        ),
    ],
)
def test_everything_at_once(tmp_path: Path, seed: int, parameters: dict[str, int], options: dict[str, int]) -> None:
    """Mixed jobs and keys, words, room and grants that come and go, aborts, keys loaded meanwhile, the
    clock stopped where nothing happens."""
    rng = random.Random(f"mix {seed}")
    jobs = JobList(**parameters)
    mixed(rng, jobs, 300)
    jobs.note("R")
    jobs.note("A")
    jobs.note("P")
    jobs.play(tmp_path, seed=seed, **options)


@both_forms
def test_output_that_nobody_takes(tmp_path: Path) -> None:
    """Output leaves slower than blocks come, through the port and from the shell's buffer."""
    rng = random.Random("room")
    jobs = JobList()
    jobs.add(replace(random_job(rng, model.AEAD128, 4000), decrypt=False, flags={"append"}))
    jobs.add(replace(random_job(rng, model.XOF128, 10), asked=1500))
    jobs.play(tmp_path, out=5)
    jobs.play(tmp_path, grant=8)


@both_forms
@pytest.mark.parametrize("opcode", model.OPCODES, **BY_OPCODE)
def test_aborts(tmp_path: Path, opcode: int) -> None:
    """An abort in every cycle of a job is answered, leaves nothing behind and harms no neighbour."""
    rng = random.Random(f"aborts {opcode}")
    jobs = JobList()
    for after in range(140):
        jobs.add(random_job(rng, opcode, 200, aad=20), abort=after)
        jobs.add(random_job(rng, rng.choice(model.OPCODES), rng.randrange(60)))
    jobs.note("P")
    jobs.play(tmp_path, in_=70, gap=4, watch=1)


@both_forms
def test_slots(tmp_path: Path) -> None:
    rng = random.Random("slots")
    jobs = JobList()
    jobs.note("P")  # the walk after reset has wiped what the memory held
    for slot in range(32):
        jobs.load(slot, model.AEAD128, rng.randbytes(16))
    jobs.load(3, model.AEAD128, rng.randbytes(24), refused=True)
    jobs.load(4, model.HASH256, rng.randbytes(16), refused=True)
    for slot, (_, key) in list(jobs.slots.items())[::3]:
        jobs.add(replace(random_job(rng, model.AEAD128, 30), slot=slot, key=key, decrypt=False))
    for slot in list(jobs.slots):
        jobs.note(f"Z {slot}")
    jobs.note("P")
    jobs.play(tmp_path)


@both_forms
def test_plans(tmp_path: Path) -> None:
    rng = random.Random("plans")
    jobs = JobList()
    seen = set()
    for _ in range(6000):
        opcode = rng.choice([*model.OPCODES] * 4 + [rng.randrange(256)])
        job = random_job(rng, opcode if opcode in model.OPCODES else model.AEAD128, 16)
        job.opcode, job.tag_length = opcode, rng.choice([job.tag_length, job.tag_length, rng.randrange(32)])
        job.length = rng.choice([16, 24, 0, 7, rng.getrandbits(32)])
        job.aad_length = rng.choice([None, None, 0, 5])
        job.load = rng.choice([None, None, bytes(48)])
        job.flags = {name for name in ("save", "append", "long_iv") if rng.random() < 0.15}
        job.long_iv_length = rng.choice([None, None, 0, 256, 257])
        job.key_field = rng.choice([0, 0, 0, 2])
        job.slot, job.inline = rng.choice([None, rng.randrange(256)]), rng.choice([None, None, None, True, False])
        info = model.KeyInfo(*(rng.random() < 0.9 for _ in range(4)), kind=rng.choice([model.AEAD128] * 3 + [0x81]))
        seen.add(jobs.plan(job, info))
    assert seen == {status for status in range(9) if status != model.AUTH_FAILED}
    jobs.play(tmp_path)
