# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model against another implementation, the machine's model against the golden one."""

from __future__ import annotations

import itertools
import random

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from pka_jobs import assemble, curves, isa, machine, model, rom, schedule

KINDS = {"P-256": ec.SECP256R1(), "P-384": ec.SECP384R1(), "P-521": ec.SECP521R1(), "secp256k1": ec.SECP256K1()}
every_curve = pytest.mark.parametrize("curve", curves.CURVES, ids=lambda c: c.name)


@every_curve
def test_curves_are_the_standards(curve: curves.Curve) -> None:
    assert curve.contains(curve.g)
    assert curve.multiply(curve.n, curve.g) is None
    rng = random.Random(curve.name)
    for d in (1, 2, curve.n - 1, rng.randrange(1, curve.n)):
        numbers = ec.derive_private_key(d, KINDS[curve.name]).public_key().public_numbers()
        assert curve.multiply(d, curve.g) == (numbers.x, numbers.y)


@every_curve
def test_comb(curve: curves.Curve) -> None:
    table = curves.comb(curve)
    assert table[0] is None
    assert table[9] == curve.multiply(1 + 2 ** (3 * curve.spacing), curve.g)
    # A blinded scalar fits the comb.
    assert curve.n << 8 * curve.blind_bytes <= 1 << 4 * curve.spacing


@pytest.mark.parametrize("passes", [1, 2, 4, 8])
@pytest.mark.parametrize("square", [False, True])
@pytest.mark.parametrize("n", range(2, isa.WORDS_MAX + 1))
def test_schedule(n: int, square: bool, passes: int) -> None:
    """Every product once and in its column; q after its column; results in time for the next multiplication."""
    s = schedule.schedule(n, square, True, passes)
    column, of = 0, {}
    q_at: dict[int, int] = {}
    last: dict[int, int] = {}
    for t in s.tokens:
        if t.kind in ("ab", "qm"):
            assert t.x + t.y == t.column == column + t.above
            of.setdefault((t.kind, t.column), []).append((t.x, t.y, t.double))
            last[t.column] = t.slot
            if t.kind == "qm":
                assert t.x in q_at and t.slot > q_at[t.x] + schedule.q_to_m0(passes)
        elif t.kind == "q":
            assert t.column == column
            assert (t.slot - last[column]) * passes >= schedule.TO_ACCUMULATOR + passes - 1
            q_at[t.column] = t.slot
        elif t.kind == "m0":
            assert t.column == column and (t.slot - q_at[column]) * passes >= schedule.TO_PRODUCT + passes - 1
            column += 1
            of.setdefault(("qm", t.column), []).append((t.x, t.y, False))
        elif t.kind == "m1":
            of.setdefault(("qm", t.column), []).append((t.x, t.y, False))
            last[t.column] = t.slot
        column += t.write
    for c in range(2 * n - 1):
        pairs = [(j, c - j) for j in range(n) if 0 <= c - j < n]
        assert sorted(of["qm", c]) == [(x, y, False) for x, y in pairs]
        factors = [p for x, y, double in of["ab", c] for p in ([(x, y), (y, x)] if double else [(x, y)])]
        assert sorted(factors) == pairs
    assert len(s.writes) == n
    first_read = {}
    for t, w in itertools.product(s.tokens, range(n)):
        if t.kind == "ab" and w in (t.x, t.y):
            first_read.setdefault(w, t.slot)
    if n >= schedule.CHAIN_WORDS:
        for w, slot in enumerate(s.writes):
            written = slot * passes + schedule.TO_ACCUMULATOR + passes
            assert (s.slots + first_read[w]) * passes > written


def test_products() -> None:
    """The machine's product of words is the literature's."""
    rng = random.Random("products")
    for n in (2, 3, 5, 31):
        bits = isa.WORD_BITS * n
        m = machine.Machine([])
        m.n, m.log, m.modulus = n, 5, 0
        modulus = rng.getrandbits(bits - 4) | 1
        m.write(0, modulus)
        m.write(1, curves.negative_inverse(modulus), 1)
        for a, b in [(0, 0), (modulus - 1, modulus - 1), (1, 4 * modulus - 1)] + [
            (rng.randrange(4 * modulus), rng.randrange(4 * modulus)) for _ in range(10)
        ]:
            m.write(2, a)
            m.write(3, b)
            m._multiply(isa.decode(isa.encode(isa.BY_NAME["mul"], d=4, a=2, b=3)))
            assert m.read(4) == model.montgomery(a, b, modulus, n) < 2 * modulus
            assert m.read(4) * pow(2, bits, modulus) % modulus == a * b % modulus


def test_assembler_reports_mistakes() -> None:
    def error(text: str) -> str:
        with pytest.raises(assemble.AssemblyError) as caught:
            assemble.assemble({"x.pka": text}, {})
        return str(caught.value)

    assert error("    mul 1, 2") == "x.pka:1: mul takes d, a, b in 'mul 1, 2'"
    assert "must be below 128" in error("a:\n    mov 1, 128")
    assert "defined twice" in error("a:\na:\n    end")
    assert "x.pka:2" in error("a:\n    jmp b")
    assert "is not a counter" in error("    bit 1, c8")
    assert error("    get 1, 17") == "x.pka:1: a table must begin at a multiple of 16 slots in 'get 1, 17'"
    assert "a table must begin" in error("    put 40, 1, c3")


def test_programs_use_memory_as_the_sequencer_can() -> None:
    """Every instruction survives the way through its encoding; calls and jumps stay in the programs."""
    for word, text in zip(rom().words, rom().lines, strict=True):
        i = isa.decode(word)
        assert i.operation == text.operation
        if i.operation.name in ("jmp", "call", "loop", "jbit"):
            assert i.immediate < len(rom().words)
    # Only what handles public exponents branches on a bit.
    branches = {text.label for text in rom().lines if text.operation.name == "jbit"}
    assert branches == {"prepare", "power_public"}
