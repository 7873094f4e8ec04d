# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Tests passwords that are typed at the terminal or read from standard input."""

from typing import Any

from commands import good, sentence
from terminal import at_terminal

SOFTWARE = ("--engine", "software")
FAST = ("--kdf", "pbkdf2", "--iterations", "1000")


def test_password_at_the_terminal(desk: Any) -> None:
    words = {"Password: ": "correct horse\n", "Once more: ": "correct horse\n"}
    status, said = at_terminal("encrypt", *SOFTWARE, *FAST, desk.plain, desk.path("sealed"), answers=words)
    assert status == 0 and "horse" not in said
    good("decrypt", *SOFTWARE, "--password-file", desk.password, desk.path("sealed"), desk.path("back"))
    assert desk.path("back").read_bytes() == desk.plain.read_bytes()


def test_interruption_while_a_password_is_asked(desk: Any) -> None:
    arguments = ("encrypt", *SOFTWARE, desk.plain, desk.path("sealed"))
    status, said = at_terminal(*arguments, answers={"Password: ": "\x03"})
    assert status == 130
    assert said.endswith("\r\noutwork: interrupted; unfinished files were removed.\r\n")
    assert "Traceback" not in said and desk.names() == {"plain", "key", "password"}


def test_password_and_key_from_standard_input(desk: Any) -> None:
    sealed, back = desk.path("sealed"), desk.path("back")
    good("encrypt", *SOFTWARE, *FAST, "--password-file", "-", desk.plain, sealed, stdin=b"correct horse\nmore\n")
    good("decrypt", *SOFTWARE, "--password-file", desk.password, sealed, back)
    assert back.read_bytes() == desk.plain.read_bytes()
    good("encrypt", *SOFTWARE, "--force", "--key-file", "-", desk.plain, sealed, stdin=desk.key.read_bytes())
    good("decrypt", *SOFTWARE, "--force", "--key-file", desk.key, sealed, back)
    assert good("mac", *SOFTWARE, "hmac-sha-256", "--key-file", "-", desk.plain, stdin=b"00") == good(
        "mac", *SOFTWARE, "hmac-sha-256", "--key", "00", desk.plain
    )


def test_standard_input_has_one_reader(desk: Any) -> None:
    for command in ("encrypt", "decrypt"):
        text = sentence(command, *SOFTWARE, "--password-file", "-", "-", desk.path("out"), status=2)
        assert text == "Only one of IN and --password-file can be standard input."
    text = sentence("mac", *SOFTWARE, "hmac-sha-256", "--key-file", "-", status=2)
    assert text == "Only one of FILE and --key-file can be standard input."
    text = sentence("pka", "sign", *SOFTWARE, "--password-file", "-", "-", desk.plain, desk.path("out"), status=2)
    assert text == "Only one of KEY and --password-file can be standard input."
