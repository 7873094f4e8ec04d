# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Packs the vectors of ML-KEM and ML-DSA: `python pack.py FOLDER...` with the JSON files of README.md.

vectors.json.xz is a sample: of each file the first tests of each kind (parameter set, function, result, reason and flags), as
they are. acvp.json.xz has all of NIST's tests, without what can be computed and with results as their SHA-256."""

import hashlib
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


def shorten(mode: str, test: dict[str, Any]) -> dict[str, Any]:
    """A test of NIST's with what a device is given, and SHA-256 of what it returns."""

    def digest(*names: str) -> str:
        return hashlib.sha256(b"".join(bytes.fromhex(test[name]) for name in names)).hexdigest()

    def kept(*names: str) -> dict[str, Any]:
        return {name: test[name] for name in ("tcId", "parameterSet", *names) if name in test}

    if mode == "keyGen":
        names = ("ek", "dk") if "ek" in test else ("pk", "sk")
        return kept("d", "z", "seed") | {"result": digest(*names)}
    if mode == "sigGen":
        mu = hashlib.shake_256(bytes.fromhex(test["sk"])[64:128] + bytes.fromhex(test["message"])).hexdigest(64)
        return kept("sk", "rnd") | {"mu": mu, "result": digest("signature")}
    if mode == "sigVer":
        return kept("pk", "message", "signature", "testPassed", "reason")
    if test["function"] == "encapsulation":
        return kept("function", "dk", "m") | {"result": digest("c", "k")}
    return kept("function", "dk", "c", "k", "reason")


def whole(path: Path) -> list[dict[str, Any]]:
    document = json.loads(path.read_text(encoding="utf-8"))
    return [shorten(document["mode"], group | test) for group in document["testGroups"] for test in group["tests"]]


def write(name: str, packed: dict[str, list[dict[str, Any]]]) -> None:
    data = json.dumps(packed, separators=(",", ":")).encode()
    Path(__file__).with_name(name).write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


def main(folders: list[Path]) -> None:
    paths = [path for folder in folders for path in sorted(folder.glob("*.json"))]
    write("vectors.json.xz", {path.stem: sample(path) for path in paths})
    write("acvp.json.xz", {path.stem: whole(path) for path in paths if path.stem.startswith("acvp_")})


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
