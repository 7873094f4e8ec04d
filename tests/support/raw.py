# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A queue without the driver: writes registers, rings and descriptors directly, so that they can have any error."""

from dataclasses import dataclass, field

from outwork import spec
from outwork.device.board import Board
from outwork.spec import Opcode

CONTROL = {
    "opcode": spec.DESCRIPTOR_CONTROL_OPCODE_SHIFT,
    "key": spec.DESCRIPTOR_CONTROL_KEY_SHIFT,
    "tag_length": spec.DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT,
    "decrypt": spec.DESCRIPTOR_CONTROL_DECRYPT_SHIFT,
    "inline_key": spec.DESCRIPTOR_CONTROL_INLINE_KEY_SHIFT,
    "load_state": spec.DESCRIPTOR_CONTROL_LOAD_STATE_SHIFT,
    "save_state": spec.DESCRIPTOR_CONTROL_SAVE_STATE_SHIFT,
    "source_list": spec.DESCRIPTOR_CONTROL_SOURCE_LIST_SHIFT,
    "destination_list": spec.DESCRIPTOR_CONTROL_DESTINATION_LIST_SHIFT,
    "long_iv": spec.DESCRIPTOR_CONTROL_LONG_IV_SHIFT,
    "append_tag": spec.DESCRIPTOR_CONTROL_APPEND_TAG_SHIFT,
    "fence": spec.DESCRIPTOR_CONTROL_FENCE_SHIFT,
    "interrupt": spec.DESCRIPTOR_CONTROL_INTERRUPT_SHIFT,
    "generation": spec.DESCRIPTOR_CONTROL_GENERATION_SHIFT,
}


@dataclass
class Descriptor:
    """The 64 bytes, by name. `control` holds the fields of the first word."""

    control: dict[str, int] = field(default_factory=dict)
    source: int = 0
    destination: int = 0
    aad: int = 0
    context: int = 0
    length: int = 0
    aad_length: int = 0
    iv: bytes = bytes(16)

    def pack(self, cookie: int) -> bytes:
        word = sum(value << CONTROL[name] for name, value in self.control.items())
        parts = [(word, 4), (cookie, 4), (self.source, 8), (self.destination, 8), (self.aad, 8)]
        parts += [(self.context, 8), (self.length, 4), (self.aad_length, 4)]
        return b"".join(value.to_bytes(size, "little") for value, size in parts) + self.iv.ljust(16, b"\0")


@dataclass
class Completion:
    tag: bytes
    cookie: int
    bytes: int
    cycles: int
    status: int


class RawQueue:
    """Queue `index` of a board, granted any address."""

    def __init__(self, board: Board, index: int = 0, log2_entries: int = 3) -> None:
        self.board, self.page = board, spec.QUEUE_OFFSET + index * spec.QUEUE_STRIDE
        self.entries = 1 << log2_entries
        self.log2_entries = log2_entries
        board.check(board.c.ow_queue_grant(board.device, index, board.ffi.NULL))
        self.rings = board.memory(self.entries * (spec.DESCRIPTOR_SIZE + spec.COMPLETION_SIZE))
        self.done_at = self.entries * spec.DESCRIPTOR_SIZE
        self.start()

    def write(self, offset: int, value: int) -> None:
        platform = self.board.platform
        platform.write32(platform.context, self.page + offset, value & 0xFFFFFFFF)

    def read(self, offset: int) -> int:
        platform = self.board.platform
        return int(platform.read32(platform.context, self.page + offset))

    def start(self, ring: int | None = None, done: int | None = None, log2_entries: int | None = None) -> None:
        """Resets the queue and sets its rings."""
        self.write(spec.QUEUE_CONTROL_OFFSET, spec.QUEUE_CONTROL_RESET_MASK)
        for _ in range(1000):
            if not self.read(spec.QUEUE_CONTROL_OFFSET) & spec.QUEUE_CONTROL_RESET_MASK:
                break
        else:
            raise AssertionError("the queue's reset does not end")
        self.written = self.seen = 0
        self.rings.view[self.done_at :] = bytes(self.entries * spec.COMPLETION_SIZE)
        ring = self.rings.address if ring is None else ring
        done = self.rings.address + self.done_at if done is None else done
        self.write(spec.QUEUE_RING_LOW_OFFSET, ring)
        self.write(spec.QUEUE_RING_HIGH_OFFSET, ring >> 32)
        self.write(spec.QUEUE_DONE_LOW_OFFSET, done)
        self.write(spec.QUEUE_DONE_HIGH_OFFSET, done >> 32)
        self.write(spec.QUEUE_RING_SIZE_OFFSET, self.log2_entries if log2_entries is None else log2_entries)
        self.write(spec.QUEUE_CONTROL_OFFSET, spec.QUEUE_CONTROL_ENABLE_MASK)

    def put(self, descriptor: bytes) -> None:
        place = self.written % self.entries * spec.DESCRIPTOR_SIZE
        self.rings.view[place : place + spec.DESCRIPTOR_SIZE] = descriptor
        self.written += 1

    def ring(self, count: int | None = None) -> None:
        self.write(spec.QUEUE_DOORBELL_OFFSET, (self.written if count is None else count) & 0xFFFF)

    def completion(self, cycles: int = 100_000) -> Completion:
        """The next record; fails when it does not come in time, or when the queue has halted."""
        place = self.done_at + self.seen % self.entries * spec.COMPLETION_SIZE
        phase = 1 - self.seen // self.entries % 2
        for _ in range(cycles // 100):
            record = bytes(self.rings.at(place, spec.COMPLETION_SIZE))
            if record[31] >> 7 == phase:
                self.seen += 1
                word = [int.from_bytes(record[n : n + 4], "little") for n in range(16, 32, 4)]
                return Completion(record[:16], word[0], word[1], word[2], word[3] & 0xFF)
            assert not self.halt(), f"the queue has halted: {self.halt().name}"
            self.board.c.ow_sim_run(self.board.sim, 100)
        raise AssertionError("the job does not end")

    def run(self, descriptor: Descriptor | bytes) -> Completion:
        cookie = 0xC0000000 | self.written
        raw = descriptor if isinstance(descriptor, bytes) else descriptor.pack(cookie)
        self.put(raw)
        self.ring()
        completion = self.completion()
        assert completion.cookie == int.from_bytes(raw[4:8], "little")
        return completion

    def halt(self) -> spec.Halt:
        status = self.read(spec.QUEUE_STATUS_OFFSET)
        return spec.Halt((status & spec.QUEUE_STATUS_HALT_MASK) >> spec.QUEUE_STATUS_HALT_SHIFT)

    def halt_after(self, cycles: int) -> spec.Halt:
        self.board.c.ow_sim_run(self.board.sim, cycles)
        return self.halt()


def gcm_job(memory: int, **control: int) -> Descriptor:
    """A good job: 64 bytes of GCM with the key in slot 0."""
    return Descriptor(
        {"opcode": Opcode.AES_GCM, "tag_length": 16, **control},
        memory,
        memory + 1024,
        memory + 2048,
        length=64,
    )
