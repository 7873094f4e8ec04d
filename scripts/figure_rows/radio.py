# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Radio algorithms and TDES: goals, limits, and the best figures published elsewhere."""

from figure_rows.row import BYTES_PER_CYCLE, KIB, Row

TITLE = "Radio algorithms, and TDES"
PAGE = "docs/radio.md"
LARGE_BYTES = 16_777_216 // 8
BATCHED = 64
LANES = "16 (a word a cycle in each of four lanes)"


def _row(
    work: str, algorithm: str, size_bytes: int, goal: float, limit: str, jobs: int = BATCHED, **more: str | bool
) -> Row:
    return Row(
        work,
        algorithm,
        size_bytes,
        BYTES_PER_CYCLE,
        goal,
        str(more.get("published", "")),
        "mac" if algorithm.startswith("128-eia") else "encrypt",
        jobs,
        str(more.get("keys", "new-iv")),
        slowest_part=limit,
        is_headline=bool(more.get("is_headline")),
    )


ROWS = (
    _row(
        "EEA3, one job of 16,777,216 bits",
        "128-eea3",
        LARGE_BYTES,
        3.9,
        "4 (a word a cycle)",
        1,
        published="4 (flexdriver-zuc, core without a bus); 0.17 (WP437)",
    ),
    _row(
        "EIA3, one job of 16,777,216 bits",
        "128-eia3",
        LARGE_BYTES,
        3.9,
        "4 (a word a cycle)",
        1,
        published="0.09 (WP437)",
    ),
    _row("EEA3, 16 jobs of 64 KiB at once", "128-eea3", 64 * KIB, 15, LANES, 16, is_headline=True),
    _row("EIA3, 16 jobs of 64 KiB at once", "128-eia3", 64 * KIB, 15, LANES, 16),
    _row(
        "EEA3, 256-bit packets, a new key in each, batched",
        "128-eea3",
        32,
        1.5,
        "2.6 (50 cycles in each of four lanes)",
        keys="new-key",
        published="0.0225 (WP437)",
        is_headline=True,
    ),
    _row(
        "EIA3, 256-bit packets, a new key in each, batched",
        "128-eia3",
        32,
        1.5,
        "2.4 (54 cycles in each of four lanes)",
        keys="new-key",
        published="0.019 (WP437)",
    ),
    _row(
        "EEA3 and EIA3 of a 1,500-byte PDCP packet in one job, new keys in each, batched",
        "128-eea3-eia3",
        1500,
        8,
        "14.0 (429 cycles in each of four lanes)",
        keys="new-key",
        is_headline=True,
    ),
    _row("UEA2, 16 jobs of 64 KiB at once", "128-eea1", 64 * KIB, 15, LANES, 16),
    _row("UIA2, 16 jobs of 64 KiB at once", "128-eia1", 64 * KIB, 15, "16 (bus)", 16),
    _row("EEA2, 1,500-byte packets, batched", "128-eea2", 1500, 12, "15.3 (bus)"),
    _row("EIA2, 1,500-byte packets, batched", "128-eia2", 1500, 12, "15.3 (bus)"),
    _row(
        "TDES-CBC encryption, 16 jobs of 64 KiB at once",
        "tdes-cbc",
        64 * KIB,
        2,
        "2.67 (a block passes the ring of eight stages three times)",
        16,
    ),
)
