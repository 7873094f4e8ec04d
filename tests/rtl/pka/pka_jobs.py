# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes jobs for the core of the public-key engine, computes their results with both models, and runs them on the
bench."""

from __future__ import annotations

import functools
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import engine_bench
from pka import assemble, curve25519, curves, isa, machine, model, schedule

ROOT = Path(__file__).resolve().parents[3]
FOUND = Path(__file__).parent / "rsa_4096_primes.txt"  # of rsa_key(4096), whose search takes five seconds

__all__ = ["assemble", "curve25519", "curves", "isa", "machine", "model", "schedule"]


@functools.cache
def rom() -> assemble.Rom:
    return assemble.load()


def run(job: model.Job, rows: int = 8) -> machine.Machine:
    """The job on the machine's model, which must say what the golden model says."""
    parameters = [*job.parameters, *[0] * (8 - len(job.parameters))]
    m = machine.Machine(rom().words, job.payload, parameters, passes=isa.DIGITS // rows)
    m.run(rom().labels[job.program])
    assert (m.status, m.output) == (job.expected.status, job.expected.output), job
    assert m.position == len(job.payload)
    return m


def needs_all_memory(job: model.Job) -> bool:
    """Whether a thread's part of operand memory, 512 words, is too small."""
    if job.program == "rsa_private":
        return max(job.parameters[2:]) > 1024
    return job.program in ("modexp", "rsa_public") and job.parameters[0] > 2172


def line(job: model.Job, cycles: int, flip: tuple[int, int, int, int] | None = None) -> str:
    parameters = [*job.parameters, *[0] * (8 - len(job.parameters))]
    expected = job.expected
    fields = [
        int(needs_all_memory(job)),
        rom().labels[job.program],
        *parameters,
        job.payload.hex() or "-",
        expected.status,
        expected.output.hex() or "-",
    ]
    return " ".join(str(f) for f in (*fields, cycles, *(flip or ())))


def play(
    jobs: list[model.Job], where: Path, rows: int = 8, cycles: bool = True, bench: dict[str, int] | None = None
) -> list[int]:
    """Plays jobs on the bench, which compares results and, with `cycles`, the machine's cycles; returns the cycles."""
    return play_lines([line(job, run(job, rows).now if cycles else -1) for job in jobs], where, bench or {"Rows": rows})


def play_lines(lines: list[str], where: Path, bench: dict[str, int] | None = None) -> list[int]:
    return play_beside([lines], where, bench).cycles[0]


@dataclass
class Played:
    """Cycles of each thread's jobs, and those in which the multiplier had a product."""

    cycles: list[list[int]]
    busy: int


def play_beside(lists: list[list[str]], where: Path, bench: dict[str, int] | None = None) -> Played:
    """Each thread plays its list, at the same time."""
    program = engine_bench.build("pka_core", bench or {"Rows": 8})
    paths = [where / f"jobs{thread}.txt" for thread in range(len(lists))]
    for path, lines in zip(paths, lists, strict=True):
        path.write_text("\n".join(lines) + "\n")
    done = subprocess.run([program, *paths], capture_output=True, text=True, timeout=1200)
    again = " ".join(str(x) for x in (program, *paths))
    assert done.returncode == 0, f"{done.stdout[-1500:]}{done.stderr[-500:]}\nagain: {again}"
    played = Played([[] for _ in lists], 0)
    for text in done.stdout.splitlines():
        what, *rest = text.split()
        if what == "job":
            played.cycles[int(rest[3])].append(int(rest[2]))
        elif what == "busy":
            played.busy = int(rest[0])
    return played


def odd(rng: random.Random, bits: int) -> int:
    """An odd number of so many bits."""
    return rng.getrandbits(bits) | 1 | 1 << bits - 1


@functools.cache
def rsa_key(bits: int, seed: int = 0, e: int = 65537, p_bits: int = 0) -> model.RsaKey:
    """A key from a fixed seed."""
    p, q = found_primes() if (bits, seed, e, p_bits) == (4096, 0, 65537, 0) else rsa_primes(bits, seed, e, p_bits)
    d = pow(e, -1, (p - 1) * (q - 1))
    return model.RsaKey(p * q, e, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))


def rsa_primes(bits: int, seed: int = 0, e: int = 65537, p_bits: int = 0) -> tuple[int, int]:
    """Searches the primes of a key."""
    rng = random.Random(f"rsa {bits} {seed}")
    p_bits = p_bits or bits // 2
    while True:
        p, q = prime(rng, p_bits, e), prime(rng, bits - p_bits, e)
        if (p * q).bit_length() == bits and p != q:
            return p, q


def found_primes() -> tuple[int, int]:
    """Reads the primes of FOUND: what rsa_primes(4096) returns."""
    p, q = (int(line, 16) for line in FOUND.read_text("utf-8").splitlines() if not line.startswith("#"))
    return p, q


def prime(rng: random.Random, bits: int, e: int) -> int:
    """A random prime p with the two top bits set and gcd(e, p - 1) = 1."""
    small = [x for x in range(3, 2000) if all(x % y for y in range(2, int(x**0.5) + 1))]
    while True:
        p = rng.getrandbits(bits) | 3 << bits - 2 | 1
        if all(p % s for s in small if s < p) and all(pow(rng.randrange(2, p - 1), p - 1, p) == 1 for _ in range(5)):
            try:
                pow(e, -1, p - 1)
            except ValueError:
                continue
            return p


def blinding(rng: random.Random) -> bytes:
    return rng.randbytes(42)


def curve_random(rng: random.Random, curve: curves.Curve) -> bytes:
    return rng.randbytes(model.random_length(curve) - curve.bytes) + model.i2osp(rng.randrange(1, curve.p), curve.bytes)


def order_random(rng: random.Random, curve: curves.Curve) -> bytes:
    return model.i2osp(rng.randrange(1, curve.n), curve.bytes)
