# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ow_seal_core against the model: random states of every length, with and without pauses, wrong bits, aborted work."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import models
import pytest
from benches import program

model = models.load("seal")

SEED = 20


@dataclass
class Work:
    """One state: what goes in, and what shall come out."""

    key: bytes
    nonce: bytes
    bound: bytes
    state: bytes
    is_open: bool
    is_good: bool = True
    stop: int = -1

    def play(self) -> tuple[str, str]:
        """The bench's line, and its answer without the cycles."""
        ciphertext, tag = model.encrypt(self.key, self.nonce, self.bound, self.state)
        given = tag if self.is_good else bytes([tag[0] ^ 1, *tag[1:]])
        words = self.nonce + given + ciphertext if self.is_open else self.state
        line = f"{self.is_open:d} {self.stop} {self.key.hex()} {self.nonce.hex()} {self.bound.hex()} {len(words) // 16} {_split(words)}"
        results = self.state if self.is_open else ciphertext
        wanted = (
            f"{self.is_good:d} {given.hex()} {_split(results)}" if self.is_open else f"{tag.hex()} {_split(results)}"
        )
        return line, "stopped" if self.stop >= 0 else wanted


def _split(data: bytes) -> str:
    return " ".join(data[i : i + 16].hex() for i in range(0, len(data), 16))


def _works(count: int) -> list[Work]:
    source = random.Random(SEED)
    works = []
    for n in range(count):
        is_open = source.random() < 0.5
        works.append(
            Work(
                *(source.randbytes(k) for k in (16, 16, 8)),
                source.randbytes(16 * (1 + n % 14)),
                is_open,
                is_good=not is_open or source.random() < 0.7,
                stop=source.randrange(1, 15) if source.random() < 0.1 else -1,
            )
        )
    return works


@pytest.mark.parametrize(
    ("bench", "rounds"), [("Rounds1", 1), ("Rounds2", 2), ("Rounds4", 4), pytest.param("Gates1", 1, id="gates")]
)
@pytest.mark.parametrize("percent", [100, 40])
def test_against_the_model(bench: str, rounds: int, percent: int, tmp_path: Path) -> None:
    works = _works(400)
    played = [work.play() for work in works]
    path = tmp_path / "list"
    path.write_text("".join(line + "\n" for line, _ in played))
    run = subprocess.run(
        [program(f"seal_core_bench_{bench}"), path, str(SEED), str(percent)],
        check=True,
        capture_output=True,
        text=True,
    )
    answers = run.stdout.splitlines()
    assert len(answers) == len(works)
    for work, (_, wanted), answer in zip(works, played, answers, strict=True):
        if work.stop >= 0:
            assert answer == wanted
            continue
        cycles, good, rest = answer.split(" ", 2)
        assert (f"{good} {rest}" if work.is_open else rest) == wanted
        if percent == 100:
            words = len(work.state) // 16
            assert int(cycles) == 4 + work.is_open + 32 // rounds + words * (1 + 8 // rounds)
