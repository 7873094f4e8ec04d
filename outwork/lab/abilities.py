# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Which algorithms and operations each engine can measure, as the engine itself answers. Nothing is measured."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from outwork.algorithms import ALGORITHMS, unknown_algorithm
from outwork.algorithms.base import Algorithm, Operation
from outwork.algorithms.cipher import Cipher
from outwork.algorithms.digest import Hash
from outwork.algorithms.pka import PublicKey
from outwork.device.profiles import Profile
from outwork.errors import OutworkError
from outwork.lab import engines, plan
from outwork.lab.engines.base import Candidate
from outwork.lab.records import Point

# Bytes of the message that the engines are asked about: whole blocks of every cipher.
ASKED_BYTES: Final = 64


@dataclass
class Ability:
    """What an engine can do on a board; `missing`: why it cannot be asked here, and what would add it."""

    candidate: Candidate
    missing: str
    operations: dict[str, tuple[Operation, ...]] = field(default_factory=dict)  # by the algorithm's name


def chosen(words: Iterable[str]) -> list[Algorithm]:
    """Returns the algorithms whose names contain one of the words; without words all. A whole name is only that one."""
    found: dict[str, Algorithm] = {}
    wanted = [word.lower() for word in words]
    for word in wanted:
        fitting = [word] if word in ALGORITHMS else [name for name in ALGORITHMS if word in name]
        if not fitting:
            raise unknown_algorithm(word)
        found.update((name, ALGORITHMS[name]) for name in fitting)
    return list(found.values()) if wanted else list(ALGORITHMS.values())


def ask(
    algorithms: Iterable[Algorithm], board: Profile, on_engine: Callable[[Candidate], None] = lambda _: None
) -> list[Ability]:
    """Asks each engine of the board's environment. on_engine: is called when an engine has answered."""
    wanted = list(algorithms)
    found = []
    for candidate in of_environment(board):
        found.append(_ability(candidate, wanted, board))
        on_engine(candidate)
    return found


def of_environment(board: Profile) -> list[Candidate]:
    return [entry for entry in engines.discover() if entry.environment is board.environment]


def missing(candidate: Candidate, board: Profile) -> str:
    """Returns why an engine cannot be measured on this board; empty if it can."""
    return candidate.missing or (plan.lacks(board, board.environment) if candidate.has_board else "")


def _ability(candidate: Candidate, algorithms: list[Algorithm], board: Profile) -> Ability:
    ability = Ability(candidate, missing(candidate, board))
    if ability.missing:
        return ability
    try:
        with candidate.open(board if candidate.has_board else None) as engine:
            for algorithm in algorithms:
                points = [Point(algorithm, each, _asked_bytes(algorithm)) for each in algorithm.operations]
                ability.operations[algorithm.name] = tuple(
                    point.operation for point in points if not engine.refuses(point)
                )
    except OutworkError as error:
        return Ability(candidate, str(error).rstrip("."))
    return ability


def _asked_bytes(algorithm: Algorithm) -> int:
    return algorithm.message_bytes or ASKED_BYTES


def kind(algorithm: Algorithm) -> str:
    if isinstance(algorithm, PublicKey):
        return "public key"
    if isinstance(algorithm, Hash):
        return "hash"
    if algorithm.is_mac:
        return "MAC"
    return "AEAD" if algorithm.is_aead else "cipher"


def sizes(algorithm: Algorithm) -> dict[str, int]:
    """Returns the bytes that a message can have: from `min` to `max` in steps of `step`."""
    if algorithm.message_bytes:
        return {"min": algorithm.message_bytes, "max": algorithm.message_bytes, "step": 1}
    block = algorithm.block_bytes if isinstance(algorithm, Cipher) and algorithm.whole_blocks else 1
    least = algorithm.message_bytes_min if isinstance(algorithm, Cipher) else 0
    return {"min": max(block, least), "max": plan.SIZE_BYTES_MAX, "step": block}


def sizes_in_words(algorithm: Algorithm) -> str:
    found = sizes(algorithm)
    if found["min"] == found["max"]:
        return str(found["min"])
    return f"{found['min']} or more" + (f", by {found['step']}" if found["step"] > 1 else "")


def unit(algorithm: Algorithm) -> str:
    """Names what results are compared by: an algorithm with one message length has no speed in bytes."""
    return "operations a second" if algorithm.message_bytes else "bytes a second"


def as_json(algorithm: Algorithm, abilities: Iterable[Ability], board: Profile) -> dict[str, Any]:
    return {
        "algorithm": algorithm.name,
        "kind": kind(algorithm),
        "key_bits": algorithm.key_bits,
        "operations": [str(each) for each in algorithm.operations],
        "size_bytes": sizes(algorithm),
        "unit": unit(algorithm),
        "board": board.name,
        "environment": str(board.environment),
        "engines": [
            {
                "engine": each.candidate.engine,
                "implementation": each.candidate.implementation,
                # What it can do if it is missing is not known.
                "operations": None if each.missing else [str(name) for name in each.operations[algorithm.name]],
                "missing": each.missing,
            }
            for each in abilities
        ],
    }
