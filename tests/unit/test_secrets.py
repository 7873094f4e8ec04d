# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Passwords and keys from files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from outwork.algorithms import find_cipher
from outwork.errors import OutworkError, UsageError
from outwork.files import secrets

GCM = find_cipher("aes-256-gcm")


def file_of(folder: Path, data: bytes, mode: int = 0o600) -> Path:
    path = folder / "secret"
    path.write_bytes(data)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    ("data", "password"),
    [
        (b"word", b"word"),
        (b"word\n", b"word"),
        (b"word\r\nmore\n", b"word"),
        (b" sp ace \n", b" sp ace "),
        (b"\xff\n", b"\xff"),
    ],
)
def test_password_is_the_first_line(tmp_path: Path, data: bytes, password: bytes) -> None:
    assert secrets.password_from_file(file_of(tmp_path, data)).data == password


@pytest.mark.parametrize("data", [b"", b"\n", b"\nword\n"])
def test_empty_password(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(OutworkError, match="is empty"):
        secrets.password_from_file(file_of(tmp_path, data))


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(32)),
        bytes(range(32)).hex().encode(),
        bytes(range(32)).hex(" ", 4).upper().encode() + b"\r\n",
    ],
)
def test_key_raw_and_hexadecimal(tmp_path: Path, data: bytes) -> None:
    assert secrets.key_from_file(file_of(tmp_path, data), GCM).data == bytes(range(32))


def test_hexadecimal_digits_are_never_taken_as_bytes(tmp_path: Path) -> None:
    """32 digits are a key of 16 bytes: not, by their number, one of 32."""
    with pytest.raises(UsageError, match="takes a key of 32 bytes; this one has 16"):
        secrets.key_from_file(file_of(tmp_path, b"0123456789abcdef" * 2), GCM)


def test_bad_keys(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"odd number of hexadecimal digits .63."):
        secrets.key_from_file(file_of(tmp_path, b"a" * 63), GCM)
    with pytest.raises(UsageError, match="this one has 33"):
        secrets.key_from_file(file_of(tmp_path, b"\x00" * 33), GCM)
    with pytest.raises(UsageError, match="must differ"):
        secrets.key_from_file(file_of(tmp_path, b"\x01" * 64), find_cipher("aes-256-xts"))
    with pytest.raises(OutworkError, match="cannot be read: No such file"):
        secrets.key_from_file(tmp_path / "none", GCM)


@pytest.mark.parametrize(("mode", "is_open"), [(0o600, False), (0o400, False), (0o640, True), (0o604, True)])
def test_warning_when_others_can_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: int, is_open: bool
) -> None:
    secrets.password_from_file(file_of(tmp_path, b"word\n", mode))
    assert ("can be read by others" in capsys.readouterr().err) == is_open


@pytest.mark.parametrize("read", [secrets.password_from_file, secrets.mac_key_from_file])
def test_file_without_an_end(read: Callable[[Path], object]) -> None:
    with pytest.raises(UsageError, match=r"/dev/zero has more than 16777216 bytes: give another file\.$"):
        read(Path("/dev/zero"))


def test_long_binary_key_that_looks_like_digits(tmp_path: Path) -> None:
    """Its time is not that of its square: seconds for 60,000 bytes, a day for these."""
    data = b"a" * (1 << 23) + b"z"
    assert secrets.mac_key_from_file(file_of(tmp_path, data)) == data
