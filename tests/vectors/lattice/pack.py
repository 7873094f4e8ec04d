# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Packs a sample of the vectors of ML-KEM and ML-DSA into vectors.json.xz: `python pack.py FOLDER...` with the JSON files of
README.md. Of each file it keeps the first tests of each kind: parameter set, function, result, reason and flags."""

import json
import lzma
import sys
from pathlib import Path
from typing import Any

SECOND_ENCODINGS = ("Der", "Pkcs8")
# Tests of a kind. ML-DSA's are larger and have more kinds.
KEPT = {"ML-KEM": 2, "ML-DSA": 1}


def kind(test: dict[str, Any]) -> str:
    names = ("parameterSet", "testType", "function", "deterministic", "result", "testPassed", "reason", "flags")
    return json.dumps([test.get(name) for name in names] + [test.get("source", {}).get("name")])


def sample(path: Path) -> list[dict[str, Any]]:
    document = json.loads(path.read_text(encoding="utf-8"))
    counts: dict[str, int] = {}
    found = []
    for group in document["testGroups"]:
        shared = {
            name: value for name, value in group.items() if name != "tests" and not name.endswith(SECOND_ENCODINGS)
        }
        for test in group["tests"]:
            whole = shared | test
            counts[kind(whole)] = counts.get(kind(whole), 0) + 1
            if counts[kind(whole)] <= KEPT[document["algorithm"][:6]]:
                found.append(whole)
    return found


def main(folders: list[Path]) -> None:
    packed = {path.stem: sample(path) for folder in folders for path in sorted(folder.glob("*.json"))}
    data = json.dumps(packed, separators=(",", ":")).encode()
    Path(__file__).with_name("vectors.json.xz").write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
