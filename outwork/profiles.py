# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Board profiles: small TOML files that say how fast a board's clock, bus and memory are."""

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from outwork.errors import OutworkError, UsageError, unknown_name
from outwork.paths import board_folders

DEFAULT_BOARD: Final = "reference"


@dataclass(frozen=True)
class Profile:
    """A board. `parameters` are members of `struct ow_sim_parameters`; what is not named keeps its default."""

    name: str
    description: str
    path: Path
    parameters: dict[str, int] = field(default_factory=dict, hash=False)

    @property
    def clock_hz(self) -> int:
        return self.parameters["clock_hz"]

    @property
    def data_width_bits(self) -> int:
        return self.parameters["data_width"]


def varied(profile: Profile, changes: dict[str, int]) -> Profile:
    """The board with some parameters changed, and a name that says which."""
    for name in changes:
        if name not in profile.parameters:
            raise UsageError(
                f"The board '{profile.name}' has no parameter '{name}'. It has: {', '.join(profile.parameters)}."
            )
    words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in changes.items())
    return replace(profile, name=f"{profile.name}, {words}", parameters={**profile.parameters, **changes})


def available() -> dict[str, Path]:
    """Profiles that come with the project, by name."""
    found: dict[str, Path] = {}
    for folder in board_folders():
        for path in sorted(folder.glob("*.toml")):
            found.setdefault(path.stem, path)
    return found


def load(name: str) -> Profile:
    """A profile by its name, or from a file when the name ends in .toml."""
    path = Path(name) if name.endswith(".toml") else available().get(name)
    if path is None:
        raise unknown_name("board", name, available(), "; a path to a .toml file serves too")
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"The board file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OutworkError(f"The board file {path} is not valid TOML: {error}.") from error
    parameters: dict[str, int] = {}
    words: dict[str, str] = {}
    for key, value in _flat(document):
        if isinstance(value, str):
            words[key] = value
        elif isinstance(value, bool | int):
            parameters[key] = int(value)
        else:
            raise OutworkError(f"The board file {path} gives '{key}' as {value!r}; it must be a whole number.")
    for required in ("clock_hz", "data_width"):
        if required not in parameters:
            raise OutworkError(f"The board file {path} lacks '{required}'.")
    return Profile(words.get("name", path.stem), words.get("description", ""), path, parameters)


def _flat(document: dict[str, object]) -> list[tuple[str, object]]:
    """Keys and values of all tables: tables are for the reader only."""
    rows: list[tuple[str, object]] = []
    for key, value in document.items():
        rows.extend(_flat(value) if isinstance(value, dict) else [(key, value)])
    return rows
