# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM's and ML-DSA's vectors: of tests/vectors/lattice a sample of NIST's and Wycheproof's, and all of NIST's; and known
answers of the package cryptography-vectors."""

from __future__ import annotations

import hashlib
import itertools
import json
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cryptography_vectors

Vector = dict[str, Any]
FOLDER = Path(__file__).parent.parent / "vectors" / "lattice"


@cache
def packed(file: str) -> dict[str, list[Vector]]:
    document: dict[str, list[Vector]] = json.loads(lzma.decompress((FOLDER / file).read_bytes()))
    return document


def of(start: str, file: str = "vectors.json.xz") -> list[Vector]:
    """The vectors of all files whose names start like this, each with its file's name."""
    return [
        vector | {"file": name}
        for name, vectors in packed(file).items()
        if name.startswith(start)
        for vector in vectors
    ]


def all_of_nist(name: str, every: int = 1) -> list[Vector]:
    """NIST's vectors of acvp_`name`, one in so many: what a device is given, and `result` of `hashed`."""
    return of(f"acvp_{name}", "acvp.json.xz")[::every]


def hashed(*results: bytes) -> str:
    return hashlib.sha256(b"".join(results)).hexdigest()


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
