# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The engines for radio packets: the device of a board, or plain C on this CPU."""

from collections.abc import Sequence
from typing import Any, Final, Protocol

from outwork.algorithms.radio import MAC_BYTES, RadioAlgorithm, first_bits
from outwork.device.board import Board
from outwork.errors import OutworkError, UsageError, unknown_name
from outwork.paths import has_library
from outwork.radio import software
from outwork.radio.software import Message

RING_LOG2: Final = 8
SLICE_PACKETS: Final = 2048
SLICE_BYTES: Final = 32 << 20
LINE_BYTES: Final = 64
RELAX_CYCLES: Final = 16  # Cycles per poll of an empty ring: few, so that it is refilled at once.


class RadioEngine(Protocol):
    description: str
    seconds_are: str  # describes the time that `run` returns

    def supports(self, algorithm: RadioAlgorithm) -> bool: ...

    def run(self, algorithm: RadioAlgorithm, messages: Sequence[Message]) -> tuple[list[bytes], float]:
        """Returns the result of every message (or its MAC) in order, and the seconds used."""

    def verify(self, algorithm: RadioAlgorithm, message: Message, mac: bytes) -> bool: ...
    def close(self) -> None: ...


class SoftwareRadio:
    seconds_are = "CPU time on this machine"

    def __init__(self, is_constant_time: bool) -> None:
        self._is_constant_time = is_constant_time
        variant = ", constant in time" if is_constant_time else ", with tables"
        self.description = f"plain C{variant}; AES by the package `cryptography`"

    def supports(self, algorithm: RadioAlgorithm) -> bool:
        return algorithm.family == "AES" or has_library(software.LIBRARY)

    def run(self, algorithm: RadioAlgorithm, messages: Sequence[Message]) -> tuple[list[bytes], float]:
        return software.run(algorithm, messages, self._is_constant_time)

    def verify(self, algorithm: RadioAlgorithm, message: Message, mac: bytes) -> bool:
        made = self.run(algorithm, [message])[0][0]
        return sum(a ^ b for a, b in zip(made, mac, strict=True)) == 0

    def close(self) -> None:
        return


class DeviceRadio:
    """Submits every packet as a job with its key; as many are in flight as the ring has entries."""

    def __init__(self, board: str) -> None:
        self.board = Board(board, relax_cycles=RELAX_CYCLES)
        self.queue = self.board.queue(0, RING_LOG2)
        self.description = f"board {self.board.profile.name}, {self.board.capabilities.bus_bytes * 8}-bit port"
        self.seconds_are = f"device cycles, first doorbell to last completion, at {self.board.clock}"

    def supports(self, algorithm: RadioAlgorithm) -> bool:
        return self.board.supports(algorithm.opcode, False)

    def run(self, algorithm: RadioAlgorithm, messages: Sequence[Message]) -> tuple[list[bytes], float]:
        results: list[bytes] = []
        cycles = at = 0
        while at < len(messages):
            end, size = at, 0
            while end < len(messages) and end - at < SLICE_PACKETS and (end == at or size < SLICE_BYTES):
                size += messages[end].packet.byte_count
                end += 1
            made, took = self._slice(algorithm, messages[at:end])
            results += made
            cycles += took
            at = end
        return results, cycles / self.board.clock_hz

    def verify(self, algorithm: RadioAlgorithm, message: Message, mac: bytes) -> bool:
        jobs, _, keep = self._jobs(algorithm, [message])
        jobs[0].flags = self.board.c.OW_JOB_DECRYPT
        jobs[0].tag = mac.ljust(len(jobs[0].tag), b"\0")
        self.queue.run(jobs)
        for memory in keep:
            memory.close()
        if jobs[0].status not in (self.board.c.OW_OK, self.board.c.OW_AUTH_FAILED):
            self._refused(jobs[0].status)
        return bool(jobs[0].status == self.board.c.OW_OK)

    def _jobs(self, algorithm: RadioAlgorithm, messages: Sequence[Message]) -> tuple[Any, list[int], list[Any]]:
        """Returns the jobs, the offsets of each one's data in both memories, and the two memories."""
        if not self.supports(algorithm):
            raise UsageError(
                f"The device of board '{self.board.profile.name}' has no {algorithm}: use --engine software."
            )
        ffi, places, total = self.board.ffi, [], 0
        for message in messages:
            places.append(total)
            total += -(-message.packet.byte_count // LINE_BYTES) * LINE_BYTES
        source, destination = self.board.memory(max(total, 1)), self.board.memory(max(total, 1))
        jobs = ffi.new("struct ow_job[]", len(messages))
        self._kept = []  # what the jobs point to
        for job, place, message in zip(jobs, places, messages, strict=True):
            packet = message.packet
            source.view[place : place + packet.byte_count] = message.data[: packet.byte_count]
            key, iv = ffi.new("uint8_t[]", message.key), ffi.new("uint8_t[]", packet.iv_field())
            self._kept.append((key, iv))
            job.opcode, job.tag_len = algorithm.opcode, algorithm.tag_bytes_default
            job.key.bytes, job.key.key_len = key, len(message.key)
            job.iv, job.iv_len = iv, len(packet.iv_field())
            job.length = packet.byte_count
            job.source = self.board.pointer(source.address + place)
            if not algorithm.is_mac:
                job.destination = self.board.pointer(destination.address + place)
        return jobs, places, [source, destination]

    def _slice(self, algorithm: RadioAlgorithm, messages: Sequence[Message]) -> tuple[list[bytes], int]:
        jobs, places, (source, destination) = self._jobs(algorithm, messages)
        pointers, given, start = self.queue.pointers(jobs), 0, 0
        before = self.queue.counters()["jobs"]
        while given < len(messages):
            space = min(self.queue.space, len(messages) - given)
            given += self.queue.submit(pointers + given, space) if space else 0
            start = start or self.queue.start_cycle()
            self.queue.poll()
        self.queue.wait()
        cycles = self.queue.times()[1] - start
        for job in jobs:
            if job.status != self.board.c.OW_OK:
                self._refused(job.status)
        if self.queue.counters()["jobs"] - before != len(messages):
            raise OutworkError("The device has counted fewer packets than were submitted. Please report it.")
        if algorithm.is_mac:
            results = [bytes(job.tag)[:MAC_BYTES] for job in jobs]
        else:
            results = [
                bytes(destination.at(place, message.packet.byte_count))
                for place, message in zip(places, messages, strict=True)
            ]
        source.close()
        destination.close()
        return results, cycles

    def _refused(self, status: int) -> None:
        raise OutworkError(f"The device did not do the job: {self.board.status_text(status)}")

    def close(self) -> None:
        self.board.close()


ENGINES: Final = ("accelerator", "software", "software-constant-time")


def open_engine(name: str, board: str) -> RadioEngine:
    if name == "accelerator":
        return DeviceRadio(board)
    if name in ENGINES:
        return SoftwareRadio(name.endswith("constant-time"))
    raise unknown_name("radio engine", name, ENGINES)


def check_message(message: Message) -> Message:
    """Checks a message: the key has the right length. Returns it with zeros after its last bit."""
    if len(message.key) != 16:
        raise UsageError(f"Radio algorithms take a key of 16 bytes; this one has {len(message.key)}.")
    if len(message.data) != message.packet.byte_count:
        raise UsageError(
            f"{message.packet.bits} bits are {message.packet.byte_count} bytes, but the message has {len(message.data)}."
        )
    return Message(message.key, message.packet, first_bits(message.data, message.packet.bits))
