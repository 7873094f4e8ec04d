# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM or ML-DSA on a board of its own, whose jobs can be counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from outwork.device.board import Board
from outwork.pka.device_lattice import DeviceLattice

Device = TypeVar("Device", bound=DeviceLattice)


@contextmanager
def opened(kind: type[Device]) -> Iterator[Device]:
    """A device of this kind, whose `queue` is its own."""
    with Board("reference") as board:
        queue = board.queue(0, 3)
        device = kind(board, queue)
        yield device
        device.close()
        assert board.protocol_error() == ""


def jobs(device: DeviceLattice) -> int:
    """Jobs that the device has done, also those that found a signature or tag to be wrong."""
    counters = device.queue.counters()
    return counters["jobs"] + counters["error_auth"]
