# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The hint about the faster engine is printed at a terminal only."""

from typing import Any

from commands import outwork
from terminal import at_terminal

HINT = "outwork: the simulated board 'reference' is used; on this machine --engine software is faster."


def test_simulation_is_told_at_a_terminal(desk: Any) -> None:
    key = ("--key-file", desk.key)
    small, sealed, back = desk.file("small", b"hello"), desk.path("sealed"), desk.path("back")
    status, said = at_terminal("encrypt", *key, small, sealed)
    assert status == 0 and said.count(HINT) == 1
    status, said = at_terminal("decrypt", *key, sealed, back)
    assert status == 0 and said.count(HINT) == 1
    status, said = at_terminal("decrypt", *key, "--engine", "software", "--force", sealed, back)
    assert status == 0 and "simulated" not in said


def test_nothing_is_told_to_a_script(desk: Any) -> None:
    small = desk.file("small", b"hello")
    assert outwork("encrypt", "--key-file", desk.key, small, desk.path("sealed")).stderr == b""
