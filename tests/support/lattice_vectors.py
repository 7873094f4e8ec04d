# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The sample of ML-KEM's and ML-DSA's vectors in tests/vectors/lattice: one of NIST's, Wycheproof's, and known answers of the
package cryptography-vectors."""

from __future__ import annotations

import itertools
import json
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cryptography_vectors

Vector = dict[str, Any]
FILE = Path(__file__).parent.parent / "vectors" / "lattice" / "vectors.json.xz"


@cache
def packed() -> dict[str, list[Vector]]:
    document: dict[str, list[Vector]] = json.loads(lzma.decompress(FILE.read_bytes()))
    return document


def of(start: str) -> list[Vector]:
    """The vectors of all files whose names start like this, each with its file's name."""
    return [
        vector | {"file": name} for name, vectors in packed().items() if name.startswith(start) for vector in vectors
    ]


def octets(vector: Vector, name: str) -> bytes:
    return bytes.fromhex(vector.get(name, ""))


def known_answers(scheme: str, file: str, count: int) -> Iterator[dict[str, bytes]]:
    """The first records of a file of cryptography-vectors: asymmetric/`scheme`/kat_`file`.rsp."""
    path = Path(cryptography_vectors.__file__).parent / "asymmetric" / scheme / f"kat_{file}.rsp"

    def records() -> Iterator[dict[str, bytes]]:
        record: dict[str, bytes] = {}
        with path.open(encoding="ascii") as lines:
            for line in lines:
                name, separator, value = line.partition("=")
                if name.strip() == "count" and record:
                    yield record
                    record = {}
                elif separator and name.strip() not in ("count", "mlen", "smlen"):
                    record[name.strip()] = bytes.fromhex(value.strip())
        yield record

    return itertools.islice(records(), count)
