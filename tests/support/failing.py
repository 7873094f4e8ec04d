# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the simulated board fail, and runs one job at a time on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from outwork.device.board import Board

SLVERR, DECERR = 2, 3


def inject(board: Board, kind: int | str, value: int = 0, at: int = 0, address: int = 0) -> None:
    """Plants a fault (platform/sim/include/outwork/sim.h), given by its number or its name."""
    number = getattr(board.c, kind) if isinstance(kind, str) else kind
    fault = board.ffi.new("struct ow_sim_fault *", {"kind": number, "value": value, "at": at, "address": address})
    assert board.c.ow_sim_inject(board.sim, fault)


def remove_faults(board: Board) -> None:
    board.c.ow_sim_mend(board.sim)


class Rig:
    """Memory of a board, a queue, and a job of which tests say what it does."""

    def __init__(self, board: Board, memory_bytes: int, log2_entries: int, grant: Any = None) -> None:
        self.board, self.c = board, board.c
        self.memory = board.memory(memory_bytes)
        self.queue = board.queue(0, log2_entries, grant)
        self.job = board.ffi.new("struct ow_job *")

    @classmethod
    @contextmanager
    def opened(cls, *arguments: Any) -> Iterator[Self]:
        """Opens a rig. At the end memory answers again and the queue is closed: the job must outlive what it does with it."""
        rig = cls(*arguments)
        try:
            yield rig
        finally:
            rig.remove_faults()
            rig.queue.close()

    def pointer(self, offset: int) -> Any:
        return self.board.pointer(self.memory.address + offset)

    def put(self, offset: int, data: bytes) -> None:
        self.memory.view[offset : offset + len(data)] = data

    def clear_job(self) -> None:
        size = self.board.ffi.sizeof("struct ow_job")
        self.board.ffi.memmove(self.job, bytes(size), size)

    def submit(self) -> None:
        self.queue.submit(self.board.ffi.new("struct ow_job *[]", [self.job]), 1)

    def run_job(self) -> int:
        """Runs the job as it is filled in. Returns its status."""
        self.submit()
        self.queue.wait()
        return int(self.job.status)

    def inject(self, kind: int | str, value: int = 0, at: int = 0, address: int = 0) -> None:
        inject(self.board, kind, value, at, address)

    def remove_faults(self) -> None:
        remove_faults(self.board)
