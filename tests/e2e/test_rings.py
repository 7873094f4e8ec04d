# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Rings: wrapping around, running full, batches, fences, resets while jobs are in flight, interrupts."""

import random

import pytest
from failing import inject, remove_faults
from reference import make, random_case
from runner import Runner

from outwork.device.board import Board
from outwork.spec import Opcode


def ctr_jobs(board: Board, memory_address: int, count: int, length: int) -> object:
    """Jobs that encrypt the same memory in place, one behind the other."""
    jobs = board.ffi.new("struct ow_job[]", count)
    iv = board.ffi.new("uint8_t[16]")
    for number in range(count):
        job = jobs[number]
        job.opcode, job.length = Opcode.AES_CTR, length
        job.source = job.destination = board.pointer(memory_address + number * length)
        job.iv, job.iv_len = iv, 16
    return jobs, iv


@pytest.mark.parametrize("log2_entries", [1, 2, 5])
def test_wrap(board: Board, log2_entries: int) -> None:
    """A small ring goes round hundreds of times."""
    rng = random.Random(log2_entries)
    runner = Runner(board, log2_entries=log2_entries)
    assert runner.run(random_case(rng, 100) for _ in range(700)) == 700


def test_the_doorbell_wraps(board: Board) -> None:
    """The doorbell counts modulo 65536: go beyond it twice."""
    queue = board.queue(0, 8)
    jobs = board.ffi.new("struct ow_job[]", 140_000)
    before = queue.counters()["jobs"]
    queue.run(jobs)
    assert queue.counters()["jobs"] - before == 140_000
    assert all(job.status == board.c.OW_OK for job in jobs)


def test_full(board: Board) -> None:
    """More jobs than places: the driver takes as many as fit, drops none, and takes the rest later."""
    board.load_key(0, bytes(32))
    queue = board.queue(0, 3)
    memory = board.memory(20 * 4096)
    jobs, _iv = ctr_jobs(board, memory.address, 20, 4096)
    pointers = queue.pointers(jobs)
    taken = queue.submit(pointers, 20)
    assert taken == 8
    assert queue.submit(pointers + taken, 12) == 0
    assert queue.fallbacks()[board.ffi.string(board.c.ow_fallback_text(board.c.OW_FALLBACK_RING)).decode()] > 0
    while taken < 20:
        queue.poll()
        taken += queue.submit(pointers + taken, 20 - taken)
    queue.wait()
    assert all(job.status == board.c.OW_OK for job in jobs)
    assert queue.counters()["jobs"] == 20


@pytest.mark.parametrize("log2_entries", [1, 4, 8])
def test_batches_of_every_size(board: Board, log2_entries: int) -> None:
    queue = board.queue(0, log2_entries)
    done = 0
    for batch in range(1, queue.entries + 1, max(1, queue.entries // 16)):
        queue.run(board.ffi.new("struct ow_job[]", 2 * batch), batch)
        done += 2 * batch
    assert queue.counters()["jobs"] == done


def test_fence(board: Board) -> None:
    """A fenced job reads what all earlier jobs have written, however long they take."""
    board.load_key(0, bytes(32))
    board.load_key(1, bytes(range(32)))
    queue = board.queue(0, 4)
    memory = board.memory(65536)
    first, _iv = ctr_jobs(board, memory.address, 1, 65536)
    second, _iv2 = ctr_jobs(board, memory.address, 1, 65536)
    plain = random.Random(5).randbytes(65536)
    memory.view[:] = plain
    second[0].key.slot = 1
    second[0].flags = board.c.OW_JOB_FENCE
    pointers = board.ffi.new("struct ow_job *[]", [first, second])
    queue.submit(pointers, 2)
    queue.wait()
    once = make(Opcode.AES_CTR, bytes(32), plain, iv=bytes(16)).expected
    assert once is not None
    assert bytes(memory.view) == make(Opcode.AES_CTR, bytes(range(32)), once, iv=bytes(16)).expected


@pytest.mark.parametrize("cycles", [0, 7, 50, 200, 700, 3000])
def test_reset_of_a_queue_with_jobs_in_flight(board: Board, cycles: int) -> None:
    """Its jobs end as aborted, it works again at once, and the other queues never notice."""
    rng = random.Random(cycles)
    victims = Runner(board, queues=(1,), arena_bytes=1 << 20, log2_entries=4)
    board.load_key(31, bytes(32))
    memory = board.memory(16 * 8192)
    jobs, _iv = ctr_jobs(board, memory.address, 16, 8192)
    queue = board.queue(0, 4)
    for number in range(16):
        jobs[number].key.slot = 31
    others = Runner(board, queues=(2, 3), arena_bytes=1 << 20, log2_entries=5)
    other_jobs, _iv2 = ctr_jobs(board, board.memory(8 * 4096).address, 8, 4096)
    for number in range(8):
        other_jobs[number].key.slot = 31
    queue.submit(queue.pointers(jobs), 16)
    bystander = others.queues[2]
    bystander.submit(bystander.pointers(other_jobs), 8)
    board.c.ow_sim_run(board.sim, cycles)
    queue.reset()
    statuses = {job.status for job in jobs}
    assert statuses <= {board.c.OW_ABORTED, board.c.OW_OK}
    if cycles < 700:
        assert board.c.OW_ABORTED in statuses
    bystander.wait()
    assert all(job.status == board.c.OW_OK for job in other_jobs)
    # Nothing of an aborted job arrives later.
    memory.view[:] = b"\xa5" * memory.size_bytes
    board.c.ow_sim_run(board.sim, 5000)
    assert bytes(memory.view) == b"\xa5" * memory.size_bytes
    for index, runner in ((1, victims), (2, others)):
        assert runner.run(random_case(rng, 200, queues=(index,)) for _ in range(50)) == 50
    again, _iv3 = ctr_jobs(board, memory.address, 16, 8192)
    for number in range(16):
        again[number].key.slot = 31
    queue.run(again)
    assert all(job.status == board.c.OW_OK for job in again)


def test_interrupts(board: Board) -> None:
    """A wait sleeps until the interrupt; a lost interrupt costs time, not jobs."""
    board.load_key(0, bytes(32))
    queue = board.queue(0, 4)
    memory = board.memory(8 * 4096)
    board.check(board.c.ow_queue_set_interrupts(queue.queue, True, 4, 2000))
    jobs, _iv = ctr_jobs(board, memory.address, 8, 4096)
    queue.submit(queue.pointers(jobs), 8)
    queue.wait()
    assert all(job.status == board.c.OW_OK for job in jobs)
    assert queue.queue.missed_interrupts == 0
    inject(board, "OW_SIM_LOST_INTERRUPT")
    jobs, _iv = ctr_jobs(board, memory.address, 8, 4096)
    queue.submit(queue.pointers(jobs), 8)
    queue.wait()
    assert all(job.status == board.c.OW_OK for job in jobs)
    assert queue.queue.missed_interrupts > 0
    remove_faults(board)


def jobs_done_before_those_of_another_queue(has_priority: bool) -> int:
    """64 jobs come when 128 of another queue are waiting."""
    with Board(relax_cycles=16) as board:
        board.load_key(0, bytes(32))
        grant = board.ffi.new("struct ow_grant *", {"priority": has_priority})
        slow, fast = board.queue(0, 7), board.queue(1, 7, grant)
        memory = board.memory(192 * 4096)
        low, _iv = ctr_jobs(board, memory.address, 128, 4096)
        high, _iv2 = ctr_jobs(board, memory.address + 128 * 4096, 64, 4096)
        slow.submit(slow.pointers(low), 128)
        fast.submit(fast.pointers(high), 64)
        fast.wait()
        board.c.ow_queue_poll(slow.queue, board.ffi.NULL)
        finished = sum(job.status == board.c.OW_OK for job in low)
        slow.wait()
        return finished


def test_priority() -> None:
    """Two queues share evenly, also where one has priority: it cannot take the other's share of streams and bus."""
    for has_priority in (False, True):
        assert 56 <= jobs_done_before_those_of_another_queue(has_priority) <= 88
