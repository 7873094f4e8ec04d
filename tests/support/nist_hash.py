# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""NIST CAVP vectors of the hash functions (SHAVS, SHA3VS), from the package cryptography-vectors."""

import re
from collections.abc import Generator, Iterator
from pathlib import Path

import cryptography_vectors
from hashing import HashCase

from outwork.algorithms.digest import Function
from outwork.algorithms.hash import FUNCTIONS

ROOT = Path(cryptography_vectors.__file__).parent / "hashes"
Chain = Generator[tuple[int, bytes, int], bytes, None]


def _stem(function: Function) -> Path:
    """SHA2/SHA512_256, SHA3/SHA3_384, SHAKE/SHAKE128"""
    name = function.name.upper()
    folder = name[:5] if name.startswith("SHAKE") else name[:4] if name.startswith("SHA3") else "SHA2"
    plain = name.replace("-", "_") if folder == "SHA3" else name.replace("SHA-", "SHA").replace("-", "_")
    return ROOT / ("SHA1" if function.name == "sha-1" else folder) / plain


def _records(path: Path) -> Iterator[dict[str, str]]:
    """Records are separated by empty lines; what stands in brackets is left to who needs it."""
    for part in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").replace("\r", "")):
        record = dict(re.findall(r"^(\w+) *= *(\w+)", part, re.MULTILINE))
        if record:
            yield record


def cases(function: Function) -> list[HashCase]:
    """ShortMsg, LongMsg and VariableOut."""
    found: list[HashCase] = []
    for kind in ("ShortMsg", "LongMsg", "VariableOut"):
        path = _stem(function).with_name(f"{_stem(function).name}{kind}.rsp")
        for record in _records(path) if path.exists() else ():
            if "Msg" in record:
                message = bytes.fromhex(record["Msg"])
                message = message[: int(record["Len"]) // 8] if "Len" in record else message
                result = bytes.fromhex(record.get("MD") or record["Output"])
                found.append(HashCase(function.opcode, message, result, origin=path.name))
    return found


def monte_carlo(function: Function, rounds: int) -> tuple[Chain, list[bytes], list[bytes]]:
    """A chain of 1,000 digests for each of the rounds; the list it fills with their results, and what they should be."""
    path = _stem(function).with_name(f"{_stem(function).name}Monte.rsp")
    records = list(_records(path))
    seed = next(
        bytes.fromhex(record.get("Seed") or record["Msg"]) for record in records if {"Seed", "Msg"} & set(record)
    )
    wanted = [bytes.fromhex(record.get("MD") or record["Output"]) for record in records if "COUNT" in record][:rounds]
    got: list[bytes] = []
    if function.is_extendable:
        text = path.read_text(encoding="utf-8")
        least, most = (
            int(re.search(rf"{word} Output Length \(bits\) = (\d+)", text)[1]) // 8 for word in ("Minimum", "Maximum")
        )  # type: ignore[index]
        return _shake(function, seed, least, most, rounds, got), got, wanted
    chain = (
        _sha3(function, seed, rounds, got) if function.name.startswith("sha3") else _sha(function, seed, rounds, got)
    )
    return chain, got, wanted


def _sha(function: Function, seed: bytes, rounds: int, got: list[bytes]) -> Chain:
    """SHAVS 6.4"""
    for _ in range(rounds):
        digests = [seed] * 3
        for _ in range(1000):
            digest = yield function.opcode, b"".join(digests), function.digest_bytes
            digests = [*digests[1:], digest]
        seed = digests[-1]
        got.append(seed)


def _sha3(function: Function, seed: bytes, rounds: int, got: list[bytes]) -> Chain:
    """SHA3VS 6.2.3"""
    for _ in range(rounds):
        for _ in range(1000):
            seed = yield function.opcode, seed, function.digest_bytes
        got.append(seed)


def _shake(function: Function, seed: bytes, least: int, most: int, rounds: int, got: list[bytes]) -> Chain:
    """SHA3VS 6.3.3"""
    output, length = seed, most
    for _ in range(rounds):
        for _ in range(1000):
            output = yield function.opcode, output[:16].ljust(16, b"\0"), length
            length = least + int.from_bytes(output[-2:]) % (most - least + 1)
        got.append(output)


BY_NAME = {function.name: function for function in FUNCTIONS}
