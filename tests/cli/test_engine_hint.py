# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Whoever waits for a simulated board is told so: at a terminal, and if it takes long."""

from typing import Any

import pytest
from commands import outwork
from terminal import at_terminal

WORD = "simulated"


def test_quick_work_is_not_told(desk: Any) -> None:
    status, said = at_terminal("encrypt", "--key-file", desk.key, desk.file("small", b"hello"), desk.path("sealed"))
    assert status == 0 and WORD not in said


@pytest.mark.slow
def test_slow_work_is_told_at_a_terminal_only(desk: Any) -> None:
    big, key = desk.file("big", bytes(20_000_000)), ("--key-file", desk.key)
    status, said = at_terminal("encrypt", *key, big, desk.path("sealed"))
    assert status == 0 and said.count(f"outwork: {WORD}: about ") == 1
    assert "`--engine software` does this in " in said
    assert outwork("encrypt", *key, big, desk.path("again")).stderr == b""
