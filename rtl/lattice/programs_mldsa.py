# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The programs of ML-DSA.

Working memory has no gaps, because what a program has named is wiped behind it: vectors, a sum, and what is kept of the
matrix, which in signing is all of it but for ML-DSA-87.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from lattice.instructions import (
    ALONE,
    CHECKED,
    HALF,
    NEGATIVE,
    OPERAND,
    QUEUED,
    SHAKE,
    STAYS,
    STORE,
    WIDE,
    Program,
)
from lattice.mldsa import Parameters

SLOTS = 64
QUEUE = 8  # polynomials that are made before the arithmetic takes them


def _commitment(program: Program, p: Parameters, op: str) -> None:
    """c~ and its register's second half are `in`, `emit` or `absorb`."""
    program.s(op, "c")
    if p.strength > 128:
        program.s(op, "c2", f=HALF if p.strength == 192 else 0)


def _hash_w1(program: Program) -> None:
    """Algorithm 7, step 15, without its end."""
    program.s("init")
    program.s("absorb", "mu")
    program.s("absorb", "mu2")
    program.s("stored")


def keygen(p: Parameters) -> Program:
    """Algorithm 6. In: xi. Out: pk, sk."""
    program = Program()
    s1, s2, y = 0, p.l, p.l + p.k
    w = y + p.l
    program.s("in", "seed")
    program.s("expand")
    for j in range(p.l):
        program.s("bounded", j)
        program.p("load", d=s1 + j, f=STAYS)
        program.p("ntt", d=y + j)
    for i in range(p.k):
        for j in range(p.l):
            program.s("xof", j, i)
            program.p("product", d=w + i, a=y + j, f=QUEUED | (ALONE if j == 0 else 0))
        program.s("bounded", p.l + i)
        program.p("inverse", d=w + i, a=w + i)
        program.p("load", d=s2 + i, f=STAYS)
        program.p("add", d=w + i)
    program.s("init")
    program.s("emit", "dsa_rho")
    program.s("absorb", "dsa_rho")
    program.s("hash_out", p.k)
    for i in range(p.k):
        program.out(w + i, "t1", "port_and_hash")
    program.s("final", "mu", f=SHAKE | WIDE)
    for register in ("dsa_rho", "c", "mu", "mu2"):
        program.s("emit", register)
    program.s("signal")
    program.p("wait")
    for slot in (*range(s1, s1 + p.l), *range(s2, s2 + p.k)):
        program.out(slot, "eta")
    for i in range(p.k):
        program.out(w + i, "t0")
    return program.end()


def verify(p: Parameters) -> Program:
    """Algorithm 8 from step 7 on. In: pk, mu, signature. Out: nothing, but whether it is valid."""
    program = Program()
    t1, y = 0, p.k
    w = y + p.l
    sum_ = w + p.k
    # Part of the matrix is made beside the transforms of t1 and z: its first column, then the rest of the first row.
    entries = [(i, 0) for i in range(p.k)] + [(0, j) for j in range(1, p.l)]
    kept = {entry: sum_ + 1 + n for n, entry in enumerate(entries)}
    early = iter(entries)

    def make_early() -> None:
        for i, j in itertools.islice(early, 1):
            program.s("xof", j, i)
            program.p("load", d=kept[i, j])

    program.s("in", "dsa_rho")
    for i in range(p.k):
        program.s("decode", "t1")
        program.p("ntt", d=t1 + i)
        make_early()
    program.s("in", "mu")
    program.s("in", "mu2")
    _commitment(program, p, "in")
    program.s("init")
    _commitment(program, p, "absorb")
    program.s("ball", f=SHAKE)
    program.p("ntt", d=sum_, f=OPERAND)
    for i in range(p.k):
        program.p("product", d=w + i, a=t1 + i, f=ALONE | NEGATIVE)
    for j in range(p.l):
        program.s("decode", "z", f=CHECKED)
        program.p("ntt", d=y + j, f=OPERAND)
        make_early()
        for i in range(p.k):
            if (i, j) in kept:
                program.p("product", d=w + i, a=kept[i, j])
    program.s("hints")
    for i in range(p.k):
        for j in range(p.l):
            if (i, j) not in kept:
                program.s("xof", j, i)
                program.p("product", d=w + i, a=y + j, f=QUEUED)
        program.p("inverse", d=w + i, a=w + i)
        program.out(w + i, "use", STORE, n=i)
    _hash_w1(program)
    program.s("final", "dsa_compared", f=SHAKE)
    return program.end()


class _Signing:
    """The working memory of signing: without gaps, so that the matrix fits."""

    def __init__(self, p: Parameters) -> None:
        self.s1, self.s2, self.t0 = 0, p.l, p.l + p.k
        self.y = self.t0 + p.k
        self.w = self.y + p.l
        self.sum = self.w + p.k
        free = list(range(self.sum + 1, SLOTS))
        entries = [(i, j) for j in range(p.l) for i in range(p.k)]
        if len(free) < len(entries):  # the same rows of each column
            entries = [(i, j) for i, j in entries if i < len(free) // p.l]
        self.matrix = dict(zip(entries, free, strict=False))
        # Made beside the transforms of s1, s2 and t0.
        self.early = list(self.matrix.items())[: p.l + 2 * p.k]


def _samples(p: Parameters, at: _Signing, first: bool) -> Iterator[tuple[str, int, int]]:
    """What a round takes from the queue, in this order, as instructions of the source."""
    for j in range(p.l):
        yield "mask", j, 0
        for i in range(p.k):
            slot = at.matrix.get((i, j))
            if slot is None or (first and ((i, j), slot) not in at.early):
                yield "xof", j, i


def _round(program: Program, p: Parameters, at: _Signing, first: bool) -> None:
    """Algorithm 7, steps 11 to 31. Row by row of a column, so that y stays the operand.

    While the arithmetic makes the checks, the source fills the queue for the next round; if there is none that is wiped."""
    for sample in list(_samples(p, at, first))[0 if first else QUEUE :]:
        program.s(*sample)
    for j in range(p.l):
        program.p("ntt", d=at.y + j, f=OPERAND)
        for i in range(p.k):
            alone = ALONE if j == 0 else 0
            slot = at.matrix.get((i, j))
            if slot is None:
                program.p("product", d=at.w + i, a=at.y + j, f=QUEUED | alone)
                continue
            if first and ((i, j), slot) not in at.early:
                program.p("load", d=slot)
            program.p("product", d=at.w + i, a=slot, f=alone)
    for i in range(p.k):
        program.p("inverse", d=at.sum, a=at.w + i)
        program.out(at.sum, "high", STORE)
    _hash_w1(program)
    program.s("final", "c", f=SHAKE if p.strength == 128 else SHAKE | WIDE)
    program.s("init")
    _commitment(program, p, "absorb")
    program.s("ball", f=SHAKE)
    for op, a, b in list(_samples(p, at, first=False))[:QUEUE]:
        program.s(op, a + p.l if op == "mask" else a, b)
    program.p("ntt", d=at.sum, f=OPERAND)
    for j in range(p.l):
        program.p("product", d=at.y + j, a=at.s1 + j)
        program.p("inverse", d=at.y + j, a=at.y + j)
        program.out(at.y + j, "check_z")
    for i in range(p.k):
        program.p("product", d=at.w + i, a=at.s2 + i, f=NEGATIVE)
        program.p("inverse", d=at.w + i, a=at.w + i)
        program.p("product", d=at.sum, a=at.t0 + i, f=ALONE)
        program.p("inverse", d=at.sum, a=at.sum)
        program.out(at.w + i, "hint", d=at.sum, n=i)


def _signature(program: Program, p: Parameters, at: _Signing) -> None:
    """Algorithm 26. The programs end."""
    _commitment(program, p, "emit")
    program.s("signal")
    program.p("wait")
    for j in range(p.l):
        program.out(at.y + j, "z")
    program.s("hint_out")
    program.end()


def sign(p: Parameters) -> Program:
    """Algorithm 7 from step 7 on. In: sk, mu, rnd. Out: the signature.

    y and w stay as transforms: z is the inverse of y + c s1, and w - c s2 that of the difference. Every round makes all of its
    checks. Those after the first have a program of their own: the matrix is there."""
    program, at = Program(), _Signing(p)
    program.s("in", "dsa_rho")
    program.s("in", "c")
    program.s("in", "mu")
    program.s("in", "mu2")
    early = iter(at.early)
    for slot in range(at.s1, at.y):
        program.s("decode", "eta" if slot < at.t0 else "t0", f=CHECKED if slot < at.t0 else 0)
        program.p("ntt", d=slot)
        for (i, j), kept in itertools.islice(early, 1):
            program.s("xof", j, i)
            program.p("load", d=kept)
    program.s("in", "mu")
    program.s("in", "mu2")
    program.s("in", "c2")
    program.s("nonce")
    _round(program, p, at, first=True)
    loop = len(program.source), len(program.poly)
    program.loop(0, 0)
    _signature(program, p, at)
    again = len(program.source), len(program.poly)
    program.source[loop[0]] += again[0]
    program.poly[loop[1]] += again[1] << 6
    _round(program, p, at, first=False)
    program.loop(*again)
    _signature(program, p, at)
    return program


OPERATIONS = {"Keygen": keygen, "Sign": sign, "Verify": verify}
