# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps the memory of jobs in flight until they are over, even if Python has freed or closed it.

The driver writes into a job and reads its lists of pieces until the job is over, and the device uses the memory that
the job names. Submitting therefore costs nothing: memory that Python frees or closes while a queue has jobs in
flight is kept here, and released when no ring entry of an open queue points to it any more.
"""

import threading
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from weakref import ref

if TYPE_CHECKING:
    from outwork.device.queues import Queue

# Number of waiting objects that starts a sweep, which walks through all ring entries.
SWEEP_AT: Final = 64


@dataclass(slots=True)
class _Held:
    """A memory range, and the function that releases it."""

    address: int
    size_bytes: int
    let_go: Callable[[], None]

    def is_pointed_at(self, addresses: list[int]) -> bool:
        """Returns whether one of the sorted addresses is in the range."""
        following = bisect_left(addresses, self.address)
        return following < len(addresses) and addresses[following] < self.address + self.size_bytes


_queues: "list[ref[Queue]]" = []
_held: Final[deque[_Held]] = deque()
_one_sweep: Final = threading.Lock()
_sweep_at = SWEEP_AT


def watch(queue: "Queue") -> None:
    """Registers a queue when it is opened; `sweep` notices that it is closed."""
    global _queues
    # Replaces the list: another thread may be iterating over it.
    _queues = [*(other for other in _queues if other() is not None), ref(queue)]


def _open_queues() -> "list[Queue]":
    return [queue for known in _queues if (queue := known()) is not None and queue.is_open]


def allocator(ffi: Any) -> Callable[..., Any]:
    """Returns an `ffi.new` whose memory is not freed while a job in flight points to it."""
    new, characters = ffi.new, ffi.typeof("char[]")

    def free(block: Any) -> None:
        if any(queue.is_busy for queue in _open_queues()):
            _held.append(_Held(int(ffi.cast("uintptr_t", block)), len(block), partial(ffi.release, block)))
            if len(_held) >= _sweep_at:
                sweep()

    made: Callable[..., Any] = ffi.new_allocator(lambda size: new(characters, size), free, False)
    return made


def hold(address: int, size_bytes: int, let_go: Callable[[], None]) -> None:
    """Calls `let_go` when no job in flight points to the range; at once if none does."""
    _held.append(_Held(address, size_bytes, let_go))
    sweep()


def waiting() -> int:
    """Returns how many objects wait for their jobs."""
    return len(_held)


def sweep() -> None:
    """Releases what no job in flight points to any more."""
    global _sweep_at
    # The garbage collector may interrupt a thread that is here, and free another object.
    if not _held or not _one_sweep.acquire(blocking=False):
        return
    try:
        queues = _open_queues()
        if not any(queue.is_finishing for queue in queues):
            addresses = sorted(address for queue in queues for address in _pointed_at(queue))
            for _ in range(len(_held)):
                held = _held.popleft()
                if held.is_pointed_at(addresses):
                    _held.append(held)
                else:
                    held.let_go()
        _sweep_at = SWEEP_AT + 2 * len(_held)
    finally:
        _one_sweep.release()


def _pointed_at(queue: "Queue") -> Iterator[int]:
    """Returns the addresses that the queue and its jobs in flight use."""
    cast = queue.board.ffi.cast
    yield int(queue.queue.address)
    if not queue.is_busy:
        return
    for slot in queue.slots:
        job = slot.job
        if job:
            pointers = [job, job.source, job.destination, job.source_pieces, job.destination_pieces]
            pointers += [job.list_memory, job.context, job.iv, job.aad]
            pointers += [piece.memory for piece in job.source_pieces[0 : job.source_pieces_len]]
            pointers += [piece.memory for piece in job.destination_pieces[0 : job.destination_pieces_len]]
            for pointer in pointers:
                yield int(cast("uintptr_t", pointer))
