# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel module under Debian's own kernel in QEMU, with the simulated board as a PCI function."""

import kernel_guest
import pytest
import qemu_check
import uml_check

from outwork.soc import module

SHOW = f"show {module.STATISTICS}"

BUILDS = {"debian": qemu_check.DEBIAN, "6.12": qemu_check.NEWER}

pytestmark = pytest.mark.slow


@pytest.fixture(params=BUILDS)
def build(request: pytest.FixtureRequest) -> qemu_check.Build:
    """Each kernel that is prepared."""
    found = BUILDS[request.param]
    if not found.is_complete:
        pytest.skip(f"{found.folder} is not prepared: make qemu, or scripts/qemu.sh 6.12")
    return found


@pytest.mark.parametrize("cpus", [1, 2])
def test_every_algorithm_passes_the_self_test_of_debians_kernel(build: qemu_check.Build, cpus: int) -> None:
    """It has a queue for each CPU, and offers queues to processes."""
    run = qemu_check.run([*uml_check.SELF_TESTS, SHOW, "unload outwork"], module.NO_TESTS, cpus=cpus, build=build)
    kernel_guest.check(run)
    assert run.output.self_tests == {f"{name}-outwork": "passed" for name in build.algorithms}
    counters = run.output.statistics(-1)
    queues = [counters[f"queue{number}_device_jobs"] for number in range(cpus)]
    assert f"queue{cpus}_device_jobs" not in counters
    assert min(queues) > 100 and sum(queues) > 3_000
    assert counters["processes_queues"] == 2
    assert counters["operations"] > 20 and counters["errors"] == counters["fallbacks_device"] == 0
    assert run.board["outside"] == 0 < run.board["messages"]
