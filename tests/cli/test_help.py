# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What --help shows: words in square brackets are text, not markup that disappears."""

import pytest
from commands import good


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("encrypt", "default: aes-256-gcm"),
        ("encrypt", "default: scrypt"),
        ("encrypt", "default: 600000"),
        ("bench", "default: aes-256-gcm"),
        ("bench", "default: all that fit"),
    ],
)
def test_defaults_are_shown(command: str, words: str) -> None:
    text = good(command, "--help", environment={"COLUMNS": "200"}).decode()
    assert f"[{words}" in " ".join(text.split())
