# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""NIST CAVP, PKCS#1 and RFC 6979 vectors for public keys, from the package cryptography-vectors, as operations for a
worker."""

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cryptography_vectors

from outwork.errors import OutworkError
from outwork.pka import keys
from outwork.pka.device import DeviceWorker
from outwork.pka.keys import CurvePrivate, CurvePublic, RsaPrivate, RsaPublic
from outwork.pka.schemes import CURVES, HASH_OPCODES, Curve, Padding, Scheme

ROOT = Path(cryptography_vectors.__file__).parent / "asymmetric"
#: Answers whether the worker does what the vector says.
Question = Callable[[DeviceWorker], bool]


def _records(path: Path) -> Iterator[dict[str, str]]:
    """Records between empty lines. A section's head holds for all below it, as do records that have no result of their own."""
    section: dict[str, str] = {}
    shared: dict[str, str] = {}
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
        record: dict[str, str] = {}
        for line in block.splitlines():
            if head := re.fullmatch(r"\[(?:mod = )?([\w-]+)(?:,(SHA-\d+))?.*\]", line.strip()):
                section, shared = {"section": head[1], "sha": (head[2] or "").replace("-", "").lower()}, {}
            elif "=" in line and not line.startswith("#"):
                name, _, value = line.partition("=")
                record[name.strip().lower()] = value.strip()
        if "result" not in record:
            shared |= record
        else:
            yield section | shared | record


def _curve(record: dict[str, str]) -> Curve | None:
    return CURVES.get(record["section"].lower())


def _point(curve: Curve, record: dict[str, str], x: str = "qx", y: str = "qy") -> CurvePublic | None:
    """None: a coordinate that is longer than the field."""
    numbers = int(record[x], 16), int(record[y], 16)
    if max(numbers).bit_length() > 8 * curve.bytes:
        return None
    return CurvePublic(curve, *numbers)


def _passes(record: dict[str, str]) -> bool:
    return record["result"].startswith("P")


def ecdsa_verify() -> Iterator[Question]:
    def ask(record: dict[str, str], curve: Curve, worker: DeviceWorker) -> bool:
        point = _point(curve, record)
        assert point is not None
        signature = b"".join(int(record[name], 16).to_bytes(curve.bytes) for name in "rs")
        digest = hashlib.new(record["sha"], bytes.fromhex(record["msg"])).digest()
        return worker.ecdsa_verify_raw(point, digest, signature) == _passes(record)

    for record in _records(ROOT / "ECDSA/FIPS_186-3/SigVer.rsp"):
        if curve := _curve(record):
            yield partial(ask, record, curve)


def public_keys() -> Iterator[Question]:
    def ask(record: dict[str, str], curve: Curve, worker: DeviceWorker) -> bool:
        point = _point(curve, record)
        return (point is not None and worker.curve_check(point)) == _passes(record)

    for record in _records(ROOT / "ECDSA/FIPS_186-3/PKV.rsp"):
        if curve := _curve(record):
            yield partial(ask, record, curve)


def ecdh() -> Iterator[Question]:
    """Those whose Z is right, and those whose CAVS point is not on the curve."""

    def ask(record: dict[str, str], curve: Curve, worker: DeviceWorker) -> bool:
        point = _point(curve, record, "qscavsx", "qscavsy")
        assert point is not None
        secret = int(record["dsiut"], 16)
        try:
            z = worker.ecdh(CurvePrivate(curve, secret, CurvePublic(curve, 0, 0)), point)
        except OutworkError:
            return "CAVS's Static public key" in record["result"]
        return z.hex() == record["z"]

    sections = {"EC": "p-256", "ED": "p-384", "EE": "p-521"}
    for record in _records(ROOT / "ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_resp.fax"):
        name = sections.get(record.get("section", "")[:2])
        if name and re.match("P|F .*CAVS's", record.get("result", "")):
            yield partial(ask, record, CURVES[name])


def rsa_verify(scheme: Scheme) -> Iterator[Question]:
    def ask(record: dict[str, str], worker: DeviceWorker) -> bool:
        sha = record["shaalg"].lower()
        key = RsaPublic(int(record["n"], 16), int(record["e"], 16))
        padding = Padding(scheme, sha, sha, len(record["saltval"]) // 2)
        digest = hashlib.new(sha, bytes.fromhex(record["msg"])).digest()
        signature = int(record["s"], 16).to_bytes(key.bytes)
        return worker.rsa_verify(key, padding, digest, signature) == _passes(record)

    name = "SigVerPSS_186-3.rsp" if scheme is Scheme.PSS else "SigVer15_186-3.rsp"
    for record in _records(ROOT / "RSA/FIPS_186-2" / name):
        yield partial(ask, record)


def oaep() -> Iterator[Question]:
    """RSA Laboratories' vectors: keys of 1,024 to 1,031, 1,536 and 2,048 bits."""

    def ask(key: RsaPrivate, message: bytes, text: bytes, worker: DeviceWorker) -> bool:
        return worker.rsa_decrypt(key, Padding(Scheme.OAEP, "sha1", "sha1"), text) == message

    document = (ROOT / "RSA/pkcs-1v2-1d2-vec/oaep-vect.txt").read_text(encoding="utf-8")
    for example in re.split(r"# Example \d+: A ", document)[1:]:
        key, *cases = re.split(r"# OAEP Example", example)
        values = dict(_labelled(key))
        private = RsaPrivate(
            RsaPublic(*(int.from_bytes(values[name]) for name in ("Modulus", "Public exponent"))),
            *(
                int.from_bytes(values[name])
                for name in ("Prime 1", "Prime 2", "Prime exponent 1", "Prime exponent 2", "Coefficient", "Exponent")
            ),
        )
        for case in cases:
            inside = dict(_labelled(case))
            yield partial(ask, private, inside["Message"], inside["Encryption"])


def _labelled(text: str) -> Iterator[tuple[str, bytes]]:
    for name, value in re.findall(r"# ([\w ]+): *\n((?:[0-9a-f]{2} ?|\n)+)", text):
        yield name, bytes.fromhex(value)


def rfc6979() -> Iterator[Question]:
    """The whole signature: nonce by the driver, the rest by the device."""

    def ask(key: CurvePrivate, sha: str, message: bytes, wanted: bytes, worker: DeviceWorker) -> bool:
        return worker.ecdsa_sign_deterministic(key, sha, hashlib.new(sha, message).digest()) == wanted

    document = (ROOT / "ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt").read_text(encoding="utf-8")
    pems = dict(re.findall(r"PrivateKey=(P-(?:256|384|521)_PRIV)\n(-.*?END PRIVATE KEY-----\n)", document, re.DOTALL))
    private = {name: keys.read(pem.encode(), name, None) for name, pem in pems.items()}
    pattern = r'DigestSign = (\w+)\nKey = (P-(?:256|384|521)_PRIV)\n.*\nInput = "(\w+)"\nOutput = (\w+)\n'
    for sha, name, message, signature in re.findall(pattern, document):
        key = private[name]
        assert isinstance(key, CurvePrivate) and sha.lower() in HASH_OPCODES
        yield partial(ask, key, sha.lower(), message.encode(), bytes.fromhex(signature))


SETS: dict[str, Callable[[], Iterator[Question]]] = {
    "ecdsa_verify": ecdsa_verify,
    "public_keys": public_keys,
    "ecdh": ecdh,
    "rsa_pkcs1_verify": partial(rsa_verify, Scheme.PKCS1),
    "rsa_pss_verify": partial(rsa_verify, Scheme.PSS),
    "rsa_oaep": oaep,
    "rfc6979": rfc6979,
}
