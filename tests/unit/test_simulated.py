# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The note that a board is simulated: once, when the work takes more than two seconds, with what would be faster."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from outwork import algorithms, simulated
from outwork.cli import registry
from outwork.files import encryption
from outwork.lab import openssl_speed as measuring
from outwork.simulated import SlowNote

MEGA = 1_000_000


def play(total: int | None, steps: Iterator[tuple[float, int]]) -> list[str]:
    """What is said in steps of (seconds, bytes)."""
    now, said = [0.0], []
    slow = SlowNote(total, lambda length: f"{length} bytes", lambda: now[0], said.append)
    for seconds, length in steps:
        now[0] += seconds
        slow.step(length)
    return said


def test_slow_work_is_told_early_and_once() -> None:
    said = play(80 * MEGA, iter([(0.1, 1 * MEGA), (0.3, 2 * MEGA), (0.5, 4 * MEGA), (5.0, 40 * MEGA)]))
    assert said == ["simulated: about 8 MB/s, 11 s in all; 80000000 bytes."]


def test_quick_work_is_not_told() -> None:
    assert play(10 * MEGA, iter([(0.3, 3 * MEGA), (0.7, 7 * MEGA)])) == []


def test_work_of_unknown_length_is_told_after_two_seconds() -> None:
    assert play(None, iter([(1.0, 8 * MEGA), (0.9, 7 * MEGA)])) == []
    said = play(None, iter([(1.0, 8 * MEGA), (1.1, 8 * MEGA), (1.0, 8 * MEGA)]))
    assert said == ["simulated: about 8 MB/s; 16000000 bytes."]


@pytest.mark.parametrize("name", algorithms.FILE_CIPHERS)
def test_software_is_measured_for_every_cipher(name: str) -> None:
    cipher = algorithms.find_cipher(name)
    text = encryption._faster(cipher, 1 << 20)
    assert text.startswith("`--engine software` does this in ") if cipher.has_software else text == ""


@pytest.mark.parametrize(
    "words",
    [
        "bench --size 16384 --operation encrypt --rounds 1",
        "lab run PLAN --output -",
        "crypt --cipher aes-128-ecb --key 000102030405060708090a0b0c0d0e0f",
        "openssl speed aes-128-ctr --size 1024",
    ],
)
def test_commands_that_wait_for_the_device_say_so_at_a_terminal(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    plan, message = tmp_path / "mine.toml", tmp_path / "message"
    plan.write_text('[[sweep]]\nalgorithms = ["aes-128-ctr"]\nsizes_bytes = [16384]\nengines = ["accelerator"]\n')
    message.write_bytes(bytes(1 << 18))
    monkeypatch.setattr(simulated, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(measuring, "measure", lambda *_: time.sleep(0.1) or [])
    monkeypatch.setattr(measuring, "show", lambda *_: None)
    command, *arguments = words.replace("PLAN", str(plan)).split()
    with message.open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        for is_terminal in (True, False):
            monkeypatch.setattr(sys.stderr, "isatty", lambda answer=is_terminal: answer)
            registry.load(command).main(arguments, standalone_mode=False)
            assert ("simulated: this machine computes every gate" in capfd.readouterr().err) is is_terminal
            stdin.seek(0)
