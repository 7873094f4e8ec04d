# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Reads Ascon's known answers (tests/vectors/ascon): records of names and bytes."""

import lzma
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "vectors/ascon"
NAMES = {
    "aead128": "LWC_AEAD_KAT_128_128",
    "hash256": "LWC_HASH_KAT_128_256",
    "xof128": "LWC_XOF_KAT_128_512",
    "cxof128": "LWC_CXOF_KAT_128_512",
}


@cache
def records(name: str) -> tuple[dict[str, bytes], ...]:
    """Returns the records of a file; `CT` is ciphertext and tag."""
    text = lzma.decompress((ROOT / f"{NAMES[name]}.txt.xz").read_bytes()).decode("ascii")
    found = []
    for stanza in text.split("\n\n"):
        fields = dict(line.split(" =") for line in stanza.strip().splitlines())
        if fields.pop("Count", None):
            found.append({key: bytes.fromhex(value) for key, value in fields.items()})
    return tuple(found)
