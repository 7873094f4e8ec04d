# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A device at rest costs no time: its cycles are left out, after reset and after jobs of every engine."""

from contextlib import closing

import pytest

from outwork.device import profiles
from outwork.device.board import Board
from outwork.device.profiles import Profile
from outwork.engines import selftest
from outwork.engines.accelerator import AcceleratorEngine
from outwork.paths import has_library
from outwork.pka import known_answers
from outwork.pka.device import DeviceWorker
from outwork.radio import known_answers as radio_answers
from outwork.radio.engines import DeviceRadio

CYCLES = 200_000
MOST_COMPUTED = 5_000  # of them: the first looks whether it is at rest


def assert_rests(board: Board) -> None:
    before = board.statistics()["rest_cycles"]
    board.c.ow_sim_run(board.sim, CYCLES)
    assert CYCLES - MOST_COMPUTED < board.statistics()["rest_cycles"] - before < CYCLES


@pytest.fixture(params=["reference", "zedboard-64", "zedboard", "zc706-edge"])
def profile(request: pytest.FixtureRequest) -> Profile:
    found = profiles.load(request.param)
    if not has_library(found.library):
        pytest.skip(f"{found.library} is not built")
    return found


def test_after_reset_and_after_ciphers_and_hashes(profile: Profile) -> None:
    with closing(AcceleratorEngine(profile)) as engine:
        assert_rests(engine.board)
        assert not any(result.failures for result in selftest.run(engine))
        assert engine.queue.counters()["jobs"] > 100
        assert_rests(engine.board)


def test_after_radio(profile: Profile) -> None:
    with closing(DeviceRadio(profile.name)) as worker:
        assert all(all(are_right) for _, are_right in radio_answers.run(worker))
        assert worker.queue.counters()["jobs"] > 0
        assert_rests(worker.board)


def test_after_public_keys(profile: Profile) -> None:
    with closing(DeviceWorker(profile)) as worker:
        assert all(is_right for _, is_right in known_answers.run(worker))
        assert worker.queue.counters()["jobs"] > 0
        assert_rests(worker.board)
