# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Wycheproof's AES vectors as cases: those that the device must run, and those that must be refused."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cases import Case
from reference import TAG_LENGTHS

from outwork.spec import Opcode

FOLDER = Path(__file__).parent.parent / "vectors" / "wycheproof"
OPCODES = {
    "gcm": Opcode.AES_GCM,
    "gmac": Opcode.AES_GMAC,
    "ccm": Opcode.AES_CCM,
    "cmac": Opcode.AES_CMAC,
    "xts": Opcode.AES_XTS,
}
PADDING = 16


def tests(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    document = json.loads((FOLDER / f"aes_{name}_test.json").read_text(encoding="utf-8"))
    for group in document["testGroups"]:
        for test in group["tests"]:
            yield group, test


def _hex(test: dict[str, Any], name: str) -> bytes:
    return bytes.fromhex(test.get(name, ""))


def is_allowed(case: Case) -> bool:
    """Whether the standards know such lengths; others must be refused."""
    if case.opcode in (Opcode.AES_GCM, Opcode.AES_GMAC) and not case.iv:
        return False
    if case.opcode is Opcode.AES_CCM and not 7 <= len(case.iv) <= 13:
        return False
    if case.opcode in TAG_LENGTHS and len(case.tag) not in TAG_LENGTHS[case.opcode]:
        return False
    # IEEE 1619 has no XTS with 192-bit keys.
    return len(case.key) in ((16, 32) if case.opcode is Opcode.AES_XTS else (16, 24, 32))


def cases(name: str) -> Iterator[Case]:
    """Valid ones forward and back, the others back only. Every other tag of an AEAD lies in memory."""
    opcode = OPCODES[name]
    for number, (_, test) in enumerate(tests(name)):
        is_valid = test["result"] == "valid"
        key, tweak_key = _hex(test, "key"), None
        iv = _hex(test, "iv")
        if opcode is Opcode.AES_XTS:
            half = len(key) // 2
            key, tweak_key = key[:half], key[half:]
            iv = iv.ljust(16, b"\0")  # little-endian
        message, text = _hex(test, "msg"), _hex(test, "ct")
        is_mac = opcode in (Opcode.AES_GMAC, Opcode.AES_CMAC)
        for decrypt in (False, True):
            if not (is_valid or decrypt):
                continue
            source = text if decrypt and not is_mac else message
            good = b"" if is_mac else message if decrypt else text
            yield Case(
                opcode,
                key,
                source,
                good if is_valid else None,
                decrypt=decrypt,
                iv=iv,
                aad=_hex(test, "aad"),
                tag=_hex(test, "tag"),
                tweak_key=tweak_key,
                tag_in_memory=number % 2 == 1 and opcode in (Opcode.AES_GCM, Opcode.AES_CCM),
                name=f"wycheproof {name} {test['tcId']}",
            )


def pad(data: bytes) -> bytes:
    """PKCS#7."""
    count = PADDING - len(data) % PADDING
    return data + bytes((count,)) * count
