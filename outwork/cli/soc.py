# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork soc`: runs programs on the simulated system on chip."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from outwork import messages
from outwork.cli import options
from outwork.cli.application import Application
from outwork.cli.options import DEFAULT_BOARD
from outwork.errors import OutworkError, UsageError
from outwork.soc import checkpoint, firmware
from outwork.soc import linux as linux_system
from outwork.soc import program as programs
from outwork.soc.system import ALL_CYCLES, STEP_CYCLES, System

app = Application("A simulated system on chip: RISC-V CPU, caches, memory and the accelerator on one clock.")

Coherent = Annotated[
    bool,
    typer.Option(help="Whether the CPU's cache drops what the accelerator writes, or the program has to empty it."),
]
MaxCycles = Annotated[
    int | None,
    typer.Option(
        "--max-cycles",
        metavar="N",
        min=1,
        help="End after so many cycles, and say where the program is.",
        show_default=False,
    ),
]


@app.command()
def build(
    sources: Annotated[list[Path], typer.Argument(metavar="FILE.c", help="Sources of the program.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.elf", help="The program.", show_default=False)
    ],
    level: Annotated[
        str, typer.Option("--optimize", "-O", metavar="LEVEL", help="Level of optimisation: 0, 1, 2, 3 or s.")
    ] = "2",
    freertos: Annotated[
        bool, typer.Option("--freertos", help="Add FreeRTOS and the driver's platform for tasks.")
    ] = False,
    linux: Annotated[bool, typer.Option("--linux", help="For `outwork soc boot`, not for the bare machine.")] = False,
    flag: Annotated[
        list[str] | None, typer.Option("--flag", metavar="FLAG", help="Passed to the compiler; may be repeated.")
    ] = None,
) -> None:
    """Compile a program with the start-up code, the driver and the C library.

    `#include "soc.h"` gives it the driver's platform, the console as standard output, cycles and traps.
    """
    if freertos and linux:
        raise UsageError("--freertos and --linux are two environments; give one of them.")
    firmware.build(output, sources, level, flag or [], freertos, linux)


@app.command()
def run(
    program: Annotated[Path, typer.Argument(metavar="FIRMWARE.elf", help="Program, linked for the system's memory.")],
    board: options.BoardName = DEFAULT_BOARD,
    profile: Annotated[bool, typer.Option("--profile", help="Print the cycles of each function at the end.")] = False,
    coherent: Coherent = True,
    max_cycles: MaxCycles = None,
    wave: Annotated[
        Path | None,
        typer.Option(
            "--wave",
            metavar="FILE.fst",
            help="Write a waveform of CPU, peripherals and accelerator.",
            show_default=False,
        ),
    ] = None,
    wave_from: Annotated[
        int, typer.Option("--wave-from", metavar="CYCLE", min=0, help="The cycle at which the waveform begins.")
    ] = 0,
    wave_cycles: Annotated[
        int | None,
        typer.Option("--wave-cycles", metavar="N", min=1, max=ALL_CYCLES, help="Its cycles.", show_default="all"),
    ] = None,
) -> None:
    """Run a program until it ends; print its console, then cycles and exit status.

    The board says how wide the accelerator's port to memory is, and how slow memory and bus are.
    """
    if wave is None and (wave_from or wave_cycles):
        raise UsageError("--wave-from and --wave-cycles say what of the waveform is written; give --wave FILE too.")
    loaded = programs.load(program)
    with System(loaded, board, coherent, wave=wave is not None) as system:
        if profile:
            system.profile(loaded)
        if wave is not None:
            system.trace(wave, wave_from, ALL_CYCLES if wave_cycles is None else wave_cycles)
        _run(system, max_cycles, profile)
        if wave is not None and system.statistics.cycles <= wave_from:
            raise OutworkError(f"{wave} is empty: the program has ended before cycle {wave_from:,}.")


@app.command()
def boot(
    program: Annotated[
        Path | None,
        typer.Option("--run", metavar="PROGRAM", help="Static program that Linux runs.", show_default=False),
    ] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE|ARGUMENT", help="The program's, with variables in front."),
    ] = None,
    script: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Run the program for each line of this file, which has arguments; # begins a comment.",
            show_default=False,
        ),
    ] = None,
    file: Annotated[
        list[str] | None,
        typer.Option("--file", metavar="NAME=FILE", help="Put a file into the root folder; may be repeated."),
    ] = None,
    board: options.BoardName = DEFAULT_BOARD,
    coherent: Coherent = True,
    profile: Annotated[
        bool,
        typer.Option("--profile", help="Print the cycles of each function of program and kernel at the end."),
    ] = False,
    max_cycles: MaxCycles = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="Boot, and write a checkpoint instead of going on.", show_default=False
        ),
    ] = None,
    restore: Annotated[
        Path | None,
        typer.Option("--restore", metavar="FILE", help="Start from a checkpoint, not from reset.", show_default=False),
    ] = None,
) -> None:
    """Start Linux, run a program there and end; print the console, then cycles and exit status.

    `outwork soc build --linux` makes such programs; every other one for rv32ima without floating point works too.
    """
    lines, files = _lines(arguments or [], script), _named(file or [])
    if (lines or script) and program is None:
        raise UsageError("Arguments need a program: name it with --run.")
    if profile and program is None:
        raise UsageError("--profile counts the cycles of a program: name it with --run.")
    if (lines or files) and (save or restore):
        raise UsageError("Arguments, --script and --file need a boot of their own: leave --save and --restore out.")
    if save is not None:
        if program is not None or restore is not None:
            raise UsageError(
                "--save writes a checkpoint of a Linux that waits for its program: leave --run and --restore out."
            )
        system, console = linux_system.boot(board, coherent)
        with system:
            sys.stdout.buffer.write(console)
            checkpoint.save(system, save)
            messages.note(f"{save}: {system.statistics.cycles:,} cycles, {save.stat().st_size / 1e6:.1f} MB")
        return
    if restore is not None:
        with linux_system.restored(restore, board, coherent) as system:
            linux_system.deliver(system, program)
            _profile(system, program, profile)
            _run(system, max_cycles, profile)
        return
    with linux_system.start(program, board, coherent, lines, files) as system:
        if profile:
            sys.stdout.buffer.write(linux_system.run_to_init(system))
        _profile(system, program, profile)
        _run(system, max_cycles, profile)


def _profile(system: System, program: Path | None, wanted: bool) -> None:
    """Counts cycles by function from now on, of what runs under Linux."""
    if wanted and program is not None:
        system.profile(programs.load(program), programs.load(linux_system.KERNEL_SYMBOLS), system.program)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error


def _lines(arguments: list[str], script: Path | None) -> list[list[str]]:
    """Returns what the program is run with: the arguments, then each line of the script."""
    lines = [arguments] if arguments else []
    if script is not None:
        lines += [line.split() for line in _read(script).decode().splitlines() if line.strip() and line[0] != "#"]
    return lines


def _named(files: list[str]) -> dict[str, bytes]:
    """Returns the contents of files, given as NAME=FILE, by their names."""
    found = {}
    for each in files:
        name, _, path = each.partition("=")
        if not name or not path or "/" in name:
            raise UsageError(f"--file {each}: give NAME=FILE; NAME is a file in the root folder.")
        found[name] = _read(Path(path))
    return found


def _run(system: System, max_cycles: int | None, profile: bool = False) -> None:
    """Runs until the program ends. Raises OutworkError if it does not, or Exit if its status is not 0."""
    left = max_cycles
    while not system.finished and left != 0:
        before = system.statistics.cycles
        sys.stdout.buffer.write(system.run(STEP_CYCLES if left is None else min(left, STEP_CYCLES)))
        sys.stdout.flush()
        if left is not None:
            left -= system.statistics.cycles - before
    got = system.statistics
    if profile:
        _print_profile(system.cycles_by_function())
    if system.protocol_error:
        raise OutworkError(f"The accelerator has broken a rule of AXI: {system.protocol_error}.")
    if not system.finished:
        raise OutworkError(
            f"The program has not ended after {got.cycles:,} cycles; it is in {system.program.function_at(got.pc)} "
            f"(0x{got.pc:08x})."
        )
    speed = got.cycles * 1e3 / got.host_nanoseconds
    summary = f"{got.cycles:,} cycles, {got.instructions:,} instructions, {speed:.2f} Mcycle/s"
    messages.note(f"exit status {system.status}; {summary}")
    if system.status:
        raise typer.Exit(1)


def _print_profile(functions: list[tuple[str, int]]) -> None:
    from rich.table import Table

    cycles = sum(count for _, count in functions)
    view = Table(box=None, header_style="bold", pad_edge=False)
    view.add_column("cycles", justify="right")
    view.add_column("share", justify="right")
    view.add_column("function")
    for name, count in functions:
        view.add_row(f"{count:,}", f"{100 * count / cycles:.1f} %", name)
    messages.console().print(view, soft_wrap=True)
