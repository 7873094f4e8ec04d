# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""NIST's vectors of the hash functions, all on the device: its job counter must increase by their number."""

import nist_hash
import pytest
from hashing import Chains, HashRunner

from outwork.algorithms.hash import FUNCTIONS
from outwork.device.board import Board

# Vectors of each function: short and long messages, of SHAKE also variable output.
COUNTS = {
    "sha-1": 129, "sha-224": 129, "sha-256": 129, "sha-384": 257, "sha-512": 257, "sha-512-224": 257, "sha-512-256": 257,
}  # fmt: skip
NAMES = [function.name for function in FUNCTIONS]
SAMPLE_ROUNDS, ROUNDS = 1, 100


@pytest.mark.parametrize("name", NAMES)
def test_sample(board: Board, name: str) -> None:
    cases = nist_hash.cases(nist_hash.BY_NAME[name])
    assert len(cases) == COUNTS.get(name, len(cases)) and len(cases) > 100
    chosen = [case for number, case in enumerate(cases) if len(case.message) < 300 and number % 3 == 0] + cases[-2:]
    assert HashRunner(board).run(chosen) == len(chosen)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all(board: Board, name: str) -> None:
    cases = nist_hash.cases(nist_hash.BY_NAME[name])
    assert HashRunner(board).run(cases) == len(cases)


def _monte_carlo(board: Board, rounds: int) -> None:
    """All functions side by side."""
    chains = [nist_hash.monte_carlo(function, rounds) for function in FUNCTIONS]
    assert Chains(board, [chain for chain, _, _ in chains]).run() == 1000 * rounds * len(chains)
    for function, (_, got, wanted) in zip(FUNCTIONS, chains, strict=True):
        assert len(wanted) == rounds
        assert got == wanted, function.name


def test_monte_carlo_sample(board: Board) -> None:
    _monte_carlo(board, SAMPLE_ROUNDS)


@pytest.mark.slow
def test_monte_carlo(board: Board) -> None:
    _monte_carlo(board, ROUNDS)
