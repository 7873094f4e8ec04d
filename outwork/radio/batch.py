# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Batches of packets in the memory format of Xilinx WP437 (2013), Table 1.

A packet is a sequence of 32-bit words: four of the key, COUNT, BEARER and DIRECTION (26 zeros, five bits, one bit), LENGTH in
bits, and the data, with zeros after the last bit. The first bit of key and data is the highest of its word, as in the
reference code of 3GPP. A file is an image of this memory; by default words have their lowest byte first, as on a Zynq.
"""

import random
import struct
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from outwork.algorithms.radio import BITS_MAX, KEY_BYTES, Packet, first_bits
from outwork.errors import OutworkError, UsageError
from outwork.radio.software import Message

ByteOrder = Literal["little", "big"]
HEADER_WORDS: Final = 7
WORD_BYTES: Final = 4


def _words(data: bytes, order: ByteOrder) -> bytes:
    """Converts words with the highest byte first to the file's byte order, or back."""
    if order == "big":
        return data
    return struct.pack(f"<{len(data) // WORD_BYTES}I", *struct.unpack(f">{len(data) // WORD_BYTES}I", data))


def parse(data: bytes, order: ByteOrder = "little") -> list[Message]:
    """Returns every packet of a file. An error names the packet and the reason."""
    if len(data) % WORD_BYTES:
        raise OutworkError(
            f"The batch has {len(data)} bytes, which is not a multiple of 4: it is truncated or not a batch."
        )
    return list(_parse(_words(data, order)))


def _parse(data: bytes) -> Iterator[Message]:
    at = number = 0
    header_bytes = HEADER_WORDS * WORD_BYTES
    while at < len(data):
        if len(data) - at < header_bytes:
            raise OutworkError(f"Packet {number} is truncated in its first seven words.")
        key = data[at : at + KEY_BYTES]
        count, way, bits = struct.unpack_from(">3I", data, at + KEY_BYTES)
        at += header_bytes
        if way >> 6:
            raise OutworkError(
                f"Packet {number}: BEARER and DIRECTION have six bits, but their word is {way:#010x}. "
                "Perhaps the file has the other byte order: try --byte-order."
            )
        size = -(-bits // 32) * WORD_BYTES
        if bits > BITS_MAX or len(data) - at < size:
            raise OutworkError(
                f"Packet {number} says that it has {bits} bits, but {len(data) - at} bytes are left in the file. "
                "It is truncated, or has the other byte order: try --byte-order."
            )
        packet = Packet(count, way >> 1, way & 1, bits)
        text = data[at : at + packet.byte_count]
        if first_bits(text, bits) != text or any(data[at + packet.byte_count : at + size]):
            raise OutworkError(f"Packet {number}: the bits after its last one are not zero.")
        yield Message(key, packet, text)
        at += size
        number += 1


def pack(messages: Sequence[Message], order: ByteOrder = "little") -> bytes:
    parts: list[bytes] = []
    for message in messages:
        packet = message.packet
        parts.append(message.key)
        parts.append(struct.pack(">3I", packet.count, packet.bearer << 1 | packet.direction, packet.bits))
        parts.append(message.data + bytes(-len(message.data) % WORD_BYTES))
    return _words(b"".join(parts), order)


def generate(packets: int, bits: int, seed: int) -> list[Message]:
    """Returns random packets with keys, the same for each seed."""
    if packets < 1:
        raise UsageError(f"A batch has one packet or more, not {packets}.")
    rng = random.Random(seed)
    made = []
    for _ in range(packets):
        packet = Packet(rng.getrandbits(32), rng.getrandbits(5), rng.getrandbits(1), bits)
        key, data = rng.randbytes(KEY_BYTES), rng.randbytes(packet.byte_count)
        made.append(Message(key, packet, first_bits(data, bits)))
    return made
