# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs cases on the device, thousands at a time, and compares all of its memory with the expected contents.

Every buffer lies in one arena between guard bytes. After a run the whole arena must be, byte for byte, what it was before
plus the expected results: a stray write anywhere shows. The device's own counters must have counted every job.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from cases import AEADS, Case

from outwork.device.board import Board
from outwork.device.queues import Queue
from outwork.spec import Opcode

LINE = 64
GUARD_BYTES = 64


def round_up(value: int, multiple: int = LINE) -> int:
    return -(-value // multiple) * multiple


class Runner:
    """Owns an arena and queues of a board."""

    def __init__(
        self, board: Board, arena_bytes: int = 8 << 20, queues: Sequence[int] = (0,), log2_entries: int = 6
    ) -> None:
        self.board = board
        self.arena = board.memory(arena_bytes)
        self.queues: dict[int, Queue] = {index: board.queue(index, log2_entries) for index in queues}
        self.key_slots: dict[tuple[bytes, bytes | None], int] = {}
        self.jobs_run = 0
        self._keep: list[Any] = []

    def run(self, cases: Iterable[Case]) -> int:
        """All cases; answers how many. Raises AssertionError at the first that is wrong."""
        chunk: list[Case] = []
        used = total = 0
        for case in cases:
            room = self._room(case)
            assert room <= self.arena.size_bytes, f"{case.name}: the arena is too small"
            if used + room > self.arena.size_bytes or len(chunk) >= 4096:
                self._run_chunk(chunk)
                total, used, chunk = total + len(chunk), 0, []
            chunk.append(case)
            used += room
        if chunk:
            self._run_chunk(chunk)
        return total + len(chunk)

    @staticmethod
    def _room(case: Case) -> int:
        source = round_up(case.source_offset + len(case.data) + 16 + GUARD_BYTES)
        destination = 0 if case.in_place else round_up(case.destination_offset + len(case.data) + 16 + GUARD_BYTES)
        return source + destination + round_up(len(case.iv)) + round_up(len(case.aad)) + GUARD_BYTES

    def _run_chunk(self, cases: list[Case]) -> None:
        before = bytearray(b"\xa5" * self.arena.size_bytes)
        after = bytearray(before)
        places: list[tuple[int, int]] = []
        jobs = self.board.ffi.new("struct ow_job[]", len(cases))
        self._keep = [jobs]
        self._load_keys(cases)
        position = GUARD_BYTES
        for number, case in enumerate(cases):
            source = position + case.source_offset
            data, output = case.source_bytes, case.output
            before[source : source + len(data)] = data
            after[source : source + len(data)] = data
            iv = round_up(source + len(data) + 16 + GUARD_BYTES)
            before[iv : iv + len(case.iv)] = case.iv
            aad = round_up(iv + len(case.iv))
            before[aad : aad + len(case.aad)] = case.aad
            after[iv : aad + len(case.aad)] = before[iv : aad + len(case.aad)]
            position = round_up(aad + len(case.aad))
            destination = source
            if not case.in_place:
                destination = position + case.destination_offset
                position = round_up(destination + len(case.data) + 16 + GUARD_BYTES)
            if case.status_wanted in ("OW_OK", "OW_AUTH_FAILED"):
                after[destination : destination + len(output)] = output
            places.append((source, destination))
            case.job = jobs + number
            self._fill(case, source, destination, iv, aad)
        self.arena.view[:] = before
        counters = {index: queue.counters() for index, queue in self.queues.items()}
        self._submit(cases)
        self._check_counters(cases, counters)
        self._check(cases, places, after)
        self.jobs_run += len(cases)

    def _load_keys(self, cases: list[Case]) -> None:
        """Keys into slots while there are any; the rest travels inline."""
        for case in cases:
            wanted = (case.key, case.tweak_key)
            if case.inline_key or wanted in self.key_slots or len(case.key) not in (16, 24, 32):
                continue
            if len(self.key_slots) < self.board.capabilities.key_slots:
                slot = len(self.key_slots)
                self.board.load_key(slot, case.key, case.tweak_key)
                self.key_slots[wanted] = slot

    def _fill(self, case: Case, source: int, destination: int, iv: int, aad: int) -> None:
        job, ffi, c, base = case.job, self.board.ffi, self.board.c, self.arena.address
        job.opcode, job.tag_len, job.length = case.opcode, len(case.tag), len(case.data)
        flags = c.OW_JOB_DECRYPT if case.decrypt else 0
        if case.opcode in AEADS and case.tag_in_memory:
            flags |= c.OW_JOB_TAG_IN_SOURCE if case.decrypt else c.OW_JOB_APPEND_TAG
        job.flags = flags
        slot = None if case.inline_key else self.key_slots.get((case.key, case.tweak_key))
        if slot is None:
            key = ffi.new("uint8_t[]", case.key)
            self._keep.append(key)
            job.key.bytes, job.key.key_len = key, len(case.key)
            if case.tweak_key is not None:
                tweak = ffi.new("uint8_t[]", case.tweak_key)
                self._keep.append(tweak)
                job.key.tweak_bytes = tweak
        else:
            job.key.slot = slot
        job.source = ffi.cast("void *", base + source)
        if case.has_output:
            job.destination = ffi.cast("void *", base + destination)
        if case.iv:
            job.iv, job.iv_len = ffi.cast("uint8_t *", base + iv), len(case.iv)
        if case.aad:
            job.aad, job.aad_len = ffi.cast("void *", base + aad), len(case.aad)
        if case.decrypt and case.tag and not case.tag_in_memory:
            ffi.memmove(job.tag, case.tag, len(case.tag))

    def _submit(self, cases: list[Case]) -> None:
        """Every queue's jobs in order, queues by turns, each as full as it will be."""
        waiting: dict[int, tuple[Any, int]] = {}
        for index in self.queues:
            jobs = [case.job for case in cases if case.queue == index]
            waiting[index] = (self.board.ffi.new("struct ow_job *[]", jobs), len(jobs))
        given = dict.fromkeys(waiting, 0)
        while any(given[index] < count for index, (_, count) in waiting.items()):
            for index, (pointers, count) in waiting.items():
                if given[index] < count:
                    given[index] += self.queues[index].submit(pointers + given[index], count - given[index])
                self.queues[index].poll()
        for queue in self.queues.values():
            queue.wait()

    def _check_counters(self, cases: list[Case], before: dict[int, dict[str, int]]) -> None:
        """The device did the work: it counted every job itself, as done or as not authentic."""
        for index, queue in self.queues.items():
            now, old = queue.counters(), before[index]
            mine = [case for case in cases if case.queue == index]
            good = sum(case.status_wanted == "OW_OK" for case in mine)
            wrong = sum(case.status_wanted == "OW_AUTH_FAILED" for case in mine)
            counted = (now["jobs"] - old["jobs"], now["error_auth"] - old["error_auth"])
            if counted != (good, wrong):
                self._check_statuses(cases)
            assert counted == (good, wrong), f"queue {index}: the device counted {counted} jobs, not {(good, wrong)}"

    def _check_statuses(self, cases: list[Case]) -> None:
        for number, case in enumerate(cases):
            wanted = getattr(self.board.c, case.status_wanted)
            assert case.job.status == wanted, (
                f"case {number}: {describe(case)}: {self.board.status_text(case.job.status)} "
                f"(device status {case.job.device_status}), not {case.status_wanted}"
            )

    def _check(self, cases: list[Case], places: list[tuple[int, int]], after: bytearray) -> None:
        self._check_statuses(cases)
        got = bytes(self.arena.view)
        if got != after:
            first = next(index for index, (a, b) in enumerate(zip(got, after, strict=True)) if a != b)
            self._blame(cases, places, first, got, after)
        for number, case in enumerate(cases):
            if case.tag and not case.decrypt and case.status_wanted == "OW_OK":
                tag = bytes(case.job.tag)[: len(case.tag)]
                assert tag == case.tag, f"case {number}: {describe(case)}: tag {tag.hex()}, not {case.tag.hex()}"

    @staticmethod
    def _blame(cases: list[Case], places: list[tuple[int, int]], first: int, got: bytes, after: bytearray) -> None:
        for number, (case, (_, destination)) in enumerate(zip(cases, places, strict=True)):
            end = destination + len(case.output)
            if destination <= first < end:
                raise AssertionError(
                    f"case {number}: {describe(case)}: byte {first - destination} of the result is wrong: "
                    f"got {got[destination:end].hex()}, expected {bytes(after[destination:end]).hex()}"
                )
        number, case = min(enumerate(cases), key=lambda item: abs(places[item[0]][1] + len(item[1].output) - first))
        raise AssertionError(
            f"byte {first} of the arena was changed, outside of every result; nearest is case {number}: {describe(case)}, "
            f"destination {places[number][1]} to {places[number][1] + len(case.output)}"
        )


def describe(case: Case) -> str:
    return (
        f"{case.name or 'case'} {Opcode(case.opcode).name} {'decrypt' if case.decrypt else 'encrypt'} key={case.key.hex()} "
        f"iv={case.iv.hex()} aad={len(case.aad)} length={len(case.data)} tag={case.tag.hex()} "
        f"offsets={case.source_offset},{case.destination_offset}{' in place' if case.in_place else ''}"
        f"{' tag in memory' if case.tag_in_memory else ''}{' inline key' if case.inline_key else ''}"
    )
