# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs hash and MAC jobs on a board, many at once, and checks the device's own count of them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from outwork.algorithms.digest import KEYED
from outwork.device.board import Board
from outwork.spec import Opcode

LOG2 = 6
KEY_BYTES_MAX = 64


@dataclass
class HashCase:
    """What an opcode makes of a message; with a key an inline one. `is_valid` false: a MAC that must be refused."""

    opcode: int
    message: bytes
    expected: bytes
    key: bytes | None = None
    is_valid: bool = True
    is_verified: bool = False
    origin: str = ""


class HashRunner:
    def __init__(self, board: Board, index: int = 0) -> None:
        self.board = board
        self.queue = board.queue(index, LOG2)

    def run_beside(self, cases: list[HashCase], meanwhile: Callable[[], object]) -> None:
        self._run(cases, meanwhile)

    def run(self, cases: Iterable[HashCase]) -> int:
        """How many jobs the device has counted, those it refused for their MAC among them."""
        before = self.queue.counters()
        remaining = iter(cases)
        while chunk := list(islice(remaining, 4 << LOG2)):
            self._run(chunk)
        after = self.queue.counters()
        return sum(after[name] - before[name] for name in ("jobs", "error_auth"))

    def _run(self, cases: list[HashCase], meanwhile: Callable[[], object] | None = None) -> None:
        """`meanwhile` is called while as many jobs as the ring holds are with the device."""
        board, ffi = self.board, self.board.ffi
        jobs = ffi.new("struct ow_job[]", len(cases))
        room = [-(-max(len(case.message), 1) // 64) * 64 for case in cases]
        outputs = [-(-len(case.expected) // 64) * 64 for case in cases]
        keep: list[Any] = []
        with board.memory(sum(room) + sum(outputs)) as memory:
            at = 0
            places: list[int] = []
            for job, case, size, output in zip(jobs, cases, room, outputs, strict=True):
                memory.view[at : at + len(case.message)] = case.message
                places.append(at + size)
                self._fill(job, case, memory.address + at, memory.address + at + size, keep)
                at += size + output
            if meanwhile is not None:
                assert self.queue.submit(self.queue.pointers(jobs), len(cases)) == len(cases)
                meanwhile()
                self.queue.wait()
            else:
                self.queue.run(jobs)
            for job, case, place in zip(jobs, cases, places, strict=True):
                self._check(job, case, bytes(memory.at(place, len(case.expected))))

    def _fill(self, job: Any, case: HashCase, source: int, destination: int, keep: list[Any]) -> None:
        board, c = self.board, self.board.c
        job.opcode, job.length = case.opcode, len(case.message)
        job.source = board.pointer(source)
        if case.key is not None:
            keep.append(board.ffi.new("uint8_t[]", case.key or b"\0"))
            job.key.bytes, job.key.key_len = keep[-1], len(case.key)
        if case.is_verified:
            job.flags, job.tag, job.tag_len = c.OW_JOB_DECRYPT, case.expected, len(case.expected)
        elif len(case.expected) <= len(job.tag):
            job.tag_len = len(case.expected)
        else:
            job.destination, job.destination_len = board.pointer(destination), len(case.expected)

    def _check(self, job: Any, case: HashCase, output: bytes) -> None:
        c, origin = self.board.c, f"{case.origin}: {Opcode(case.opcode).name}, {len(case.message)} bytes"
        if case.is_verified:
            assert job.status == (c.OW_OK if case.is_valid else c.OW_AUTH_FAILED), origin
            return
        assert job.status == c.OW_OK, f"{origin}: {self.board.status_text(job.status)}"
        got = bytes(job.tag)[: len(case.expected)] if len(case.expected) <= len(job.tag) else output
        assert (got == case.expected) is case.is_valid, origin


def mac_opcode(hash_opcode: int) -> int:
    return hash_opcode + KEYED


class Chains:
    """Many chains of digests side by side: each next message is made of the digests before."""

    def __init__(self, board: Board, chains: list[Iterator[Any]]) -> None:
        """A chain yields (opcode, message, output bytes), is sent the digest, and returns when it is over."""
        self.board, self.queue = board, board.queue(0, LOG2)
        self.memory = board.memory(1024 * len(chains))
        self.jobs = board.ffi.new("struct ow_job[]", len(chains))
        self.pointers = self.queue.pointers(self.jobs)
        self.chains = chains
        self.outputs = [0] * len(chains)

    def run(self) -> int:
        before = self.queue.counters()["jobs"]
        active = set(range(len(self.chains)))
        for index in list(active):
            self._give(index, next(self.chains[index]))
        while active:
            self.queue.poll()
            for index in list(active):
                if self.jobs[index].status != self.board.c.OW_PENDING:
                    try:
                        self._give(index, self.chains[index].send(self._take(index)))
                    except StopIteration:
                        active.remove(index)
        self.memory.close()
        return self.queue.counters()["jobs"] - before

    def _give(self, index: int, work: tuple[int, bytes, int]) -> None:
        opcode, message, output_bytes = work
        job, at = self.jobs[index], 1024 * index
        self.memory.view[at : at + len(message)] = message
        self.outputs[index] = output_bytes
        job.opcode, job.length = opcode, len(message)
        job.source = self.board.pointer(self.memory.address + at)
        job.destination = self.board.pointer(self.memory.address + at + 512)
        job.destination_len = output_bytes
        assert self.queue.submit(self.pointers + index, 1) == 1

    def _take(self, index: int) -> bytes:
        assert self.jobs[index].status == self.board.c.OW_OK
        return bytes(self.memory.at(1024 * index + 512, self.outputs[index]))
