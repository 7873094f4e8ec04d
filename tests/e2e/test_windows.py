# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Address windows: a job with an address outside ends as a violation, and the log of all bursts has no access outside."""

from typing import Any

import pytest

from outwork.device.board import Access, Board
from outwork.device.memory import Memory
from outwork.device.queues import Queue
from outwork.spec import Opcode

LOG_ENTRIES = 4096
INSIDE = 0x4000
SIZE = 0x10000
# Where a buffer of 64 bytes lies wrong: before, over the first edge, over the last edge, behind.
WRONG = [INSIDE - 64, INSIDE - 1, 2 * INSIDE - 63, 2 * INSIDE]


class Fenced:
    """A board whose queue 0 may use its rings and the second quarter of `memory`, and a log of every burst."""

    def __init__(self, board: Board, *, read: bool = True, write: bool = True) -> None:
        self.board = board
        self.memory: Memory = board.memory(SIZE)
        self.rings_at, ring_bytes = 0, 0
        ffi = board.ffi
        grant = ffi.new("struct ow_grant *")
        # The rings' address is known only when the queue is open: open it once without windows to learn it.
        probe = board.queue(0, 4)
        self.rings: Memory = probe.rings
        ring_bytes = self.rings.size_bytes
        self.rings_at = self.rings.address
        grant.windows_len = 2
        grant.windows[0].first, grant.windows[0].last = self.rings_at, self.rings_at + ring_bytes - 1
        grant.windows[0].read = grant.windows[0].write = True
        self.first = self.memory.address + INSIDE
        self.last = self.first + INSIDE - 1
        grant.windows[1].first, grant.windows[1].last = self.first, self.last
        grant.windows[1].read, grant.windows[1].write = read, write
        board.check(board.c.ow_queue_grant(board.device, 0, grant))
        self.queue: Queue = probe
        board.load_key(0, bytes(32))
        self.iv = ffi.new("uint8_t[16]")
        self.memory.view[:] = b"\xa5" * SIZE
        self.accesses: list[Access] = []

    def start_log(self) -> None:
        self.board.log(LOG_ENTRIES)

    def stop_log(self) -> list[Access]:
        """All bursts since the start."""
        accesses = self.board.accesses()
        assert len(accesses) < LOG_ENTRIES
        self.board.log(0)
        return accesses

    def outside(self) -> list[str]:
        """Bursts of the last job that touched anything but the windows."""
        found = []
        assert self.accesses
        for access in self.accesses:
            first, last = access.address, access.address + access.length - 1
            in_rings = self.rings_at <= first and last < self.rings_at + self.rings.size_bytes
            in_window = self.first <= first and last <= self.last
            if not (in_rings or in_window):
                found.append(f"{'write' if access.write else 'read'} {first - self.memory.address:#x}+{access.length}")
        return found

    def job(self, **values: Any) -> Any:
        """A CTR job of 64 bytes in the middle of the window, but for what is said."""
        job = self.board.ffi.new("struct ow_job *")
        job.opcode, job.length = Opcode.AES_CTR, 64
        job.source = job.destination = self.at(INSIDE + 256)
        job.iv, job.iv_len = self.iv, 16
        for name, value in values.items():
            setattr(job, name, value)
        return job

    def at(self, offset: int) -> Any:
        return self.board.pointer(self.memory.address + offset)

    def run(self, job: Any) -> int:
        self.start_log()
        self.queue.submit(self.board.ffi.new("struct ow_job *[]", [job]), 1)
        try:
            self.queue.wait()
        finally:
            self.accesses = self.stop_log()
        return int(job.status)


def gcm(fenced: Fenced, **values: Any) -> Any:
    return fenced.job(opcode=Opcode.AES_GCM, tag_len=16, iv_len=12, **values)


@pytest.mark.parametrize("offset", WRONG)
@pytest.mark.parametrize("side", ["source", "destination", "aad", "iv", "context", "source_list", "destination_list"])
def test_outside(board: Board, side: str, offset: int) -> None:
    fenced = Fenced(board)
    ffi = board.ffi
    before = bytes(fenced.memory.view)
    keep: Any = None
    match side:
        case "source" | "destination":
            job = fenced.job(**{side: fenced.at(offset)})
        case "aad":
            job = gcm(fenced, aad=fenced.at(offset - 32), aad_len=128)
        case "iv":
            job = gcm(fenced, iv=ffi.cast("uint8_t *", fenced.at(offset - 32)))
            job.iv_len = 128
        case "context":
            place = {INSIDE - 1: INSIDE - 16, 2 * INSIDE - 63: 2 * INSIDE - 16}.get(offset, offset)
            job = fenced.job(context=ffi.cast("struct ow_context *", fenced.at(place)))
            job.key.key_len = 32
        case _:
            keep = ffi.new("struct ow_piece[2]")
            keep[0].memory, keep[0].length = fenced.at(INSIDE + 256), 32
            keep[1].memory, keep[1].length = fenced.at(offset), 64
            name = side.removesuffix("_list")
            job = fenced.job(length=96, **{name: ffi.NULL, f"{name}_pieces": keep, f"{name}_pieces_len": 2})
    status = fenced.run(job)
    assert status == board.c.OW_WINDOW_VIOLATION, board.status_text(status)
    assert fenced.outside() == []
    changed = [n for n, (a, b) in enumerate(zip(before, bytes(fenced.memory.view), strict=True)) if a != b]
    assert all(INSIDE <= n < 2 * INSIDE for n in changed)
    assert fenced.queue.counters()["error_window"] == 1
    # The queue goes on.
    assert fenced.run(fenced.job()) == board.c.OW_OK
    assert fenced.outside() == []
    del keep


def test_edges_are_inside(board: Board) -> None:
    """The first and the last byte of a window belong to it."""
    fenced = Fenced(board)
    for offset in (INSIDE, 2 * INSIDE - 64):
        job = fenced.job(source=fenced.at(offset), destination=fenced.at(offset))
        assert fenced.run(job) == board.c.OW_OK
        assert fenced.outside() == []
    whole = fenced.job(source=fenced.at(INSIDE), destination=fenced.at(INSIDE), length=INSIDE)
    assert fenced.run(whole) == board.c.OW_OK
    assert fenced.outside() == []


@pytest.mark.parametrize("allowed", ["read", "write"])
def test_permissions(board: Board, allowed: str) -> None:
    """A window for reading is not one for writing, and the other way round."""
    fenced = Fenced(board, read=allowed == "read", write=allowed == "write")
    before = bytes(fenced.memory.view)
    assert fenced.run(fenced.job()) == board.c.OW_WINDOW_VIOLATION
    assert bytes(fenced.memory.view) == before
    wrong = [access for access in fenced.accesses if fenced.first <= access.address <= fenced.last]
    assert not any(a.write for a in wrong) if allowed == "read" else all(a.write for a in wrong)


def test_a_ring_outside_halts(board: Board) -> None:
    """Descriptors or records outside the windows: the queue halts and says so; nothing is touched."""
    fenced = Fenced(board)
    grant = board.ffi.new("struct ow_grant *", {"windows_len": 1})
    grant.windows[0].first, grant.windows[0].last = fenced.first, fenced.last
    grant.windows[0].read = grant.windows[0].write = True
    board.check(board.c.ow_queue_grant(board.device, 0, grant))
    fenced.start_log()
    job = fenced.job()
    fenced.queue.submit(board.ffi.new("struct ow_job *[]", [job]), 1)
    assert board.c.ow_queue_wait(fenced.queue.queue, job) in (board.c.OW_HALTED, board.c.OW_TIMEOUT)
    assert "windows" in fenced.queue.halt_reason()
    assert fenced.stop_log() == []
    fenced.queue.reset()
    assert job.status == board.c.OW_ABORTED
