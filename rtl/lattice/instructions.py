# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The instructions of the lattice engine, as lattice_pkg.sv lays them out, and the two programs of an operation."""

from __future__ import annotations

from dataclasses import dataclass, field

SOURCE_OPS = [
    *("end", "in", "decode", "init", "absorb", "final", "g", "prf", "xof", "message", "hash_out", "emit", "wait"),
    *("expand", "nonce", "bounded", "mask", "ball", "stored", "hints", "hint_out", "signal", "loop", "leave"),
]
REGISTERS = ["rho", "sigma", "message", "hash", "z", "key", "reject", "compared"]
# The same ones in jobs of ML-DSA.
DSA_REGISTERS = ["dsa_rho", "seed", "seed2", "mu", "mu2", "c", "c2", "dsa_compared"]
POLY_OPS = ["end", "ntt", "inverse", "product", "load", "add", "out", "loop", "wait"]
TARGETS = ["port", "port_and_hash", "compare", "message"]
STORE = "message"  # in ML-DSA
FORMS = ["t1", "t0", "eta", "z", "high", "use", "check_z", "hint"]
# Flags of `decode`.
ABSORBED, STORED, CHECKED = 1, 2, 4
# Flags of `product`.
ALONE, QUEUED, NEGATIVE = 1, 2, 4
# Flags of `in`, `absorb`, `emit`: half of the register. Of `final`: SHAKE256, 64 bytes.
HALF, SHAKE, WIDE = 2, 1, 2
# Flag of `ntt`: the result is the operand of products too. Of `load`: the polynomial stays in the queue.
OPERAND, STAYS = 1, 1
SOURCE_BITS, POLY_BITS = 16, 28


@dataclass
class Program:
    """The two programs of one operation and parameter set. Targets of loops are relative to their start."""

    source: list[int] = field(default_factory=list)
    poly: list[int] = field(default_factory=list)
    source_loops: list[int] = field(default_factory=list)
    poly_loops: list[int] = field(default_factory=list)

    def s(self, op: str, a: int | str = 0, b: int = 0, f: int = 0) -> None:
        """Adds an instruction of the source: op [15:11], a [10:7], b [6:3], f [2:0]."""
        if isinstance(a, str):
            a = FORMS.index(a) if op == "decode" else (REGISTERS if a in REGISTERS else DSA_REGISTERS).index(a)
        self.source.append(SOURCE_OPS.index(op) << 11 | a << 7 | b << 3 | f)

    def p(self, op: str, d: int = 0, a: int = 0, x: int = 0, f: int = 0, n: int = 0) -> None:
        """Adds an instruction of the arithmetic: op [27:24], d [23:18], a [17:12], x [11:6], n [5:3], f [2:0]."""
        self.poly.append(POLY_OPS.index(op) << 24 | d << 18 | a << 12 | x << 6 | n << 3 | f)

    def out(self, slot: int, form: int | str, target: str = "port", d: int = 0, n: int = 0) -> None:
        x = FORMS.index(form) if isinstance(form, str) else form
        self.p("out", d=d, a=slot, x=x, f=TARGETS.index(target), n=n)

    def noise(self, number: int, eta: int) -> None:
        self.s("prf", number, f=int(eta == 3))

    def loop(self, source: int, poly: int) -> None:
        """Adds the end of a loop to both, whose first instructions have these numbers."""
        self.source_loops.append(len(self.source))
        self.poly_loops.append(len(self.poly))
        self.s("loop")
        self.source[-1] |= source
        self.p("loop")
        self.poly[-1] |= poly << 6

    def placed(self, source: int, poly: int) -> tuple[list[int], list[int]]:
        """Returns the programs as they are when they begin at these addresses."""
        return (
            [word + source * (n in self.source_loops) for n, word in enumerate(self.source)],
            [word + (poly << 6) * (n in self.poly_loops) for n, word in enumerate(self.poly)],
        )

    def end(self) -> Program:
        self.s("end")
        self.p("end")
        return self
