# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Ascon: goals and limits."""

from figure_rows.row import BYTES_PER_CYCLE, KIB, Row

TITLE = "Ascon"
PAGE = "docs/ascon.md"
ONE_UNIT = "4 (8 rounds a block of 16 bytes, two a cycle)"
TWO_UNITS = "8 (two units)"


def _row(work: str, algorithm: str, size_bytes: int, goal: float, limit: str, jobs: int = 1) -> Row:
    operation = "encrypt" if algorithm == "ascon-aead128" else "digest"
    is_headline = algorithm == "ascon-aead128" and jobs == 1
    return Row(
        *(work, algorithm, size_bytes, BYTES_PER_CYCLE, goal, "", operation, jobs),
        slowest_part=limit,
        is_headline=is_headline,
    )


ROWS = (
    _row("Ascon-AEAD128, one job of 64 KiB", "ascon-aead128", 64 * KIB, 3.9, ONE_UNIT),
    _row("Ascon-AEAD128, 16 jobs of 64 KiB at once", "ascon-aead128", 64 * KIB, 7.5, TWO_UNITS, 16),
    _row(
        "Ascon-AEAD128, 64-byte packets, batched", "ascon-aead128", 64, 1.5, "4.1 (31 cycles in each of two units)", 64
    ),
    _row(
        "Ascon-Hash256, one job of 64 KiB",
        "ascon-hash256",
        64 * KIB,
        1.3,
        "1.33 (12 rounds a block of 8 bytes, two a cycle)",
    ),
    _row("Ascon-Hash256, 16 jobs of 64 KiB at once", "ascon-hash256", 64 * KIB, 2.5, "2.67 (two units)", 16),
)
