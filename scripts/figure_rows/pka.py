# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""RSA and curves: goals, limits, and the best figures published elsewhere."""

from figure_rows.row import OPERATION, Row

TITLE = "Public keys (48 DSP blocks)"
PRIVATE = "private (CRT, blinded, verified)"
IN_FLIGHT = 4


def _row(
    work: str,
    algorithm: str,
    operation: str,
    goal: int,
    products: int,
    published: str = "",
    is_headline: bool = False,
    jobs: int = 1,
) -> Row:
    """Returns a row. products: number of 136 x 136 bit products, of which the multiplier makes one per cycle."""
    return Row(
        work if jobs == 1 else f"{work}, each of {jobs} in flight",
        algorithm,
        1,
        OPERATION,
        goal,
        published,
        operation,
        jobs=jobs,
        slowest_part=f"{products:,} (products, one a cycle on 48 DSP blocks)",
        is_headline=is_headline,
    )


ROWS = (
    _row("RSA-2048 public (65537)", "rsa-2048", "public", 25_000, 7_056, "132,035 (OTBN); 207,000 (WP512)"),
    _row(
        f"RSA-2048 {PRIVATE}",
        "rsa-2048",
        "private",
        450_000,
        316_000,
        "2,900,000 (CrypTech, two exponentiations); 4,817,000 (WP512)",
        is_headline=True,
    ),
    _row("RSA-4096 public (65537)", "rsa-4096", "public", 95_000, 25_761, "731,000 (WP512)"),
    _row(f"RSA-4096 {PRIVATE}", "rsa-4096", "private", 3_200_000, 2_308_000, "35,963,000 (WP512)", is_headline=True),
    _row("ECDSA P-256 signature", "ecdsa-p256", "sign", 110_000, 29_000, "630,382 (OTBN, masked)", is_headline=True),
    _row("ECDSA P-256 verification", "ecdsa-p256", "verify", 230_000, 57_000, "421,107 (OTBN)"),
    _row("ECDH P-256", "ecdh-p256", "derive", 180_000, 58_000),
    _row("X25519", "x25519", "derive", 60_000, 27_050),
    _row("ECDSA P-384 signature", "ecdsa-p384", "sign", 300_000, 105_000),
    _row("ECDSA P-384 verification", "ecdsa-p384", "verify", 600_000, 176_000),
    _row(f"RSA-2048 {PRIVATE}", "rsa-2048", "private", 335_000, 331_000, jobs=IN_FLIGHT),
    _row("ECDSA P-256 signature", "ecdsa-p256", "sign", 34_000, 27_500, is_headline=True, jobs=IN_FLIGHT),
    _row("ECDSA P-256 verification", "ecdsa-p256", "verify", 66_000, 57_300, jobs=IN_FLIGHT),
    _row("ECDH P-256", "ecdh-p256", "derive", 64_000, 56_500, jobs=IN_FLIGHT),
    _row("X25519", "x25519", "derive", 32_000, 27_050, jobs=IN_FLIGHT),
)
