# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What the module outwork_faults has to print, and what the kernel module has to count, when the device fails."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from outwork.soc import module

REQUESTS: Final = 40  # of a round, in faults.c of the module
ROUNDS: Final = 3
UNBINDS: Final = 3
KINDS: Final = ("none", "reset", "masked", "lost", "hang", "bus", "ring", "device")
# What the watchdog has to find, by its counters.
RESETS: Final = {"reset", "hang", "ring", "device"}
MISSED: Final = {"masked", "lost"}
SHOW: Final = f"show {module.STATISTICS}"


@dataclass(frozen=True)
class Round:
    """The line that outwork_faults prints, and what the module's counters say about it."""

    values: dict[str, int]
    counters: dict[str, int]


def fault_steps(load: Sequence[str]) -> list[str]:
    """Returns the steps that make faults of each kind. `load` loads the module and binds the device."""
    steps = [*load, SHOW]
    for kind in KINDS:
        steps += [f"load /outwork_faults.ko kind={kind} rounds={ROUNDS}", SHOW]
    return [*steps, "unload outwork"]


def _rounds(output: module.Output) -> dict[str, Round]:
    """Returns the rounds of each kind; the counters are shown before the first and after each."""
    found = {}
    for time, line in enumerate(re.findall(r"^faults: (\w+ rounds .*)", output.console, flags=re.MULTILINE)):
        kind, *words = line.split()
        before, after = output.statistics(time), output.statistics(time + 1)
        found[kind] = Round(
            {name: int(value) for name, value in zip(words[::2], words[1::2], strict=True)},
            {name: after[name] - before[name] for name in after},
        )
    return found


def check_faults(output: module.Output) -> None:
    """Each result is right, or an error where the source may be lost; then the device works again, as it counts itself."""
    assert output.status == 0 and not output.faults, output.console
    found = _rounds(output)
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


def unbind_steps(load: Sequence[str], unbind: str) -> list[str]:
    """Returns the steps that take the device away under load, and for good at last, by the step `unbind`."""
    return [
        *load,
        SHOW,
        f"load /outwork_faults.ko kind=unbind rounds={UNBINDS}",
        SHOW,
        unbind,
        SHOW,
        "load /outwork_faults.ko kind=none rounds=1",
        SHOW,
        "unload outwork",
    ]


def check_unbind(output: module.Output) -> None:
    """Every request is right or has the error that the source may be lost; none waits for ever. Then the module goes."""
    assert output.status == 0 and not output.faults, output.console
    bound, unbound = re.findall(r"^faults: (\w+ rounds .*)", output.console, flags=re.MULTILINE)
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
