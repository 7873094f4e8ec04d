# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Passwords and keys: from a file, or typed at the terminal."""

import getpass
import os
import re
import stat
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from outwork.algorithms.cipher import Cipher, check_key
from outwork.errors import OutworkError, UsageError
from outwork.files.streams import STANDARD
from outwork.messages import warn

SECRET_BYTES_MAX: Final = 1 << 24


@dataclass(frozen=True)
class Secret:
    """The secret from which the keys of a file are derived."""

    data: bytes
    is_password: bool


def _read(path: Path, what: str) -> bytes:
    is_standard = str(path) == STANDARD
    try:
        with nullcontext(sys.stdin.buffer) if is_standard else path.open("rb") as file:
            mode = 0 if is_standard else os.fstat(file.fileno()).st_mode
            data = file.read(SECRET_BYTES_MAX + 1)
    except OSError as error:
        raise OutworkError(f"The {what} {path} cannot be read: {error.strerror}.") from error
    if len(data) > SECRET_BYTES_MAX:  # such as a device that has no end
        raise UsageError(f"The {what} {path} has more than {SECRET_BYTES_MAX} bytes: give another file.")
    if stat.S_ISREG(mode) and mode & (stat.S_IRGRP | stat.S_IROTH):
        warn(f"the {what} {path} can be read by others; run `chmod 600 {path}`.")
    return data


def password_from_file(path: Path) -> Secret:
    """Returns the first line without its end, like `openssl -pass file:`; `-` is standard input."""
    lines = _read(path, "password file").split(b"\n", 1)
    password = lines[0].removesuffix(b"\r")
    if not password:
        raise OutworkError(f"The first line of the password file {path} is empty.")
    return Secret(password, is_password=True)


def mac_key_from_file(path: Path) -> bytes:
    """Returns a key of any length, in hexadecimal or binary."""
    return _key_bytes(path)


def _key_bytes(path: Path) -> bytes:
    """Decodes hexadecimal digits (ignoring blanks and newlines), or returns the bytes of a binary key."""
    data = _read(path, "key file")
    key = data
    digits = b"".join(data.split())
    if re.fullmatch(rb"[0-9a-fA-F]+", digits):
        if len(digits) % 2:
            raise UsageError(f"The key file {path} has an odd number of hexadecimal digits ({len(digits)}).")
        key = bytes.fromhex(digits.decode())
    return key


def key_from_file(path: Path, cipher: Cipher) -> Secret:
    key = _key_bytes(path)
    try:
        check_key(cipher, key)
    except UsageError as error:
        raise UsageError(f"The key file {path} does not fit: {error}") from error
    return Secret(key, is_password=False)


def ask_password(twice: bool) -> Secret:
    if not _has_terminal():
        raise UsageError("There is no terminal to ask for a password: give --password-file or --key-file.")
    try:
        password = getpass.getpass("Password: ")
        if not password:
            raise UsageError("An empty password does not protect the file; type another one.")
        if twice and getpass.getpass("Once more: ") != password:
            raise UsageError("The two passwords differ; start again.")
    except EOFError as error:
        raise UsageError("No password was given.") from error
    return Secret(os.fsencode(password), is_password=True)


def _has_terminal() -> bool:
    """Returns whether there is a controlling terminal; getpass uses it even if standard input is a pipe."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return sys.stdin is not None and sys.stdin.isatty()
    return True
