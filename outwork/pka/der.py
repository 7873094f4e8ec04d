# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes and reads elements of DER (X.690)."""

from typing import Final

from outwork.errors import OutworkError

SEQUENCE: Final = 0x30
INTEGER: Final = 0x02
BIT_STRING: Final = 0x03
OCTET_STRING: Final = 0x04
OID: Final = 0x06
#: [0], implicit.
CONTEXT_0: Final = 0x80


def element(tag: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    if len(body) < 128:
        return bytes((tag, len(body))) + body
    length = len(body).to_bytes((len(body).bit_length() + 7) // 8)
    return bytes((tag, 128 | len(length))) + length + body


class Reader:
    """Reads DER, elements one after the other. Raises OutworkError where it is none."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def tag(self) -> int:
        return self._data[0] if self._data else -1

    def take(self, tag: int) -> bytes:
        """Returns the content of the next element."""
        data = self._data
        if len(data) < 2 or data[0] != tag:
            raise OutworkError("it is damaged")
        length, at = data[1], 2
        if length >= 128:
            at = 2 + length - 128
            length = int.from_bytes(data[2:at])
            if length < 128 or at > 4 or data[2] == 0:
                raise OutworkError("it is damaged")
        if len(data) < at + length:
            raise OutworkError("it is damaged")
        self._data = data[at + length :]
        return data[at : at + length]

    def end(self) -> None:
        if self._data:
            raise OutworkError("there is something behind it")
