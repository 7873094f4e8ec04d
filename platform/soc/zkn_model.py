# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model of zkn.sv: the instructions of Zkn for RV32, in the words of the RISC-V cryptography extensions.

Volume I (Scalar and Entropy Source Instructions), version 1.0.1. `ENCODINGS` has the bits of each instruction; run as a
program, it prints them as masks for the decoder of a CPU. Slow and plain on purpose.
"""

from __future__ import annotations

from collections.abc import Callable

from aes_primitives import INV_SBOX, SBOX, gf_times

WORD = 0xFFFFFFFF
OP, OP_IMM = "0110011", "0010011"


def _encode(bits: str, opcode: str) -> str:
    """Returns the 32 bits of an instruction, from the left, from its funct7 (or more) and funct3; a dash is any bit."""
    high, funct3 = bits.split()
    return f"{high:-<12}-----{funct3}-----{opcode}"


# Sections 3 and 2.11 to 2.15 of the specification. The first two bits of AES are bs, the byte.
ENCODINGS = {
    "aes32esi": _encode("--10001 000", OP),
    "aes32esmi": _encode("--10011 000", OP),
    "aes32dsi": _encode("--10101 000", OP),
    "aes32dsmi": _encode("--10111 000", OP),
    "sha256sum0": _encode("000100000000 001", OP_IMM),
    "sha256sum1": _encode("000100000001 001", OP_IMM),
    "sha256sig0": _encode("000100000010 001", OP_IMM),
    "sha256sig1": _encode("000100000011 001", OP_IMM),
    "sha512sum0r": _encode("0101000 000", OP),
    "sha512sum1r": _encode("0101001 000", OP),
    "sha512sig0l": _encode("0101010 000", OP),
    "sha512sig1l": _encode("0101011 000", OP),
    "sha512sig0h": _encode("0101110 000", OP),
    "sha512sig1h": _encode("0101111 000", OP),
    "ror": _encode("0110000 101", OP),
    "rol": _encode("0110000 001", OP),
    "rori": _encode("0110000 101", OP_IMM),
    "andn": _encode("0100000 111", OP),
    "orn": _encode("0100000 110", OP),
    "xnor": _encode("0100000 100", OP),
    "pack": _encode("0000100 100", OP),
    "packh": _encode("0000100 111", OP),
    "brev8": _encode("011010000111 101", OP_IMM),
    "rev8": _encode("011010011000 101", OP_IMM),
    "zip": _encode("000010001111 001", OP_IMM),
    "unzip": _encode("000010001111 101", OP_IMM),
    "clmul": _encode("0000101 001", OP),
    "clmulh": _encode("0000101 011", OP),
    "xperm4": _encode("0010100 010", OP),
    "xperm8": _encode("0010100 100", OP),
}


def function_id(word: int) -> int:
    """Returns what the port carries of an instruction: its bits 31 to 20, 14 to 12, and 5."""
    return word >> 20 << 4 | (word >> 12 & 7) << 1 | word >> 5 & 1


def name_of(word: int) -> str:
    """Returns the mnemonic of an instruction word. Raises LookupError for an instruction that the unit does not have."""
    text = f"{word:032b}"
    for name, bits in ENCODINGS.items():
        if all(wanted in ("-", bit) for wanted, bit in zip(bits, text, strict=True)):
            return name
    raise LookupError(f"{word:08x} is no instruction of Zkn")


def ror32(x: int, n: int) -> int:
    return (x >> n % 32 | x << -n % 32) & WORD


def _bytes(x: int) -> list[int]:
    return list(x.to_bytes(4, "little"))


def _word(values: list[int]) -> int:
    return int.from_bytes(bytes(values), "little")


def _aes(a: int, b: int, bs: int, table: bytes, mix: tuple[int, ...]) -> int:
    """A byte of rs2 through the S-box and a column of the matrix, turned to its place and added to rs1."""
    so = table[b >> 8 * bs & 0xFF]
    return a ^ ror32(_word([gf_times(so, factor) for factor in mix]), -8 * bs)


def _clmul(a: int, b: int) -> int:
    product = 0
    for i in range(32):
        product ^= (a << i) * (b >> i & 1)
    return product


def _zip(a: int) -> int:
    return sum((a >> i & 1) << 2 * i | (a >> i + 16 & 1) << 2 * i + 1 for i in range(16))


def _unzip(a: int) -> int:
    return sum((a >> 2 * i & 1) << i | (a >> 2 * i + 1 & 1) << i + 16 for i in range(16))


def _xperm(a: int, b: int, width: int) -> int:
    """Each part of rs2 chooses a part of rs1; one that is too high gives zero."""
    mask = (1 << width) - 1
    return sum(((a >> (b >> i & mask) * width) & mask) << i for i in range(0, 32, width))


Operation = Callable[[int, int, int], int]  # rs1, rs2, bits 31 to 20 of the instruction
OPERATIONS: dict[str, Operation] = {
    "aes32esi": lambda a, b, n: _aes(a, b, n >> 10, SBOX, (1, 0, 0, 0)),
    "aes32esmi": lambda a, b, n: _aes(a, b, n >> 10, SBOX, (2, 1, 1, 3)),
    "aes32dsi": lambda a, b, n: _aes(a, b, n >> 10, INV_SBOX, (1, 0, 0, 0)),
    "aes32dsmi": lambda a, b, n: _aes(a, b, n >> 10, INV_SBOX, (14, 9, 13, 11)),
    "sha256sum0": lambda a, _b, _n: ror32(a, 2) ^ ror32(a, 13) ^ ror32(a, 22),
    "sha256sum1": lambda a, _b, _n: ror32(a, 6) ^ ror32(a, 11) ^ ror32(a, 25),
    "sha256sig0": lambda a, _b, _n: ror32(a, 7) ^ ror32(a, 18) ^ a >> 3,
    "sha256sig1": lambda a, _b, _n: ror32(a, 17) ^ ror32(a, 19) ^ a >> 10,
    "sha512sum0r": lambda a, b, _n: a << 25 ^ a << 30 ^ a >> 28 ^ b >> 7 ^ b >> 2 ^ b << 4,
    "sha512sum1r": lambda a, b, _n: a << 23 ^ a >> 14 ^ a >> 18 ^ b >> 9 ^ b << 18 ^ b << 14,
    "sha512sig0l": lambda a, b, _n: a >> 1 ^ a >> 7 ^ a >> 8 ^ b << 31 ^ b << 25 ^ b << 24,
    "sha512sig1l": lambda a, b, _n: a << 3 ^ a >> 6 ^ a >> 19 ^ b >> 29 ^ b << 26 ^ b << 13,
    "sha512sig0h": lambda a, b, _n: a >> 1 ^ a >> 7 ^ a >> 8 ^ b << 31 ^ b << 24,
    "sha512sig1h": lambda a, b, _n: a << 3 ^ a >> 6 ^ a >> 19 ^ b >> 29 ^ b << 13,
    "ror": lambda a, b, _n: ror32(a, b),
    "rol": lambda a, b, _n: ror32(a, -b),
    "rori": lambda a, _b, n: ror32(a, n & 31),
    "andn": lambda a, b, _n: a & ~b,
    "orn": lambda a, b, _n: a | ~b,
    "xnor": lambda a, b, _n: ~(a ^ b),
    "pack": lambda a, b, _n: b << 16 | a & 0xFFFF,
    "packh": lambda a, b, _n: (b & 0xFF) << 8 | a & 0xFF,
    "brev8": lambda a, _b, _n: _word([int(f"{byte:08b}"[::-1], 2) for byte in _bytes(a)]),
    "rev8": lambda a, _b, _n: _word(_bytes(a)[::-1]),
    "zip": lambda a, _b, _n: _zip(a),
    "unzip": lambda a, _b, _n: _unzip(a),
    "clmul": lambda a, b, _n: _clmul(a, b),
    "clmulh": lambda a, b, _n: _clmul(a, b) >> 32,
    "xperm4": lambda a, b, _n: _xperm(a, b, 4),
    "xperm8": lambda a, b, _n: _xperm(a, b, 8),
}


def execute(word: int, rs1: int, rs2: int) -> int:
    """Returns what an instruction writes to rd."""
    return OPERATIONS[name_of(word)](rs1, rs2, word >> 20) & WORD


if __name__ == "__main__":
    for mnemonic, bits in ENCODINGS.items():
        print(bits, mnemonic)
