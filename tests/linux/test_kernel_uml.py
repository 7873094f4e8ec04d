# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel module under User Mode Linux, with the simulated board as a PCI function."""

import re

import pytest
import uml_check

from outwork.soc import module

SHOW = f"show {module.STATISTICS}"
BUILDS = {"plain": uml_check.PLAIN, "debug": uml_check.DEBUG}

pytestmark = pytest.mark.slow


@pytest.fixture(params=BUILDS)
def build(request: pytest.FixtureRequest) -> uml_check.Build:
    """Each kernel that is built."""
    found = BUILDS[request.param]
    if not found.is_complete:
        pytest.skip(f"{found.folder} is not built: make uml{'-debug' if request.param == 'debug' else ''}")
    return found


def total(counters: dict[str, int], name: str) -> int:
    """The sum of a counter of each queue."""
    return sum(value for key, value in counters.items() if re.fullmatch(rf"queue\d+_{name}", key))


def check(run: uml_check.Run) -> None:
    """Every step has succeeded, the kernel has complained of nothing, nor has the board."""
    assert run.output.status == 0 and not run.output.faults, run.output.console
    assert run.board["violations"] == 0


def test_every_algorithm_passes_the_kernels_self_test(build: uml_check.Build) -> None:
    """With the random part, of 50 requests. On the device, with messages as interrupts: its own counters say so."""
    steps = [*uml_check.SELF_TESTS, SHOW, "unload outwork"]
    run = uml_check.run(steps, f"{module.NO_TESTS} cryptomgr.fuzz_iterations=50", build)
    check(run)
    assert run.output.self_tests == {f"{name}-outwork": "passed" for name in module.ALGORITHMS}
    assert "extra crypto tests enabled" in run.output.console
    counters = run.output.statistics(-1)
    assert total(counters, "device_jobs") > 10_000
    assert total(counters, "finished") == total(counters, "submitted") == counters["requests"]
    assert counters["errors"] == counters["fallbacks_device"] == total(counters, "resets") == 0
    assert total(counters, "missed_interrupts") == 0
    # The handler reads nothing; and a message is sent for what the driver counts.
    assert run.board["messages"] >= total(counters, "interrupts") > 0
    assert run.board["outside"] == 0
