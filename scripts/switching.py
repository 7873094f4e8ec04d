# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Reads switching activity (SAIF 2.0) of a simulation, and weighs it with the cells of a synthesised netlist.

SAIF counts toggles of the RTL's nets by instance; the netlist has LUTs and flip-flops by the same instances. The cells of
an instance are taken to toggle as its nets do on average, and a flip-flop's clock pin as its instance's clock.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

NET: Final = re.compile(r"\((\S+) \(T0 \d+\) \(T1 \d+\) .*\(TC (\d+)\)\)$")
CLOCK: Final = "clk_i"


@dataclass
class Toggles:
    """Of the nets of an instance, without those below it."""

    nets: int = 0  # bits
    toggles: int = 0  # of all of them
    clock: int | None = None  # of its clock; None: it has none of that name


@dataclass(frozen=True)
class Cells:
    """LUTs, also those that are memory, and flip-flops of an instance, without those below it."""

    luts: int
    flip_flops: int


@dataclass(frozen=True)
class Weight:
    """Toggles of LUTs and flip-flops, and edges at flip-flops' clock pins."""

    data: float = 0
    clock: float = 0

    def __add__(self, other: Weight) -> Weight:
        return Weight(self.data + other.data, self.clock + other.clock)


def read(lines: Iterable[str], top: str) -> dict[str, Toggles]:
    """Returns the toggles of every scope at and below the first instance named `top`, by its path with dots.

    Raises ValueError if the text is no SAIF, ends too early, or has no such instance.
    """
    found: dict[str, Toggles] = {}
    scopes: list[str] = []
    is_first = True
    for line in lines:
        text = line.strip()
        if not text or text.startswith("//"):
            continue
        if is_first and text != "(SAIFILE":
            raise ValueError("it does not begin with (SAIFILE")
        is_first = False
        if text == ")":
            if not scopes:
                raise ValueError("it has more closing than opening brackets")
            scopes.pop()
        elif match := NET.match(text):
            path = _path(scopes, top)
            if path:
                _count(found.setdefault(path, Toggles()), match[1], int(match[2]))
        elif text.startswith("(INSTANCE "):
            scopes.append(text.split()[-1].replace("\\", ""))
        elif not text.endswith(")"):
            scopes.append("")  # (SAIFILE, (NET
    if is_first or scopes:
        raise ValueError("it is truncated")
    if not found:
        raise ValueError(f"it has no instance {top}")
    return found


def _path(scopes: list[str], top: str) -> str:
    names = [name for name in scopes if name]
    return ".".join(names[names.index(top) :]) if top in names else ""


def _count(scope: Toggles, net: str, toggles: int) -> None:
    if net == CLOCK:
        scope.clock = toggles
    else:
        scope.nets += 1
        scope.toggles += toggles


def weigh(activity: Mapping[str, Toggles], cells: Mapping[str, Cells]) -> dict[str, Weight]:
    """Returns the weight of every instance of the netlist. Scopes that are no instances, such as generate blocks, belong
    to the instance around them; an instance without a clock of its own has that of the one above. Raises ValueError if none has one."""
    owned: dict[str, Toggles] = defaultdict(Toggles)
    for path, scope in activity.items():
        owner = owned[_owner(path, cells)]
        owner.nets += scope.nets
        owner.toggles += scope.toggles
        if path in cells:
            owner.clock = scope.clock
    return {
        path: Weight(
            own.luts * _rate(owned[path]) + own.flip_flops * _rate(owned[path]),
            own.flip_flops * _clock(path, owned),
        )
        for path, own in cells.items()
    }


def _owner(path: str, cells: Mapping[str, Cells]) -> str:
    while path not in cells and "." in path:
        path = path.rpartition(".")[0]
    return path


def _rate(scope: Toggles) -> float:
    return scope.toggles / scope.nets if scope.nets else 0.0


def _clock(path: str, owned: Mapping[str, Toggles]) -> int:
    around = path
    while around:
        clock = owned[around].clock if around in owned else None
        if clock is not None:
            return clock
        around = around.rpartition(".")[0]
    raise ValueError(f"it has no net {CLOCK} around {path}")
