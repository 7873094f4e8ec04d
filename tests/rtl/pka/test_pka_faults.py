# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A bit of operand memory that flips during an operation with a private key: an error or the right result, never a
wrong one. Until the result's last comparison: what flips on its way out is not seen."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pka_jobs import blinding, curve_random, curves, isa, line, model, play_lines, rsa_key, run

ALL_COPIES = 3
INPUT = range(128, 136)  # where rsa.pka keeps c of 512 bits
OUTPUT = 60  # cycles from the last comparison to the end
COUNTS = [pytest.param(60, id="few"), pytest.param(3000, id="many", marks=pytest.mark.slow)]


def flips(rng: random.Random, cycles: int, count: int, words: int) -> list[tuple[int, int, int, int]]:
    """Cycle, copy of the memory, address, bit."""
    return [
        (rng.randrange(cycles), rng.randrange(4), rng.randrange(words), rng.randrange(isa.WORD_BITS))
        for _ in range(count)
    ]


@pytest.mark.parametrize("count", COUNTS)
def test_rsa_private(tmp_path: Path, count: int) -> None:
    rng = random.Random(f"flips {count}")
    job = model.job_rsa_private(rsa_key(512), rng.randrange(rsa_key(512).n), blinding(rng))
    cycles = run(job).now
    found = flips(rng, cycles - OUTPUT, count, 64 * 4)
    # A change of c in all copies is another c: its own right result leaves.
    lines = [line(job, -1, flip) for flip in found if not (flip[1] == ALL_COPIES and flip[2] in INPUT)]
    play_lines(lines, tmp_path)


@pytest.mark.parametrize("count", [pytest.param(30, id="few"), pytest.param(1000, id="many", marks=pytest.mark.slow)])
def test_points(tmp_path: Path, count: int) -> None:
    """A point that leaves lies on the curve: it is checked at the end. What scalar it stands for is not."""
    rng = random.Random(f"flips of points {count}")
    curve = curves.P256
    job = model.job_public(curve, rng.randrange(1, curve.n), curve_random(rng, curve))
    cycles = run(job).now
    # From the first step of the comb to its last: coordinates and what is made of them.
    found = [f for f in flips(rng, cycles - 9000, 20 * count, 256) if f[0] > 1000 and 64 <= f[2] < 76][:count]
    play_lines([line(job, -1, flip) for flip in found], tmp_path)
