# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Keys and texts for measuring, the same in every run."""


def sample_key(length: int, number: int = 0) -> bytes:
    """Returns a key: all keys are different, and no two halves are equal."""
    return bytes((number * 37 + position * 11 + 1) & 0xFF for position in range(length - 2)) + bytes(
        (number & 0xFF, number >> 8)
    )


def sample_text(length: int, number: int = 0) -> bytes:
    pattern = bytes((number * 7 + position) & 0xFF for position in range(251))
    return (pattern * (length // 251 + 1))[:length]
