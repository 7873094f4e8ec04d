# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""NIST's vectors, all on the device: its job counter must increase by their number."""

import nist
import pytest
from runner import Runner

from outwork.device.board import Board

# A sample takes every so many-th vector, so that each length, key and file stays in it.
SAMPLE = {"ecb": 5, "cbc": 5, "ctr": 1, "gcm": 31, "ccm": 5, "xts": 7, "cmac": 1}


@pytest.mark.parametrize("name", nist.SETS)
def test_sample(board: Board, name: str) -> None:
    cases = list(nist.SETS[name]())
    assert len(cases) == nist.COUNTS[name]
    chosen = cases[:: SAMPLE[name]]
    assert Runner(board).run(chosen) == len(chosen)


@pytest.mark.slow
@pytest.mark.parametrize("name", nist.SETS)
def test_all(board: Board, name: str) -> None:
    assert Runner(board).run(nist.SETS[name]()) == nist.COUNTS[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ecb", "cbc", "ctr"])
def test_all_with_inline_keys_and_offsets(board: Board, name: str) -> None:
    """The same with a key in every job, at odd addresses."""
    cases = list(nist.SETS[name]())
    for number, case in enumerate(cases):
        case.inline_key = True
        case.source_offset, case.destination_offset = number % 61, number % 59
    assert Runner(board).run(cases) == nist.COUNTS[name]
