# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Prepares, checks and measures a point with a CPU library. Runs in a worker process."""

import statistics
from typing import Any, Final

from outwork.algorithms.cipher import BLOCK_BYTES, Cipher
from outwork.device.memory import Memory
from outwork.errors import OutworkError
from outwork.lab import expected
from outwork.lab.adapters import Adapter, loop
from outwork.lab.engines.base import Sample, Work
from outwork.lab.records import KeyUse, Point
from outwork.lab.samples import sample_key, sample_text

ROUND_NANOSECONDS: Final = 1_000_000
KEYS_ROTATED: Final = 16
JOBS_MAX: Final = 128  # OW_LAB_BATCH_MAX
MEMORY_BYTES_MAX: Final = 1 << 30  # for all messages in flight together
LINE_BYTES: Final = 64
PAGE_BYTES: Final = 4096
PIECES: Final = 3
XTS_BYTES_MAX: Final = 1 << 24  # SP 800-38E: 2^20 blocks in a data unit
CCM_BYTES_MAX: Final = (1 << 24) - 1  # SP 800-38C: with a nonce of 12 bytes the length field has three


def setting_of(point: Point) -> Any:
    algorithm = point.algorithm
    return loop().ffi.new(
        "struct ow_lab_setting *",
        {
            "opcode": algorithm.opcode,
            "is_inverse": point.operation.is_inverse,
            "is_kept": point.keys is KeyUse.KEPT,
            "key_len": algorithm.key_bytes,
            "iv_len": algorithm.iv_bytes,
            "tag_len": algorithm.tag_bytes_default,
            "length": point.size_bytes,
        },
    )


def refuses(adapter: Adapter, point: Point) -> str:
    """Returns why this point cannot be measured with this library; empty if it can."""
    ffi, algorithm, size = loop().ffi, point.algorithm, point.size_bytes
    mode = algorithm.mode if isinstance(algorithm, Cipher) else ""
    is_kept = point.keys is KeyUse.KEPT
    if not algorithm.has_software:
        return f"it has no {algorithm}"
    if point.jobs > 1 and adapter.calls.submit == ffi.NULL:
        return "it processes one message per call"
    if point.jobs > JOBS_MAX:
        return f"at most {JOBS_MAX} messages can be in flight"
    if point.jobs * size > MEMORY_BYTES_MAX:
        return f"messages in flight have at most {MEMORY_BYTES_MAX} bytes together"
    if point.jobs > 1 and point.keys in (KeyUse.KEPT, KeyUse.NEW_CONTEXT):
        return f"{point.keys} has one message in flight"
    if is_kept and adapter.calls.begin == ffi.NULL:
        return "it processes whole messages only"
    if is_kept and mode in ("xts", "ccm"):
        return f"{mode.upper()} processes whole messages only"
    if is_kept and size % BLOCK_BYTES:
        return "the pieces of a message must be whole blocks"
    if mode == "xts" and size > XTS_BYTES_MAX:
        return f"XTS takes at most {XTS_BYTES_MAX} bytes at once (SP 800-38E)"
    if mode == "ccm" and size > CCM_BYTES_MAX:
        return f"CCM takes at most {CCM_BYTES_MAX} bytes with a nonce of 12 (SP 800-38C)"
    why = adapter.calls.refuses(setting_of(point))
    return "" if why == ffi.NULL else ffi.string(why).decode()


class CpuWork(Work):
    """The memory, contexts and keys of a point. The result of the first run is checked."""

    def __init__(self, adapter: Adapter, point: Point) -> None:
        self._adapter, self._point = adapter, point
        why = refuses(adapter, point)
        if why:
            self._wrong(f"cannot be measured: {why}")
        self._loop = loop()
        self._ffi = self._loop.ffi
        self._setting = setting_of(point)
        self._nanoseconds = self._ffi.new("uint64_t *")
        self._contexts: list[Any] = []
        self._lay_out()
        try:
            self._make_contexts()
            self._fill()
            self._work = self._work_on(adapter.calls, point.jobs)
            self._alone = self._work_on(adapter.calls, 1)
            first = self._check()
            self.messages = self._turns(first)
            self.overhead_seconds = self._measure_overhead()
        except BaseException:
            self.close()
            raise

    def sample(self) -> Sample:
        cost = self._run(self._work, self.messages) * 1e-9
        if self._point.jobs == 1:
            return Sample(cost, cost)
        return Sample(cost, self._run(self._alone, max(1, self.messages // self._point.jobs)) * 1e-9)

    def close(self) -> None:
        for context in self._contexts:
            self._adapter.calls.close(context)
        self._contexts = []
        for cells in (self._slots, self._keys):
            self._ffi.memmove(cells, bytes(self._ffi.sizeof(cells)), self._ffi.sizeof(cells))
        self._memory.close()

    # -- how it is laid out

    def _lay_out(self) -> None:
        """Places the messages: each on cache lines of its own, and destinations half a page from their
        sources, because CPUs stall on a store that is a multiple of a page away from a load."""
        point = self._point
        self._stride = -(-(point.alignment_bytes + point.size_bytes + BLOCK_BYTES) // LINE_BYTES) * LINE_BYTES
        area = -(-self._stride * point.jobs // PAGE_BYTES) * PAGE_BYTES + PAGE_BYTES // 2
        self._memory = Memory(area + self._stride * point.jobs)
        self._sources = point.alignment_bytes
        self._destinations = area + point.alignment_bytes
        self._slots = self._ffi.new("struct ow_lab_message[]", point.jobs)
        for number in range(point.jobs):
            slot = self._slots[number]
            start = self._memory.address + number * self._stride
            slot.source = self._ffi.cast("uint8_t *", start + self._sources)
            slot.destination = self._ffi.cast("uint8_t *", start + self._destinations)

    @property
    def _is_sealed(self) -> bool:
        """Returns whether messages have a tag to verify. It fits one key and one IV, so these are set again for each
        message, to the same values."""
        return self._point.operation.is_inverse and self._point.algorithm.tag_bytes_default > 0

    def _key(self, number: int) -> bytes:
        return sample_key(self._point.algorithm.key_bytes, 0 if self._is_sealed else number)

    def _make_contexts(self) -> None:
        keys = self._point.keys
        count = {KeyUse.ROTATE: KEYS_ROTATED, KeyUse.NEW_KEY: self._point.jobs}.get(keys, 1)
        # The keys of the contexts, in C memory that `close` can wipe.
        self._keys = self._ffi.new("uint8_t[][64]", count)
        for number in range(count):
            context = self._adapter.calls.open(self._setting)
            if context == self._ffi.NULL:
                self._wrong("cannot be opened")
            self._contexts.append(context)
            self._ffi.memmove(self._keys[number], self._key(number), self._point.algorithm.key_bytes)
            if not self._adapter.calls.set_key(context, self._keys[number]):
                self._wrong("does not take its key")
        self._context_cells = self._ffi.new("void *[]", self._contexts)

    def _fill(self) -> None:
        """Writes the input of a slot: plaintext, or ciphertext made by `cryptography`, with its tag."""
        algorithm, size = self._point.algorithm, self._point.size_bytes
        for number in range(self._point.jobs):
            slot = self._slots[number]
            iv = (number + 1).to_bytes(algorithm.iv_bytes, "big") if algorithm.iv_bytes else b""
            self._ffi.memmove(slot.iv, iv, len(iv))
            self._ffi.memmove(slot.key, self._key(number), algorithm.key_bytes)
            text = sample_text(size, number)
            if self._is_sealed:
                sealed, tag = expected.seal(algorithm, self._key(number), iv, text)
                text = sealed or text
                self._ffi.memmove(slot.expected, tag, len(tag))
            self._memory.at(number * self._stride + self._sources, size)[:] = text

    def _work_on(self, calls: Any, jobs: int) -> Any:
        keys = {
            KeyUse.KEPT: self._loop.c.OW_LAB_KEPT,
            KeyUse.NEW_KEY: self._loop.c.OW_LAB_NEW_KEY,
            KeyUse.NEW_CONTEXT: self._loop.c.OW_LAB_NEW_CONTEXT,
        }.get(self._point.keys, self._loop.c.OW_LAB_PREPARED)
        return self._ffi.new(
            "struct ow_lab_work *",
            {
                "calls": calls,
                "setting": self._setting[0],
                "contexts": self._context_cells,
                "contexts_len": len(self._contexts),
                "messages": self._slots,
                "messages_len": jobs,
                "batch": min(self._point.batch, jobs),
                "keys": keys,
                "counts_up": not self._is_sealed,
            },
        )

    # -- how it is timed

    def _run(self, work: Any, turns: int) -> float:
        """Returns ns per message."""
        if self._loop.c.ow_lab_run(self._nanoseconds, work, turns):
            self._wrong("refused a message")
        return int(self._nanoseconds[0]) / turns

    def _turns(self, first: float) -> int:
        """Returns the number of turns for a sample of about a millisecond, long enough that start and end of many in
        flight do not matter."""
        if first < ROUND_NANOSECONDS:
            first = self._run(self._work, max(self._point.jobs, min(100, int(ROUND_NANOSECONDS / max(first, 1)))))
        turns = max(1, int(ROUND_NANOSECONDS / max(first, 1)))
        return turns if self._point.jobs == 1 else max(turns, 4 * self._point.jobs)

    def _measure_overhead(self) -> float:
        empty = self._work_on(self._loop.c.ow_lab_empty(), self._point.jobs)
        return statistics.median(self._run(empty, 2000) for _ in range(5)) * 1e-9

    # -- how it is checked

    def _wrong(self, what: str) -> None:
        raise OutworkError(f"{self._adapter.version}: {self._point.algorithm} {self._point.operation} {what}.")

    def _check(self) -> float:
        """Checks the results and returns ns per message. Raises an error if a result is wrong."""
        if self._point.keys is KeyUse.KEPT:
            return self._check_pieces()
        jobs = self._point.jobs
        first = self._run(self._work, jobs)
        for number in sorted({0, jobs // 2, jobs - 1}):
            self._compare(number, number % len(self._contexts))
        if len(self._contexts) > jobs:  # also a context other than the first
            self._run(self._work, 1)
            self._compare(0, jobs % len(self._contexts))
        if self._is_sealed:
            slot = self._slots[int(self._work.next_message)]
            slot.expected[0] ^= 1
            if not self._loop.c.ow_lab_run(self._nanoseconds, self._work, 1):
                self._wrong("accepts a wrong tag")
            slot.expected[0] ^= 1
            self._work.next_message = self._work.next_context = 0
        return first

    def _compare(self, number: int, context: int) -> None:
        """Compares a slot's result for the key and the IV that were used last."""
        point, slot, unpack = self._point, self._slots[number], self._ffi.buffer
        own_key = point.keys in (KeyUse.NEW_KEY, KeyUse.NEW_CONTEXT)
        key = bytes(unpack(slot.key if own_key else self._keys[context]))[: point.algorithm.key_bytes]
        iv = bytes(unpack(slot.iv))[: point.algorithm.iv_bytes]
        at = number * self._stride
        self._compare_with(
            slot,
            key,
            iv,
            bytes(self._memory.at(at + self._sources, point.size_bytes)),
            bytes(self._memory.at(at + self._destinations, point.size_bytes)),
        )

    def _compare_with(self, slot: Any, key: bytes, iv: bytes, source: bytes, result: bytes) -> None:
        """Compares the end of the result. source: all the data that the library has processed."""
        algorithm, tag = self._point.algorithm, b""
        if self._point.operation.is_inverse:
            text = b"" if algorithm.is_mac else expected.open_unsealed(algorithm, key, iv, source)
        else:
            text, tag = expected.seal(algorithm, key, iv, source)
        is_right = bytes(self._ffi.buffer(slot.tag))[: len(tag)] == tag
        if not algorithm.is_mac:
            is_right = is_right and result == text[len(text) - len(result) :]
        if not is_right:
            self._wrong("gives a wrong result. Please report it")

    def _check_pieces(self) -> float:
        """Checks a message in pieces (begin, some pieces, end) and returns its ns."""
        calls, slot, context, algorithm = self._adapter.calls, self._slots + 0, self._contexts[0], self._point.algorithm
        source = bytes(self._memory.at(self._sources, self._point.size_bytes)) * PIECES
        key = self._key(0)
        iv = bytes(self._ffi.buffer(slot.iv))[: algorithm.iv_bytes]
        if self._is_sealed:
            text = source if algorithm.is_mac else expected.open_unsealed(algorithm, key, iv, source)
            self._ffi.memmove(slot.expected, expected.seal(algorithm, key, iv, text)[1], algorithm.tag_bytes_default)
        is_good = calls.begin(context, slot)
        for _ in range(PIECES):
            is_good = is_good and calls.piece(context, slot)
        if not (is_good and calls.end(context, slot)):
            self._wrong("refused a message in pieces")
        self._compare_with(slot, key, iv, source, bytes(self._memory.at(self._destinations, self._point.size_bytes)))
        return self._run(self._work, 1)
