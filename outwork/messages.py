# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Words for the person at the terminal: warnings and progress, on standard error only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def warn(sentence: str) -> None:
    print(f"outwork: warning: {sentence}", file=sys.stderr)


def note(sentence: str) -> None:
    print(f"outwork: {sentence}", file=sys.stderr)


@contextmanager
def progress_bar(title: str, total_bytes: int | None) -> Iterator[Callable[[int], None]]:
    """A function to call with each step's bytes. Shows nothing where standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    # Only here: it takes longer to import than a small file takes to encrypt.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total_bytes)
        yield lambda step_bytes: progress.advance(task, step_bytes)


@contextmanager
def progress_steps(title: str, total: int) -> Iterator[Callable[[str], None]]:
    """A function to call when a step is over, with its name. Shows the time left; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[step]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total, step="")
        yield lambda step: progress.update(task, advance=1, step=step)


def console(to_stderr: bool = False) -> "Console":
    """For tables. Where nobody looks (a pipe, a file) lines are as long as they need to be."""
    from rich.console import Console

    made = Console(stderr=to_stderr)
    return made if made.is_terminal else Console(stderr=to_stderr, width=200)
