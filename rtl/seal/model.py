# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model of sealed states as ow_seal.sv writes them: Ascon-AEAD128 (NIST SP 800-232)."""

from __future__ import annotations

from outwork.algorithms.ascon_reference import decrypt, encrypt

__all__ = ["associated", "decrypt", "encrypt", "seal"]


def associated(opcode: int, slot: int, queue: int, words: int, generation: int) -> bytes:
    """Returns the associated data of a sealed state: what it is bound to. `words`: of the state, unsealed."""
    return bytes([opcode, slot, queue, words]) + generation.to_bytes(4, "little")


def seal(key: bytes, count: int, queue: int, aad: bytes, state: bytes) -> bytes:
    """Returns a sealed state as it stands in memory. `count`: earlier states sealed for the queue since reset."""
    nonce = count.to_bytes(8, "little") + queue.to_bytes(8, "little")
    ciphertext, tag = encrypt(key, nonce, aad, state)
    return nonce + tag + ciphertext
