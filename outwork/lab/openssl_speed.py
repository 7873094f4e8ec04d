# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `openssl speed` with and without the provider, and takes its figures apart.

Three runs for each size: without the provider; with it on the simulated board, whose counters say how many cycles the device
has worked; and with it on a board that takes no time, so that what is left is the CPU's share of a message.
"""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from outwork.choice import process_statistics
from outwork.device import profiles
from outwork.errors import OutworkError, UsageError
from outwork.files.streams import write_text
from outwork.openssl import places
from outwork.openssl.places import with_policy

if TYPE_CHECKING:
    from rich.console import Console

DEFAULT_ALGORITHM: Final = "aes-256-gcm"
ROUNDS: Final = 3
DEFAULT_SIZES: Final = (16, 1024, 16384)
# What the board that takes no time has: ciphers of the AES engine.
ALGORITHMS: Final = tuple(f"aes-{bits}-{mode}" for bits in (128, 192, 256) for mode in ("gcm", "ctr", "cbc", "ecb"))


@dataclass(frozen=True)
class Run:
    """What one `openssl speed` reported, and what the device counted in it."""

    messages: int
    cpu_seconds: float
    jobs: int = 0
    cycles: int = 0
    kept: int = 0  # requests that the CPU did

    @property
    def seconds_each(self) -> float:
        return self.cpu_seconds / self.messages


@dataclass(frozen=True)
class Row:
    """A size. Speeds are in bytes a second, one message at a time."""

    algorithm: str
    size_bytes: int
    cpu_speed: float  # OpenSSL without the provider
    simulator_speed: float  # with the provider and the simulated board
    jobs_per_message: float
    cycles_per_message: float  # of the device
    cpu_share_seconds: float  # of the CPU for a message that the device does
    clock_hz: int
    device_speed: float  # cycles at this clock, and the CPU's share


def measure(algorithm: str, sizes: Sequence[int], seconds: int) -> list[Row]:
    if algorithm.lower() not in ALGORITHMS:
        raise UsageError(f"`openssl speed` is taken apart for {', '.join(ALGORITHMS)}, not for '{algorithm}'.")
    if any(size < 1 for size in sizes):
        raise UsageError("--size is at least 1.")
    clock_hz = profiles.load(profiles.DEFAULT_BOARD).clock_hz
    return [_row(algorithm, size, seconds, clock_hz) for size in sizes]


def _row(algorithm: str, size: int, seconds: int, clock_hz: int) -> Row:
    alone = _fastest(algorithm, size, seconds, None)
    simulated = _run(algorithm, size, seconds, _file(places.BOARD))
    timeless = _fastest(algorithm, size, seconds, _file(places.NULL_BOARD))
    for run in (simulated, timeless):
        if not run.jobs or run.kept:
            raise OutworkError(
                f"With the provider the device did {run.jobs} jobs of {algorithm} and the CPU kept {run.kept} requests: "
                "the figures would not be the device's. `outwork doctor` checks the provider."
            )
    cycles = simulated.cycles / simulated.messages
    share = timeless.seconds_each
    return Row(
        algorithm,
        size,
        size / alone.seconds_each,
        size / simulated.seconds_each,
        simulated.jobs / simulated.messages,
        cycles,
        share,
        clock_hz,
        size / (cycles / clock_hz + share),
    )


def _fastest(algorithm: str, size: int, seconds: int, board: Path | None) -> Run:
    """Returns the fastest of some runs: other programs on this machine only make a run slower."""
    return min((_run(algorithm, size, seconds, board) for _ in range(ROUNDS)), key=lambda run: run.seconds_each)


def _file(name: str) -> Path:
    path = places.built(name)
    if path is None and name == places.MODULE:
        path = places.Places().module  # where a package has put it
    if path is None or not path.is_file():
        raise OutworkError(f"{name} is not built: run `make build` in the project, or install Outwork's wheel.")
    return path


def _run(algorithm: str, size: int, seconds: int, board: Path | None) -> Run:
    """Runs `openssl speed` with the provider on this board; None: without the provider."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OUTWORK_", "OPENSSL_CONF"))}
    with TemporaryDirectory() as folder:
        counters = Path(folder) / "counters"
        counters.mkdir()
        configuration = Path(folder) / "openssl.cnf"
        configuration.write_text("" if board is None else _configuration(board, counters))
        words = ["-mr", "-seconds", str(seconds), "-bytes", str(size), "-evp", algorithm]
        try:
            done = subprocess.run(
                ["openssl", "speed", *words],
                env={**kept, "OPENSSL_CONF": str(configuration)},
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise OutworkError(
                "The `openssl` program does not run: install it (Debian: apt install openssl)."
            ) from error
        said = done.stdout + done.stderr
        fields = next((line.split(":") for line in said.splitlines() if line.startswith("+R:")), None)
        if done.returncode != 0 or fields is None or float(fields[3]) <= 0:
            raise OutworkError(
                f"`openssl speed {' '.join(words)}` fails: {(said.strip().splitlines() or ['no output'])[-1]}."
            )
        rows = [row for process in process_statistics.read_all(counters) for row in process.rows.values()]
        return Run(
            int(fields[1]),
            float(fields[3]),
            sum(row.jobs for row in rows),
            sum(row.cycles for row in rows),
            sum(sum(row.cpu_requests.values()) for row in rows),
        )


def _configuration(board: Path, counters: Path) -> str:
    """Returns a configuration of OpenSSL with the provider, on this board, for every message."""
    text = with_policy(places.template(), "always")
    for name, value in (
        ("@OUTWORK_OPENSSL_MODULESDIR@/outwork.so", str(_file(places.MODULE))),
        ("@OUTWORK_CONFDIR@", "/etc/outwork"),
        ("\n#library = @OUTWORK_LIBDIR@/libow_board_128.so", f"\nlibrary = {board}"),
        ("\n#counters = /run/outwork", f"\ncounters = {counters}"),
    ):
        text = text.replace(name, value)
    return f"openssl_conf = openssl_init\n{text}"


def write(rows: Sequence[Row], path: Path, force: bool = False) -> None:
    write_text(path, "".join(json.dumps(asdict(row)) + "\n" for row in rows), force)


def show(rows: Sequence[Row], console: "Console") -> None:
    from rich.table import Table

    view = Table(box=None, header_style="bold", pad_edge=False)
    clock = profiles.clock_text(rows[0].clock_hz, profiles.load(profiles.DEFAULT_BOARD).clock_source)
    for title in (
        "bytes",
        "OpenSSL on this CPU",
        "through the simulator",
        "cycles of the device",
        f"at {clock}",
        "CPU's share",
        "device and CPU",
    ):
        view.add_column(title, justify="right")
    for row in rows:
        view.add_row(
            f"{row.size_bytes:,}",
            _rate(row.cpu_speed),
            _rate(row.simulator_speed),
            f"{row.cycles_per_message:,.0f}",
            _time(row.cycles_per_message / row.clock_hz),
            _time(row.cpu_share_seconds),
            _rate(row.device_speed),
        )
    console.print(f"`openssl speed` of {rows[0].algorithm}, one message at a time, CPU time", highlight=False)
    console.print(view, highlight=False, soft_wrap=True)
    console.print(
        "\nThrough the simulator: this machine computes every gate; it says nothing about the device.\n"
        f"Device and CPU: the cycles that the device counted in these messages, at {clock}, and then the CPU's share, "
        "measured with a board that takes no time.\nSeveral messages in flight overlap: `outwork bench --jobs 16`.",
        highlight=False,
        soft_wrap=True,
    )


def _rate(bytes_a_second: float) -> str:
    unit, factor = ("GB/s", 1e9) if bytes_a_second >= 1e9 else ("MB/s", 1e6)
    return f"{bytes_a_second / factor:.3g} {unit}"


def _time(seconds: float) -> str:
    return f"{seconds * 1e9:,.0f} ns" if seconds < 1e-5 else f"{seconds * 1e6:,.1f} µs"
