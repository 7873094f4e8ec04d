# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Provides a board."""

from collections.abc import Iterator

import pytest

from outwork.device.board import Board

# One look at an empty ring lets so many cycles pass: Python then costs less than the simulation.
RELAX_CYCLES = 256


@pytest.fixture
def board() -> Iterator[Board]:
    """A reference board out of reset. At the end: the device has broken no AXI rule and left no register unanswered."""
    with Board(relax_cycles=RELAX_CYCLES) as board:
        yield board
        assert board.protocol_error() == ""
        assert board.statistics()["mmio_errors"] == 0
