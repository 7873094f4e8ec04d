# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The programs of the lattice engine, and the package lattice_rom_pkg.sv that they make: `python -m lattice.programs [--check]`.

A job has two programs that run side by side. The source takes input, hashes and samples, and puts polynomials into a queue;
the arithmetic takes them from there in this order. lattice_pkg.sv says what the instructions do.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lattice import mldsa, mldsa_parts, mlkem, programs_mldsa
from lattice.instructions import (
    ABSORBED,
    ALONE,
    CHECKED,
    NEGATIVE,
    OPERAND,
    POLY_BITS,
    QUEUED,
    SOURCE_BITS,
    STORED,
    Program,
)

OUTPUT = Path(__file__).with_name("lattice_rom_pkg.sv")


def keygen(p: mlkem.Parameters) -> Program:
    """Algorithms 13 and 16. In: d, z. Out: dk, which contains ek. Slots: s, then t."""
    program, k = Program(), p.k
    program.s("in", "message")
    program.s("in", "z")
    program.s("g", "rho")
    for i in range(k):
        program.noise(i, p.eta1)
        program.p("ntt", d=i)
    for i in range(k):
        program.out(i, 12, "port")
    for i in range(k):
        program.noise(k + i, p.eta1)
        program.p("ntt", d=k + i)
        for j in range(k):
            program.s("xof", j, i)
            program.p("product", d=k + i, a=j, f=QUEUED)
    program.s("init")
    program.s("hash_out", k)
    for i in range(k):
        program.out(k + i, 12, "port_and_hash")
    program.s("absorb", "rho")
    program.s("emit", "rho")
    program.s("final", "hash")
    program.s("leave", f=1)
    return program.end()


def _encrypt(program: Program, p: mlkem.Parameters, t: int, y: int, sum_: int, target: str) -> None:
    """Algorithm 14, with t in slots from `t` on; those from `y` on, `sum_` and the next one, for v, are used.

    v is a transform no more before the first row is here; what is added to it is sampled last, beside the last row's end."""
    k, v = p.k, sum_ + 1
    for i in range(k):
        program.noise(i, p.eta1)
        program.p("ntt", d=y + i, f=OPERAND)
        program.p("product", d=v, a=t + i, f=ALONE if i == 0 else 0)
    program.p("inverse", d=v, a=v)
    for i in range(k):
        for j in range(k):
            program.s("xof", i, j)
            program.p("product", d=sum_, a=y + j, f=QUEUED | (ALONE if j == 0 else 0))
        program.noise(k + i, p.eta2)
        program.p("inverse", d=sum_, a=sum_)
        program.p("add", d=sum_)
        program.out(sum_, p.du, target)
    program.noise(2 * k, p.eta2)
    program.s("message")
    program.p("add", d=v)
    program.p("add", d=v)
    program.out(v, p.dv, target)
    program.s("leave")


def encapsulate(p: mlkem.Parameters) -> Program:
    """Algorithms 14 and 17. In: ek, m. Out: c, K. Slots: t, y, two sums."""
    program, k = Program(), p.k
    program.s("init")
    for i in range(k):
        program.s("decode", 12, f=ABSORBED | CHECKED)
        program.p("load", d=i)
    program.s("in", "rho", f=ABSORBED)
    program.s("in", "message")
    program.s("final", "hash")
    program.s("g", "key", f=1)
    _encrypt(program, p, 0, k, 2 * k, "port")
    return program.end()


def decapsulate(p: mlkem.Parameters) -> Program:
    """Algorithms 14, 15 and 18. In: dk, c. Out: K. Slots: s, t, u and then y, two sums."""
    program, k = Program(), p.k
    s, t, u, sum_ = 0, k, 2 * k, 3 * k
    for i in range(k):
        program.s("decode", 12)
        program.p("load", d=s + i)
    program.s("init")
    for i in range(k):
        program.s("decode", 12, f=ABSORBED)
        program.p("load", d=t + i)
    program.s("in", "rho", f=ABSORBED)
    program.s("in", "hash")
    program.s("final", "compared")
    program.s("in", "z")
    program.s("init")
    program.s("absorb", "z")
    for i in range(k):
        program.s("decode", p.du, f=ABSORBED | STORED)
        program.p("ntt", d=u + i, f=OPERAND)
        program.p("product", d=sum_, a=s + i, f=NEGATIVE | (ALONE if i == 0 else 0))
    program.s("decode", p.dv, f=ABSORBED | STORED)
    program.p("inverse", d=sum_, a=sum_)
    program.p("add", d=sum_)
    program.out(sum_, 1, "message")
    program.s("final", "reject", f=1)
    program.s("wait")
    program.s("g", "key", f=1)
    _encrypt(program, p, t, u, sum_, "compare")
    return program.end()


OPERATIONS = {"Keygen": keygen, "Encapsulate": encapsulate, "Decapsulate": decapsulate}


def _rom(name: str, words: list[int], width: int) -> list[str]:
    lines = [f"  localparam logic [{width - 1}:0] {name}Program [{name}Words] = '{{"]
    digits = -(-width // 4)
    each = 10 if digits <= 4 else 8
    for at in range(0, len(words), each):
        row = ", ".join(f"{width}'h{word:0{digits}x}" for word in words[at : at + each])
        lines.append(f"    {row}{',' if at + each < len(words) else ''}")
    return [*lines, "  };"]


def package() -> str:
    """The text of lattice_rom_pkg.sv."""
    source: list[int] = []
    poly: list[int] = []
    entries: list[tuple[str, int, int]] = []

    def place(name: str, program: Program) -> None:
        entries.append((name, len(source), len(poly)))
        words = program.placed(len(source), len(poly))
        source.extend(words[0])
        poly.extend(words[1])

    for name, make in OPERATIONS.items():
        for p in mlkem.SETS:
            place(name, make(p))
    for name, make_dsa in programs_mldsa.OPERATIONS.items():
        for dsa_set in mldsa.SETS:
            place(f"{name}Dsa", make_dsa(dsa_set))
    zetas = [
        "    {" + ", ".join(f"12'd{mlkem.ZETAS[4 * row + i]}" for i in (3, 2, 1, 0)) + "}" + ("," if row < 31 else "")
        for row in range(32)
    ]
    dsa_zetas = [
        "    {"
        + ", ".join(f"23'd{mldsa_parts.ZETAS[8 * row + i]}" for i in range(7, -1, -1))
        + "}"
        + ("," if row < 31 else "")
        for row in range(32)
    ]
    lines = [
        "// SPDX-FileCopyrightText: The Outwork authors",
        "// SPDX-License-Identifier: Apache-2.0",
        "// Generated by rtl/lattice/programs.py: the programs of the lattice engine and the powers of zeta. Do not edit.",
        "package lattice_rom_pkg;",
        "",
        f"  localparam int unsigned SourceWords = {len(source)};",
        f"  localparam int unsigned PolyWords = {len(poly)};",
        "",
        "  // Where the programs of an operation begin, of k = 2, 3, 4 or of ML-DSA-44, 65, 87: of the source, of the arithmetic.",
    ]
    for which, index in (("Source", 1), ("Poly", 2)):
        for name in dict.fromkeys(entry[0] for entry in entries):
            ats = ", ".join(f"11'd{entry[index]}" for entry in entries if entry[0] == name)
            lines.append(f"  localparam logic [10:0] {which}{name} [3] = '{{{ats}}};")
    lines += ["", *_rom("Source", source, SOURCE_BITS), "", *_rom("Poly", poly, POLY_BITS), ""]
    lines += ["  // zeta^BitRev7(4 row + i), i from the right (FIPS 203, appendix A)."]
    lines += ["  localparam logic [3:0][11:0] Zetas [32] = '{", *zetas, "  };", ""]
    lines += ["  // zeta^BitRev8(8 row + i), i from the right (FIPS 204, appendix B)."]
    lines += ["  localparam logic [7:0][22:0] ZetasDsa [32] = '{", *dsa_zetas, "  };", "", "endpackage"]
    return "\n".join(lines) + "\n"


def main() -> int:
    if "--check" in sys.argv[1:]:
        if OUTPUT.read_text(encoding="utf-8") != package():
            print(f"{OUTPUT.name} is out of date: run `make generate`")
            return 1
        return 0
    OUTPUT.write_text(package(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
