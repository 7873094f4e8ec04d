# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a queue's jobs with those of a hostile queue on an engine's bench, and measures the cost.

The hostile queue has twelve of the sixteen streams, and its jobs come first; `stop` words of each arrive before the
victim's last result. The victim has the other four streams in both runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HOSTILE, VICTIM = (0, 11), (12, 15)
SHARE = 1 / 0.45  # of its cycles alone: 45 % of its bandwidth


def victims_cycles(
    jobs: Any, where: Path, victims: Sequence[Any], hostile: Sequence[Any], stop: int = -1, pace: int = 0
) -> int:
    """Cycles from the victim's first command to its last result. Words of the hostile come every `pace` cycles."""
    jobs.note(f"O 1 {HOSTILE[0]} {HOSTILE[1]} {pace} {stop}")
    for job in hostile:
        jobs.add(job)
    jobs.note(f"O 0 {VICTIM[0]} {VICTIM[1]} 0 -1")
    first = jobs.count
    for job in victims:
        jobs.add(job)
    where.mkdir(exist_ok=True)
    played = jobs.play(where)
    of = range(first, jobs.count)
    return max(played.last[n] for n in of) - min(played.first[n] for n in of)


def slowdown(
    make: Callable[[], Any], where: Path, victims: Sequence[Any], hostile: Sequence[Any], stop: int = -1, pace: int = 0
) -> float:
    """The victim's cycles beside the hostile queue, divided by those alone."""
    alone = victims_cycles(make(), where / "alone", victims, ())
    beside = victims_cycles(make(), where / "beside", victims, hostile, stop, pace)
    print(f"alone {alone}, beside {beside}: {beside / alone:.2f}")
    return beside / alone
