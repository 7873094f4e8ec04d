# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The instructions of the public-key engine's sequencer: the one list for assembler, model and RTL.

An instruction is 32 bits: operation [31:27], d [26:20], a [19:13], b [12:6], counter c [5:3], function f [2:0].
d, a and b name slots of operand memory; an immediate or a jump's target is {a, b} as one number of 14 bits.

F is the one flag; idx is the index of a table, four bits; c0 to c7 are counters of 14 bits with a sign; n is the number of
words of an operand; m is the modulus in the slot named by `mod`, n0 the word in the slot behind it and K, a multiple of m,
in the one after.
"""

from __future__ import annotations

from dataclasses import dataclass

WORD_BITS = 136
DIGIT_BITS = 17
DIGITS = WORD_BITS // DIGIT_BITS
WORDS = 1024
WORDS_MAX = 31
TABLE = 16
SLOTS = 128
# Bits that R must have more than a modulus.
SLACK = 4
# Bits of a random factor of a secret modulus, and of the multiple of the order added to an exponent.
BLIND_BITS = 60


@dataclass(frozen=True)
class Operation:
    """`operands` are the fields in the order of the text; `reads` are the adder's reads a word, 0 for what it does not do."""

    name: str
    code: int
    operands: tuple[str, ...]
    meaning: str
    reads: int = 0
    writes: bool = True


OPERATIONS = (
    Operation("end", 0x00, (), "ends the job", writes=False),
    Operation("mul", 0x01, ("d", "a", "b"), "d = a b / R mod m, below 2 m if a b < R m"),
    Operation("mulw", 0x02, ("d", "a", "b"), "d = a b in 2 n words"),
    Operation("add", 0x03, ("d", "a", "b"), "d = a + b", 2),
    Operation("sub", 0x04, ("d", "a", "b"), "d = a - b, F = a < b", 2),
    Operation("subk", 0x05, ("d", "a", "b"), "d = a - b + K", 3),
    Operation("sel", 0x06, ("d", "a", "b"), "d = F ? a : b", 2),
    Operation("mov", 0x07, ("d", "a"), "d = a", 2),
    Operation("high", 0x08, ("d", "a"), "d = words n to 2 n - 1 of what starts in slot a", 2),
    Operation(
        "get", 0x09, ("d", "a"), "d = slot a + idx; reads all sixteen, the first one a multiple of sixteen", TABLE
    ),
    Operation("getc", 0x0A, ("d", "a"), "d = constant a + idx; reads all sixteen", TABLE),
    Operation("put", 0x0B, ("d", "a", "c"), "slot d + c = a, where c is 0 to 15 and d a multiple of sixteen", 2),
    Operation("ldc", 0x0C, ("d", "a"), "d = constant a", 2),
    Operation("ldi", 0x0D, ("d", "i"), "d = immediate", 2),
    Operation("ldcnt", 0x0E, ("d", "c"), "d = c", 2),
    Operation("hot", 0x0F, ("d", "c"), "d = 2^c", 2),
    Operation("cmp", 0x10, ("a", "b"), "F = a < b", 2, writes=False),
    Operation("differ", 0x11, ("a", "b"), "F = a != b", 2, writes=False),
    Operation("bit", 0x12, ("a", "c"), "idx = {idx, bit c of a}; c = c - 1", 3, writes=False),
    Operation(
        "fidx",
        0x13,
        ("f",),
        "F = (idx = 0); `last`: (its last bit = 0); `pair`: (its last two bits are equal)",
        2,
        writes=False,
    ),
    Operation("jmp", 0x14, ("i",), "jumps", writes=False),
    Operation("call", 0x15, ("i",), "calls; four levels", writes=False),
    Operation("ret", 0x16, (), "returns", writes=False),
    Operation("loop", 0x17, ("c", "i"), "jumps while c >= 0", writes=False),
    Operation("jbit", 0x18, ("i",), "jumps if the last bit of idx, which must be public, is 0", writes=False),
    Operation("fail", 0x19, ("i",), "F gives the job this status, unless it has one", writes=False),
    Operation("failn", 0x1A, ("i",), "as fail, for F = 0", writes=False),
    Operation("count", 0x1B, ("c", "f", "i"), "a counter's arithmetic", writes=False),
    Operation("size", 0x1C, ("f", "c"), "sets n and the stride of slots", writes=False),
    Operation("mod", 0x1D, ("a",), "names the modulus", writes=False),
    Operation(
        "in",
        0x1E,
        ("d", "c"),
        "d = the next c bytes of the job, most significant first; the slot's other words are zero",
    ),
    Operation(
        "out",
        0x1F,
        ("a", "c"),
        "the last c bytes of a leave, most significant first; zeros if the job has failed",
        writes=False,
    ),
)
BY_NAME = {o.name: o for o in OPERATIONS}
BY_CODE = {o.code: o for o in OPERATIONS}

# Functions of `count`: what becomes of counter c. The immediate is a number, a parameter or another counter.
COUNTS = (
    ("set", "c = immediate"),
    ("par", "c = parameter"),
    ("plus", "c = c + immediate"),
    ("from", "c = another counter"),
    ("max", "c = the larger of c and another counter"),
    ("nibbles", "c = c | 3: the last bit of a whole number of windows"),
    ("bytes", "c = (c + 7) / 8"),
    ("gap", "c = 136 n - c"),
)
COUNT_CODES = {name: code for code, (name, _) in enumerate(COUNTS)}

# Functions of `size`.
SIZES = (
    ("both", "n = words that c bits need, at least 2; the stride is the power of two that holds them"),
    ("words", "n = words that c bits need; the stride stays"),
    ("two", "n = 2; the stride stays"),
    ("double", "the stride doubles"),
    ("halve", "the stride halves"),
)
FIDX_CODES = {"all": 0, "last": 1, "pair": 2}
SIZE_CODES = {name: code for code, (name, _) in enumerate(SIZES)}


def words_of(bits: int) -> int:
    return max(2, -(-bits // WORD_BITS))


def encode(
    operation: Operation, d: int = 0, a: int = 0, b: int = 0, c: int = 0, f: int = 0, i: int | None = None
) -> int:
    if i is not None:
        a, b = i >> 7 & 0x7F, i & 0x7F
    return operation.code << 27 | d << 20 | a << 13 | b << 6 | c << 3 | f


@dataclass(frozen=True)
class Instruction:
    operation: Operation
    d: int
    a: int
    b: int
    c: int
    f: int

    @property
    def immediate(self) -> int:
        return self.a << 7 | self.b

    @property
    def signed(self) -> int:
        return (self.immediate ^ 0x2000) - 0x2000


def decode(word: int) -> Instruction:
    return Instruction(
        BY_CODE[word >> 27], word >> 20 & 127, word >> 13 & 127, word >> 6 & 127, word >> 3 & 7, word & 7
    )
