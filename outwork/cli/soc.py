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
from outwork.errors import OutworkError
from outwork.soc import firmware
from outwork.soc import program as programs
from outwork.soc.system import STEP_CYCLES, System

app = Application("A simulated system on chip: RISC-V CPU, caches, memory and the accelerator on one clock.")


@app.command()
def build(
    sources: Annotated[list[Path], typer.Argument(metavar="FILE.c...", help="Sources of the program.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.elf", help="The program.", show_default=False)
    ],
    level: Annotated[str, typer.Option("--optimize", "-O", help="Level of optimisation: 0, 1, 2, 3 or s.")] = "2",
    freertos: Annotated[
        bool, typer.Option("--freertos", help="Add FreeRTOS and the driver's platform for tasks.")
    ] = False,
    flag: Annotated[list[str] | None, typer.Option("--flag", help="Passed to the compiler; may be repeated.")] = None,
) -> None:
    """Compile a program with the start-up code, the driver and the C library.

    `#include "soc.h"` gives it the driver's platform, the console as standard output, cycles and traps.
    """
    firmware.build(output, sources, level, flag or [], freertos)


@app.command()
def run(
    program: Annotated[Path, typer.Argument(metavar="FIRMWARE.elf", help="Program, linked for the system's memory.")],
    board: options.BoardName = DEFAULT_BOARD,
    profile: Annotated[bool, typer.Option("--profile", help="Print the cycles of each function at the end.")] = False,
    coherent: Annotated[
        bool,
        typer.Option(help="Whether the CPU's cache drops what the accelerator writes, or the program has to empty it."),
    ] = True,
    max_cycles: Annotated[
        int | None,
        typer.Option(
            "--max-cycles", min=1, help="End after so many cycles, and say where the program is.", show_default=False
        ),
    ] = None,
) -> None:
    """Run a program until it ends; print its console, then cycles and exit status.

    The board says how wide the accelerator's port to memory is, and how slow memory and bus are.
    """
    with System(programs.load(program), board, profile, coherent) as system:
        left = max_cycles
        while not system.finished and left != 0:
            before = system.statistics.cycles
            sys.stdout.buffer.write(system.run(STEP_CYCLES if left is None else min(left, STEP_CYCLES)))
            sys.stdout.flush()
            if left is not None:
                left -= system.statistics.cycles - before
        got = system.statistics
        if profile:
            _print_profile(system.cycles_by_function(), got.cycles)
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


def _print_profile(functions: list[tuple[str, int]], cycles: int) -> None:
    from rich.table import Table

    view = Table(box=None, header_style="bold", pad_edge=False)
    view.add_column("cycles", justify="right")
    view.add_column("share", justify="right")
    view.add_column("function")
    for name, count in functions:
        view.add_row(f"{count:,}", f"{100 * count / cycles:.1f} %", name)
    messages.console().print(view, soft_wrap=True)
