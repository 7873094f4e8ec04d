# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Wycheproof's vectors of X25519 and Ed25519: samples with every kind of test."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "vectors" / "wycheproof"


@dataclass(frozen=True)
class Vector:
    test: dict[str, Any]
    #: Of Ed25519, encoded.
    key: bytes

    def hex(self, name: str) -> bytes:
        return bytes.fromhex(self.test[name])

    @property
    def is_valid(self) -> bool:
        """X25519 must be computed also where a vector is only acceptable, unless the secret is zero."""
        if "shared" in self.test:
            return any(self.hex("shared"))
        return bool(self.test["result"] == "valid")

    @property
    def kind(self) -> tuple[str, ...]:
        return (self.test["result"], *self.test["flags"])


def vectors(name: str) -> list[Vector]:
    """All of `x25519` or `ed25519`."""
    document = json.loads((FOLDER / f"{name}_test.json").read_text(encoding="utf-8"))
    return [
        Vector(test, bytes.fromhex(group.get("publicKey", {}).get("pk", "")))
        for group in document["testGroups"]
        for test in group["tests"]
    ]


def sample(name: str, of_a_kind: int) -> list[Vector]:
    """So many of each kind."""
    counts: dict[tuple[str, ...], int] = {}
    found = []
    for vector in vectors(name):
        counts[vector.kind] = counts.get(vector.kind, 0) + 1
        if counts[vector.kind] <= of_a_kind:
            found.append(vector)
    return found
