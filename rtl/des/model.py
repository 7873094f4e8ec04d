# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The DES engine's golden model, in the words of FIPS 46-3 and SP 800-67 (the TDEA), with the modes of SP 800-38A.

Bits are numbered from the left, as in the standard: bit 1 of a block is the highest of its first byte. The key's parity
bits are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from common.plan import KeyInfo, Plan

# ---- FIPS 46-3: the tables of the enciphering computation and of the key schedule

IP = (
    *(58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4),
    *(62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8),
    *(57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3),
    *(61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7),
)
FP = tuple(IP.index(i) + 1 for i in range(1, 65))
E = tuple((4 * (i // 6) + i % 6 - 1) % 32 + 1 for i in range(48))
P = (
    *(16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10),
    *(2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25),
)
# Primitive functions S_1 .. S_8: four rows of sixteen columns, a hexadecimal digit each.
S = tuple(
    tuple(int(digit, 16) for digit in rows)
    for rows in (
        "e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d",
        "f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9",
        "a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c",
        "7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e",
        "2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453",
        "c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d",
        "4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c",
        "d2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b",
    )
)
PC1 = (
    *(57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18),
    *(10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36),
    *(63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22),
    *(14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4),
)
PC2 = (
    *(14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2),
    *(41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32),
)
SHIFTS = (1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1)


class Permutation:
    """Bit i of the result is bit table[i] of the `width` bits of x. Looked up byte by byte: tests take it millions of times."""

    def __init__(self, width: int, table: tuple[int, ...]) -> None:
        self.parts = []
        for low in range(0, width, 8):
            bits = [(1 << len(table) - 1 - place, width - i - low) for place, i in enumerate(table)]
            mine = [(bit, at) for bit, at in bits if 0 <= at < 8]
            self.parts.append((low, [sum(bit for bit, at in mine if byte >> at & 1) for byte in range(256)]))

    def __call__(self, x: int) -> int:
        result = 0
        for low, values in self.parts:
            result |= values[x >> low & 255]
        return result


initial, final = Permutation(64, IP), Permutation(64, FP)
expand, spread = Permutation(32, E), Permutation(32, P)
choose1, choose2 = Permutation(64, PC1), Permutation(56, PC2)


@lru_cache(maxsize=4096)
def key_schedule(key: int) -> tuple[int, ...]:
    """Function KS: K_1 .. K_16."""
    cd = choose1(key)
    c, d = cd >> 28, cd & 0xFFFFFFF
    keys = []
    for shift in SHIFTS:
        c, d = ((half << shift | half >> 28 - shift) & 0xFFFFFFF for half in (c, d))
        keys.append(choose2(c << 28 | d))
    return tuple(keys)


def _row_and_column(b: int) -> int:
    """The place in a primitive function's table: row b_1 b_6, column b_2 .. b_5."""
    return 16 * (b >> 4 & 2 | b & 1) + (b >> 1 & 15)


# What six bits add to the cipher function's result: S_1 .. S_8, then P.
SP = [(42 - 6 * i, [spread(box[_row_and_column(b)] << 28 - 4 * i) for b in range(64)]) for i, box in enumerate(S)]


def f(r: int, k: int) -> int:
    """The cipher function."""
    x = expand(r) ^ k
    result = 0
    for low, values in SP:
        result |= values[x >> low & 63]
    return result


@lru_cache(maxsize=1 << 16)
def des(key: int, block: int, decrypt: bool) -> int:
    """One block. The last results are kept: tests play the same jobs in several orders."""
    keys = key_schedule(key)
    lr = initial(block)
    left, right = lr >> 32, lr & 0xFFFFFFFF
    for k in reversed(keys) if decrypt else keys:
        left, right = right, left ^ f(right, k)
    return final(right << 32 | left)


def cipher(key: bytes, block: bytes, decrypt: bool = False) -> bytes:
    """DES with 8 bytes of key; TDEA (SP 800-67 3.1) with 16, where K_3 = K_1, or 24."""
    k = [int.from_bytes(key[i : i + 8], "big") for i in range(0, len(key), 8)]
    x = int.from_bytes(block, "big")
    if len(k) == 1:
        return des(k[0], x, decrypt).to_bytes(8, "big")
    k1, k2, k3 = (*k, k[0])[:3]
    for i, one in enumerate((k3, k2, k1) if decrypt else (k1, k2, k3)):
        x = des(one, x, decrypt ^ (i == 1))
    return x.to_bytes(8, "big")


# ---- Jobs

DES_ECB, DES_CBC, TDES_ECB, TDES_CBC = range(0x50, 0x54)
OPCODES = (DES_ECB, DES_CBC, TDES_ECB, TDES_CBC)
OK, AUTH_FAILED, BAD_OPCODE, BAD_FLAGS, BAD_LENGTH, BAD_TAG_LENGTH, BAD_IV, BAD_KEY, KEY_DENIED = range(9)


def key_bytes(opcode: int) -> int:
    """TDES takes three keys; with two of them software repeats the first."""
    return 24 if opcode in (TDES_ECB, TDES_CBC) else 8


@dataclass
class Job:
    """A descriptor without addresses, and what stands in memory."""

    opcode: int
    key: bytes
    slot: int | None = None  # None: inline
    decrypt: bool = False
    iv: bytes = bytes(8)
    payload: bytes = b""
    # For refusals: what the descriptor claims, where it differs from the data above.
    length: int | None = None
    aad_length: int = 0
    key_field: int = 0
    flags: dict[str, bool] = field(default_factory=dict)

    @property
    def payload_length(self) -> int:
        return len(self.payload) if self.length is None else self.length


def refuse(job: Job, info: KeyInfo) -> int:
    """The first reason against it, or OK."""
    if job.opcode not in OPCODES:
        return BAD_OPCODE
    if any(job.flags.values()):
        return BAD_FLAGS
    if job.aad_length or job.payload_length % 8:
        return BAD_LENGTH
    if job.slot is None:
        return BAD_KEY if job.key_field else OK
    if not info.valid or info.kind != job.opcode:
        return BAD_KEY
    return OK if (info.decrypt if job.decrypt else info.encrypt) else KEY_DENIED


def plan(job: Job, info: KeyInfo) -> Plan:
    status = refuse(job, info)
    if status:
        return Plan(status)
    return Plan(
        status=OK,
        uses_key=int(job.slot is not None),
        key_words=0 if job.slot is not None else -(-key_bytes(job.opcode) // 16),
        payload_bytes=job.payload_length,
        out_bytes=job.payload_length,
    )


@dataclass
class Result:
    status: int
    payload: bytes
    tag: bytes  # of the completion record: CBC's next IV


def run(job: Job) -> Result:
    """SP 800-38A 6.1 and 6.2"""
    out, chain = b"", job.iv
    cbc = job.opcode in (DES_CBC, TDES_CBC)
    for i in range(0, len(job.payload), 8):
        block = job.payload[i : i + 8]
        if not cbc:
            out += cipher(job.key, block, job.decrypt)
        elif job.decrypt:
            out += _xor(cipher(job.key, block, True), chain)
            chain = block
        else:
            chain = cipher(job.key, _xor(block, chain))
            out += chain
    return Result(OK, out, (chain if cbc else b"").ljust(16, b"\0"))


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def words(job: Job) -> list[bytes]:
    """The engine's input, section after section (ow_engine_pkg.sv)."""
    # The context is read in whole words: what follows the key there does not matter.
    data = job.key.ljust(-(-len(job.key) // 16) * 16, b"\xa5") if job.slot is None else b""
    data += job.payload.ljust(-(-len(job.payload) // 16) * 16, b"\0")
    return [data[i : i + 16] for i in range(0, len(data), 16)]
