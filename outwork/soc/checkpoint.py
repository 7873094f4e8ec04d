# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Files with the state of a system on chip: a line of JSON that says what it fits, then the state, compressed.

A state fits the library that made it, byte by byte, and the same board. It has no secrets but those of the program that ran.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zlib
from pathlib import Path
from typing import Any, Final

from outwork.errors import UsageError
from outwork.soc.system import System

FORMAT: Final = "outwork-soc-checkpoint-1"
LEVEL: Final = 1  # of the compression


def _fits(system: System) -> dict[str, Any]:
    """Returns what a state depends on."""
    return {
        "format": FORMAT,
        "library": hashlib.sha256(system.library.read_bytes()).hexdigest(),
        "parameters": dict(system.board.parameters),
        "coherent": system.coherent,
    }


def key(system: System, *more: bytes) -> str:
    """Returns a short name for the states of a system like this one that started with `more` in memory."""
    made = hashlib.sha256(json.dumps(_fits(system), sort_keys=True).encode())
    for data in more:
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()[:16]


def save(system: System, path: Path) -> None:
    """Writes a system's state. If that fails, there is no file, or the one from before."""
    state = system.save()
    packed = zlib.compress(state, LEVEL)
    head = {**_fits(system), "sha256": hashlib.sha256(packed).hexdigest()}
    try:
        handle, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)
        partial = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(json.dumps(head).encode() + b"\n" + packed)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def restore(system: System, path: Path) -> None:
    """Brings a system that has not run yet into the state of a file. Raises UsageError if the file does not fit."""
    try:
        line, _, packed = path.read_bytes().partition(b"\n")
        head = json.loads(line)
        found = head.pop("sha256")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, AttributeError) as error:
        raise UsageError(f"{path} is no checkpoint: `outwork soc boot --save` makes one.") from error
    if hashlib.sha256(packed).hexdigest() != found:
        raise UsageError(f"{path} is damaged: make it again with `outwork soc boot --save`.")
    wanted = _fits(system)
    differs = [name for name in wanted if head.get(name) != wanted[name]]
    if differs:
        raise UsageError(
            f"{path} is of another {differs[0]} than this system: make it again with `outwork soc boot --save`, and give the "
            "same --board and --coherent."
        )
    system.restore(zlib.decompress(packed))
