# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The native part of the lab's CPU engines, through cffi: the timed loop, and the adapters of the libraries on this
machine."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from cffi import FFI

from outwork.device.binding import declarations
from outwork.errors import OutworkError
from outwork.paths import PACKAGE, library_file

# In the project's tree, and in an installed package.
HEADERS: Final = (PACKAGE / "lab/native/lab.h", PACKAGE / "include/lab.h")


class NotThereError(OutworkError):
    """The adapter was not built, or its library cannot be loaded."""


@dataclass(frozen=True)
class Loop:
    """The timed loop; `ffi` has the declarations of `lab.h`."""

    ffi: Any
    c: Any

    def clock_hz(self) -> int:
        """Measures the clock of this CPU with a chain of additions, one cycle each. Returns the faster of two runs,
        because interruptions only slow down."""
        count = 100_000
        return max(count * 10**9 // int(self.c.ow_lab_additions(count)) for _ in range(2))


@dataclass(frozen=True)
class Adapter:
    """A library, with the table of functions that the loop calls."""

    name: str
    calls: Any  # struct ow_lab_calls *
    version: str
    instructions: str  # crypto instructions of the CPU, as reported by the library
    module: Any = None  # keeps the shared object loaded


def _file(name: str) -> Path:
    try:
        return library_file(name)
    except OutworkError as error:
        raise NotThereError("not built") from error


@cache
def loop() -> Loop:
    ffi = FFI()
    header = next(path for path in HEADERS if path.is_file())
    ffi.cdef(declarations(header.read_text(encoding="utf-8")))
    return Loop(ffi, ffi.dlopen(str(_file("ow_lab"))))


@cache
def load(name: str, library: str = "") -> Adapter:
    """Loads the adapter libow_lab_<name>. library: the library that it opens, if it opens one itself."""
    ffi = loop().ffi
    path = _file(f"ow_lab_{name}")
    try:
        module = ffi.dlopen(str(path))
    except OSError as error:
        raise NotThereError(f"its library cannot be loaded ({error})") from error
    calls = module.ow_lab_adapter(library.encode())
    if calls == ffi.NULL:
        raise NotThereError(f"{library or name} cannot be used on this machine")
    text = ffi.string
    return Adapter(name, calls, text(calls.version()).decode(), text(calls.instructions()).decode(), module)
