# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A timing diagram as values: what each signal is in each cycle, and which cycles are cut out because nothing changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# So many cycles or fewer are drawn, not cut out: a gap takes as much room.
FEW: Final = 2


@dataclass(frozen=True)
class Lane:
    """A signal. `values` has one for each cycle: `0` or `1`; of a bus its text, or nothing where it has no meaning."""

    name: str
    values: Sequence[str]
    is_bus: bool = False
    is_output: bool = False  # of the device


@dataclass(frozen=True)
class Diagram:
    """`first`: number of the first cycle. Numbers below `numbered_from` are not written."""

    title: str
    groups: Sequence[Sequence[Lane]]
    first: int = 0
    numbered_from: int = 0

    @property
    def lanes(self) -> list[Lane]:
        return [lane for group in self.groups for lane in group]


@dataclass(frozen=True)
class Column:
    """A cycle, counted from the first value, or a gap that stands for several."""

    cycle: int
    cut: int = 0  # cycles; 0: not a gap


def columns(lanes: Sequence[Lane]) -> list[Column]:
    """Returns what is drawn: the first and the last cycle, those that begin with a change of a signal, those between two
    that are close to each other, and gaps for the others."""
    lengths = {len(lane.values) for lane in lanes}
    if len(lengths) != 1:
        raise ValueError(f"the signals have different numbers of cycles: {sorted(lengths)}")
    (count,) = lengths
    shown = {0, count - 1}
    shown |= {cycle for cycle in range(1, count) if any(lane.values[cycle] != lane.values[cycle - 1] for lane in lanes)}
    made: list[Column] = []
    cycle = 0
    while cycle < count:
        end = cycle
        while end not in shown:
            end += 1
        if end - cycle > FEW:
            made.append(Column(cycle, end - cycle))
        else:
            made += [Column(quiet) for quiet in range(cycle, end)]
        made.append(Column(end))
        cycle = end + 1
    return made
