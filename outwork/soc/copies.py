# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a system on from where it is, many times: in copies of this process."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar, cast

from outwork.errors import OutworkError

Result = TypeVar("Result")


def in_copy(task: Callable[[], Result]) -> Result:
    """Returns what `task` returns, which runs in a copy of this process: every system stays here as it is.

    Raises what `task` raises, or OutworkError if the copy ends without a result. The result and exceptions are pickled.
    """
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(task, there), daemon=True)
    process.start()
    there.close()
    try:
        result, error = here.recv()
    except EOFError as ended:
        raise OutworkError("A copy of the simulation has ended without a result. Is there enough memory?") from ended
    finally:
        here.close()
        process.join()
    if error is not None:
        raise error
    return cast(Result, result)


def _answer(task: Callable[[], Result], there: Connection) -> None:
    try:
        there.send((task(), None))
    except Exception as error:
        there.send((None, error))
