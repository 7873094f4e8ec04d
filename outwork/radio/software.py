# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The radio algorithms on the CPU: ZUC and SNOW 3G with the plain C of software/radio, AES with the package
`cryptography`."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from cffi import FFI
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from outwork.algorithms.radio import MAC_BYTES, Packet, RadioAlgorithm, first_bits
from outwork.errors import OutworkError
from outwork.paths import library_file

LIBRARY: Final = "ow_radio"
_DECLARATIONS: Final = """
struct ow_radio_item {
  uint8_t *out; const uint8_t *key; const uint8_t *source; uint64_t bits; uint32_t count, second, direction;
};
typedef void ow_radio_call(uint8_t *, const uint8_t *, uint32_t, uint32_t, uint32_t, const uint8_t *, uint64_t);
void ow_radio_run(const struct ow_radio_item *items, uint64_t items_len, ow_radio_call *call);
"""
_NAMES: Final = {("ZUC", False): "eea3", ("ZUC", True): "eia3", ("SNOW 3G", False): "uea2", ("SNOW 3G", True): "uia2"}
_BLOCK_BYTES: Final = 16


@dataclass(frozen=True)
class Message:
    """A packet with its key and its data."""

    key: bytes
    packet: Packet
    data: bytes


@cache
def _library() -> tuple[Any, Any]:
    ffi = FFI()
    variants = [f"ow_{name}{suffix}" for name in _NAMES.values() for suffix in ("", "_constant_time")]
    ffi.cdef(_DECLARATIONS + f"ow_radio_call {', '.join(variants)};")
    path = library_file(LIBRARY)
    try:
        return ffi, ffi.dlopen(str(path))
    except OSError as error:
        raise OutworkError(f"The library {path} cannot be loaded ({error}). Run `make build` again.") from error


def run(
    algorithm: RadioAlgorithm, messages: Sequence[Message], is_constant_time: bool = False
) -> tuple[list[bytes], float]:
    """Returns the result of every message (or its MAC), and the CPU seconds used."""
    return _run(algorithm.family, algorithm.is_mac, messages, is_constant_time)


def _run(
    family: str, is_mac: bool, messages: Sequence[Message], is_constant_time: bool = False
) -> tuple[list[bytes], float]:
    if family == "AES":
        one = _eia2 if is_mac else _eea2
        begin = time.thread_time()
        results = [one(message) for message in messages]
        return results, time.thread_time() - begin
    ffi, library = _library()
    name = _NAMES[family, is_mac]
    function = getattr(library, f"ow_{name}{'_constant_time' if is_constant_time else ''}")
    items = ffi.new("struct ow_radio_item[]", len(messages))
    kept, outs = [], []
    for item, message in zip(items, messages, strict=True):
        packet = message.packet
        size = MAC_BYTES if is_mac else packet.byte_count
        out = ffi.new("uint8_t[]", max(size, 1))
        key, source = ffi.from_buffer(message.key), ffi.from_buffer(message.data)
        kept.append((key, source))
        outs.append((out, size))
        item.out, item.key, item.source, item.bits = out, key, source, packet.bits
        item.count, item.direction = packet.count, packet.direction
        item.second = packet.fresh if name == "uia2" else packet.bearer
    begin = time.thread_time()
    library.ow_radio_run(items, len(messages), function)
    seconds = time.thread_time() - begin
    return [bytes(ffi.buffer(out, size)) for out, size in outs], seconds


def encrypt(algorithm: RadioAlgorithm, key: bytes, packet: Packet, data: bytes) -> bytes:
    """Encrypts with the algorithm's cipher; decryption is the same."""
    return _run(algorithm.family, False, [Message(key, packet, data)])[0][0]


def mac(algorithm: RadioAlgorithm, key: bytes, packet: Packet, data: bytes) -> bytes:
    """Returns the algorithm's MAC."""
    return _run(algorithm.family, True, [Message(key, packet, data)])[0][0]


def _start(packet: Packet) -> bytes:
    """Returns COUNT, BEARER, DIRECTION and 26 zeros (TS 33.401 B.1.3, B.2.3)."""
    return packet.count.to_bytes(4, "big") + bytes([packet.bearer << 3 | packet.direction << 2, 0, 0, 0])


def _eea2(message: Message) -> bytes:
    encryptor = Cipher(algorithms.AES(message.key), modes.CTR(_start(message.packet) + bytes(8))).encryptor()
    return first_bits(encryptor.update(message.data) + encryptor.finalize(), message.packet.bits)


def _twice(block: bytes) -> bytes:
    """Doubles in the field of SP 800-38B 6.1."""
    value = int.from_bytes(block, "big") << 1
    return ((value ^ (0x87 if value >> 128 else 0)) & (1 << 128) - 1).to_bytes(_BLOCK_BYTES, "big")


def _eia2(message: Message) -> bytes:
    """CMAC of a bit string, which libraries have for bytes only: SP 800-38B 6.2, with CBC for the chaining."""
    aes = algorithms.AES(message.key)
    subkey = _twice(Cipher(aes, modes.ECB()).encryptor().update(bytes(_BLOCK_BYTES)))
    text = bytearray(_start(message.packet) + first_bits(message.data, message.packet.bits))
    bits = 64 + message.packet.bits
    if bits % 128:
        subkey = _twice(subkey)
        if bits % 8 == 0:
            text.append(0x80)
        else:
            text[-1] |= 0x80 >> bits % 8
        text += bytes(-len(text) % _BLOCK_BYTES)
    text[-_BLOCK_BYTES:] = bytes(a ^ b for a, b in zip(text[-_BLOCK_BYTES:], subkey, strict=True))
    return Cipher(aes, modes.CBC(bytes(_BLOCK_BYTES))).encryptor().update(bytes(text))[-_BLOCK_BYTES:][:MAC_BYTES]
