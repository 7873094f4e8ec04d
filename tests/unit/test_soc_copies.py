# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Work in copies of a process: results and exceptions come back, and nothing changes here."""

import multiprocessing
import os
import select
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from outwork.errors import OutworkError, UsageError
from outwork.soc.copies import in_copy


def test_nothing_changes_here() -> None:
    state = [1]

    def change() -> tuple[int, list[int]]:
        state.append(2)
        return os.getpid(), state

    pid, there = in_copy(change)
    assert (pid != os.getpid(), there, state) == (True, [1, 2], [1])


def test_an_exception_comes_back() -> None:
    def refuse() -> None:
        raise UsageError("There is no such thing.")

    with pytest.raises(UsageError, match="no such thing"):
        in_copy(refuse)


def test_a_copy_that_dies_is_noticed() -> None:
    with pytest.raises(OutworkError, match="ended without a result"):
        in_copy(lambda: os._exit(3))


def _in_worker(there: Connection) -> None:
    there.send(in_copy(os.getpid))


def test_a_worker_of_a_cluster_may_make_copies() -> None:
    """Dask's workers are daemons, which multiprocessing lets have no children of its own."""
    here, there = multiprocessing.Pipe(duplex=False)
    worker = multiprocessing.get_context("fork").Process(target=_in_worker, args=(there,), daemon=True)
    worker.start()
    there.close()
    assert here.recv() not in (os.getpid(), worker.pid)
    worker.join()


def test_a_copy_leaves_nothing_behind() -> None:
    def files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = files()
    copies = [in_copy(os.getpid) for _ in range(3)]
    assert files() == before
    for copy in copies:
        with pytest.raises(ChildProcessError):
            os.waitpid(copy, os.WNOHANG)


def _sleep_in_copy(there: Connection) -> None:
    def sleep() -> None:
        there.send(os.getpid())
        time.sleep(600)

    in_copy(sleep)


def test_a_copy_ends_with_its_parent() -> None:
    here, there = multiprocessing.Pipe(duplex=False)
    parent = multiprocessing.get_context("fork").Process(target=_sleep_in_copy, args=(there,))
    parent.start()
    there.close()
    copy = os.pidfd_open(here.recv())
    assert not select.select([copy], [], [], 0)[0]
    parent.kill()
    assert select.select([copy], [], [], 60)[0], "the copy goes on"
    parent.join()
    os.close(copy)
