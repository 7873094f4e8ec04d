# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Key slots: who may use a key and what for, locks, zeroising, tampering; and no way to read one."""

import pytest

from outwork import spec
from outwork.device.board import Board
from outwork.device.queues import Queue
from outwork.errors import OutworkError
from outwork.spec import Opcode

KEY = bytes(range(100, 132))


def status_of(board: Board, queue: Queue, opcode: Opcode, slot: int = 0, decrypt: bool = False) -> str:
    """How a job of 64 bytes ends, in the driver's words."""
    memory = board.memory(256)
    ffi, job = board.ffi, board.ffi.new("struct ow_job *")
    iv = ffi.new("uint8_t[16]")
    job.opcode, job.length, job.key.slot = opcode, 64, slot
    job.flags = board.c.OW_JOB_DECRYPT if decrypt else 0
    job.source = board.pointer(memory.address)
    if opcode in (Opcode.AES_CMAC, Opcode.AES_GMAC):
        job.tag_len = 16
    else:
        job.destination = board.pointer(memory.address)
    if opcode not in (Opcode.AES_ECB, Opcode.AES_CMAC):
        job.iv, job.iv_len = iv, 12 if opcode is Opcode.AES_GMAC else 16
    queue.submit(ffi.new("struct ow_job *[]", [job]), 1)
    queue.wait()
    names = {value: name for name, value in vars(spec.Status).items() if name.isupper()}
    return str(names.get(job.device_status, job.device_status))


@pytest.mark.parametrize("may", ["encrypt", "decrypt", "mac", "encrypt mac", "nothing"])
def test_usage(board: Board, may: str) -> None:
    board.load_key(0, KEY, encrypt="encrypt" in may, decrypt="decrypt" in may, mac="mac" in may)
    queue = board.queue(0, 3)
    denied = 0
    for opcode, decrypt, need in (
        (Opcode.AES_ECB, False, "encrypt"),
        (Opcode.AES_ECB, True, "decrypt"),
        (Opcode.AES_CBC, False, "encrypt"),
        (Opcode.AES_CBC, True, "decrypt"),
        (Opcode.AES_CMAC, False, "mac"),
        (Opcode.AES_GMAC, False, "encrypt mac"),  # its IVs give the block cipher
    ):
        allowed = set(need.split()) <= set(may.split())
        denied += not allowed
        wanted = "OK" if allowed else "KEY_DENIED"
        assert status_of(board, queue, opcode, decrypt=decrypt) == wanted, (opcode, decrypt)
    assert queue.counters()["error_key"] == denied


@pytest.mark.parametrize("owner", range(4))
def test_owner(board: Board, owner: int) -> None:
    board.load_key(0, KEY, queues=1 << owner)
    for index in range(board.capabilities.queues):
        wanted = "OK" if index == owner else "KEY_DENIED"
        assert status_of(board, board.queue(index, 2), Opcode.AES_CTR) == wanted


def test_empty_and_zeroised_slots(board: Board) -> None:
    queue = board.queue(0, 3)
    assert status_of(board, queue, Opcode.AES_CTR) == "KEY_DENIED"
    for slot in (0, board.capabilities.key_slots - 1):
        board.load_key(slot, KEY)
        assert status_of(board, queue, Opcode.AES_CTR, slot) == "OK"
        board.zeroise(slot)
        assert not board.key_info(slot).valid
        assert status_of(board, queue, Opcode.AES_CTR, slot) == "KEY_DENIED"


def test_lock(board: Board) -> None:
    board.load_key(0, KEY, lock=True)
    with pytest.raises(OutworkError, match="locked"):
        board.load_key(0, bytes(32))
    assert board.key_info(0).locked
    board.zeroise(0)
    board.load_key(0, bytes(32))


def test_info_tells_all_but_the_key(board: Board) -> None:
    board.load_key(5, KEY[:24], queues=0b0101, decrypt=False)
    info = board.key_info(5)
    assert (info.valid, info.locked, info.two_keys, info.key_len) == (True, False, False, 24)
    assert (info.properties.queues, info.properties.encrypt, info.properties.decrypt) == (0b0101, True, False)
    board.load_key(6, KEY[:16], KEY[16:])
    assert board.key_info(6).two_keys


def test_equal_keys_for_xts_are_refused(board: Board) -> None:
    with pytest.raises(OutworkError, match="not allowed"):
        board.load_key(0, KEY, KEY)


def test_no_register_shows_a_key(board: Board) -> None:
    """Every register of every page, read after a key was loaded: none holds four bytes of it."""
    board.load_key(3, KEY, bytes(range(32)))
    board.queue(0, 3)
    assert status_of(board, board.queue(1, 3), Opcode.AES_XTS, 3) == "OK"
    words = {int.from_bytes(KEY[n : n + 4], order) for n in range(29) for order in ("little", "big")}
    platform = board.platform
    for offset in range(0, spec.PAGE_SIZE * 5, 4):
        assert platform.read32(platform.context, offset) not in words, hex(offset)
    statistics = board.statistics()
    assert statistics["protocol_errors"] == 0


def test_tamper(board: Board) -> None:
    """All keys are gone, the device remembers, and new keys may be loaded once the input is low again."""
    for slot in range(board.capabilities.key_slots):
        board.load_key(slot, KEY, lock=slot % 2 == 1)
    board.c.ow_sim_tamper(board.sim, 1)
    board.c.ow_sim_run(board.sim, 200)
    board.c.ow_sim_tamper(board.sim, 0)
    board.c.ow_sim_run(board.sim, 200)
    assert board.c.ow_device_tampered(board.device)
    assert not any(board.key_info(slot).valid for slot in range(board.capabilities.key_slots))
    board.load_key(0, KEY)
    assert status_of(board, board.queue(0, 3), Opcode.AES_CTR) == "OK"


def test_reset_takes_all_keys(board: Board) -> None:
    board.load_key(0, KEY, lock=True)
    board.c.ow_sim_reset(board.sim)
    assert not board.key_info(0).valid
