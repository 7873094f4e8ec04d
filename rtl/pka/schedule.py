# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The schedule of one multiplication: which product enters the multiplier in which cycle (README, "One multiplication").

A slot lasts `passes` cycles, 8 over the rows that the multiplier has. A product that enters in cycle t is in the
accumulator from cycle t + 4 + passes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

# Cycles from a product's entry to the accumulator, and to what the multiplier gives back at once, but for the passes.
TO_ACCUMULATOR = 4
TO_PRODUCT = 3
# Multiplications of so many words may start on the result of the one before at once.
CHAIN_WORDS = 5


def column_to_q(passes: int) -> int:
    """Slots from the last product of a column to its q: the accumulator is read in the cycle after the entry."""
    return -(-(TO_ACCUMULATOR + passes - 1) // passes)


def q_to_m0(passes: int) -> int:
    return -(-(TO_PRODUCT + passes - 1) // passes)


@dataclass(frozen=True)
class Token:
    """One slot. `kind`: ab, qm, q (makes q_column), m0, m1, flush; `x` and `y` are the words of the factors."""

    slot: int
    kind: str
    column: int
    x: int = 0
    y: int = 0
    double: bool = False
    above: bool = False  # belongs to the column above the accumulator's lowest word
    write: bool = False  # ends a column of the result


@dataclass(frozen=True)
class Schedule:
    tokens: tuple[Token, ...]
    slots: int
    writes: tuple[int, ...]  # slots of the tokens that end words of the result, word 0 first


def _column(n: int, c: int, square: bool, reduce: bool) -> list[tuple[str, int, int, bool]]:
    """The products of column c that do not wait for q_(c-1)."""
    low, high = max(0, c - n + 1), min(c, n - 1)
    products = [("ab", j, c - j, square and j < c - j) for j in range(low, high + 1) if not (square and j > c - j)]
    if reduce:
        products += [("qm", j, c - j, False) for j in range(low, high + 1) if c > n or j < min(c - 1, n - 1)]
    return products


@cache
def schedule(n: int, square: bool, reduce: bool = True, passes: int = 1) -> Schedule:
    """The front end's choice, slot by slot: q, then m0, then m1 when their time has come, else the next product in order."""
    tokens: list[Token] = []
    last = [0] * (2 * n)  # slot of each column's last product so far
    column, q_slot, m1 = 0, -1, False  # column: the accumulator's lowest; m1: q_(column-1) m_1 is to come
    walk, products = 0, _column(n, 0, square, reduce)
    slot = 0
    reducing = n if reduce else 0
    while column < 2 * n - 1:
        if column < reducing and q_slot < 0 and walk > column and not m1 and slot >= last[column] + column_to_q(passes):
            tokens.append(Token(slot, "q", column))
            q_slot = slot
        elif q_slot >= 0 and slot >= q_slot + q_to_m0(passes):
            tokens.append(Token(slot, "m0", column, column, 0))
            column, q_slot, m1 = column + 1, -1, True
        elif m1:
            m1 = False
            last[column] = slot
            write = column == n and walk > column
            tokens.append(Token(slot, "m1", column, column - 1, 1, write=write))
            column += write
        elif walk <= column + bool(reduce) and walk <= 2 * n - 2:
            kind, x, y, double = products.pop(0)
            last[walk] = slot
            write = not products and walk == column and column >= reducing
            tokens.append(Token(slot, kind, walk, x, y, double, walk > column, write))
            if not products:
                walk += 1
                products = _column(n, walk, square, reduce)
            column += write
        slot += 1
    tokens.append(Token(slot, "flush", column, write=True))
    return Schedule(tuple(tokens), slot + 1, tuple(t.slot for t in tokens if t.write))
