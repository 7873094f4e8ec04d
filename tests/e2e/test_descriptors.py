# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Malformed descriptors and rings of every kind: the right status, nothing written, and the next job succeeds."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from raw import Descriptor, RawQueue, gcm_job
from reference import make

from outwork.device.board import Board
from outwork.device.memory import Memory
from outwork.spec import Halt, Opcode, Status

KEY = bytes(range(32))
PLAIN = bytes(range(64))
GOOD = make(Opcode.AES_GCM, KEY, PLAIN, iv=bytes(12), tag_bytes=16)


class Rig:
    def __init__(self, board: Board) -> None:
        self.board = board
        board.load_key(0, KEY)
        board.load_key(1, KEY, bytes(32))
        self.memory: Memory = board.memory(8192)
        self.queue = RawQueue(board)
        self.clean()

    def clean(self) -> None:
        self.memory.view[:] = b"\xa5" * 8192
        self.memory.view[:64] = PLAIN

    def job(self, **control: int) -> Descriptor:
        return gcm_job(self.memory.address, **control)

    def is_well(self) -> None:
        self.clean()
        done = self.queue.run(self.job())
        assert done.status == Status.OK
        assert bytes(self.memory.at(1024, 64)) == GOOD.expected
        assert done.tag == GOOD.tag

    def is_refused(self, descriptor: Descriptor, *statuses: Status) -> None:
        """With one of the statuses, and with nothing written anywhere."""
        self.clean()
        before = bytes(self.memory.view)
        done = self.queue.run(descriptor)
        assert done.status in statuses, Status(done.status)
        assert (done.tag, done.bytes) == (bytes(16), 0)
        assert bytes(self.memory.view) == before
        self.is_well()


@pytest.fixture
def rig(board: Board) -> Iterator[Rig]:
    yield Rig(board)


def test_every_opcode_that_is_none(rig: Rig) -> None:
    known = {int(opcode) for opcode in Opcode}
    for opcode in range(256):
        if opcode not in known:
            rig.is_refused(rig.job(opcode=opcode), Status.BAD_OPCODE)


def test_key_slots_that_are_empty_or_none(rig: Rig) -> None:
    for slot in (2, 31, 32, 64, 255):
        rig.is_refused(rig.job(key=slot), Status.KEY_DENIED)


def test_tag_lengths(rig: Rig) -> None:
    for length in range(32):
        if not 4 <= length <= 16:
            rig.is_refused(rig.job(tag_length=length), Status.BAD_TAG_LENGTH)


@pytest.mark.parametrize(
    ("control", "changes", "statuses"),
    [
        ({"generation": 1, "inline_key": 1}, {}, {Status.BAD_FLAGS}),
        ({"opcode": Opcode.AES_ECB, "tag_length": 0}, {"length": 63}, {Status.BAD_LENGTH}),
        ({"opcode": Opcode.AES_CBC, "tag_length": 0}, {"length": 1}, {Status.BAD_LENGTH}),
        ({"opcode": Opcode.AES_XTS, "tag_length": 0, "key": 1}, {"length": 15}, {Status.BAD_LENGTH}),
        ({"opcode": Opcode.AES_XTS, "tag_length": 0, "key": 1}, {"length": 0}, {Status.BAD_LENGTH}),
        ({"opcode": Opcode.AES_XTS, "tag_length": 0}, {}, {Status.BAD_KEY}),
        ({"key": 1}, {}, {Status.BAD_KEY}),
        ({"opcode": Opcode.AES_CTR, "tag_length": 0, "key": 1}, {}, {Status.BAD_KEY}),
        ({"inline_key": 1, "key": 3}, {}, {Status.BAD_KEY}),
        ({"inline_key": 1, "key": 255}, {}, {Status.BAD_KEY}),
        ({"save_state": 1, "tag_length": 0}, {"length": 17}, {Status.BAD_LENGTH}),
        ({"opcode": Opcode.AES_CCM}, {"iv": bytes((0,))}, {Status.BAD_IV}),
        ({"opcode": Opcode.AES_CCM}, {"iv": bytes((8,))}, {Status.BAD_IV}),
        ({"opcode": Opcode.AES_CCM}, {"iv": bytes((255,))}, {Status.BAD_IV}),
        ({"long_iv": 1}, {"iv": bytes(16)}, {Status.BAD_IV}),
        ({"opcode": Opcode.AES_GMAC}, {"aad_length": 5}, {Status.BAD_LENGTH, Status.BAD_FLAGS}),
        (
            {"opcode": Opcode.AES_CTR, "tag_length": 0},
            {"aad_length": 5},
            {Status.BAD_LENGTH, Status.BAD_FLAGS},
        ),
        ({"opcode": Opcode.AES_CTR, "tag_length": 0, "long_iv": 1}, {}, {Status.BAD_FLAGS, Status.BAD_IV}),
        ({"opcode": Opcode.AES_CTR, "tag_length": 0, "append_tag": 1}, {}, {Status.BAD_FLAGS}),
        ({"append_tag": 1, "decrypt": 1}, {}, {Status.BAD_FLAGS}),
        ({"append_tag": 1, "save_state": 1, "tag_length": 0}, {}, {Status.BAD_FLAGS}),
        ({"opcode": Opcode.AES_CCM, "save_state": 1}, {}, {Status.BAD_FLAGS}),
        ({"opcode": Opcode.AES_CCM, "load_state": 1}, {}, {Status.BAD_FLAGS}),
    ],
    ids=str,
)
def test_what_does_not_fit(
    rig: Rig, control: dict[str, int], changes: dict[str, object], statuses: set[Status]
) -> None:
    rig.is_refused(replace(rig.job(**control), **changes), *statuses)  # type: ignore[arg-type]


def segments(rig: Rig, rows: list[tuple[int, int, int]]) -> int:
    """Writes a list at 4096: offset, length, last. Answers its address."""
    data = b"".join(
        (rig.memory.address + offset).to_bytes(8, "little") + length.to_bytes(4, "little") + last.to_bytes(4, "little")
        for offset, length, last in rows
    )
    rig.memory.view[4096 : 4096 + len(data)] = data
    return rig.memory.address + 4096


@pytest.mark.parametrize("side", ["source", "destination"])
def test_lists_that_end_too_soon_or_lie_crooked(rig: Rig, side: str) -> None:
    for rows, crooked in (
        ([(256, 63, 1)], 0),
        ([(256, 0, 1)], 0),
        ([(256, 32, 0), (512, 16, 1)], 0),
        ([(256, 64, 1)], 4),
    ):
        address = segments(rig, rows) + crooked
        job = replace(rig.job(**{f"{side}_list": 1}), **{side: address})  # type: ignore[arg-type]
        done = rig.queue.run(job)
        assert done.status == Status.BAD_SEGMENT, Status(done.status)
        assert done.tag == bytes(16)
        rig.is_well()


def test_addresses_that_nothing_answers(rig: Rig) -> None:
    """Near zero, near the end of 64 bits, and just beside the memory."""
    for address in (0, 64, (1 << 64) - 8192, 1 << 63, rig.memory.address + 8192 - 32):
        for side in ("source", "destination"):
            done = rig.queue.run(replace(rig.job(), **{side: address}))  # type: ignore[arg-type]
            assert done.status in (Status.READ_ERROR, Status.WRITE_ERROR), (hex(address), side)
            rig.is_well()


def test_lengths_beyond_memory_end(rig: Rig) -> None:
    done = rig.queue.run(replace(rig.job(), length=0xFFFFFFFF))
    assert done.status != Status.OK
    rig.is_well()


@pytest.mark.parametrize("seed", range(4))
def test_random_descriptors(rig: Rig, seed: int) -> None:
    """Whatever the bits say, each job ends and the queue goes on; sources and destinations lie in the memory or nowhere."""
    rng = random.Random(seed)
    print(f"seed {seed}")
    for _ in range(250):
        base = rig.job(opcode=rng.choice([*map(int, Opcode), rng.randrange(256)]))
        raw = bytearray(
            replace(
                base,
                length=rng.choice((0, 1, 16, 31, 64, 700)),
                aad_length=rng.choice((0, 0, 1, 50)),
                context=rig.memory.address + 16 * rng.randrange(300),
                iv=rng.randbytes(16),
            ).pack(rng.getrandbits(32))
        )
        for _ in range(rng.randrange(5)):
            place = rng.choice((1, 2, 3, *range(8, 64)))
            raw[place] ^= 1 << rng.randrange(8)
        if raw[3] & 0x08:  # a long IV of at most a few KiB
            raw[56 + 2 : 56 + 4] = bytes(2)
        raw[0x2A:0x2C] = raw[0x2E:0x30] = bytes(2)
        rig.queue.run(bytes(raw))
    rig.board.load_key(0, KEY)
    rig.is_well()


def test_rings_that_make_no_sense(rig: Rig) -> None:
    """The queue halts at the doorbell, says why, touches nothing, and a reset brings it back."""
    queue, good = rig.queue, rig.queue.rings.address
    for settings in ({"ring": good + 32}, {"done": good + 16}, {"log2_entries": 0}, {"log2_entries": 15}):
        limit = rig.board.capabilities.ring_log2_max
        if settings.get("log2_entries", 0) and settings["log2_entries"] <= limit:
            continue
        queue.start(**settings)
        queue.put(rig.job().pack(1))
        before = bytes(queue.rings.view)
        queue.ring()
        halt = queue.halt_after(2000)
        if settings == {"log2_entries": 0}:  # a ring of one entry is allowed
            assert halt in (Halt.NONE, Halt.BAD_RING)
        else:
            assert halt == Halt.BAD_RING, settings
            assert bytes(queue.rings.view) == before
    queue.start()
    rig.is_well()


@pytest.mark.parametrize(
    ("count", "reason"),
    [(9, Halt.RING_OVERRUN), (100, Halt.RING_OVERRUN), (0x8000, Halt.BAD_DOORBELL), (0xFFFF, Halt.BAD_DOORBELL)],
)
def test_a_doorbell_beyond_the_ring(rig: Rig, count: int, reason: Halt) -> None:
    rig.queue.ring(count)
    assert rig.queue.halt_after(2000) == reason
    rig.queue.start()
    rig.is_well()


def test_a_ring_that_nothing_answers(rig: Rig) -> None:
    rig.queue.start(ring=0)
    rig.queue.ring(1)
    assert rig.queue.halt_after(2000) == Halt.RING_READ
    rig.queue.start(done=0x1000)
    rig.queue.put(rig.job().pack(1))
    rig.queue.ring()
    assert rig.queue.halt_after(3000) == Halt.RING_WRITE
    rig.queue.start()
    rig.is_well()


def test_a_queue_without_a_grant_does_nothing(board: Board) -> None:
    rig = Rig(board)
    board.check(board.c.ow_queue_revoke(board.device, 0))
    rig.queue.start()
    rig.queue.put(rig.job().pack(1))
    before = board.statistics()["read_bursts"]
    rig.queue.ring()
    board.c.ow_sim_run(board.sim, 3000)
    assert board.statistics()["read_bursts"] == before
