# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Wycheproof's public-key vectors, and the results of a worker."""

import hashlib
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from outwork.errors import OutworkError
from outwork.pka import keys
from outwork.pka.device import DeviceWorker
from outwork.pka.keys import CurvePrivate, CurvePublic, RsaPrivate, RsaPublic
from outwork.pka.schemes import CURVES, SOFTWARE_HASHES, Padding, Scheme

ARCHIVE = Path(__file__).parent.parent / "vectors" / "wycheproof" / "public_key.json.xz"
CURVE_NAMES = {"secp256r1": "p-256", "secp384r1": "p-384", "secp521r1": "p-521", "secp256k1": "secp256k1"}
# Device cycles of an operation, about: what a test costs.
CYCLES = {"p-256": 118_000, "p-384": 290_000, "p-521": 560_000, "secp256k1": 102_000}
PUBLIC_CYCLES = {2048: 19_000, 3072: 38_000, 4096: 65_000}
PRIVATE_CYCLES = {1024: 92_000, 1536: 200_000, 2048: 363_000, 3072: 1_080_000, 4096: 2_430_000}


@dataclass(frozen=True)
class Vector:
    """One test with its group."""

    group: dict[str, Any]
    test: dict[str, Any]

    @property
    def kind(self) -> tuple[str, ...]:
        """What is tested: a sample has one of each kind before it has two of any."""
        return (self.test["result"], *self.test["flags"], "" if self.test["flags"] else self.test["comment"])

    def hex(self, name: str) -> bytes:
        return bytes.fromhex(self.test[name])


@cache
def _archive() -> dict[str, list[dict[str, Any]]]:
    documents: dict[str, list[dict[str, Any]]] = json.loads(lzma.decompress(ARCHIVE.read_bytes()))
    return documents


def names() -> list[str]:
    return list(_archive())


def vectors(name: str) -> Iterator[Vector]:
    for group in _archive()[name]:
        for test in group["tests"]:
            yield Vector(group, test)


def sample(name: str, count: int) -> list[Vector]:
    """So many vectors: the first of each kind, then the second of each, and so on."""
    by_kind: dict[tuple[str, ...], list[Vector]] = {}
    for vector in vectors(name):
        by_kind.setdefault(vector.kind, []).append(vector)
    turns = ((turn, order, vector) for order, kind in enumerate(by_kind.values()) for turn, vector in enumerate(kind))
    return [vector for _, _, vector in sorted(turns, key=lambda entry: entry[:2])][:count]


def cycles(name: str) -> int:
    """Of one vector of a file."""
    words = name.split("_")
    if words[0] != "rsa":
        return CYCLES[CURVE_NAMES[words[1]]]
    bits = int(words[2]) if words[2].isdigit() else 2048
    return (PRIVATE_CYCLES if words[1] in ("oaep", "pkcs1") else PUBLIC_CYCLES)[bits]


def _hash(name: str) -> str:
    """SHA-512/256 is our sha512-256."""
    lower = name.lower().replace("/", "-")
    return lower if lower.startswith("sha3") else lower.replace("sha-", "sha", 1)


def _digest(vector: Vector) -> bytes:
    return hashlib.new(
        _hash(vector.group["sha"]).replace("sha512-", "sha512_").replace("sha3-", "sha3_"), vector.hex("msg")
    ).digest()


def _number(text: str) -> int:
    return int(text, 16)


def _rsa_public(group: dict[str, Any]) -> RsaPublic:
    key = group["publicKey"]
    return RsaPublic(_number(key["modulus"]), _number(key["publicExponent"]))


def _rsa_private(group: dict[str, Any]) -> RsaPrivate:
    key = {name: _number(value) for name, value in group["privateKey"].items()}
    public = RsaPublic(key["modulus"], key["publicExponent"])
    return RsaPrivate(
        public,
        key["prime1"],
        key["prime2"],
        key["exponent1"],
        key["exponent2"],
        key["coefficient"],
        key["privateExponent"],
    )


def _padding(scheme: Scheme, vector: Vector) -> Padding:
    group = vector.group
    hash_name = _hash(group.get("sha", "SHA-256"))
    mask_hash = _hash(group.get("mgfSha", "SHA-256"))
    assert scheme is Scheme.PKCS1 or {hash_name, mask_hash} <= set(SOFTWARE_HASHES)
    label = bytes.fromhex(vector.test.get("label", ""))
    return Padding(scheme, hash_name, mask_hash, group.get("sLen", -1), label)


def _verify(worker: DeviceWorker, scheme: Scheme, vector: Vector) -> bool:
    return worker.rsa_verify(_rsa_public(vector.group), _padding(scheme, vector), _digest(vector), vector.hex("sig"))


def _decrypt(worker: DeviceWorker, scheme: Scheme, vector: Vector) -> bool:
    try:
        message = worker.rsa_decrypt(_rsa_private(vector.group), _padding(scheme, vector), vector.hex("ct"))
    except OutworkError:
        return False
    return message == vector.hex("msg")


def _ecdsa(worker: DeviceWorker, vector: Vector) -> bool:
    group = vector.group["publicKey"]
    curve = CURVES[CURVE_NAMES[group["curve"]]]
    point = bytes.fromhex(group["uncompressed"])[1:]
    key = CurvePublic(curve, int.from_bytes(point[: curve.bytes]), int.from_bytes(point[curve.bytes :]))
    if "P1363" in vector.group["type"]:
        return worker.ecdsa_verify_raw(key, _digest(vector), vector.hex("sig"))
    return worker.ecdsa_verify(key, vector.group["sha"], _digest(vector), vector.hex("sig"))


def _ecdh(worker: DeviceWorker, vector: Vector) -> bool:
    curve = CURVES[CURVE_NAMES[vector.group["curve"]]]
    d = int.from_bytes(vector.hex("private"))
    private = CurvePrivate(curve, d, CurvePublic(curve, 0, 0))
    try:
        if vector.group["encoding"] == "ecpoint":
            return worker.ecdh_encoded(private, vector.hex("public")) == vector.hex("shared")
        public = keys.read(vector.hex("public"), "the vector", None)
        assert isinstance(public, CurvePublic)
        return public.curve == curve and worker.ecdh(private, public) == vector.hex("shared")
    except OutworkError:
        return False


def answer(worker: DeviceWorker, name: str, vector: Vector) -> bool:
    """Whether the worker takes the signature, gives the message, or derives the secret."""
    match name.split("_")[:2]:
        case ["rsa", "signature"]:
            return _verify(worker, Scheme.PKCS1, vector)
        case ["rsa", "pss"]:
            return _verify(worker, Scheme.PSS, vector)
        case ["rsa", "oaep"]:
            return _decrypt(worker, Scheme.OAEP, vector)
        case ["rsa", "pkcs1"]:
            return _decrypt(worker, Scheme.PKCS1, vector)
        case ["ecdsa", _]:
            return _ecdsa(worker, vector)
        case _:
            return _ecdh(worker, vector)
