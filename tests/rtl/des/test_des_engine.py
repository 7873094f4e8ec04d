# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The DES engine, word by word, against the model."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from des_jobs import JobList, model, random_job
from engine_bench import both_forms

ROOT = Path(__file__).resolve().parents[3]


def table(name: str) -> list[int]:
    text = (ROOT / "rtl/des/des_pkg.sv").read_text()
    found = re.search(rf" {name} \[\d+\] = '{{(.*?)}};", text, re.S)
    assert found
    return [int(v) for v in re.findall(r"'d(\d+)", found[1])]


def test_tables_are_those_of_fips_46_3() -> None:
    for name, values in (("Ip", model.IP), ("P", model.P), ("Pc1", model.PC1), ("Pc2", model.PC2)):
        assert tuple(table(name)) == values
    rows = re.findall(r"256'h([0-9a-f_]+)", (ROOT / "rtl/des/des_pkg.sv").read_text())
    assert [[int(digit, 16) for digit in row.replace("_", "")] for row in reversed(rows)] == [list(s) for s in model.S]


@both_forms
@pytest.mark.parametrize("opcode", model.OPCODES)
@pytest.mark.parametrize("decrypt", [False, True])
def test_every_length(tmp_path: Path, opcode: int, decrypt: bool) -> None:
    rng = random.Random(f"lengths {opcode} {decrypt}")
    jobs = JobList()
    for blocks in [*range(24), 129]:
        jobs.add(random_job(rng, opcode, blocks, decrypt))
    jobs.note("R")
    jobs.play(tmp_path)


def mixed(rng: random.Random, jobs: JobList, count: int) -> None:
    for n in range(count):
        opcode = rng.choice(model.OPCODES)
        if n % 20 == 0:
            slot = rng.randrange(32)
            jobs.load(slot, opcode, rng.randbytes(model.key_bytes(opcode)))
        job = random_job(rng, opcode, rng.choice([0, 1, 2, rng.randrange(60)]), rng.random() < 0.5)
        fitting = [s for s, (kind, _) in jobs.slots.items() if kind == opcode]
        if fitting and rng.random() < 0.7:
            job.slot = rng.choice(fitting)
            job.key = jobs.slots[job.slot][1]
        jobs.add(job, abort=rng.randrange(160) if rng.random() < 0.1 else -1)


@both_forms
@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (0, {"gate": 1}),
        (1, {"in_": 20, "gap": 90, "watch": 1, "gate": 1}),
        (2, {"out": 30, "gap": 3}),
        (3, {"grant": 20, "in_": 60, "out": 60}),
        (4, {"grant": 70, "streams": 5, "watch": 1}),
    ],
)
def test_everything_at_once(tmp_path: Path, seed: int, options: dict[str, int]) -> None:
    """Mixed jobs and keys, words, room and grants that come and go, aborts, keys loaded meanwhile, the
    clock stopped where nothing happens."""
    rng = random.Random(f"mix {seed}")
    jobs = JobList()
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
    jobs.add(random_job(rng, model.DES_ECB, 500))
    jobs.play(tmp_path, out=10)
    jobs.play(tmp_path, grant=8)


@both_forms
@pytest.mark.parametrize("opcode", [model.DES_ECB, model.TDES_CBC])
def test_aborts(tmp_path: Path, opcode: int) -> None:
    """An abort in every cycle of a job is answered, leaves nothing behind and harms no neighbour."""
    rng = random.Random(f"aborts {opcode}")
    jobs = JobList()
    for after in range(140):
        jobs.add(random_job(rng, opcode, 40, after % 2 == 1), abort=after)
        jobs.add(random_job(rng, rng.choice(model.OPCODES), rng.randrange(8)))
    jobs.note("P")
    jobs.play(tmp_path, in_=70, gap=4, watch=1)


@both_forms
def test_slots(tmp_path: Path) -> None:
    rng = random.Random("slots")
    jobs = JobList()
    jobs.note("P")  # the walk after reset has wiped what the memory held
    for slot in range(32):
        opcode = rng.choice(model.OPCODES)
        jobs.load(slot, opcode, rng.randbytes(model.key_bytes(opcode)))
    jobs.load(3, model.TDES_CBC, rng.randbytes(16), refused=True)
    jobs.load(4, 0x54, rng.randbytes(8), refused=True)
    for slot, (opcode, key) in list(jobs.slots.items())[::3]:
        jobs.add(replace(random_job(rng, opcode, 3), slot=slot, key=key))
    for slot in list(jobs.slots):
        jobs.note(f"Z {slot}")
    jobs.note("P")
    jobs.play(tmp_path)


@both_forms
def test_plans(tmp_path: Path) -> None:
    rng = random.Random("plans")
    jobs = JobList()
    seen = set()
    for _ in range(3000):
        opcode = rng.choice([*model.OPCODES, rng.randrange(256)])
        job = random_job(rng, opcode if opcode in model.OPCODES else model.DES_ECB, 3, rng.random() < 0.5)
        job.opcode = opcode
        job.length = rng.choice([24, 0, rng.getrandbits(32), 2**32 - 8])
        job.aad_length, job.key_field = rng.choice([0] * 9 + [1]), rng.choice([0, 0, 0, 2])
        job.slot = rng.choice([None, rng.randrange(256)])
        job.flags = {name: True for name in ("load", "save", "long_iv", "append") if rng.random() < 0.05}
        info = model.KeyInfo(*(rng.random() < 0.9 for _ in range(4)), kind=rng.choice([opcode, opcode, 0]))
        seen.add(jobs.plan(job, info))
    assert seen == {model.OK, model.BAD_OPCODE, model.BAD_FLAGS, model.BAD_LENGTH, model.BAD_KEY, model.KEY_DENIED}
    jobs.play(tmp_path)


# Cycles of one job of two blocks, and what 32 blocks more cost.
ALONE = {
    (model.DES_ECB, False): (34, 56),
    (model.TDES_ECB, False): (76, 101),
    (model.DES_CBC, False): (34, 400),
    (model.TDES_CBC, False): (76, 976),
    (model.TDES_CBC, True): (76, 101),
}


def cycles(tmp_path: Path, opcode: int, decrypt: bool, blocks: int, count: int = 1) -> int:
    rng = random.Random("cycles")
    jobs = JobList()
    for _ in range(count):
        jobs.add(random_job(rng, opcode, blocks, decrypt))
    played = jobs.play(tmp_path)
    return max(played.last.values()) - played.first[0]


@both_forms
@pytest.mark.parametrize(("opcode", "decrypt"), ALONE)
def test_cycles_of_one_job(tmp_path: Path, opcode: int, decrypt: bool) -> None:
    base, more = ALONE[opcode, decrypt]
    assert cycles(tmp_path, opcode, decrypt, 2) == base
    few, many = (cycles(tmp_path, opcode, decrypt, blocks) for blocks in (26, 58))
    assert many - few == more


@both_forms
def test_sixteen_tdes_cbc_streams_fill_the_ring(tmp_path: Path) -> None:
    """A block a stream in 51 cycles: 2.5 bytes a cycle."""
    few, many = (cycles(tmp_path, model.TDES_CBC, False, blocks, count=16) for blocks in (10, 110))
    assert many - few <= 100 * 51
