# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Known answers of the radio algorithms, for the self-test: a packet of each, from the standards' test data."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from outwork.algorithms import radio
from outwork.algorithms.radio import Packet, RadioAlgorithm
from outwork.radio.engines import RadioEngine
from outwork.radio.software import Message


@dataclass(frozen=True)
class Answer:
    algorithm: RadioAlgorithm
    source: str
    message: Message
    result: bytes  # the ciphertext, or the MAC


# Algorithm, source, key, COUNT, BEARER, DIRECTION, bits, input, output.
_ROWS: Final = (
    (
        *("128-eea1", "TS 35.217, UEA2 3", "5acb1d644c0d51204ea5f1451010d852", 0xFA556B26, 3, 1, 120),
        *("ad9c441f890b38c457a49d421407e8", "ba0f31300334c56b52a7497cbac046"),
    ),
    (
        *("128-eea2", "TS 33.401, C.1.1", "d3c5d592327fb11c4035c6680af8c6d1", 0x398A59B4, 21, 1, 253),
        "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1f0",
        "e9fed8a63d155304d71df20bf3e82214b20ed7dad2f233dc3c22d7bdeeed8e78",
    ),
    (
        *("128-eea3", "TS 35.223, 128-EEA3 1", "173d14ba5003731d7a60049470f00a29", 0x66035492, 15, 0, 193),
        *("6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b200", "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc800"),
    ),
    (
        *("128-eia1", "TS 33.401, C.4.1", "2bd6459f82c5b300952c49104881ff48", 0x38A6F056, 31, 0, 88),
        *("3332346263393861373479", "731f1165"),
    ),
    (
        *("128-eia2", "TS 33.401, C.2.1", "2bd6459f82c5b300952c49104881ff48", 0x38A6F056, 24, 0, 58),
        *("3332346263393840", "118c6eb8"),
    ),
    (
        *("128-eia3", "TS 35.223, 128-EIA3 2", "47054125561eb2dda94059da05097850", 0x561EB2DD, 20, 0, 90),
        *("000000000000000000000000", "6719a088"),
    ),
)


def _answer(row: tuple[str, str, str, int, int, int, int, str, str]) -> Answer:
    name, source, key, count, bearer, direction, bits, given, result = row
    message = Message(bytes.fromhex(key), Packet(count, bearer, direction, bits), bytes.fromhex(given))
    return Answer(radio.find(name), source, message, bytes.fromhex(result))


ANSWERS: Final = tuple(map(_answer, _ROWS))


def run(worker: RadioEngine) -> Iterator[tuple[Answer, list[bool]]]:
    """Yields each answer that the worker has the algorithm for, with what was right: of a cipher the way there and back, of a MAC
    its value, the check, and the check of a wrong one."""
    for answer in ANSWERS:
        if worker.supports(answer.algorithm):
            yield answer, _runs(worker, answer)


def _runs(worker: RadioEngine, answer: Answer) -> list[bool]:
    algorithm, message, result = answer.algorithm, answer.message, answer.result
    found = [worker.run(algorithm, [message])[0][0] == result]
    if algorithm.is_mac:
        wrong = result[:-1] + bytes((result[-1] ^ 1,))
        return [*found, worker.verify(algorithm, message, result), not worker.verify(algorithm, message, wrong)]
    back = Message(message.key, message.packet, result)
    return [*found, worker.run(algorithm, [back])[0][0] == message.data]
