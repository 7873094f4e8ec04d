# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The order in which points are measured: at first some of each kind of work, so that the time left can be estimated from
what each kind has taken (outwork/pace.py)."""

from collections.abc import Sequence
from typing import Final

FIRST_SHARE: Final = 0.06  # of all the work: what is done first, all kinds together
DEAR_SHARE: Final = 0.02  # a kind whose cheapest group takes more than this waits for its turn

Group = Sequence[tuple[str, float]]  # kinds of work and their seconds, of points that are measured together


def first_for_estimate(groups: Sequence[Group]) -> set[int]:
    """Returns the numbers of groups to begin with: one for each kind of work.

    Each is the longest of its kind that is still short, since short points say little about long ones.
    """
    seconds = [sum(part for _, part in group) for group in groups]
    kinds: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        for kind, _ in group:
            kinds.setdefault(kind, []).append(number)
    total = sum(seconds)
    each = FIRST_SHARE * total / max(1, len(kinds))
    first: set[int] = set()
    for numbers in kinds.values():
        if first.isdisjoint(numbers):
            cheap = [number for number in numbers if seconds[number] <= each]
            choice = max(cheap, key=seconds.__getitem__) if cheap else min(numbers, key=seconds.__getitem__)
            if seconds[choice] <= DEAR_SHARE * total:
                first.add(choice)
    return first
