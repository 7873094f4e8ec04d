# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The places of libraries, headers and board profiles: in an installed package, or in the project's tree."""

import os
import sys
from pathlib import Path
from typing import Final

from outwork.errors import NoDeviceError

PACKAGE: Final = Path(__file__).resolve().parent
PROJECT: Final = PACKAGE.parent
LAB: Final = Path("build/lab")  # default folder of the lab's files, in the current folder
SUFFIX: Final = ".dylib" if sys.platform == "darwin" else ".so"


def include_folders() -> tuple[Path, ...]:
    return (
        PACKAGE / "include",
        PROJECT / "driver" / "include",
        PROJECT / "platform" / "sim" / "include",
        PROJECT / "platform" / "shared" / "include",
        PROJECT / "platform" / "soc" / "include",
    )


def board_folders() -> tuple[Path, ...]:
    return (PACKAGE / "boards", PROJECT / "platform" / "sim" / "boards")


def presets_file() -> Path:
    installed = PACKAGE / "presets.json"
    return installed if installed.is_file() else PROJECT / "rtl" / "presets.json"


def library_folders() -> tuple[Path, ...]:
    """Returns the folders to search. If OUTWORK_LIBRARY_PATH is set, only that one; tests use it for other builds."""
    chosen = os.environ.get("OUTWORK_LIBRARY_PATH")
    if chosen:
        return (Path(chosen),)
    return (PACKAGE / "lib", PROJECT / "build" / "release" / "lib")


def library_file(name: str) -> Path:
    for folder in library_folders():
        path = folder / f"lib{name}{SUFFIX}"
        if path.is_file():
            return path
    looked = " or ".join(str(folder) for folder in library_folders())
    if not (PROJECT / "CMakeLists.txt").is_file():
        raise NoDeviceError(
            f"This package does not have the simulated board: lib{name}{SUFFIX} is not in {looked}. Choose --board reference, "
            "or run `make wheel`, without BOARDS, in the project's folder. "
            "Commands with the option --engine also work without a board: --engine software."
        )
    raise NoDeviceError(
        f"The simulated board is not built: lib{name}{SUFFIX} is not in {looked}. Run `make build` in the project. "
        "Commands with the option --engine also work without a board: --engine software."
    )


def has_library(name: str) -> bool:
    """Returns whether a library is built, for example that of a simulated board."""
    try:
        library_file(name)
    except NoDeviceError:
        return False
    return True
