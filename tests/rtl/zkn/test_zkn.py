# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The model of the scalar crypto instructions against QEMU's answers, and zkn.sv against the model."""

from __future__ import annotations

import itertools
import random
import subprocess
from pathlib import Path

import pytest
import zkn_model as model
from benches import program

SEED = 41
CORNERS = (0, 1, 0x80000000, 0xFFFFFFFF, 0x01234567, 0x80FF7F00)
RANDOM = {"fast": 200, "slow": 5_000}  # pairs of operands for each instruction
Instruction = tuple[int, int, int]  # word, rs1, rs2


def _known() -> list[tuple[str, Instruction, int]]:
    lines = (Path(__file__).parent / "known_answers.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines]
    return [(name, (int(word, 16), int(a, 16), int(b, 16)), int(rd, 16)) for name, word, a, b, rd in rows]


def _words(source: random.Random) -> list[int]:
    """Returns each instruction once, with random bits where the encoding leaves them open."""
    return [
        int("".join(source.choice("01") if bit == "-" else bit for bit in bits), 2) for bits in model.ENCODINGS.values()
    ]


def _play(instructions: list[Instruction], percent: int, folder: Path) -> tuple[int, list[int]]:
    """Returns the cycles and the results of the RTL."""
    path = folder / "list"
    path.write_text("".join(f"{model.function_id(word):x} {a:x} {b:x}\n" for word, a, b in instructions))
    run = subprocess.run(
        [program("zkn_bench"), path, str(SEED), str(percent)], check=True, capture_output=True, text=True
    )
    cycles, *results = run.stdout.split()
    return int(cycles), [int(result, 16) for result in results]


def test_known_answers() -> None:
    known = _known()
    assert {name for name, _, _ in known} == set(model.ENCODINGS)
    for name, instruction, rd in known:
        assert model.name_of(instruction[0]) == name
        assert model.execute(*instruction) == rd, (name, instruction)


def test_unknown_instruction() -> None:
    with pytest.raises(LookupError, match="00000033"):
        model.name_of(0x33)


@pytest.mark.parametrize("percent", [100, 60])
@pytest.mark.parametrize("size", ["fast", pytest.param("slow", marks=pytest.mark.slow)])
def test_against_the_model(size: str, percent: int, tmp_path: Path) -> None:
    source = random.Random(SEED)
    instructions = [instruction for _, instruction, _ in _known()]
    for a, b in itertools.product(CORNERS, repeat=2):
        instructions += [(word, a, b) for word in _words(source)]
    for _ in range(RANDOM[size]):
        words = [(word, source.getrandbits(32), source.getrandbits(32)) for word in _words(source)]
        # A random word of xperm8 chooses no byte: every index is below 8 here.
        instructions += [(word, a, b & 0x07070707) for word, a, b in words if model.name_of(word) == "xperm8"]
        instructions += words
    source.shuffle(instructions)
    cycles, results = _play(instructions, percent, tmp_path)
    for instruction, result in zip(instructions, results, strict=True):
        assert result == model.execute(*instruction), (model.name_of(instruction[0]), instruction)
    if percent == 100:
        assert cycles == len(instructions) + 1


def test_every_byte_through_the_s_box(tmp_path: Path) -> None:
    instructions = [
        (int(bits.replace("-", "0"), 2) | byte << 30, 0, value << 8 * byte)
        for name, bits in model.ENCODINGS.items()
        if name.startswith("aes32")
        for byte in range(4)
        for value in range(256)
    ]
    _, results = _play(instructions, 100, tmp_path)
    assert results == [model.execute(*instruction) for instruction in instructions]
