# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Checks known answers on an engine: every cipher in both directions and with a wrong tag, every hash, HMAC and KMAC."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from outwork.algorithms import KNOWN_ANSWERS
from outwork.algorithms.base import Operation
from outwork.algorithms.cipher import Cipher
from outwork.algorithms.digest import Hash, Mac
from outwork.algorithms.family import KnownAnswer
from outwork.engines.base import Engine, Key, Outcome, Request
from outwork.engines.hashing import BytesStream, HashTask, Result

# Behind a message, for the longest tag: that of HMAC-SHA-512.
ROOM_BYTES: Final = 64


@dataclass
class SelftestResult:
    """The result of one algorithm: what was run, and what failed."""

    algorithm: str
    runs: int
    failures: list[str]


def run(engine: Engine) -> Iterator[SelftestResult]:
    """Yields the result of each algorithm for every known answer that the engine supports; other algorithms are not in the
    results."""
    for algorithm in dict.fromkeys(answer.algorithm for answer in KNOWN_ANSWERS):
        result = SelftestResult(algorithm.name, 0, [])
        operations = [operation for operation in algorithm.operations if engine.supports(algorithm, operation)]
        if isinstance(algorithm, Mac):
            operations = operations[:1]  # an engine makes it; whoever asked compares
        for answer in KNOWN_ANSWERS:
            if answer.algorithm != algorithm:
                continue
            for operation in operations:
                if isinstance(algorithm, Cipher):
                    _one(engine, algorithm, answer, operation, result)
                else:
                    _expect(result, answer, operation, _digest(engine, algorithm, answer) == answer.result)
        if result.runs:
            yield result


def _digest(engine: Engine, algorithm: Hash | Mac, answer: KnownAnswer) -> Result:
    task = HashTask(algorithm, answer.key, len(answer.result), answer.iv)
    (result,) = engine.hash_streams(task, [BytesStream(answer.message)])
    return result


def _one(engine: Engine, cipher: Cipher, answer: KnownAnswer, operation: Operation, result: SelftestResult) -> None:
    key = engine.load_key(cipher, answer.key)
    try:
        if not operation.is_inverse:
            _expect(result, answer, operation, _forward(engine, key, answer) == answer.result)
            return
        _expect(result, answer, operation, _back(engine, key, answer, answer.result) == answer.message)
        if answer.tag_bytes:
            wrong = answer.result[:-1] + bytes((answer.result[-1] ^ 1,))
            _expect(result, answer, operation, _back(engine, key, answer, wrong) is None, "with a wrong tag")
    finally:
        engine.drop_key(key)


def _expect(result: SelftestResult, answer: KnownAnswer, operation: Operation, is_good: bool, how: str = "") -> None:
    result.runs += 1
    if not is_good:
        result.failures.append(f"{answer.source}: {operation} {how}".rstrip())


def _forward(engine: Engine, key: Key, answer: KnownAnswer) -> bytes:
    length = len(answer.message)
    with engine.allocate(2 * (length + ROOM_BYTES)) as memory:
        memory.view[:length] = answer.message
        request = Request(
            key,
            answer.algorithm.operations[0],
            memory.address,
            memory.address + length + ROOM_BYTES,
            length,
            answer.iv,
            answer.aad,
            answer.tag_bytes,
        )
        engine.run(request)
        if answer.algorithm.is_mac:
            return request.tag
        return bytes(memory.at(length + ROOM_BYTES, len(answer.result)))


def _back(engine: Engine, key: Key, answer: KnownAnswer, result: bytes) -> bytes | None:
    """Decrypts. Returns the message; None if the engine found it not authentic and the output is zero."""
    length = len(answer.message)
    data = answer.message + result if answer.algorithm.is_mac else result
    with engine.allocate(2 * (length + ROOM_BYTES)) as memory:
        memory.view[: len(data)] = data
        memory.view[length + ROOM_BYTES :] = b"\xa5" * (length + ROOM_BYTES)
        request = Request(
            key,
            answer.algorithm.operations[1],
            memory.address,
            memory.address + length + ROOM_BYTES,
            length,
            answer.iv,
            answer.aad,
            answer.tag_bytes,
            result if answer.algorithm.is_mac else b"",
        )
        engine.run(request)
        out = bytes(memory.at(length + ROOM_BYTES, length))
    if answer.algorithm.is_mac:
        return answer.message if request.outcome is Outcome.OK else None
    if request.outcome is Outcome.NOT_AUTHENTIC:
        return None if out == bytes(length) else out
    return out
