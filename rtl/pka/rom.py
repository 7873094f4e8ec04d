# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The engine's ROM of constants, and the parameters, for each number of a curve."""

from __future__ import annotations

from pka import curve25519, curves, isa

# Of the curves that jobs name, then of Curve25519, which its opcodes imply.
PARAMETERS = [*(curves.parameters(curve) for curve in curves.CURVES), curve25519.parameters()]


def constants() -> tuple[list[int], list[int]]:
    """The words of all curves, and the address where each starts."""
    words: list[int] = []
    bases: list[int] = []
    values = [*(curves.constants(curve) for curve in curves.CURVES), curve25519.constants()]
    for numbers, (bits, *_) in zip(values, PARAMETERS, strict=True):
        bases.append(len(words))
        n = isa.words_of(bits + isa.SLACK)
        for value in numbers:
            words += [value >> isa.WORD_BITS * i & (1 << isa.WORD_BITS) - 1 for i in range(n)]
    return words, bases
