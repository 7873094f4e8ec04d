# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The cycles of the lattice engine, as rtl/lattice/README.md states them, and that no secret changes them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lattice import mlkem
from lattice_jobs import JobList, model, smallest_too

# Cycles of key generation, encapsulation and decapsulation by butterflies and k, from the command to the result. What rho
# needs of SHAKE128 makes some more or less.
MOST = {
    8: {2: (1050, 1400, 2100), 3: (1700, 2000, 2950), 4: (2700, 2950, 4100)},
    4: {2: (1750, 2450, 3800), 3: (2750, 3600, 5350), 4: (4350, 4950, 7150)},
    2: {2: (3350, 4750, 7400), 3: (5250, 6950, 10450), 4: (8350, 9700, 14050)},
}


def cycles(tmp_path: Path, jobs: list[model.Job]) -> list[int]:
    """Of each job alone."""
    lines = JobList()
    lines.add(model.keygen(mlkem.SETS[0], bytes(32), bytes(32)))  # waits until memory is wiped after reset
    for job in jobs:
        lines.note("W")
        lines.add(job)
    played = lines.play(tmp_path)
    return [played.last[n] - played.first[n] for n in range(1, len(jobs) + 1)]


@smallest_too
@pytest.mark.parametrize("p", mlkem.SETS, ids=lambda p: p.name)
def test_cycles(tmp_path: Path, butterflies: int, p: mlkem.Parameters) -> None:
    rng = random.Random(p.name)
    for _ in range(3):
        d, z, m = (rng.randbytes(32) for _ in range(3))
        ek, dk = mlkem.keygen(p, d, z)
        _, c = mlkem.encapsulate(p, ek, m)
        jobs = [model.keygen(p, d, z), model.encapsulate(p, ek, m), model.decapsulate(p, dk, c)]
        taken = cycles(tmp_path, jobs)
        assert all(got <= most for got, most in zip(taken, MOST[butterflies][p.k], strict=True)), taken


@smallest_too
@pytest.mark.usefixtures("butterflies")
@pytest.mark.parametrize("p", mlkem.SETS, ids=lambda p: p.name)
def test_no_secret_changes_the_cycles(tmp_path: Path, p: mlkem.Parameters) -> None:
    """Decapsulation takes the same cycles for valid and invalid ciphertexts and for all of s and z under one rho, whose
    expansion is public; encapsulation for all m; key generation for all z."""
    rng = random.Random(f"secrets {p.name}")
    d = rng.randbytes(32)
    ek, dk = mlkem.keygen(p, d, rng.randbytes(32))
    valid = [mlkem.encapsulate(p, ek, rng.randbytes(32))[1] for _ in range(2)]
    others = [bytes(len(valid[0])), b"\xff" * len(valid[0]), rng.randbytes(len(valid[0]))]
    others += [valid[0][:-1] + bytes([valid[0][-1] ^ 128]), bytes([valid[0][0] ^ 1]) + valid[0][1:]]
    decapsulations = [model.decapsulate(p, dk, c) for c in valid + others]
    other_s = rng.randbytes(384 * p.k) + dk[384 * p.k : -32] + rng.randbytes(32)
    decapsulations += [model.decapsulate(p, other_s, c) for c in valid]
    not_a_key = dk[:-33] + bytes([dk[-33] ^ 1]) + dk[-32:]
    decapsulations.append(model.decapsulate(p, not_a_key, valid[0]))
    encapsulations = [model.encapsulate(p, ek, m) for m in (bytes(32), b"\xff" * 32, rng.randbytes(32))]
    generations = [model.keygen(p, d, z) for z in (bytes(32), b"\xff" * 32, rng.randbytes(32))]
    for jobs in (decapsulations, encapsulations, generations):
        assert len(set(cycles(tmp_path, jobs))) == 1


def test_a_queue_that_stops_holds_others_for_a_bounded_time(tmp_path: Path, butterflies: int) -> None:
    """A job whose words stop ends with TIMEOUT after 16,384 cycles of waiting, and the next one is right."""
    rng = random.Random("stops")
    p = mlkem.SETS[0]
    ek, dk = mlkem.keygen(p, rng.randbytes(32), rng.randbytes(32))
    _, c = mlkem.encapsulate(p, ek, rng.randbytes(32))
    jobs = JobList()
    jobs.note("O 1 0 7 0 40")
    jobs.add(model.decapsulate(p, dk, c), result=model.Result(model.TIMEOUT, b""))
    jobs.note("O 0 8 15 0 -1")
    for _ in range(2):
        jobs.add(model.encapsulate(p, ek, rng.randbytes(32)))
    played = jobs.play(tmp_path)
    assert 16384 < played.last[2] - played.first[2] < 16384 + 5000 * 8 // butterflies
