# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Plays tests on builds of the lattice engine with fewer butterflies too, and on the netlist of the smallest."""

import engine_bench
import pytest


@pytest.fixture(params=[8, *(pytest.param(each, marks=pytest.mark.slow) for each in (4, 2, "gates"))])
def butterflies(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Of the build that lists of jobs which name no parameters play on; `gates`: the netlist, which has two."""
    if request.param == "gates":
        monkeypatch.setattr(engine_bench, "standard", engine_bench.GATES)
        return 2
    number: int = request.param
    if number < 8:
        monkeypatch.setattr(engine_bench, "standard", {"Butterflies": number})
    return number
