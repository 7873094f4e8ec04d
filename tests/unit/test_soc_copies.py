# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Work in copies of a process: results and exceptions come back, and nothing changes here."""

import os

import pytest

from outwork.errors import OutworkError, UsageError
from outwork.soc.copies import in_copy


def test_nothing_changes_here() -> None:
    state = [1]

    def change() -> tuple[int, list[int]]:
        state.append(2)
        return os.getpid(), state

    pid, there = in_copy(change)
    assert (pid != os.getpid(), there, state) == (True, [1, 2], [1])


def test_an_exception_comes_back() -> None:
    def refuse() -> None:
        raise UsageError("There is no such thing.")

    with pytest.raises(UsageError, match="no such thing"):
        in_copy(refuse)


def test_a_copy_that_dies_is_noticed() -> None:
    with pytest.raises(OutworkError, match="ended without a result"):
        in_copy(lambda: os._exit(3))
