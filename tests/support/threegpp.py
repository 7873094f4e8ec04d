# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The radio algorithms' published test sets (tests/vectors/radio), as records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1] / "vectors/radio"
# How many sets of each algorithm there are: a file that lost some is noticed.
COUNTS = {
    "ZUC": 4,
    "128-EEA3": 5,
    "128-EIA3": 5,
    "SNOW 3G": 4,
    "UEA2": 5,
    "UIA2": 6,
    "128-EIA1": 6,
    "128-EEA2": 6,
    "128-EIA2": 8,
    "ZUC-256": 2,
    "ZUC-256-MAC": 12,
}


@dataclass
class Set:
    """One test set; what an algorithm does not have is zero or empty."""

    algorithm: str
    number: int
    key: bytes
    count: int
    bearer: int
    fresh: int
    direction: int
    bits: int
    input: bytes
    output: bytes
    iv: bytes
    first: bytes
    at: int
    there: bytes

    @classmethod
    def read(cls, record: dict[str, Any]) -> Set:
        def data(name: str) -> bytes:
            return bytes.fromhex(record.get(name, ""))

        return cls(
            *(record["algorithm"], record["set"], data("key"), int(record.get("count", "0"), 16)),
            *(record.get("bearer", 0), int(record.get("fresh", "0"), 16), record.get("direction", 0)),
            *(record.get("bits", 0), data("input"), data("output"), data("iv"), data("first")),
            *(record.get("at", 0), data("there")),
        )

    def __str__(self) -> str:
        return f"{self.algorithm}-{self.number}-{self.bits}-{8 * len(self.output)}"


def sets(*algorithms: str) -> list[Set]:
    return list(_read(algorithms))


def _read(algorithms: tuple[str, ...]) -> Iterator[Set]:
    found = dict.fromkeys(algorithms, 0)
    for path in sorted(ROOT.glob("*.json")):
        for record in json.loads(path.read_text())["sets"]:
            if record["algorithm"] in found:
                found[record["algorithm"]] += 1
                yield Set.read(record)
    assert found == {name: COUNTS[name] for name in algorithms}, found
