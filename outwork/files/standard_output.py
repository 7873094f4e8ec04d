# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Standard streams of a command: a write that fails is a sentence, also the last one at the end."""

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from outwork.files.streams import write_error

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Raw(io.FileIO):
    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:  # the reader wants no more, as `head`: no error to print
            raise
        except OSError as error:
            raise write_error("standard output", error) from error


def open_closed() -> None:
    """Opens the standard streams that are closed, as after `>&-`: else the next file to be opened would be one of them, and
    messages would go to standard output. To read or write one is an error, but messages on standard error are dropped.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # gets the lowest free number, which is this one
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 - as long as the process
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


def _descriptor(output: Any) -> int | None:
    """Returns the open file behind an output; None: there is none, because the output is kept in memory."""
    try:
        return int(output.fileno())
    except OSError:
        return None


@contextmanager
def checked_output() -> Iterator[None]:
    """Raises OutworkError in the block, or at its end, if standard output cannot be written. Ends the process with status 1 if
    the reader has closed it."""
    before: Any = sys.stdout
    descriptor = _descriptor(before)
    if descriptor is None:
        yield
        return
    ours = io.TextIOWrapper(
        io.BufferedWriter(_Raw(descriptor, "wb", closefd=False)),
        before.encoding,
        "surrogateescape" if before.errors == "strict" else before.errors,  # a name of a file need not be text
        line_buffering=before.line_buffering,
        write_through=before.write_through,
    )
    before.flush()
    sys.stdout = ours
    try:
        yield
    finally:
        sys.stdout = before
        with _dropped_if_it_fails(ours):
            ours.flush()


@contextmanager
def _dropped_if_it_fails(output: IO[str]) -> Iterator[None]:
    """Drops what cannot be written, so that Python does not try it once more when it ends."""
    try:
        yield
    except BaseException as error:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, output.fileno())
        os.close(nowhere)
        with contextlib.suppress(OSError):
            output.flush()
        if isinstance(error, BrokenPipeError):
            raise SystemExit(1) from error
        raise
