# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel module under Linux on the system on chip, with faults made in the simulated hardware behind its back."""

from functools import partial

import kernel_faults
import pytest

from outwork.paths import has_library
from outwork.soc import linux, module

FAULTS = module.MODULE.parent / "faults/outwork_faults.ko"
# What Linux believes of its clock: half a second, after which the watchdog looks, is not long to simulate.
CYCLES_PER_SECOND = 5_000_000
LOAD = ("load /outwork.ko minimum_cipher=0",)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc"),
    pytest.mark.skipif(
        not (module.IMAGE.is_file() and FAULTS.is_file()), reason="kernel and modules are not built: make linux"
    ),
]


@pytest.fixture(autouse=True)
def short_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux, "start_kernel", partial(linux.start_kernel, cycles_per_second=CYCLES_PER_SECOND))


def run(steps: list[str]) -> module.Output:
    with module.start(steps, module.NO_TESTS, more={FAULTS.name: FAULTS.read_bytes()}) as system:
        return module.run(system, max_cycles=1_500_000_000)


def test_no_fault_of_the_device_makes_a_wrong_result() -> None:
    kernel_faults.check_faults(run(kernel_faults.fault_steps(LOAD)))


def test_the_device_is_unbound_under_load() -> None:
    unbind = f"write /sys/bus/platform/drivers/outwork/unbind {module.DEVICE}"
    kernel_faults.check_unbind(run(kernel_faults.unbind_steps(LOAD, unbind)))
