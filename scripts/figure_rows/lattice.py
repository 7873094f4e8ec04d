# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM and ML-DSA: goals, limits, and the best figures published elsewhere."""

from figure_rows.row import OPERATION, Row

TITLE = "ML-KEM and ML-DSA"


def _row(work: str, algorithm: str, operation: str, goal: int, limit: str, published: str) -> Row:
    return Row(work, algorithm, 1, OPERATION, goal, published, operation, slowest_part=limit, is_headline=True)


ARITHMETIC = "(transforms, products, packing)"
MATRIX = "4,230 (30 polynomials of the matrix, 141 cycles each)"
ROWS = (
    _row("ML-KEM-768 key generation", "ml-kem-768", "keygen", 3_200, f"1,160 {ARITHMETIC}", "6,316 (Xing and Li)"),
    _row("ML-KEM-768 encapsulation", "ml-kem-768", "encapsulate", 4_000, f"1,450 {ARITHMETIC}", "7,925 (Xing and Li)"),
    _row("ML-KEM-768 decapsulation", "ml-kem-768", "decapsulate", 5_000, f"2,100 {ARITHMETIC}", "10,049 (Xing and Li)"),
    _row("ML-DSA-65 key generation", "ml-dsa-65", "keygen", 7_000, MATRIX, "9,447 (ML-DSA-OSH)"),
    _row(
        "ML-DSA-65 signature, mean of 100",
        "ml-dsa-65",
        "sign",
        35_000,
        f"5,760 a round {ARITHMETIC}, 5.1 rounds on average",
        "about 49,000 (ML-DSA-OSH, from its rounds)",
    ),
    _row("ML-DSA-65 verification", "ml-dsa-65", "verify", 8_000, MATRIX, ""),
)
