# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A queue of the device: submits jobs, returns finished ones; counters and times."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from outwork import spec
from outwork.device import inflight
from outwork.errors import OutworkError

if TYPE_CHECKING:
    from outwork.device.board import Board


class Queue:
    """An open queue, for one thread at a time. Its jobs are `struct ow_job`, owned by the caller."""

    def __init__(self, board: "Board", index: int, log2_entries: int) -> None:
        self.board, self.index, self.log2_entries = board, index, log2_entries
        self.entries = 1 << log2_entries
        ffi, c = board.ffi, board.c
        entry_bytes = spec.DESCRIPTOR_SIZE + spec.COMPLETION_SIZE + c.OW_QUEUE_SCRATCH_BYTES
        self.rings = board.memory(entry_bytes << log2_entries)
        self.slots = ffi.new("struct ow_queue_slot[]", self.entries)
        self._queue = ffi.new("struct ow_queue *")
        board.check(
            c.ow_queue_open(
                self._queue, board.device, index, board.pointer(self.rings.address), self.slots, log2_entries
            )
        )
        self._accepted = ffi.new("size_t *")
        self._finished = ffi.new("size_t *")
        self._halt = ffi.new("uint8_t *")
        self._counters = ffi.new("struct ow_counters *")
        self._jobs_of: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # key: their array of pointers
        self.is_open = True
        self.is_finishing = False  # true while the driver writes into jobs
        inflight.watch(self)
        c.ow_queue_counters(self._queue, self._counters)

    @property
    def queue(self) -> Any:
        """The driver's `struct ow_queue *`."""
        if not self.is_open:
            raise OutworkError(f"Queue {self.index} is closed: open it again with `Board.queue`.")
        return self._queue

    @property
    def is_busy(self) -> bool:
        """Whether jobs are in flight, or being finished."""
        return self.is_finishing or self.outstanding != 0

    def _finish(self, call: Any, *arguments: Any) -> int:
        self.is_finishing = True
        try:
            return int(call(*arguments))
        finally:
            self.is_finishing = False

    def pointers(self, jobs: Any) -> Any:
        """Returns the array of pointers that `submit` needs for an array of jobs, which it keeps alive."""
        count = len(jobs)
        pointers = self.board.ffi.new("struct ow_job *[]", count)
        for index in range(count):
            pointers[index] = jobs + index
        self._jobs_of[pointers] = jobs
        return pointers

    def submit(self, pointers: Any, count: int) -> int:
        """Submits jobs with one doorbell. Returns how many were accepted: fewer if the ring is full."""
        status = self.board.c.ow_queue_submit(self.queue, self._accepted, pointers, count)
        accepted = int(self._accepted[0])
        if status not in (self.board.c.OW_OK, self.board.c.OW_BUSY):
            raise OutworkError(f"Job {accepted} was not accepted: {self.board.status_text(status)}")
        return accepted

    def poll(self) -> int:
        """Finishes completed jobs. If there are none, lets some device cycles pass."""
        self.board.check(self._finish(self.board.c.ow_queue_poll, self.queue, self._finished))
        return int(self._finished[0])

    def wait(self, job: Any = None) -> None:
        """Waits until this job is over; None: until all are."""
        c = self.board.c
        status = self._finish(c.ow_queue_wait, self.queue, self.board.ffi.NULL if job is None else job)
        inflight.sweep()
        if status == c.OW_HALTED:
            raise OutworkError(f"Queue {self.index} has halted: {self.halt_reason()}")
        self.board.check(status)

    def run(self, jobs: Any, batch: int | None = None) -> None:
        """Runs an array of any number of jobs, `batch` per doorbell, and waits for all."""
        pointers = self.pointers(jobs)
        total, given = len(jobs), 0
        batch = min(batch or self.entries, self.entries)
        while given < total:
            taken = self.submit(pointers + given, min(batch, total - given))
            given += taken
            if given < total and (taken == 0 or self.space < batch):
                self.poll()
        self.wait()

    @property
    def space(self) -> int:
        return int(self.board.c.ow_queue_space(self.queue))

    @property
    def outstanding(self) -> int:
        return int(self.board.c.ow_queue_outstanding(self.queue))

    def is_halted(self) -> bool:
        return bool(self.board.c.ow_queue_halt_reason(self.queue, self._halt) == self.board.c.OW_HALTED)

    def halt_reason(self) -> str:
        self.board.c.ow_queue_halt_reason(self.queue, self._halt)
        code = int(self._halt[0])
        try:
            return spec.HALT_DESCRIPTIONS[spec.Halt(code)]
        except ValueError:
            return f"reason {code}, unknown to this version."

    def reset(self) -> None:
        status = self._finish(self.board.c.ow_queue_reset, self.queue)
        inflight.sweep()
        self.board.check(status)

    def counters(self) -> dict[str, int]:
        """Returns the device's counters since its reset. They are 64 bits wide if this is called at least every 2^32
        cycles."""
        self.board.c.ow_queue_counters(self.queue, self._counters)
        names: Sequence[str] = [name for name, _ in self.board.ffi.typeof("struct ow_counters").fields]
        return {name: int(getattr(self._counters, name)) for name in names}

    def times(self) -> tuple[int, int]:
        """Returns the cycle of the doorbell that ended the last idle time, and that of the last completion."""
        start = self.board.ffi.new("uint64_t *")
        finish = self.board.ffi.new("uint64_t *")
        self.board.c.ow_queue_times(self.queue, start, finish)
        return int(start[0]), int(finish[0])

    def start_cycle(self) -> int:
        """Returns the cycle of the doorbell that ended the last idle time; unlike `times`, does not wait for jobs in
        flight."""
        page, platform = self.queue.page, self.board.platform
        low = platform.read32(platform.context, page + spec.QUEUE_START_LOW_OFFSET)
        return int(low | platform.read32(platform.context, page + spec.QUEUE_START_HIGH_OFFSET) << 32)

    def fallbacks(self) -> dict[str, int]:
        """Returns the requests that the device refused, by reason, since the queue was opened."""
        ffi, c = self.board.ffi, self.board.c
        return {
            ffi.string(c.ow_fallback_text(reason)).decode(): int(self.queue.fallbacks[reason])
            for reason in range(c.OW_FALLBACK_COUNT)
        }

    def close(self) -> None:
        """Closes the queue. Jobs in flight end as aborted."""
        if self.is_open:
            self._finish(self.board.c.ow_queue_close, self._queue)
            self.is_open = False
            self.board.queues.pop(self.index, None)
            self.rings.close()
            inflight.sweep()
