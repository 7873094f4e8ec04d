# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Memory of jobs in flight stays until they are over, even if Python has freed or closed it."""

import gc
from typing import Any

import pytest
from reference import make

from outwork.device import inflight
from outwork.device.board import Board
from outwork.device.memory import Memory
from outwork.device.queues import Queue
from outwork.spec import Opcode

KEY = bytes(range(32))
LENGTH = 4096
# So many objects of the same size take over memory that has been freed too early.
CROWD = 200


class Work:
    """A queue, and CTR jobs for it that nobody but the caller holds."""

    def __init__(self, board: Board) -> None:
        self.board, self.ffi = board, board.ffi
        self.queue: Queue = board.queue(0, 4)
        self.memory: Memory = board.memory(16 * LENGTH)
        self.iv = self.ffi.new("uint8_t[16]")
        board.load_key(0, KEY)

    def jobs(self, count: int) -> Any:
        jobs = self.ffi.new("struct ow_job[]", count)
        for number in range(count):
            job = jobs[number]
            job.opcode, job.length, job.iv, job.iv_len = Opcode.AES_CTR, LENGTH, self.iv, 16
            job.source = job.destination = self.board.pointer(self.memory.address + number * LENGTH)
        return jobs

    def crowd(self, kind: str, count: int) -> list[Any]:
        gc.collect()
        return [self.ffi.new(kind, count) for _ in range(CROWD)]

    def are_blank(self, crowd: list[Any]) -> bool:
        return not any(any(bytes(self.ffi.buffer(member))) for member in crowd)


@pytest.fixture
def work(board: Board) -> Work:
    return Work(board)


@pytest.mark.parametrize("count", [1, 7])
def test_forgotten_jobs(work: Work, count: int) -> None:
    """The driver writes their results into them, and they are freed when they are over."""
    work.queue.submit(work.queue.pointers(work.jobs(count)), count)
    crowd = work.crowd("struct ow_job[]", count)
    inflight.sweep()
    assert inflight.waiting() == 1
    work.queue.wait()
    assert work.queue.counters()["jobs"] == count
    assert work.are_blank(crowd)
    assert inflight.waiting() == 0


@pytest.mark.parametrize("side", ["source", "destination"])
def test_forgotten_pieces(work: Work, side: str) -> None:
    """The driver walks through them again when the job is over."""
    jobs, pieces, lists = work.jobs(1), work.ffi.new("struct ow_piece[]", 8), work.board.memory(4096)
    for number in range(8):
        pieces[number].memory = work.board.pointer(work.memory.address + number * 512)
        pieces[number].length = 512
    setattr(jobs[0], f"{side}_pieces", pieces)
    setattr(jobs[0], f"{side}_pieces_len", 8)
    jobs[0].list_memory, jobs[0].list_memory_len = work.board.pointer(lists.address), 4096
    work.queue.submit(work.queue.pointers(jobs), 1)
    address = int(work.ffi.cast("uintptr_t", pieces))
    del pieces
    inflight.sweep()
    crowd = work.crowd("struct ow_piece[]", 8)
    assert address not in {int(work.ffi.cast("uintptr_t", member)) for member in crowd}
    work.queue.wait()
    assert jobs[0].status == work.board.c.OW_OK
    assert inflight.waiting() == 0


@pytest.mark.parametrize("is_scattered", [False, True], ids=["whole", "scattered"])
@pytest.mark.parametrize("what", ["source", "destination", "aad", "iv", "context", "lists"])
def test_memory_closed_in_flight(work: Work, what: str, is_scattered: bool) -> None:
    """The device uses it to the end of the job; then it is out of reach."""
    board, ffi, c = work.board, work.ffi, work.board.c
    plain, aad, iv = bytes(range(256)) * (LENGTH // 256), b"a" * 300, b"i" * 100
    contents = {"source": plain, "aad": aad, "iv": iv, "context": KEY}
    places = {name: board.memory(8192) for name in (*contents, "destination", "lists")}
    for name, content in contents.items():
        places[name].view[: len(content)] = content
    at = {name: board.pointer(memory.address) for name, memory in places.items()}
    job = ffi.new("struct ow_job *")
    job.opcode, job.length, job.tag_len = Opcode.AES_GCM, LENGTH, 16
    if is_scattered:
        empty = {"memory": ffi.NULL, "length": 0}
        pieces = {side: ffi.new("struct ow_piece[]", [empty] * 8) for side in ("source", "destination")}
        for side, array in pieces.items():
            array[5].memory, array[5].length = at[side], LENGTH
        job.source_pieces, job.source_pieces_len = pieces["source"], 8
        job.destination_pieces, job.destination_pieces_len = pieces["destination"], 8
    else:
        job.source, job.destination = at["source"], at["destination"]
    job.list_memory, job.list_memory_len = at["lists"], 8192
    job.aad, job.aad_len = at["aad"], len(aad)
    job.iv, job.iv_len = ffi.cast("uint8_t *", at["iv"]), len(iv)
    job.context, job.key.key_len = ffi.cast("struct ow_context *", at["context"]), 32

    result = places["destination"].at(0, LENGTH)
    work.queue.submit(ffi.new("struct ow_job *[]", [job]), 1)
    places[what].close()
    others = [board.memory(8192) for _ in range(4)]  # where it was, if it has gone
    work.queue.wait()
    assert job.status == c.OW_OK, board.status_text(job.status)
    case = make(Opcode.AES_GCM, KEY, plain, iv=iv, aad=aad, tag_bytes=16)
    assert (bytes(result), bytes(job.tag)[:16]) == (case.expected, case.tag)
    assert not any(any(other.view) for other in others)
    late = work.jobs(1)
    late[0].source = at[what]
    assert c.ow_queue_run(work.queue.queue, late) == c.OW_UNSUPPORTED


def test_rings_closed(work: Work) -> None:
    """They belong to the queue until it is closed."""
    work.queue.rings.close()
    work.queue.run(work.jobs(2))
    assert inflight.waiting() == 1
    work.queue.close()
    assert inflight.waiting() == 0


def test_a_busy_queue_hoards_nothing(work: Work) -> None:
    """While a job is in flight, what no job points at is freed in time."""
    jobs = work.jobs(1)
    work.queue.submit(work.queue.pointers(jobs), 1)
    for _ in range(1000):
        work.ffi.new("uint8_t[]", 12)
        assert inflight.waiting() <= inflight.SWEEP_AT
    del jobs
    for _ in range(1000):
        work.ffi.new("uint8_t[]", 12)
    assert 1 <= inflight.waiting() <= inflight.SWEEP_AT + 2
    work.queue.wait()
    assert inflight.waiting() == 0


def test_nothing_is_freed_while_the_driver_finishes_jobs(work: Work) -> None:
    """Its slot no longer tells of a job that it still writes into: what another thread forgets then must wait."""
    seen: list[int] = []

    @work.ffi.callback("void(struct ow_job *, void *)")
    def done(job: Any, user: Any) -> None:
        work.ffi.new("uint8_t[]", 12)
        inflight.sweep()
        seen.append(inflight.waiting())

    jobs = work.jobs(1)
    jobs[0].done = done
    work.queue.run(jobs)
    assert seen == [1]
    assert inflight.waiting() == 0


@pytest.mark.parametrize("what", ["queue", "board"])
def test_closing_lets_go(what: str) -> None:
    """Jobs in flight are aborted, and the driver says so in them."""
    with Board() as board:
        work = Work(board)
        work.queue.submit(work.queue.pointers(work.jobs(3)), 3)
        work.memory.close()
        crowd = work.crowd("struct ow_job[]", 3)
        assert inflight.waiting() == 2
        (work.queue if what == "queue" else board).close()
        assert inflight.waiting() == 0
        assert work.are_blank(crowd)


def test_a_log(work: Work) -> None:
    """The board writes into it until it is stopped; nobody but the board holds it."""
    work.board.log(64)
    crowd = work.crowd("struct ow_sim_access[]", 64)
    work.queue.run(work.jobs(2))
    accesses = work.board.accesses()
    assert len(accesses) == 64
    assert {access.write for access in accesses} == {False, True}
    assert work.are_blank(crowd)
    work.board.log(2)
    work.queue.run(work.jobs(1))
    assert len(work.board.accesses()) == 2
    work.board.log(0)
    work.queue.run(work.jobs(1))
    assert work.board.accesses() == []
