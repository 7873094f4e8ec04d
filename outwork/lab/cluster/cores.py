# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Gives each measuring worker of a machine a core of its own, and keeps the others off it.

A lock on a file for each core, in the folder for temporary files, says which are taken. The system frees the lock when
the worker ends, however it ends. Only the calling thread moves, and the processes that it starts afterwards.
"""

import fcntl
import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

LOOK_SECONDS: Final = 2.0

_here = threading.local()  # core: claimed by this thread; file: its lock; looked: when it last looked for claims
_all_cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def can_pin() -> bool:
    """Returns whether this system lets a thread choose its core."""
    return bool(_all_cores)


def claim() -> int | None:
    """Moves this thread to a core that no other worker claims, and returns it; None if there is none."""
    if getattr(_here, "core", None) is None:
        for core in reversed(_all_cores):
            file = _lock(core)
            if file is not None:
                _here.core, _here.file = core, file
                os.sched_setaffinity(0, {core})
                break
    return getattr(_here, "core", None)


def keep_clear() -> int | None:
    """Moves this thread off the cores that others claim, if any are left. Returns its own core if it has claimed one."""
    core: int | None = getattr(_here, "core", None)
    if core is None and _all_cores and time.monotonic() - getattr(_here, "looked", -LOOK_SECONDS) >= LOOK_SECONDS:
        _here.looked = time.monotonic()
        free = {number for number in _all_cores if not _is_claimed(number)}
        os.sched_setaffinity(0, free or set(_all_cores))
    return core


def _path(core: int) -> Path:
    return Path(tempfile.gettempdir()) / f"outwork-core-{os.getuid()}-{core}"


def _lock(core: int) -> int | None:
    """Returns an open file with the lock; None if another has it, or another user has made the file."""
    try:
        file = os.open(_path(core), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


def _is_claimed(core: int) -> bool:
    """Looks with a shared lock, so that two that look do not disturb each other."""
    try:
        file = os.open(_path(core), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:  # there is none, or it is another user's
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False
