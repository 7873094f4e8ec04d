# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Private keys in slots of the lattice engine: what they serve, that nothing but results leaves, that they are wiped."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from lattice import mldsa, mlkem
from lattice_jobs import JobList, model, smallest_too

pytestmark = pytest.mark.usefixtures("butterflies")
SETS = (*mlkem.SETS, *mldsa.SETS)
every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
Parameters = mlkem.Parameters | mldsa.Parameters


def is_dsa(p: Parameters) -> bool:
    return isinstance(p, mldsa.Parameters)


def load(jobs: JobList, slot: int, p: Parameters, seed: bytes, refused: bool = False) -> None:
    number = SETS.index(p) % 3
    jobs.load_seed(slot, model.MLDSA_SIGN if is_dsa(p) else model.MLKEM_DECAPSULATE, number, seed, refused)


def seed_of(rng: random.Random, p: Parameters) -> bytes:
    return rng.randbytes(32 if is_dsa(p) else 64)


def public_job(p: Parameters, slot: int, seed: bytes) -> model.Job:
    return model.in_slot(p, model.MLDSA_KEYGEN if is_dsa(p) else model.MLKEM_KEYGEN, slot, seed)


def ciphertext(rng: random.Random, p: mlkem.Parameters, seed: bytes) -> bytes:
    """For the key, or for none."""
    _, c = mlkem.encapsulate(p, mlkem.keygen(p, seed[:32], seed[32:])[0], rng.randbytes(32))
    return c if rng.random() < 0.5 else rng.randbytes(len(c))


def private_job(rng: random.Random, p: Parameters, slot: int, seed: bytes) -> model.Job:
    """Decapsulates, or signs, deterministically."""
    if isinstance(p, mldsa.Parameters):
        return model.in_slot(p, model.MLDSA_SIGN, slot, seed, rng.randbytes(64) + bytes(32))
    return model.in_slot(p, model.MLKEM_DECAPSULATE, slot, seed, ciphertext(rng, p, seed))


def making_job(rng: random.Random, p: mlkem.Parameters, slot: int, seed: bytes) -> model.Job:
    """Decapsulates for another slot."""
    made = rng.randrange(256), rng.randrange(1, 1 << 16)
    return model.make_key(p, slot, seed, ciphertext(rng, p, seed), *made)


@smallest_too
@every_set
def test_public_and_private_operation(tmp_path: Path, p: Parameters) -> None:
    """Twice: with the key expanded anew, and as it was left. Nothing of a job is left, and nothing of a zeroised key."""
    rng = random.Random(f"slot {p.name}")
    jobs = JobList()
    seed = seed_of(rng, p)
    load(jobs, 31, p, seed)
    assert len(jobs.add(public_job(p, 31, seed)).payload) == (p.public_bytes if is_dsa(p) else p.ek_bytes)
    for _ in range(2):
        jobs.note("W")
        assert jobs.add(private_job(rng, p, 31, seed)).status == model.OK
    jobs.note("R")
    jobs.note("Z 31")
    jobs.note("P")
    played = jobs.play(tmp_path)
    first, again = (played.last[n] - played.first[n] for n in (1, 2))
    if not is_dsa(p):  # signatures take any number of rounds
        assert again < first - 900


def test_the_expanded_key_is_that_of_the_slot(tmp_path: Path) -> None:
    """Keys that take turns, a longer one before a shorter one, one that is loaded anew, one zeroised: never another's."""
    rng = random.Random("turns")
    jobs = JobList()
    keys: dict[int, tuple[Parameters, bytes]] = {}

    def fill(slot: int, p: Parameters) -> None:
        keys[slot] = p, seed_of(rng, p)
        load(jobs, slot, *keys[slot])

    def use(*slots: int) -> None:
        for slot in slots:
            jobs.add(private_job(rng, keys[slot][0], slot, keys[slot][1]))

    fill(0, mlkem.SETS[2])
    fill(1, mlkem.SETS[0])
    fill(7, mlkem.SETS[0])
    use(0, 1, 1, 7, 0, 0, 7)
    fill(7, mlkem.SETS[1])  # expanded at that time
    use(7, 7, 1)
    fill(0, mlkem.SETS[0])  # not expanded
    use(1, 0, 1, 7)
    jobs.note("Z 7")
    fill(7, mlkem.SETS[2])
    use(7)
    jobs.note("A")
    jobs.note("P")
    fill(3, mldsa.SETS[0])
    fill(1, mlkem.SETS[0])
    use(3, 1, 3)
    jobs.play(tmp_path)


def test_keys_that_are_refused(tmp_path: Path) -> None:
    jobs = JobList()
    for kind, sizes in ((model.MLKEM_DECAPSULATE, (0, 32, 63)), (model.MLDSA_SIGN, (0, 31, 33, 64))):
        for size in sizes:
            jobs.load_seed(2, kind, 0, bytes([1]) * size, refused=True)
    jobs.load_seed(2, model.MLKEM_DECAPSULATE, 3, bytes([1]) * 64, refused=True)
    jobs.load_seed(2, model.MLDSA_SIGN, 3, bytes([1]) * 32, refused=True)
    for kind in (model.MLKEM_KEYGEN, model.MLKEM_ENCAPSULATE, model.MLDSA_KEYGEN, model.MLDSA_VERIFY):
        jobs.load_seed(2, kind, 0, bytes([1]) * (64 if kind in model.KEM_OPCODES else 32), refused=True)
    jobs.note("P")
    jobs.play(tmp_path)


def test_plans_with_slots(tmp_path: Path) -> None:
    """A key serves the operations of its own algorithm and parameter set, and no other."""
    jobs = JobList()
    seen = set()
    infos = [
        model.KeyInfo(valid, kind, length, decrypt)
        for valid in (False, True)
        for kind in (0, 0x62, *model.OPCODES)
        for length in range(4)
        for decrypt in (False, True)
    ]
    for p in SETS:
        for opcode in model.DSA_OPCODES if is_dsa(p) else model.KEM_OPCODES:
            inline = model.sizes(opcode, p.k)
            slotted = model.slotted_sizes(opcode, p.k)
            assert inline is not None and slotted is not None
            for aad, payload, _ in (inline, slotted):
                job = model.Job(opcode, iv=p.k.to_bytes(16, "little"), aad_length=aad, length=payload, key_field=31)
                taken = 0
                for info in infos:
                    status = jobs.plan(job, info)
                    taken += status == model.OK
                    seen.add(status)
                    seen.add(jobs.plan(replace(job, flags={"inline"}), info))
                    seen.add(jobs.plan(replace(job, aad_length=aad + 1), info))
                if job.slotted:
                    either = 1 if opcode == model.MLKEM_DECAPSULATE else 2  # permission to decrypt or not
                    assert taken == (either if (aad, payload) == slotted[:2] else 0)
    assert seen == {model.OK, model.BAD_FLAGS, model.BAD_LENGTH, model.BAD_KEY, model.KEY_DENIED}
    jobs.play(tmp_path)


def test_plans_of_keys_for_slots(tmp_path: Path) -> None:
    """Only decapsulation under a key in a slot names a slot for its result, and always its generation; it has no destination
    then, and needs no permission to decrypt."""
    jobs = JobList()
    p = mlkem.SETS[0]
    given = bytes(model.slotted_sizes(model.MLKEM_DECAPSULATE, p.k)[1])  # type: ignore[index]
    good = model.make_key(p, 31, b"", given, 7, 1)
    infos = [model.KeyInfo(True, model.MLKEM_DECAPSULATE, 0, decrypt) for decrypt in (False, True)]
    for iv in range(128):
        for info in infos:
            job = replace(good, iv=(int.from_bytes(good.iv, "little") ^ 1 << iv).to_bytes(16, "little"))
            status = jobs.plan(job, info)
            # Bit 16 is the generation, whose other bits and the slot's may be anything while it is not 0.
            assert (status == model.OK) == (8 <= iv < 32 and iv != 16)
    for info in infos:
        assert jobs.plan(good, info) == model.OK
        assert model.plan(good, info).out_bytes == 0
        assert jobs.plan(replace(good, iv=bytes([p.k, 7]) + bytes(14)), info) == model.BAD_IV
    for opcode in model.OPCODES:
        k = p.k if opcode in model.KEM_OPCODES else 4
        for flags in (set(), {"inline"}):
            if opcode != model.MLKEM_DECAPSULATE or flags:
                job = replace(good, opcode=opcode, flags=flags, iv=bytes([k]) + good.iv[1:])
                assert jobs.plan(job, infos[1]) in (model.BAD_FLAGS, model.BAD_IV)
    jobs.play(tmp_path)


@pytest.mark.parametrize("p", mlkem.SETS, ids=lambda p: p.name)
def test_made_keys(tmp_path: Path, p: mlkem.Parameters) -> None:
    """The shared secret goes to the shell alone, of a ciphertext that is none too, and nothing of it is left."""
    rng = random.Random(f"made {p.name}")
    jobs = JobList()
    seed = seed_of(rng, p)
    load(jobs, 3, p, seed)
    for refused in (False, True, False, False):
        jobs.add(making_job(rng, p, 3, seed), refused=refused)
        jobs.note("R")
    jobs.add(private_job(rng, p, 3, seed))
    jobs.note("R")
    jobs.note("Z 3")
    jobs.note("P")
    jobs.play(tmp_path)


def test_aborts_while_a_key_is_made(tmp_path: Path) -> None:
    """At any time, also while it is offered to the shell: it is withdrawn, and gone."""
    rng = random.Random("making")
    p = mlkem.SETS[0]
    seed = seed_of(rng, p)
    job = making_job(rng, p, 5, seed)

    def with_key() -> JobList:
        jobs = JobList()
        load(jobs, 5, p, seed)
        jobs.add(private_job(rng, p, 5, seed))
        jobs.note("W")
        return jobs

    alone = with_key()
    alone.add(job)
    played = alone.play(tmp_path)
    end = played.last[1] - played.first[1]
    jobs = with_key()
    for after in [*range(0, end, 171), *range(end - 60, end + 20, 2)]:
        jobs.add(job, abort=after)
        jobs.note("R")
        jobs.add(job, refused=after % 4 == 0)
        jobs.note("W")
    played = jobs.play(tmp_path)
    assert played.slowest_abort <= 3


@pytest.mark.parametrize(
    ("seed", "count", "options"),
    [
        (0, 16, {"gate": 1}),
        (1, 16, {"in_": 20, "gap": 90, "gate": 1, "out": 60}),
        *(pytest.param(seed, 300, {"grant": 60, "in_": 50, "out": 50}, marks=pytest.mark.slow) for seed in (2, 3)),
    ],
)
def test_everything_at_once(tmp_path: Path, seed: int, count: int, options: dict[str, int]) -> None:
    """Keys are loaded and zeroised between jobs with keys in slots and inline, some of them aborted at any time."""
    rng = random.Random(f"slots {seed}")
    jobs = JobList()
    keys: dict[int, tuple[Parameters, bytes]] = {}
    for _ in range(count):
        slot = rng.randrange(3)
        if slot not in keys or rng.random() < 0.2:
            p = rng.choice(SETS[:3] if rng.random() < 0.7 else SETS[3:5])
            keys[slot] = p, seed_of(rng, p)
            load(jobs, slot, *keys[slot])
        p, key = keys[slot]
        job = public_job(p, slot, key) if rng.random() < 0.2 else private_job(rng, p, slot, key)
        refused = rng.random() < 0.5
        if isinstance(p, mlkem.Parameters) and rng.random() < 0.3:
            job = making_job(rng, p, slot, key)
        if rng.random() < 0.2:
            job = model.encapsulate(
                mlkem.SETS[0], mlkem.keygen(mlkem.SETS[0], key[:32], bytes(32))[0], rng.randbytes(32)
            )
        jobs.add(job, abort=rng.randrange(8000) if rng.random() < 0.3 else -1, refused=refused)
        if rng.random() < 0.15:
            jobs.note(f"Z {slot}")
            del keys[slot]
        if rng.random() < 0.1:
            jobs.note("R")
    jobs.note("R")
    jobs.note("A")
    jobs.note("P")
    jobs.play(tmp_path, seed=seed, **options)


def test_aborts_while_the_key_is_expanded(tmp_path: Path) -> None:
    """At any time: it is answered at once, and what was made of the key is gone."""
    rng = random.Random("expanding")
    jobs = JobList()
    p = mlkem.SETS[0]
    seed = seed_of(rng, p)
    load(jobs, 5, p, seed)
    job = private_job(rng, p, 5, seed)
    for after in range(0, 4300, 171):
        jobs.add(job, abort=after)
        jobs.note("R")
        if after % 3 == 0:
            jobs.note("Z 5")
            jobs.note("P")
            load(jobs, 5, p, seed)
            jobs.add(job)
    played = jobs.play(tmp_path)
    assert played.slowest_abort <= 3
