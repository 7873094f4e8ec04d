# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Plays tests on builds of the lattice engine with fewer butterflies too."""

import engine_bench
import pytest


@pytest.fixture(params=[8, pytest.param(4, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def butterflies(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Of the build that lists of jobs which name no parameters play on."""
    number: int = request.param
    if number < 8:
        monkeypatch.setattr(engine_bench, "standard", {"Butterflies": number})
    return number
