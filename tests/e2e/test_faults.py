# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Memory that fails: errors on every channel at every step of a job, late and lost answers, flipped bits."""

import random
from collections.abc import Iterator

import failing
import pytest
from failing import DECERR, SLVERR, inject, remove_faults
from reference import make, random_case
from runner import Runner

from outwork.device.board import Board
from outwork.spec import Opcode

KEY = bytes(range(32))
SOURCE, DESTINATION, AAD, IV, CONTEXT, LIST = (0x1000 * n for n in range(1, 7))
LENGTH = 1000


class Rig(failing.Rig):
    """A GCM job that reads and writes everything a job can: context, long IV, AAD, scattered source and destination."""

    def __init__(self, board: Board) -> None:
        super().__init__(board, 0x8000, 4)
        self.rng = random.Random(7)
        self.others = Runner(board, arena_bytes=1 << 18, queues=(1,), log2_entries=4)
        self.plain = self.rng.randbytes(LENGTH)
        self.put(SOURCE, self.plain)
        self.put(AAD, self.rng.randbytes(100))
        self.put(IV, self.rng.randbytes(100))
        self.put(CONTEXT, KEY)
        self.pieces = board.ffi.new("struct ow_piece[8]")
        for number in range(8):
            self.pieces[number].memory = self.pointer(SOURCE + 125 * number)
            self.pieces[number].length = 125
        self.fill()

    def fill(self) -> None:
        ffi, job = self.board.ffi, self.job
        self.clear_job()
        job.opcode, job.tag_len, job.length = Opcode.AES_GCM, 16, LENGTH
        job.context, job.key.key_len = ffi.cast("struct ow_context *", self.pointer(CONTEXT)), 32
        job.source_pieces, job.source_pieces_len = self.pieces, 8
        job.list_memory, job.list_memory_len = self.pointer(LIST), 256
        job.destination = self.pointer(DESTINATION)
        job.iv, job.iv_len = ffi.cast("uint8_t *", self.pointer(IV)), 100
        job.aad, job.aad_len = self.pointer(AAD), 100

    def run(self) -> int:
        self.fill()
        return self.run_job()

    def is_well(self) -> None:
        """This queue does the job right, and so does another one."""
        self.remove_faults()
        assert self.run() == self.c.OW_OK
        iv, aad = bytes(self.memory.at(IV, 100)), bytes(self.memory.at(AAD, 100))
        case = make(Opcode.AES_GCM, KEY, self.plain, iv=iv, aad=aad, tag_bytes=16)
        assert bytes(self.memory.at(DESTINATION, LENGTH)) == case.expected
        assert bytes(self.job.tag) == case.tag.ljust(64, b"\0")
        assert self.others.run(random_case(self.rng, 200, queues=(1,)) for _ in range(10)) == 10


@pytest.fixture
def rig(board: Board) -> Iterator[Rig]:
    with Rig.opened(board) as rig:
        yield rig


def test_the_rig(rig: Rig) -> None:
    rig.is_well()


@pytest.mark.parametrize("response", [SLVERR, DECERR])
@pytest.mark.parametrize(
    "place", [SOURCE, SOURCE + 500, SOURCE + 999, AAD, AAD + 99, IV, IV + 99, CONTEXT, CONTEXT + 31, LIST]
)
def test_read_errors(rig: Rig, place: int, response: int) -> None:
    rig.inject(rig.c.OW_SIM_READ_ERROR_ADDRESS, response, address=rig.memory.address + place)
    assert rig.run() == rig.c.OW_BUS_ERROR
    assert bytes(rig.job.tag) == bytes(64)
    assert rig.queue.counters()["error_bus"] == 1
    rig.is_well()


@pytest.mark.parametrize("response", [SLVERR, DECERR])
@pytest.mark.parametrize("place", [0, 500, 999])
def test_write_errors(rig: Rig, place: int, response: int) -> None:
    rig.inject(rig.c.OW_SIM_WRITE_ERROR_ADDRESS, response, address=rig.memory.address + DESTINATION + place)
    assert rig.run() == rig.c.OW_BUS_ERROR
    assert rig.queue.counters()["error_bus"] == 1
    rig.is_well()


@pytest.mark.parametrize("kind", ["OW_SIM_READ_ERROR_ADDRESS", "OW_SIM_WRITE_ERROR_ADDRESS"])
def test_errors_of_the_rings_halt_the_queue(rig: Rig, kind: str) -> None:
    """There is no record to carry the news: the queue halts, says why, and a reset brings it back."""
    start = rig.queue.rings.address + (rig.queue.entries * 64 if "WRITE" in kind else 0)
    rig.inject(kind, SLVERR, address=start)
    rig.fill()
    rig.submit()
    assert rig.c.ow_queue_wait(rig.queue.queue, rig.job) == rig.c.OW_HALTED
    assert "bus answered" in rig.queue.halt_reason()
    assert rig.others.run(random_case(rig.rng, 200, queues=(1,)) for _ in range(10)) == 10
    rig.queue.reset()
    assert rig.job.status == rig.c.OW_ABORTED
    rig.is_well()


@pytest.mark.parametrize("at", range(0, 40, 3))
@pytest.mark.parametrize("kind", ["OW_SIM_LATE_READ", "OW_SIM_LATE_WRITE"])
def test_late_answers(rig: Rig, kind: str, at: int) -> None:
    rig.inject(kind, 3000, at)
    assert rig.run() == rig.c.OW_OK
    rig.is_well()


@pytest.mark.parametrize("at", range(12))
def test_any_read_burst_may_fail(rig: Rig, at: int) -> None:
    """Whichever it is: an error of the job or a halt of the queue, never a hang and never a wrong success."""
    rig.inject(rig.c.OW_SIM_READ_ERROR, SLVERR, at)
    rig.fill()
    rig.submit()
    waited = rig.c.ow_queue_wait(rig.queue.queue, rig.job)
    if waited == rig.c.OW_HALTED:
        rig.queue.reset()
        assert rig.job.status == rig.c.OW_ABORTED
    else:
        assert waited == rig.c.OW_OK
        assert rig.job.status in (rig.c.OW_BUS_ERROR, rig.c.OW_OK)
    rig.is_well()


@pytest.mark.parametrize(
    "kind",
    [
        "OW_SIM_STUCK_READ_ADDRESS",
        "OW_SIM_NO_READ_RESPONSE",
        "OW_SIM_STUCK_WRITE_ADDRESS",
        "OW_SIM_STUCK_WRITE_DATA",
        "OW_SIM_NO_WRITE_RESPONSE",
    ],
)
def test_memory_that_stops_answering(rig: Rig, kind: str) -> None:
    """The wait ends with a timeout; once memory answers again, a reset brings everything back."""
    rig.queue.queue.timeout_us = 200
    rig.inject(kind, at=1)
    rig.fill()
    rig.submit()
    assert rig.c.ow_queue_wait(rig.queue.queue, rig.job) in (rig.c.OW_TIMEOUT, rig.c.OW_HALTED)
    rig.remove_faults()
    rig.queue.reset()
    assert rig.job.status in (rig.c.OW_ABORTED, rig.c.OW_OK)
    rig.is_well()


def test_watchdog(board: Board) -> None:
    """A job past its time ends as a timeout by itself; the queue goes on."""
    grant = board.ffi.new("struct ow_grant *", {"watchdog_cycles": 3000})
    queue = board.queue(0, 4, grant)
    board.load_key(0, KEY)
    memory = board.memory(1 << 20)
    iv = board.ffi.new("uint8_t[16]")
    jobs = board.ffi.new("struct ow_job[]", 2)
    for job, length in zip(jobs, (1 << 20, 4096), strict=True):
        job.opcode, job.length = Opcode.AES_CTR, length
        job.source = job.destination = board.pointer(memory.address)
        job.iv, job.iv_len = iv, 16
    queue.run(jobs)
    assert [job.status for job in jobs] == [board.c.OW_TIMEOUT, board.c.OW_OK]
    assert queue.counters()["error_timeout"] == 1


@pytest.mark.parametrize("opcode", [Opcode.AES_GCM, Opcode.AES_CCM])
@pytest.mark.parametrize("at", [12, 20, 40, 63])
def test_a_turned_bit_is_noticed(board: Board, opcode: Opcode, at: int) -> None:
    """One bit of what the device reads: the tag does not match, and zeros are all that comes out."""
    board.load_key(0, KEY)
    queue = board.queue(0, 4)
    case = make(opcode, KEY, bytes(1024), iv=bytes(12), tag_bytes=16, decrypt=True)
    memory = board.memory(4096)
    memory.view[:1024] = case.data
    memory.view[2048:3072] = b"\xa5" * 1024
    job = board.ffi.new("struct ow_job *")
    iv = board.ffi.new("uint8_t[12]")
    job.opcode, job.length, job.tag_len, job.flags = opcode, 1024, 16, board.c.OW_JOB_DECRYPT
    job.source, job.destination = board.pointer(memory.address), board.pointer(memory.address + 2048)
    job.iv, job.iv_len, job.tag = iv, 12, case.tag
    inject(board, "OW_SIM_FLIP_READ", at % 128, at)
    queue.submit(board.ffi.new("struct ow_job *[]", [job]), 1)
    queue.wait()
    assert job.status == board.c.OW_AUTH_FAILED
    assert bytes(memory.view[2048:3072]) == bytes(1024)


def test_a_device_that_fell_off_the_bus(board: Board) -> None:
    """All ones from every register: waits end, nothing hangs, and nothing is taken for success."""
    queue = board.queue(0, 4)
    queue.queue.timeout_us = board.device.timeout_us = 200
    inject(board, "OW_SIM_DEAD_REGISTERS")
    job = board.ffi.new("struct ow_job *")
    status = board.c.ow_queue_run(queue.queue, job)
    assert status not in (board.c.OW_OK, board.c.OW_PENDING)
    remove_faults(board)
