# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel module under Linux on the system on chip, with faults made in the simulated hardware behind its back."""

import re
from dataclasses import dataclass
from functools import partial

import pytest

from outwork.paths import has_library
from outwork.soc import linux, module

FAULTS = module.MODULE.parent / "faults/outwork_faults.ko"
# What Linux believes of its clock: half a second, after which the watchdog looks, is not long to simulate.
CYCLES_PER_SECOND = 5_000_000
REQUESTS = 40  # of a round, in faults.c of the module
ROUNDS = 3
UNBINDS = 3
KINDS = ("none", "reset", "masked", "lost", "hang", "bus", "ring", "device")
# What the watchdog has to find, by its counters.
RESETS = {"reset", "hang", "ring", "device"}
MISSED = {"masked", "lost"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc"),
    pytest.mark.skipif(
        not (module.IMAGE.is_file() and FAULTS.is_file()), reason="kernel and modules are not built: make linux"
    ),
]


@dataclass(frozen=True)
class Round:
    """The line that outwork_faults prints, and what the module's counters say about it."""

    values: dict[str, int]
    counters: dict[str, int]


def rounds(output: module.Output) -> dict[str, Round]:
    """Returns the rounds of each kind; the counters are shown before the first and after each."""
    found = {}
    for time, line in enumerate(re.findall(r"faults: (.*)", output.console)):
        kind, *words = line.split()
        before, after = output.statistics(time), output.statistics(time + 1)
        found[kind] = Round(
            {name: int(value) for name, value in zip(words[::2], words[1::2], strict=True)},
            {name: after[name] - before[name] for name in after},
        )
    return found


def test_no_fault_of_the_device_makes_a_wrong_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each result is right, or an error where the source may be lost; then the device works again, as it counts itself."""
    monkeypatch.setattr(linux, "start_kernel", partial(linux.start_kernel, cycles_per_second=CYCLES_PER_SECOND))
    show = f"show {module.STATISTICS}"
    steps = ["load /outwork.ko minimum_cipher=0", show]
    for kind in KINDS:
        steps += [f"load /{FAULTS.name} kind={kind} rounds={ROUNDS}", show]
    with module.start([*steps, "unload outwork"], module.NO_TESTS, more={FAULTS.name: FAULTS.read_bytes()}) as system:
        output = module.run(system, max_cycles=1_500_000_000)
    assert output.status == 0 and not output.faults, output.console
    found = rounds(output)
    assert tuple(found) == KINDS, output.console
    for kind, of_kind in found.items():
        values, counters = of_kind.values, of_kind.counters
        assert values["status"] == values["wrong"] == values["late"] == 0, (kind, values)
        assert values["right"] + values["errors"] == (ROUNDS + 1) * REQUESTS, (kind, values)
        assert values["jobs"] == REQUESTS, (kind, values)
        assert (counters["queue0_resets"] > 0) == (kind in RESETS), (kind, counters)
        assert counters["queue0_missed_interrupts"] > 0 or kind not in MISSED, (kind, counters)
    for kind in {"none", *MISSED}:
        assert found[kind].values["errors"] == 0
    assert found["bus"].values["errors"] + found["bus"].counters["fallbacks_device"] == ROUNDS


def test_the_device_is_unbound_under_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request is right or has the error that the source may be lost; none waits for ever. Then the module goes."""
    monkeypatch.setattr(linux, "start_kernel", partial(linux.start_kernel, cycles_per_second=CYCLES_PER_SECOND))
    show = f"show {module.STATISTICS}"
    steps = [
        "load /outwork.ko minimum_cipher=0",
        show,
        f"load /{FAULTS.name} kind=unbind rounds={UNBINDS}",
        show,
        f"write /sys/bus/platform/drivers/outwork/unbind {module.DEVICE}",
        show,
        f"load /{FAULTS.name} kind=none rounds=1",
        show,
        "unload outwork",
    ]
    with module.start(steps, module.NO_TESTS, more={FAULTS.name: FAULTS.read_bytes()}) as system:
        output = module.run(system, max_cycles=1_500_000_000)
    assert output.status == 0 and not output.faults, output.console
    bound, unbound = re.findall(r"faults: (.*)", output.console)
    names = ("rounds", "right", "errors", "wrong", "late", "jobs", "status")
    found = {name: int(re.findall(rf"{name} (-?\d+)", bound)[0]) for name in names}
    assert found["status"] == found["wrong"] == found["late"] == 0, bound
    assert found["rounds"] > UNBINDS and found["right"] + found["errors"] == (found["rounds"] + 1) * REQUESTS, bound
    assert found["jobs"] == REQUESTS, bound
    after = output.statistics(1)
    # The device has done requests and was absent for others, as often as each round has them; of its own count there is
    # what came since it was bound for the last time.
    assert after["devices"] == 1 and after["requests"] > REQUESTS and after["fallbacks_absent"] >= REQUESTS
    assert after["requests"] + after["fallbacks_absent"] >= (found["rounds"] + 1) * REQUESTS
    assert after["queue0_device_jobs"] >= REQUESTS
    assert output.statistics(2)["devices"] == 0
    assert f"right {2 * REQUESTS} errors 0 wrong 0" in unbound
    assert output.statistics(3)["fallbacks_absent"] == output.statistics(2)["fallbacks_absent"] + 2 * REQUESTS
    assert output.statistics(3)["requests"] == output.statistics(2)["requests"]
