# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""NIST CAVP and SP 800-38B vectors of the package cryptography-vectors, as cases."""

import re
from collections.abc import Iterator
from pathlib import Path

import cryptography_vectors
from cases import Case

from outwork.spec import Opcode

ROOT = Path(cryptography_vectors.__file__).parent
AES = ROOT / "ciphers" / "AES"
Record = dict[str, str]


def records(path: Path) -> Iterator[Record]:
    """Name-value records. What stands in a section's head or above the first count holds for all records below."""
    shared: Record = {}
    record: Record | None = None
    for raw in path.read_text(encoding="utf-8").splitlines():
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if record is not None:
                yield shared | record
                record = None
            inside = line.strip("[]")
            if "=" not in inside:
                shared = {"section": inside.lower()}
            shared |= {name.lower(): value for name, value in re.findall(r"(\w+) *= *(\w+)", inside)}
            continue
        name, _, value = (part.strip() for part in line.partition("="))
        name = name.lower()
        if name == "count":
            if record is not None:
                yield shared | record
            record = {}
        elif record is None or (name == "key" and "key" in record):
            if record is not None:
                yield shared | record
                record = None
            shared[name] = value
        else:
            record[name] = value
    if record is not None:
        yield shared | record


def _hex(record: Record, name: str, length: int | None = None) -> bytes:
    data = bytes.fromhex(record.get(name, ""))
    return data if length is None else data[:length]


def block_cases(opcode: Opcode, folder: str) -> Iterator[Case]:
    """ECB, CBC and CTR: each record in the direction of its section."""
    for path in sorted((AES / folder).iterdir()):
        for record in records(path):
            plain, cipher = _hex(record, "plaintext"), _hex(record, "ciphertext")
            decrypt = record["section"] == "decrypt"
            yield Case(
                opcode,
                _hex(record, "key"),
                cipher if decrypt else plain,
                plain if decrypt else cipher,
                decrypt=decrypt,
                iv=_hex(record, "iv"),
                name=path.name,
            )


def gcm_cases() -> Iterator[Case]:
    for path in sorted((AES / "GCM").iterdir()):
        decrypt = "Decrypt" in path.name
        for record in records(path):
            plain, cipher = _hex(record, "pt"), _hex(record, "ct")
            expected = None if "fail" in record else plain if decrypt else cipher
            yield Case(
                Opcode.AES_GCM,
                _hex(record, "key"),
                cipher if decrypt else plain,
                expected,
                decrypt=decrypt,
                iv=_hex(record, "iv"),
                aad=_hex(record, "aad"),
                tag=_hex(record, "tag"),
                name=path.name,
            )


def ccm_cases() -> Iterator[Case]:
    for path in sorted((AES / "CCM").glob("*.rsp")):
        for record in records(path):
            plain_bytes, tag_bytes = int(record["plen"]), int(record["tlen"])
            # A length of 0 is written as one zero byte.
            plain = _hex(record, "payload", plain_bytes)
            sealed = _hex(record, "ct")
            cipher, tag = sealed[:plain_bytes], sealed[plain_bytes:]
            assert len(tag) == tag_bytes, path.name
            decrypt = "result" in record
            expected = plain if decrypt else cipher
            yield Case(
                Opcode.AES_CCM,
                _hex(record, "key"),
                cipher if decrypt else plain,
                None if record.get("result", "Pass") == "Fail" else expected,
                decrypt=decrypt,
                iv=_hex(record, "nonce", int(record["nlen"])),
                aad=_hex(record, "adata", int(record["alen"])),
                tag=tag,
                name=path.name,
            )


def xts_cases() -> Iterator[Case]:
    """Data units of whole bytes: those of 130, 140 or 250 bits are left out, as in every byte-oriented XTS."""
    for path in sorted((AES / "XTS").glob("*/*.rsp")):
        for record in records(path):
            if int(record["dataunitlen"]) % 8:
                continue
            unit = _hex(record, "i") if "i" in record else int(record["dataunitseqnumber"]).to_bytes(16, "little")
            key, plain, cipher = _hex(record, "key"), _hex(record, "pt"), _hex(record, "ct")
            decrypt = record["section"] == "decrypt"
            half = len(key) // 2
            yield Case(
                Opcode.AES_XTS,
                key[:half],
                cipher if decrypt else plain,
                plain if decrypt else cipher,
                decrypt=decrypt,
                iv=unit,
                tweak_key=key[half:],
                name=f"{path.parent.name}/{path.name}",
            )


def cmac_cases() -> Iterator[Case]:
    """Each computed and verified."""
    for path in sorted((ROOT / "CMAC").glob("*aes*.txt")):
        for record in records(path):
            for decrypt in (False, True):
                yield Case(
                    Opcode.AES_CMAC,
                    _hex(record, "key"),
                    _hex(record, "message"),
                    b"",
                    decrypt=decrypt,
                    tag=_hex(record, "output"),
                    name=path.name,
                )


SETS = {
    "ecb": lambda: block_cases(Opcode.AES_ECB, "ECB"),
    "cbc": lambda: block_cases(Opcode.AES_CBC, "CBC"),
    "ctr": lambda: block_cases(Opcode.AES_CTR, "CTR"),
    "gcm": gcm_cases,
    "ccm": ccm_cases,
    "xts": xts_cases,
    "cmac": cmac_cases,
}
# How many vectors the pinned package holds: a set that shrinks must be noticed.
COUNTS = {"ecb": 2138, "cbc": 2138, "ctr": 9, "gcm": 47250, "ccm": 2880, "xts": 2800, "cmac": 24}
