# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The random numbers that the device makes of Ascon-XOF128 (NIST SP 800-232): the model of pka_nonce.sv."""

from __future__ import annotations

from outwork.algorithms import ascon_reference

RATE = ascon_reference.HASH_RATE


def absorb(message: bytes) -> list[int]:
    """5.2: the state whose first word is the first 8 bytes of output."""
    return ascon_reference.absorb(
        ascon_reference.initial(ascon_reference.IV_XOF128), ascon_reference.pad(message, RATE)
    )


def made(nonce_key: bytes, count: int, read: bytes, length: int, top: int = 0) -> bytes:
    """The numbers that the device puts behind the bytes that a job with a key in a slot reads.

    `count` are the jobs since reset that such numbers were made for. `top`: the first number is a nonce, and blocks
    whose first `top` bytes are all ones are left out in front of it. An order starts with more than 64 ones (P-384,
    secp256k1: `top` is 8), or with 32 ones and 32 zeros (P-256: 4), so what is left is below it.
    """
    s = absorb(nonce_key + count.to_bytes(8, "little") + read)
    while top and s[0].to_bytes(RATE, "little")[:top] == b"\xff" * top:
        s = ascon_reference.permute(s, 12)
    return ascon_reference.squeeze(s, length)
