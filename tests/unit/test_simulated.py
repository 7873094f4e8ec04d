# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The note that a board is simulated: once, when the work takes more than two seconds, with what would be faster."""

from collections.abc import Iterator

import pytest

from outwork import algorithms
from outwork.files import encryption
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
