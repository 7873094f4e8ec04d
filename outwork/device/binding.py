# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The C library in Python, through cffi in ABI mode; declarations come from the C headers themselves."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from cffi import FFI

from outwork.device import inflight
from outwork.errors import NoDeviceError
from outwork.paths import include_folders, library_file

# In the order of their dependencies. aes.h (one call a message) is not needed: this package submits jobs.
HEADERS: Final = (
    "status.h",
    "platform.h",
    "spec.h",
    "device.h",
    "policy.h",
    "queue.h",
    "combined.h",
    "pka.h",
    "pka_schemes.h",
    "curve25519.h",
    "mldsa.h",
    "mlkem.h",
    "sim.h",
    "shared_server.h",
    "soc.h",
)


def declarations(text: str) -> str:
    """Returns the part of a header that cffi understands: C without comments, #include, C++ parts and macros with
    arguments."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    # the sizes of the structures already ensure it
    text = re.sub(r"OW_ALIGNED\([0-9]+\)", " ", text.replace("\\\n", " "))
    kept: list[str] = []
    skipping: list[bool] = []  # one entry per open #if; true: this branch is left out
    for line in text.splitlines():
        words = line.split()
        if line.lstrip().startswith("#"):
            directive = line.lstrip()[1:].split()[0]
            if directive in ("ifdef", "if"):
                skipping.append(True)  # always __cplusplus
            elif directive == "ifndef":
                skipping.append(False)  # include guards
            elif directive == "else":
                skipping[-1] = not skipping[-1]
            elif directive == "endif":
                skipping.pop()
            elif directive == "define" and not any(skipping) and len(words) == 3:
                number = re.fullmatch(r"(0x[0-9a-fA-F]+|[0-9]+)[uUlL]*", words[2])
                if number and "(" not in words[1]:
                    kept.append(f"#define {words[1]} {number[1]}")
            continue
        if not any(skipping) and "OW_STATIC_ASSERT" not in line:
            kept.append(line)
    return "\n".join(kept)


@dataclass(frozen=True)
class Library:
    """A loaded board library: `ffi` creates and casts C values, `c` has the functions."""

    ffi: Any
    c: Any
    path: Path


@cache
def interface() -> Any:
    """Returns the declarations of all headers, parsed."""
    ffi = FFI()
    for name in HEADERS:
        for folder in include_folders():
            path = folder / "outwork" / name
            if path.is_file():
                ffi.cdef(declarations(path.read_text(encoding="utf-8")))
                break
        else:
            raise NoDeviceError(
                f"The header outwork/{name} is missing: the installation is incomplete. Run `make setup build` in the project."
            )
    ffi.new = inflight.allocator(ffi)
    return ffi


@cache
def load(name: str) -> Library:
    """Loads the library of a simulated board."""
    path = library_file(name)
    ffi = interface()
    try:
        return Library(ffi, ffi.dlopen(str(path)), path)
    except OSError as error:
        raise NoDeviceError(
            f"The board's library {path} cannot be loaded ({error}). Run `make build` again."
        ) from error
