# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Standard output of a command: a write that fails is a sentence, also the last one at the end."""

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


def _descriptor(output: Any) -> int | None:
    """Returns the open file behind an output; None: there is none, as after `>&-`, or the output is kept in memory."""
    if output is None:
        return None
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
        before.errors,
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
