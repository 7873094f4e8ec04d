# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Messages for the user at the terminal: warnings and progress, on standard error only."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from outwork.pace import Pace

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, Task
    from rich.text import Text


def warn(sentence: str) -> None:
    print(f"outwork: warning: {sentence}", file=sys.stderr)


def note(sentence: str) -> None:
    print(f"outwork: {sentence}", file=sys.stderr)


def hint(sentence: str) -> None:
    """Prints a hint if standard error is a terminal; logs and scripts do not need it."""
    if sys.stderr.isatty():
        note(sentence)


@contextmanager
def progress_bar(title: str, total_bytes: int | None) -> Iterator[Callable[[int], None]]:
    """Returns a function to call with the bytes of each finished step. Shows nothing if standard error is not a
    terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    # Imported here, because it takes longer to import than a small file takes to encrypt.
    from rich.progress import ProgressColumn

    class Pace(ProgressColumn):
        def render(self, task: "Task") -> "Text":
            elapsed = task.elapsed or 0
            return _plain(bytes_in_words(task.completed, total_bytes, task.fields["step_at"], elapsed))

    with _bar(Pace()) as progress:
        task = progress.add_task(title, total=total_bytes, step_at=0.0)
        yield lambda step_bytes: progress.update(task, advance=step_bytes, step_at=progress.tasks[0].elapsed)


class Steps:
    """Progress over steps of several kinds with unequal efforts, each given as kind and effort, in any unit. `preparing` are
    efforts before the first step, which take time but are not counted as steps."""

    def __init__(
        self,
        efforts: Sequence[tuple[str, float]],
        clock: Callable[[], float] = time.monotonic,
        preparing: Sequence[tuple[str, float]] = (),
    ) -> None:
        self.count = len(efforts)
        self.effort = sum(effort for _, effort in (*efforts, *preparing))
        self.over, self.effort_over = 0, 0.0
        self.name = ""
        self.on_change: Callable[[], None] = lambda: None
        self.pace = Pace([*efforts, *preparing])
        self._clock, self._begin = clock, clock()

    def prepared(self, name: str, kind: str, effort: float) -> None:
        self.pace.done(kind, effort, self._clock() - self._begin)
        self.effort_over, self.name = self.effort_over + effort, name
        self.on_change()

    def done(self, name: str, kind: str, effort: float, took_seconds: float | None = None) -> None:
        """Notes that a step is over; `took_seconds`: what it took alone, where steps run side by side
        or in turn."""
        self.pace.done(kind, effort, self._clock() - self._begin, took_seconds)
        self.over, self.effort_over, self.name = self.over + 1, self.effort_over + effort, name
        self.on_change()

    def started(self, kind: str, effort: float, took_seconds: float) -> None:
        """Notes that something was prepared beside steps."""
        self.pace.done(kind, effort, self._clock() - self._begin, took_seconds)
        self.effort_over += effort
        self.on_change()

    def lessen(self, kind: str, effort: float) -> None:
        """Takes effort off a step that is still to come."""
        self.pace.skipped(kind, effort)
        self.effort -= effort

    def skipped(self, name: str, kind: str, effort: float) -> None:
        """Skips a step that took no time, so that it does not change the estimate."""
        self.pace.skipped(kind, effort)
        self.over, self.effort, self.name = self.over + 1, self.effort - effort, name
        self.on_change()

    def in_words(self) -> str:
        left = self.pace.seconds_left(self._clock() - self._begin)
        return f"{self.over}/{self.count}  {'-:--:--' if left is None else _clock_words(left)}  {self.name}"


@contextmanager
def progress_steps(
    title: str, efforts: Sequence[tuple[str, float]], preparing: Sequence[tuple[str, float]] = ()
) -> Iterator[Steps]:
    """Shows steps and the time left; nothing if standard error is not a terminal."""
    steps = Steps(efforts, preparing=preparing)
    if not sys.stderr.isatty():
        yield steps
        return
    from rich.progress import ProgressColumn

    class Column(ProgressColumn):
        def render(self, task: "Task") -> "Text":
            return _plain(steps.in_words())

    with _bar(Column()) as progress:
        task = progress.add_task(title, total=steps.effort)
        steps.on_change = lambda: progress.update(task, completed=steps.effort_over, total=steps.effort)
        yield steps


def _bar(pace: "ProgressColumn") -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), pace)
    # Each time the estimate is made anew, which takes milliseconds: no more often than one can read.
    return Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=3)


def _plain(words: str) -> "Text":
    from rich.text import Text

    return Text(words)


def bytes_in_words(done_bytes: float, total_bytes: int | None, step_at_seconds: float, now_seconds: float) -> str:
    """Returns the progress as text. The speed is the mean from the start to the last step, because chunks in flight
    together end at almost the same time."""
    total = "" if total_bytes is None else f" of {total_bytes / 1e6:.1f}"
    speed = f"  {done_bytes / step_at_seconds / 1e6:.1f} MB/s" if done_bytes and step_at_seconds else ""
    left = ""
    if total_bytes is not None:
        left = f"  {time_left(done_bytes, total_bytes, step_at_seconds, now_seconds - step_at_seconds)}"
    return f"{done_bytes / 1e6:.1f}{total} MB{speed}{left}"


def time_left(done: float, total: float, elapsed_seconds: float, since_seconds: float = 0) -> str:
    """Estimates the time left from the work done in `elapsed_seconds`; subtracts `since_seconds`, which have passed since."""
    if not done:
        return "-:--:--"
    return _clock_words(elapsed_seconds * (total - done) / done - since_seconds)


def _clock_words(left_seconds: float) -> str:
    seconds = max(0, round(left_seconds))
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def console(to_stderr: bool = False) -> "Console":
    """Returns a console for tables and plain text, brackets included. In a pipe or file, lines are as long as needed."""
    from rich.console import Console

    made = Console(stderr=to_stderr, markup=False, emoji=False)
    if not made.is_terminal:
        made.width = 200
    return made
