# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Board profiles: small TOML files with the speed of a board's clock, bus and memory."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from outwork import toml_files
from outwork.device import presets
from outwork.errors import UsageError, unknown_name
from outwork.paths import board_folders

DEFAULT_BOARD: Final = "reference"


class Environment(StrEnum):
    """Where programs run that use a board."""

    HOST = "host"  # this machine; the board is the accelerator and its memory
    BARE_METAL = "bare-metal"  # the CPU of the system on chip
    FREERTOS = "freertos"  # a task on it
    LINUX = "linux"  # a process on it that maps the device itself
    LINUX_QUEUE = "linux-queue"  # a process on it that has a queue of the kernel module
    LINUX_KERNEL = "linux-kernel"  # the kernel's crypto API on it


@dataclass(frozen=True)
class Parameter:
    """The valid values of a parameter: one of `choices`, or an integer number of `unit` from `low` to `high`."""

    unit: str = ""
    low: int = 0
    high: int = 0
    choices: tuple[int, ...] = ()

    @property
    def expected(self) -> str:
        if self.choices:
            return " or ".join(map(toml_files.written, self.choices)) + (f" {self.unit}" if self.unit else "")
        return f"a whole number of {self.unit} from {self.low:,} to {self.high:,}, without quotes"

    def written(self, value: int) -> str:
        """Returns a value as a board file has it, with its unit."""
        as_in_file = bool(value) if type(next(iter(self.choices), 0)) is bool else value
        return f"{toml_files.written(as_in_file)} {self.unit}".rstrip()

    def fits(self, value: object) -> bool:
        # True is an int in Python, but not in TOML.
        if self.choices:
            return type(value) is type(self.choices[0]) and value in self.choices
        return type(value) is int and self.low <= value <= self.high


_LATENCY_MAX: Final = 10_000
# : Members of `struct ow_sim_parameters`; a board file must have all of them.
PARAMETERS: Final = {
    "clock_hz": Parameter("hertz", 1_000_000, 10_000_000_000),
    "data_width": Parameter("bits", choices=(32, 64, 128)),
    "read_latency": Parameter("cycles", 1, _LATENCY_MAX),
    "write_response": Parameter("cycles", 1, _LATENCY_MAX),
    "read_beats_per_100": Parameter("beats in 100 cycles", 1, 100),
    "write_beats_per_100": Parameter("beats in 100 cycles", 1, 100),
    "reads_outstanding": Parameter("bursts", 1, 64),
    "writes_outstanding": Parameter("bursts", 1, 64),
    "shared_bandwidth": Parameter(choices=(True, False)),
    "mmio_latency": Parameter("cycles", 0, _LATENCY_MAX),
}
TEXTS: Final = ("name", "description", "preset", "environment", "clock_source")


@dataclass(frozen=True)
class Profile:
    """A board: its name, a value for each of PARAMETERS, and the preset that is built into it."""

    name: str
    description: str
    path: Path
    parameters: dict[str, int] = field(default_factory=dict, hash=False)
    preset: str = presets.FULL
    environment: Environment = Environment.HOST
    clock_source: str = ""  # what says that the build reaches the clock; without it the clock is assumed

    @property
    def clock_hz(self) -> int:
        return self.parameters["clock_hz"]

    @property
    def clock(self) -> str:
        return clock_text(self.clock_hz, self.clock_source)

    @property
    def settings(self) -> dict[str, int | str]:
        """The parameters, and the source of the clock if there is one."""
        return {**self.parameters, **({"clock_source": self.clock_source} if self.clock_source else {})}

    @property
    def data_width_bits(self) -> int:
        return self.parameters["data_width"]

    @property
    def library(self) -> str:
        """The name of the library that simulates it."""
        return presets.load(self.preset).library(self.data_width_bits)

    @property
    def build(self) -> str:
        return f"{self.data_width_bits} bits" if self.preset == presets.FULL else f"preset {self.preset}"


def clock_text(clock_hz: float, source: str) -> str:
    """Returns a device's clock with its unit. It is assumed if no tool says that the build reaches it."""
    return f"{clock_hz / 1e6:g} MHz{'' if source else ' (assumed)'}"


def in_environment(profile: Profile, environment: Environment) -> Profile:
    """Returns the board in an environment, and, if that is not its own, with a name that says so."""
    if environment is profile.environment:
        return profile
    return replace(profile, name=f"{profile.name}, {environment}", environment=environment)


def with_preset(profile: Profile, name: str) -> Profile:
    """Returns the board with another preset, whose data width it gets, and a name that says so."""
    preset = presets.load(name)
    parameters = {**profile.parameters, "data_width": preset.data_width_bits}
    # Another build reaches another clock.
    return replace(profile, name=f"{profile.name}, preset {name}", preset=name, parameters=parameters, clock_source="")


def varied(profile: Profile, changes: dict[str, object]) -> Profile:
    """Returns the board with some parameters changed, and a name that says which."""
    values = {name: _checked(name, value, "'vary'") for name, value in changes.items()}
    _check_width(profile.preset, values.get("data_width", profile.data_width_bits), "'vary'")
    words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values.items())
    source = "" if {"clock_hz", "data_width"} & values.keys() else profile.clock_source
    return replace(
        profile, name=f"{profile.name}, {words}", parameters={**profile.parameters, **values}, clock_source=source
    )


def _check_width(preset: str, data_width_bits: int, where: str) -> None:
    chosen = presets.load(preset)
    if not chosen.has_width(data_width_bits):
        raise UsageError(
            f"{where} has data_width = {data_width_bits}, but the preset '{preset}' has {chosen.data_width_bits} bits."
        )


def _checked(name: str, value: object, where: str) -> int:
    if name not in PARAMETERS:
        raise UsageError(
            f"{where} has '{name}', which is not a board parameter. {toml_files.suggestion(name, (*PARAMETERS, *TEXTS))}"
        )
    parameter = PARAMETERS[name]
    if not parameter.fits(value):
        raise UsageError(f"{where} has {name} = {toml_files.written(value)}; it must be {parameter.expected}.")
    assert isinstance(value, int)
    return int(value)


def available() -> dict[str, Path]:
    """Returns the names of the project's profiles."""
    found: dict[str, Path] = {}
    for folder in board_folders():
        for path in sorted(folder.glob("*.toml")):
            found.setdefault(path.stem, path)
    return found


def load(name: str) -> Profile:
    """Loads a profile by its name, or from a file if the name ends in .toml."""
    path = Path(name) if name.endswith(".toml") else available().get(name)
    if path is None:
        raise unknown_name("board", name, available(), ", or give the path of a .toml file")
    parameters: dict[str, int] = {}
    texts: dict[str, str] = {}
    for key, value in _flat(toml_files.read(path, "board file")):
        where = f"The board file {path}{toml_files.line_of(path, key)}"
        if key in parameters or key in texts:
            raise UsageError(f"{where} has '{key}' twice; keep one of them.")
        if key not in TEXTS:
            parameters[key] = _checked(key, value, where)
        elif isinstance(value, str):
            texts[key] = value
        else:
            raise UsageError(f"{where} has {key} = {toml_files.written(value)}; it must be text in quotes.")
    where = f"The board file {path}"
    lacking = [f"'{key}' ({PARAMETERS[key].expected})" for key in PARAMETERS if key not in parameters]
    if lacking:
        raise UsageError(f"{where} lacks {' and '.join(lacking)}.")
    preset = texts.get("preset", presets.FULL)
    _check_width(preset, parameters["data_width"], where)
    board = Profile(
        texts.get("name", path.stem),
        texts.get("description", ""),
        path,
        parameters,
        preset,
        _environment(texts.get("environment", Environment.HOST), where),
        texts.get("clock_source", ""),
    )
    shipped = available().get(board.name)
    if shipped and shipped.resolve() != path.resolve():
        raise UsageError(
            f"{where} has the name of a board that comes with Outwork, '{board.name}'. Give the file another name, so that "
            "records of the two boards are not mixed."
        )
    return board


def _environment(name: str, where: str) -> Environment:
    try:
        return Environment(name)
    except ValueError as error:
        raise UsageError(f"{where} has environment = '{name}'; it must be {' or '.join(Environment)}.") from error


def _flat(document: dict[str, object]) -> list[tuple[str, object]]:
    """Returns keys and values of all tables: tables only structure the file for the reader."""
    rows: list[tuple[str, object]] = []
    for key, value in document.items():
        rows.extend(_flat(value) if isinstance(value, dict) else [(key, value)])
    return rows
