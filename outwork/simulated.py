# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Says at the terminal that a board is simulated, when work on it takes more than two seconds."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from outwork.messages import note

SLOW_SECONDS: Final = 2.0
SETTLED_SECONDS: Final = 0.3  # until the pace of the first steps means something
# Of measurements.
IN_CYCLES: Final = "the device's figures are its cycles, and do not depend on how fast that is"


def in_words(pace: float, total_seconds: float | None, other: str) -> str:
    """Returns the sentence. pace: bytes a second; total_seconds: None if the length is not known; other: what would be faster,
    empty: nothing."""
    takes = "" if total_seconds is None else f", {total_seconds:.0f} s in all"
    speed = f"{pace / 1e6:.1f}" if pace < 1e6 else f"{pace / 1e6:.0f}"
    return f"simulated: about {speed} MB/s{takes}{'; ' if other else ''}{other}."


def software_in(seconds: float) -> str:
    return f"`--engine software` does this in {max(seconds, 0.1):.1f} s"


def software_for(has_software: bool) -> str:
    return "`--engine software` is faster" if has_software else ""


class SlowNote:
    """Watches the steps of a piece of work, and says once that it is slow."""

    def __init__(
        self,
        total_bytes: int | None,
        faster: Callable[[int], str],
        clock: Callable[[], float] = time.monotonic,
        say: Callable[[str], None] = note,
    ) -> None:
        self._total, self._faster, self._clock, self._say = total_bytes, faster, clock, say
        self._begin, self._done, self._is_said = clock(), 0, False

    def step(self, step_bytes: int) -> None:
        self._done += step_bytes
        elapsed = self._clock() - self._begin
        if self._is_said or elapsed < SETTLED_SECONDS or not self._done:
            return
        pace = self._done / elapsed
        expected = elapsed if self._total is None else max(elapsed, self._total / pace)
        if expected > SLOW_SECONDS:
            self._is_said = True
            total = None if self._total is None else expected
            self._say(in_words(pace, total, self._faster(self._total or self._done)))


def watch(
    progress: Callable[[int], None],
    is_simulated: bool,
    total_bytes: int | None,
    faster: Callable[[int], str],
) -> Callable[[int], None]:
    """Returns `progress`, with the note if standard error is a terminal and the board is simulated."""
    if not is_simulated or not sys.stderr.isatty():
        return progress
    slow = SlowNote(total_bytes, faster)

    def step(step_bytes: int) -> None:
        progress(step_bytes)
        slow.step(step_bytes)

    return step


@contextmanager
def patience(is_simulated: bool, other: str = "`--engine software` is faster") -> Iterator[None]:
    """Says so after two seconds of work. other: what to do instead, or what the wait does not change."""
    if not is_simulated or not sys.stderr.isatty():
        yield
        return
    timer = threading.Timer(
        SLOW_SECONDS, note, [f"simulated: this machine computes every gate of the device; {other}."]
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
