# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the shared code of every engine's tests importable (each folder has modules with names of their own), and plays
tests on netlists too."""

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(folder) for folder in sorted(Path(__file__).parent.iterdir()) if folder.is_dir()]

import engine_bench  # noqa: E402


@pytest.fixture(params=["rtl", pytest.param("gates", marks=pytest.mark.slow)])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists of jobs that name no parameters play on the engine as the top has it, and on the netlist of the smallest."""
    if request.param == "gates":
        monkeypatch.setattr(engine_bench, "standard", engine_bench.GATES)
