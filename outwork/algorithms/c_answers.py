# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The known answers of the self-test as C, for programs that run beside the device (platform/selftest)."""

from outwork.algorithms.cipher import Cipher
from outwork.algorithms.combined import Combined
from outwork.algorithms.digest import Mac
from outwork.algorithms.family import KnownAnswer


def _literal(data: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in data)


def _row(answer: KnownAnswer) -> str:
    """Returns an initialiser of struct known_answer (platform/selftest/selftest.h)."""
    algorithm = answer.algorithm
    cipher = algorithm if isinstance(algorithm, Cipher) else None
    fields: dict[str, str | int] = {
        "name": f'"{algorithm.name}"',
        "opcode": int(algorithm.opcode),
        "keys": cipher.key_count if cipher else 0,
        "is_aead": int(cipher is not None and cipher.is_aead),
        "is_tag": int(cipher is not None and cipher.is_mac),
        "tag_len": answer.tag_bytes,
        "mac_key_len": cipher.mac_key_bytes if isinstance(cipher, Combined) else 0,
    }
    for name in ("key", "iv", "aad", "message", "result"):
        data: bytes = getattr(answer, name)
        fields |= {name: f'(const uint8_t *)"{_literal(data)}"', f"{name}_len": len(data)}
    return "    {" + ", ".join(f".{name} = {value}" for name, value in fields.items()) + "},\n"


def answers() -> list[KnownAnswer]:
    """Returns those of ciphers and hashes. The loop of platform/selftest has no HMAC and no KMAC."""
    from outwork.algorithms import KNOWN_ANSWERS

    return [answer for answer in KNOWN_ANSWERS if not isinstance(answer.algorithm, Mac)]


def initialisers() -> str:
    """Returns the elements of an array of struct known_answer."""
    return "".join(map(_row, answers()))
