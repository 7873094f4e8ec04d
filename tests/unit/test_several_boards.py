# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Several boards that share the requests of one file: results, counters, failures of one board, keys and memory."""

import random
import re
import time
from collections.abc import Iterator

import pytest
from failing import SLVERR, inject, remove_faults
from streamed import seal, unseal

from outwork import engines
from outwork.algorithms import find_cipher
from outwork.algorithms.base import Operation
from outwork.choice.engine import DEPTH, EngineChoice, Shape
from outwork.device.memory import Memory
from outwork.engines.accelerator import AcceleratorEngine
from outwork.engines.base import Outcome, Request
from outwork.engines.several import SeveralBoards
from outwork.engines.software import SoftwareEngine
from outwork.errors import NoDeviceError, NotAuthenticError, OutworkError

BOARDS = 2
PATIENCE_SECONDS = 30


@pytest.fixture
def engine() -> Iterator[SeveralBoards]:
    with SeveralBoards("reference", BOARDS) as made:
        yield made


def boards_of(engine: SeveralBoards) -> list[AcceleratorEngine]:
    return engine._engines


def jobs(engine: SeveralBoards) -> list[int]:
    """Returns the job counter of each device."""
    return [board.queue.counters()["jobs"] for board in boards_of(engine)]


def poll(engine: SeveralBoards, count: int) -> int:
    """Polls until at least so many requests are over. Returns how many are."""
    end, finished = time.monotonic() + PATIENCE_SECONDS, 0
    while finished < count:
        finished += len(engine.poll())
        assert time.monotonic() < end, f"only {finished} of {count} requests are over after {PATIENCE_SECONDS} seconds"
    return finished


@pytest.mark.parametrize("name", ["aes-256-gcm", "aes-128-ctr", "aes-128-cbc", "aes-256-xts"])
def test_same_files_as_software_and_every_board_works(engine: SeveralBoards, name: str) -> None:
    data = random.Random(5).randbytes(150 * 512 + 3)
    with SoftwareEngine() as software:
        sealed = seal(engine, name, data)
        assert sealed == seal(software, name, data)
    done = sum(jobs(engine))
    assert done >= 151
    assert unseal(engine, sealed) == data
    assert sum(jobs(engine)) >= 2 * 151


@pytest.mark.parametrize("working", range(BOARDS))
def test_every_board_works(engine: SeveralBoards, working: int) -> None:
    """While the other board's bus does not answer, this one does all that the other has no room for."""
    cipher, count, size = find_cipher("aes-128-ctr"), 60, 512
    boards = boards_of(engine)
    other = boards[1 - working]
    inject(other.board, "OW_SIM_NO_READ_RESPONSE")
    data = random.Random(7).randbytes(count * size)
    key = engine.load_key(cipher, bytes(range(16)))
    with engine.allocate(len(data)) as memory, SoftwareEngine() as software:
        memory.view[:] = data
        requests = [
            Request(key, Operation.ENCRYPT, at, at, size, iv=bytes(15) + bytes([number]))
            for number, at in enumerate(range(memory.address, memory.address + len(data), size))
        ]
        engine.submit(requests)
        finished = poll(engine, count - other.depth)
        assert jobs(engine)[working] >= count - other.depth and jobs(engine)[1 - working] == 0
        remove_faults(other.board)
        poll(engine, count - finished)
        assert sum(jobs(engine)) == count
        for number, request in enumerate(requests):
            plain = data[number * size : (number + 1) * size]
            expected = software.crypt(cipher, Operation.ENCRYPT, bytes(range(16)), request.iv, plain)
            assert bytes(memory.at(number * size, size)) == expected and request.outcome is Outcome.OK


def test_a_changed_file_is_found(engine: SeveralBoards) -> None:
    sealed = bytearray(seal(engine, "aes-256-gcm", bytes(100 * 512)))
    sealed[-3000] ^= 1
    with pytest.raises(NotAuthenticError):
        unseal(engine, bytes(sealed))


@pytest.mark.parametrize("failing", range(BOARDS))
def test_one_dead_board_ends_with_a_sentence(engine: SeveralBoards, failing: int) -> None:
    """The other one never answers, so that this one has work."""
    for index, board in enumerate(boards_of(engine)):
        board.stall_cycles = 100_000 if index == failing else 1 << 62
        inject(board.board, "OW_SIM_NO_READ_RESPONSE")
    with pytest.raises(NoDeviceError, match="does not respond"):
        seal(engine, "aes-256-gcm", bytes(300 * 512))


def test_a_bus_error_of_one_board_ends_with_a_sentence(engine: SeveralBoards) -> None:
    with engine.allocate(4096) as memory:
        for board in boards_of(engine):
            inject(board.board, "OW_SIM_READ_ERROR_ADDRESS", SLVERR, address=memory.address)
        key = engine.load_key(find_cipher("aes-128-ctr"), bytes(16))
        request = Request(key, Operation.ENCRYPT, memory.address, memory.address, 64, iv=bytes(16))
        with pytest.raises(OutworkError, match="The device did not do the job"):
            engine.run(request)
        assert request.outcome is Outcome.OPEN


def test_keys_leave_all_boards(engine: SeveralBoards) -> None:
    key = engine.load_key(find_cipher("aes-128-ctr"), bytes(16))
    assert all(board.board.key_info(0).valid for board in boards_of(engine))
    engine.drop_key(key)
    assert not any(board.board.key_info(0).valid for board in boards_of(engine))


def test_no_board_reaches_closed_memory(engine: SeveralBoards) -> None:
    memory = engine.allocate(4096)
    address = memory.address
    memory.close()
    key = engine.load_key(find_cipher("aes-128-ctr"), bytes(16))
    for board in boards_of(engine):
        own = Request(key.handle[id(board)], Operation.ENCRYPT, address, address, 64, iv=bytes(16))
        with pytest.raises(OutworkError):
            board.run(own)


def test_memory_that_a_board_refuses_is_no_board_s(engine: SeveralBoards, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[int] = []

    def refuse(memory: Memory) -> None:
        refused.append(memory.address)
        raise OutworkError("no room")

    first, second = boards_of(engine)
    monkeypatch.setattr(second.board, "share", refuse)
    with pytest.raises(OutworkError, match="no room"):
        engine.allocate(4096)
    key = first.load_key(find_cipher("aes-128-ctr"), bytes(16))
    (address,) = refused
    with pytest.raises(OutworkError, match="not accepted"):
        first.run(Request(key, Operation.ENCRYPT, address, address, 64, iv=bytes(16)))


def test_a_key_that_a_board_refuses_is_in_no_slot(engine: SeveralBoards, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OutworkError("no slot")

    first, second = boards_of(engine)
    monkeypatch.setattr(second, "load_key", refuse)
    with pytest.raises(OutworkError, match="no slot"):
        engine.load_key(find_cipher("aes-128-ctr"), bytes(16))
    assert not first.board.key_info(0).valid


def test_a_board_that_cannot_be_opened_leaves_none_open(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[AcceleratorEngine] = []

    def limited(profile: str) -> AcceleratorEngine:
        if opened:
            raise NoDeviceError("no more")
        opened.append(AcceleratorEngine(profile))
        return opened[0]

    monkeypatch.setattr("outwork.engines.several.AcceleratorEngine", limited)
    with pytest.raises(NoDeviceError, match="no more"):
        SeveralBoards("reference", BOARDS)
    with pytest.raises(OutworkError, match="closed"):
        _ = opened[0].board.cycles


def test_statistics_name_the_board(engine: SeveralBoards) -> None:
    seal(engine, "aes-128-ctr", bytes(100 * 512))
    found = engine.statistics()
    assert found["done by"].startswith("2 boards; each is board reference: ")
    counted = [int(re.match(r"\d+", found[f"board {n}: jobs on the device"]).group()) for n in (1, 2)]  # type: ignore[union-attr]
    assert counted == jobs(engine) and sum(counted) >= 100


def test_only_large_files_are_shared() -> None:
    choice = EngineChoice("accelerator", "reference", boards=BOARDS)
    cipher = find_cipher("aes-128-ctr")
    for depth, kind in ((1, AcceleratorEngine), (DEPTH - 1, AcceleratorEngine), (DEPTH, SeveralBoards)):
        with choice.open(cipher, Operation.ENCRYPT, Shape(4096, depth)) as opened:
            assert type(opened) is kind
    with engines.open_engine("accelerator", "reference") as opened:
        assert type(opened) is AcceleratorEngine
