# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""After `close()` every method raises an error with a sentence, and no freed memory is used."""

from collections.abc import Callable
from typing import Any

import pytest

from outwork.device.board import Board
from outwork.device.memory import Memory
from outwork.device.queues import Queue
from outwork.errors import OutworkError

# These answer without the device, so they go on to answer.
HELPERS = {"close", "check", "status_text", "pointer", "pointers", "capability", "clock"}
BOARD_CALLS: dict[str, Callable[[Board], Any]] = {
    "memory": lambda board: board.memory(64),
    "share": lambda board: board.share(Memory(64)),
    "queue": lambda board: board.queue(0),
    "supports": lambda board: board.supports(0x10, False),
    "load_key": lambda board: board.load_key(0, bytes(16)),
    "load_key_pair": lambda board: board.load_key_pair(0, 0x71, bytes(16), bytes(20)),
    "load_mac_key": lambda board: board.load_mac_key(0, 0x32, bytes(16)),
    "zeroise": lambda board: board.zeroise(0),
    "key_info": lambda board: board.key_info(0),
    "cycles": lambda board: board.cycles,
    "statistics": lambda board: board.statistics(),
    "protocol_error": lambda board: board.protocol_error(),
    "trace": lambda board: board.trace("never.fst"),
    "log": lambda board: board.log(16),
    "accesses": lambda board: board.accesses(),
    "sim": lambda board: board.sim,
    "device": lambda board: board.device,
    "platform": lambda board: board.platform,
}
QUEUE_CALLS: dict[str, Callable[[Queue], Any]] = {
    "submit": lambda queue: queue.submit(queue.board.ffi.new("struct ow_job *[]", 1), 0),
    "poll": lambda queue: queue.poll(),
    "wait": lambda queue: queue.wait(),
    "run": lambda queue: queue.run(queue.board.ffi.new("struct ow_job[]", 2)),
    "space": lambda queue: queue.space,
    "outstanding": lambda queue: queue.outstanding,
    "is_busy": lambda queue: queue.is_busy,
    "is_halted": lambda queue: queue.is_halted(),
    "halt_reason": lambda queue: queue.halt_reason(),
    "reset": lambda queue: queue.reset(),
    "counters": lambda queue: queue.counters(),
    "times": lambda queue: queue.times(),
    "start_cycle": lambda queue: queue.start_cycle(),
    "fallbacks": lambda queue: queue.fallbacks(),
    "queue": lambda queue: queue.queue,
}
MEMORY_CALLS: dict[str, Callable[[Memory], Any]] = {
    "at": lambda memory: memory.at(0, 1),
    "view": lambda memory: memory.view,
    "address": lambda memory: memory.address,
    "on_close": lambda memory: memory.on_close(lambda _: None),
}


def public(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")} - HELPERS


def test_nothing_is_forgotten_here() -> None:
    """A method that is added to a class is added above."""
    assert public(Board) == set(BOARD_CALLS)
    assert public(Queue) == set(QUEUE_CALLS)
    assert public(Memory) == set(MEMORY_CALLS)


@pytest.mark.parametrize("name", BOARD_CALLS)
def test_board(name: str) -> None:
    board = Board()
    board.close()
    with pytest.raises(OutworkError, match="The board is closed"):
        BOARD_CALLS[name](board)
    board.close()


@pytest.mark.parametrize("name", QUEUE_CALLS)
def test_queue(board: Board, name: str) -> None:
    queue = board.queue(0, 2)
    queue.close()
    with pytest.raises(OutworkError, match="Queue 0 is closed"):
        QUEUE_CALLS[name](queue)
    with pytest.raises(OutworkError, match="This memory is closed"):
        queue.rings.at(0, 1)
    queue.close()


@pytest.mark.parametrize("name", QUEUE_CALLS)
def test_queue_of_a_closed_board(name: str) -> None:
    with Board() as board:
        queue = board.queue(0, 2)
    with pytest.raises(OutworkError, match="Queue 0 is closed"):
        QUEUE_CALLS[name](queue)
    queue.close()


def test_a_queue_that_was_opened_again(board: Board) -> None:
    """The older one is closed: the device knows only the rings of the newer."""
    older = board.queue(0, 2)
    newer = board.queue(0, 3)
    with pytest.raises(OutworkError, match="Queue 0 is closed"):
        older.poll()
    older.close()
    newer.run(board.ffi.new("struct ow_job[]", 4))


@pytest.mark.parametrize("name", MEMORY_CALLS)
def test_memory(board: Board, name: str) -> None:
    for memory in (board.memory(64), Memory(64)):
        memory.close()
        with pytest.raises(OutworkError, match="This memory is closed"):
            MEMORY_CALLS[name](memory)
        memory.close()


def test_memory_of_a_closed_board() -> None:
    """What the device left there can still be read."""
    with Board() as board:
        memory = board.memory(64)
        memory.view[:2] = b"ab"
    assert bytes(memory.at(0, 3)) == b"ab\0"
    memory.close()


def test_a_slice_outlives_its_memory(board: Board) -> None:
    memory = board.memory(4096)
    part = memory.at(16, 4)
    memory.close()
    part[:] = b"abcd"
    assert bytes(part) == b"abcd"
