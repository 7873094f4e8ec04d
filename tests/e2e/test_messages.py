# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Scattered buffers, and messages that come in parts: the state of one job carries over to the next."""

import random
from typing import Any

import pytest
import reference
from reference import ALL_MODES, random_case

from outwork.device.board import Board
from outwork.device.memory import Memory
from outwork.spec import Opcode

# The completion's tag is all of their state: the IV of the next part.
STATE_IS_IV = (Opcode.AES_ECB, Opcode.AES_CBC, Opcode.AES_CTR)
IN_PARTS = tuple(opcode for opcode in ALL_MODES if opcode is not Opcode.AES_CCM)  # CCM must know its lengths first
SEED = 33


def cuts(rng: random.Random, length: int, pieces: int) -> list[int]:
    """Lengths of so many pieces, some empty, that make up the whole."""
    edges = sorted(rng.randrange(length + 1) for _ in range(pieces - 1))
    return [b - a for a, b in zip([0, *edges], [*edges, length], strict=True)]


class Scattered:
    """Pieces all over a memory, with gaps between them that must stay as they were."""

    def __init__(self, board: Board, memory: Memory, rng: random.Random, lengths: list[int]) -> None:
        self.memory, self.places = memory, []
        self.pieces = board.ffi.new("struct ow_piece[]", max(len(lengths), 1))
        position = 0
        order = list(range(len(lengths)))
        rng.shuffle(order)
        starts = [0] * len(lengths)
        for index in order:
            position += rng.randrange(1, 70)
            starts[index] = position
            position += lengths[index]
        for index, length in enumerate(lengths):
            self.places.append((starts[index], length))
            self.pieces[index].memory = board.pointer(memory.address + starts[index])
            self.pieces[index].length = length
        memory.view[:] = b"\xa5" * memory.size_bytes

    def image(self, data: bytes) -> bytes:
        """The memory with `data` spread over the pieces."""
        image = bytearray(b"\xa5" * self.memory.size_bytes)
        position = 0
        for start, length in self.places:
            image[start : start + length] = data[position : position + length]
            position += length
        return bytes(image)


@pytest.mark.parametrize("opcode", ALL_MODES, ids=lambda opcode: opcode.name)
def test_scattered(board: Board, opcode: Opcode) -> None:
    """Random pieces on both sides, more of them than a job has room for by itself, zero-length ones too."""
    rng = random.Random(SEED + opcode)
    print(f"seed {SEED + opcode}")
    ffi, c = board.ffi, board.c
    queue = board.queue(0, 3)
    source_memory, destination_memory, lists = (
        board.memory(1 << 14),
        board.memory(1 << 14),
        board.memory(4096),
    )
    for _ in range(60):
        case = random_case(rng, 700, None, (opcode,))
        keys = [ffi.new("uint8_t[]", data) for data in (case.key, case.tweak_key or b"\0")]
        data, output = (
            case.data,
            case.output if not case.tag_in_memory else case.expected or bytes(len(case.data)),
        )
        source = Scattered(board, source_memory, rng, cuts(rng, len(data), rng.randrange(1, 12)))
        destination = Scattered(board, destination_memory, rng, cuts(rng, len(data), rng.randrange(1, 12)))
        source_memory.view[:] = source.image(data)
        job = ffi.new("struct ow_job *")
        job.opcode, job.length, job.tag_len = opcode, len(data), len(case.tag)
        job.flags = c.OW_JOB_DECRYPT if case.decrypt else 0
        job.key.bytes, job.key.key_len = keys[0], len(case.key)
        if case.tweak_key:
            job.key.tweak_bytes = keys[1]
        job.source_pieces, job.source_pieces_len = source.pieces, len(source.places)
        if case.has_output:
            job.destination_pieces, job.destination_pieces_len = destination.pieces, len(destination.places)
        job.list_memory, job.list_memory_len = board.pointer(lists.address), 4096
        iv, aad = ffi.new("uint8_t[]", case.iv + b"\0"), board.memory(max(len(case.aad), 1))
        aad.view[: len(case.aad)] = case.aad
        long_iv = board.memory(max(len(case.iv), 1))
        long_iv.view[: len(case.iv)] = case.iv
        job.iv = ffi.cast("uint8_t *", long_iv.address) if len(case.iv) > 64 else iv
        job.iv_len = len(case.iv)
        job.aad, job.aad_len = board.pointer(aad.address), len(case.aad)
        if case.decrypt and case.tag:
            job.tag = case.tag.ljust(16, b"\0")
        queue.submit(ffi.new("struct ow_job *[]", [job]), 1)
        queue.wait()
        assert board.status_text(job.status) == board.status_text(getattr(c, case.status_wanted))
        expected = destination.image(output) if case.has_output else b"\xa5" * destination_memory.size_bytes
        assert bytes(destination_memory.view) == expected
        assert bytes(source_memory.view) == source.image(data)
        if case.tag and not case.decrypt:
            assert bytes(job.tag)[: len(case.tag)] == case.tag
        for memory in (aad, long_iv):
            memory.close()


class Parts:
    """A message as a chain of jobs over one context."""

    def __init__(self, board: Board, opcode: Opcode, key: bytes, tweak_key: bytes | None, decrypt: bool) -> None:
        self.board, self.opcode, self.decrypt = board, opcode, decrypt
        self.memory = board.memory(1 << 13)
        self.context = board.memory(128)
        self.queue = board.queue(0, 4)
        self.keys = [board.ffi.new("uint8_t[]", data) for data in (key, tweak_key or b"\0")]
        self.key_bytes, self.has_tweak = len(key), tweak_key is not None

    def part(self, data: bytes, *, iv: bytes, aad: bytes, is_first: bool, is_last: bool, tag: bytes) -> Any:
        ffi, c = self.board.ffi, self.board.c
        job = ffi.new("struct ow_job *")
        self.memory.view[: len(data)] = data
        job.opcode, job.length = self.opcode, len(data)
        job.flags = c.OW_JOB_DECRYPT if self.decrypt else 0
        if self.opcode not in STATE_IS_IV:
            job.flags |= (0 if is_first else c.OW_JOB_LOAD_STATE) | (0 if is_last else c.OW_JOB_SAVE_STATE)
        job.context = ffi.cast("struct ow_context *", self.context.address)
        job.key.bytes, job.key.key_len = self.keys[0], self.key_bytes
        if self.has_tweak:
            job.key.tweak_bytes = self.keys[1]
        job.source = self.board.pointer(self.memory.address)
        if self.opcode not in (Opcode.AES_CMAC, Opcode.AES_GMAC):
            job.destination = self.board.pointer(self.memory.address)
        ivs = ffi.new("uint8_t[]", iv + b"\0")
        aads = ffi.new("uint8_t[]", aad + b"\0")
        if is_first or self.opcode in STATE_IS_IV:
            job.iv, job.iv_len = ivs, len(iv)
            job.aad, job.aad_len = aads, len(aad)
        if is_last and tag:
            job.tag_len = len(tag)
            if self.decrypt:
                job.tag = tag.ljust(16, b"\0")
        self.queue.submit(ffi.new("struct ow_job *[]", [job]), 1)
        self.queue.wait()
        assert job.status == c.OW_OK, self.board.status_text(job.status)
        return job


@pytest.mark.parametrize("decrypt", [False, True], ids=["forward", "back"])
@pytest.mark.parametrize("opcode", IN_PARTS, ids=lambda opcode: opcode.name)
def test_in_parts(board: Board, opcode: Opcode, decrypt: bool) -> None:
    rng = random.Random(SEED + 100 * opcode + decrypt)
    print(f"seed {SEED + 100 * opcode + decrypt}")
    for _ in range(12):
        key = rng.randbytes(rng.choice((16, 32)))
        tweak_key = rng.randbytes(len(key)) if opcode is Opcode.AES_XTS else None
        iv_bytes = {Opcode.AES_ECB: 0, Opcode.AES_CMAC: 0, Opcode.AES_GCM: 12, Opcode.AES_GMAC: 12}.get(opcode, 16)
        iv, aad = (
            rng.randbytes(iv_bytes),
            rng.randbytes(rng.choice((0, 5, 40))) if opcode is Opcode.AES_GCM else b"",
        )
        blocks = [16 * rng.randrange(1, 9) for _ in range(rng.randrange(1, 5))]
        tail = 16 * rng.randrange(1, 9)
        if opcode not in (Opcode.AES_ECB, Opcode.AES_CBC):
            tail += rng.randrange(16)
        plain = rng.randbytes(sum(blocks) + tail)
        case = reference.make(
            opcode,
            key,
            plain,
            iv=iv,
            aad=aad,
            tag_bytes=0 if opcode not in reference.TAG_LENGTHS else 16,
            tweak_key=tweak_key,
            decrypt=decrypt,
        )
        parts = Parts(board, opcode, key, tweak_key, decrypt)
        lengths = [*blocks, tail]
        position, output = 0, b""
        for number, length in enumerate(lengths):
            job = parts.part(
                case.data[position : position + length],
                iv=iv,
                aad=aad,
                is_first=number == 0,
                is_last=number == len(lengths) - 1,
                tag=case.tag,
            )
            output += bytes(parts.memory.at(0, length))
            position += length
            if opcode in (Opcode.AES_CBC, Opcode.AES_CTR):
                iv = bytes(job.tag)[:16]
        if case.has_output:
            assert output == case.expected
        if case.tag and not decrypt:
            assert bytes(job.tag)[:16] == case.tag
        parts.queue.close()


@pytest.mark.parametrize("tag_bytes", [4, 13, 16])
@pytest.mark.parametrize("opcode", [Opcode.AES_CMAC, Opcode.AES_GMAC], ids=lambda opcode: opcode.name)
def test_an_appended_mac(board: Board, opcode: Opcode, tag_bytes: int) -> None:
    """It stands in the destination, alone, and in the completion, where zeros fill it up."""
    key, plain, iv = bytes(range(16)), bytes(range(100)), bytes(12) if opcode is Opcode.AES_GMAC else b""
    case = reference.make(opcode, key, plain, iv=iv, tag_bytes=tag_bytes)
    board.load_key(0, key)
    queue, memory, ivs = board.queue(0, 2), board.memory(4096), board.ffi.new("uint8_t[]", iv + b"\0")
    memory.view[:] = b"\xa5" * 4096
    memory.view[:100] = plain
    job = board.ffi.new("struct ow_job *")
    job.opcode, job.length, job.tag_len, job.flags = opcode, 100, tag_bytes, board.c.OW_JOB_APPEND_TAG
    job.iv, job.iv_len = ivs, len(iv)
    job.source, job.destination = board.pointer(memory.address), board.pointer(memory.address + 201)
    queue.submit(board.ffi.new("struct ow_job *[]", [job]), 1)
    queue.wait()
    assert job.status == board.c.OW_OK, board.status_text(job.status)
    assert bytes(job.tag) == case.tag.ljust(64, b"\0")
    assert job.bytes == tag_bytes
    assert bytes(memory.at(200, tag_bytes + 2)) == b"\xa5" + case.tag + b"\xa5"
