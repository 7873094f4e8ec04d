# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Estimates the time left of a run of steps of several kinds, from what the steps so far have taken."""

import threading
from collections.abc import Iterable, Iterator
from typing import Final

# Steps that are over within this time of each other ran together, and are over together.
TOGETHER_SECONDS: Final = 0.005
PASSES: Final = 40


class Pace:
    """Learns how many seconds an effort takes, for each kind of step.

    An effort is what a step was expected to take, which may be wrong by a factor that is the same for all steps of a kind.
    A kind is named "family | branch | member", with any number of parts. One of which no step is over yet gets the factor of
    the closest relatives that have been seen: of its branch, else of its family, else of all together.
    A thread that draws the bar may ask while another one notes steps.
    """

    def __init__(self, efforts: Iterable[tuple[str, float]]) -> None:
        self._lock = threading.Lock()
        self._left: dict[str, float] = {}
        for kind, effort in efforts:
            self._left[kind] = self._left.get(kind, 0) + effort
        self._groups: list[tuple[float, dict[str, float]]] = []  # seconds, and the efforts that took them
        self._last_seconds = 0.0
        self._factors: dict[str, float] | None = None
        # Of steps that workers did side by side: what these took together, and how long that was.
        self._worker_seconds = self._side_by_side_seconds = 0.0

    def done(self, kind: str, effort: float, now_seconds: float, took_seconds: float | None = None) -> None:
        """Notes that a step is over at this time since the beginning; `took_seconds`: what it took, if others ran beside it
        or in turn with it."""
        with self._lock:
            self._done(kind, effort, now_seconds, took_seconds)

    def _done(self, kind: str, effort: float, now_seconds: float, took_seconds: float | None) -> None:
        self._take_out(kind, effort)
        since = now_seconds - self._last_seconds
        took = since
        if took_seconds is not None:
            took = took_seconds
            self._worker_seconds += took
            self._side_by_side_seconds += since
            self._last_seconds = now_seconds
        if took_seconds is not None or took > TOGETHER_SECONDS or not self._groups:
            self._groups.append((took, {}))
            self._last_seconds = now_seconds
        group = self._groups[-1][1]
        group[kind] = group.get(kind, 0) + effort

    def skipped(self, kind: str, effort: float) -> None:
        """Takes a step out that has taken no time."""
        with self._lock:
            self._take_out(kind, effort)

    def _take_out(self, kind: str, effort: float) -> None:
        self._left[kind] = self._left.get(kind, 0) - effort
        self._factors = None

    def seconds_left(self, now_seconds: float) -> float | None:
        """Returns the estimate; None before the first step is over."""
        with self._lock:
            return self._seconds_left(now_seconds)

    def _seconds_left(self, now_seconds: float) -> float | None:
        if not self._groups:
            return None
        if self._factors is None:
            self._factors = self._learn()
        left = sum(effort * self._factor(kind) for kind, effort in self._left.items())
        if self._worker_seconds > self._side_by_side_seconds > 0:
            left *= self._side_by_side_seconds / self._worker_seconds
        return max(0.0, left - (now_seconds - self._last_seconds))

    def _factor(self, kind: str) -> float:
        assert self._factors is not None
        return next((self._factors[name] for name in (kind, *relatives(kind)) if name in self._factors), 0.0)

    def _learn(self) -> dict[str, float]:
        """Returns the factor of each kind that explains the groups best: steps that ran together share their time.

        Richardson and Lucy's method: factors stay positive, and each pass explains the times better.
        """
        totals: dict[str, float] = {}
        for _, group in self._groups:
            for kind, effort in group.items():
                totals[kind] = totals.get(kind, 0) + effort
        factors = dict.fromkeys(totals, 1.0)
        for _ in range(PASSES):
            shares = dict.fromkeys(totals, 0.0)
            for seconds, group in self._groups:
                expected = sum(effort * factors[kind] for kind, effort in group.items())
                if expected > 0:
                    for kind, effort in group.items():
                        shares[kind] += effort * factors[kind] * seconds / expected
            factors = {kind: shares[kind] / total if total else 0.0 for kind, total in totals.items()}
        seconds_of: dict[str, float] = {}
        efforts_of: dict[str, float] = {}
        for kind, total in totals.items():
            for name in relatives(kind):
                seconds_of[name] = seconds_of.get(name, 0) + shares[kind]
                efforts_of[name] = efforts_of.get(name, 0) + total
        return {name: seconds / (efforts_of[name] or 1) for name, seconds in seconds_of.items()} | factors


def relatives(kind: str) -> Iterator[str]:
    """Yields the names of what a kind belongs to, the closest first; the last one is empty, for all together."""
    parts = kind.split(" | ")
    for count in range(len(parts) - 1, -1, -1):
        yield " | ".join(parts[:count])
