# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""AES: goals, limits, and the best figures published elsewhere."""

from figure_rows.row import BYTES_PER_CYCLE, CYCLES_PER_JOB, KIB, LATENCY, Row

TITLE = "AES"
ROWS = (
    *(
        Row(
            f"AES-256-{mode.upper()}, one job of 64 KiB",
            f"aes-256-{mode}",
            64 * KIB,
            BYTES_PER_CYCLE,
            14.5,
            published,
            is_headline=mode in ("ctr", "gcm"),
        )
        for mode, published in (
            ("ctr", "3.5 (Cowart 2017)"),
            ("gcm", "14.25 (zhuangjiali2, core without a bus); 2.25 (WP512)"),
            ("ecb", "1.0 (zynq-aes)"),
            ("xts", "16 (Vitis library, core without a bus)"),
        )
    ),
    Row(
        "AES-256-CBC decryption, one job of 64 KiB",
        "aes-256-cbc",
        64 * KIB,
        BYTES_PER_CYCLE,
        14.5,
        "0.25 (Cowart 2017)",
        "decrypt",
    ),
    Row(
        "AES-256-CBC encryption, 16 jobs of 64 KiB at once",
        "aes-256-cbc",
        64 * KIB,
        BYTES_PER_CYCLE,
        14,
        "1.0 (zynq-aes)",
        jobs=16,
        is_headline=True,
    ),
    Row(
        "AES-256-CBC encryption, one job of 64 KiB",
        "aes-256-cbc",
        64 * KIB,
        BYTES_PER_CYCLE,
        1.0,
        "1.0 (zynq-aes)",
        slowest_part="1.07 (14 rounds and an addition a block)",
        is_headline=True,
    ),
    Row(
        "AES-256-GCM, jobs of 1,024 bytes, batched",
        "aes-256-gcm",
        KIB,
        BYTES_PER_CYCLE,
        12,
        "3.98 (zhuangjiali2, core without a bus); 0.59 (WP512)",
        jobs=64,
    ),
    Row(
        "AES-256-GCM, jobs of 16 bytes, batched",
        "aes-256-gcm",
        16,
        CYCLES_PER_JOB,
        24,
        "about 1,500 (WP512)",
        jobs=64,
        is_headline=True,
    ),
    Row(
        "the same, another key slot in every job",
        "aes-256-gcm",
        16,
        CYCLES_PER_JOB,
        24,
        "",
        jobs=64,
        keys="rotate",
    ),
    Row(
        "AES-256-GCM, 64-byte packets, a new inline key in each, batched",
        "aes-256-gcm",
        64,
        BYTES_PER_CYCLE,
        2.0,
        "0.35 (zhuangjiali2, core without a bus)",
        jobs=64,
        keys="new-key",
        is_headline=True,
    ),
    Row(
        "AES-256-GCM, one job of 16 bytes alone",
        "aes-256-gcm",
        16,
        LATENCY,
        300,
        "",
        slowest_part="135 (two reads, then two writes, and 15 in the pipeline)",
        is_headline=True,
    ),
)
