# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Ascon-AEAD128 in the words of NIST SP 800-232, and a sealed state as ow_seal.sv writes it."""

from __future__ import annotations

IV = 0x00001000808C0001  # 4.1.1, table 12
MASK = (1 << 64) - 1
RATE = 16  # bytes of a block
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))  # 3.4


def _rotate(word: int, by: int) -> int:
    return (word >> by | word << 64 - by) & MASK


def round_(s: list[int], constant: int) -> list[int]:
    """3.2 to 3.4: constant addition, substitution, linear diffusion."""
    s = [s[0] ^ s[4], s[1], s[2] ^ s[1] ^ constant, s[3], s[4] ^ s[3]]
    t = [s[i] ^ (~s[(i + 1) % 5] & s[(i + 2) % 5] & MASK) for i in range(5)]
    s = [t[0] ^ t[4], t[1] ^ t[0], t[2] ^ MASK, t[3] ^ t[2], t[4]]
    return [word ^ _rotate(word, a) ^ _rotate(word, b) for word, (a, b) in zip(s, ROTATIONS, strict=True)]


def permute(s: list[int], rounds: int) -> list[int]:
    """Ascon-p[rounds]: the last constants of the twelve (3.2, table 5)."""
    for i in range(12 - rounds, 12):
        s = round_(s, 0xF0 - 0x0F * i)
    return s


def _words(block: bytes) -> tuple[int, int]:
    return int.from_bytes(block[:8], "little"), int.from_bytes(block[8:], "little")


def _blocks(data: bytes) -> list[bytes]:
    """Appendix A.2: the bit 1 and zeros behind the data, so that the last block is never whole data."""
    data += b"\1" + bytes(-(len(data) + 1) % RATE)
    return [data[i : i + RATE] for i in range(0, len(data), RATE)]


def _initial(key: bytes, nonce: bytes, aad: bytes) -> list[int]:
    """4.1.1 steps 1 and 2: initialization and associated data."""
    k = _words(key)
    s = permute([IV, *k, *_words(nonce)], 12)
    s = [*s[:3], s[3] ^ k[0], s[4] ^ k[1]]
    for block in _blocks(aad) if aad else []:
        a = _words(block)
        s = permute([s[0] ^ a[0], s[1] ^ a[1], *s[2:]], 8)
    return [*s[:4], s[4] ^ 1 << 63]


def _tag(key: bytes, s: list[int]) -> bytes:
    """4.1.1 step 4: finalization."""
    k = _words(key)
    s = permute([s[0], s[1], s[2] ^ k[0], s[3] ^ k[1], s[4]], 12)
    return (s[3] ^ k[0]).to_bytes(8, "little") + (s[4] ^ k[1]).to_bytes(8, "little")


def _text(s: list[int], text: bytes, decrypt: bool) -> tuple[list[int], bytes]:
    """Step 3 of 4.1.1 and 4.1.2: plaintext, ciphertext."""
    out = b""
    for i in range(0, len(text) + 1, RATE):
        block = text[i : i + RATE]
        mixed = bytes(
            a ^ b for a, b in zip(block, s[0].to_bytes(8, "little") + s[1].to_bytes(8, "little"), strict=False)
        )
        out += mixed
        p = _words(_blocks(mixed if decrypt else block)[0])
        s = [s[0] ^ p[0], s[1] ^ p[1], *s[2:]]
        if len(block) == RATE:
            s = permute(s, 8)
    return s, out


def encrypt(key: bytes, nonce: bytes, aad: bytes, plaintext: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and tag."""
    s, ciphertext = _text(_initial(key, nonce, aad), plaintext, False)
    return ciphertext, _tag(key, s)


def decrypt(key: bytes, nonce: bytes, aad: bytes, ciphertext: bytes, tag: bytes) -> bytes | None:
    """The plaintext, or nothing."""
    s, plaintext = _text(_initial(key, nonce, aad), ciphertext, True)
    return plaintext if _tag(key, s) == tag else None


def associated(opcode: int, slot: int, queue: int, words: int, generation: int) -> bytes:
    """What a sealed state is bound to."""
    return bytes([opcode, slot, queue, words]) + generation.to_bytes(4, "little")


def seal(key: bytes, count: int, queue: int, aad: bytes, state: bytes) -> bytes:
    """A state as it stands in memory; `count` are the states that the queue has had sealed since reset."""
    nonce = count.to_bytes(8, "little") + queue.to_bytes(8, "little")
    ciphertext, tag = encrypt(key, nonce, aad, state)
    return nonce + tag + ciphertext
