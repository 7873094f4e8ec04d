# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a system on from where it is, many times: in copies of this process."""

import ctypes
import os
import signal
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Final, NoReturn, TypeVar, cast

from outwork.errors import OutworkError

Result = TypeVar("Result")
PR_SET_PDEATHSIG: Final = 1  # of <linux/prctl.h>
# Found here and not in a copy, where a lock of the loader may be held by a thread that has not been copied.
PRCTL: Final = ctypes.CDLL(None).prctl


def in_copy(task: Callable[[], Result]) -> Result:
    """Returns what `task` returns, which runs in a copy of this process: every system stays here as it is.

    Raises what `task` raises, or OutworkError if the copy ends without a result. The result and exceptions are pickled.
    """
    here, there = Pipe(duplex=False)
    parent = os.getpid()
    # Not a process of multiprocessing: a worker of Dask may have none.
    copy = os.fork()
    if copy == 0:
        _end_with(parent)
        _answer(task, there)
    there.close()
    try:
        result, error = here.recv()
    except EOFError as ended:
        raise OutworkError("A copy of the simulation has ended without a result. Is there enough memory?") from ended
    finally:
        here.close()
        os.waitpid(copy, 0)
    if error is not None:
        raise error
    return cast(Result, result)


def _end_with(parent: int) -> None:
    """Lets this process end when its parent does, however that ends: nobody waits for the result then."""
    PRCTL(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def _answer(task: Callable[[], Result], there: Connection) -> NoReturn:
    """Sends the result and ends this process, whatever happens: nothing else of the program may go on in a copy."""
    try:
        try:
            there.send((task(), None))
        except Exception as error:
            there.send((None, error))
    finally:
        os._exit(0)
