# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork bench`: how fast an engine is at which message size."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from outwork import bench as measuring
from outwork import engines, messages
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.engines.base import Engine
from outwork.records import KeyUse, Point, Record


def bench(
    algorithm: Annotated[
        list[str] | None,
        typer.Option("--algorithm", metavar="NAME", help="\\[default: aes-256-gcm]", show_default=False),
    ] = None,
    operation: Annotated[
        list[str] | None,
        typer.Option(
            "--operation",
            metavar="NAME",
            help="encrypt, decrypt, mac or verify. \\[default: all that fit]",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option(
            "--size",
            metavar="BYTES",
            help=f"\\[default: {', '.join(map(str, measuring.DEFAULT_SIZES))}]",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", help="Jobs in flight at once.")] = 16,
    batch: Annotated[
        int | None,
        typer.Option(
            "--batch",
            metavar="N",
            help="Jobs announced with one doorbell. \\[default: --jobs]",
            show_default=False,
        ),
    ] = None,
    keys: Annotated[
        KeyUse,
        typer.Option(
            "--keys",
            help="same: one key; rotate: another key slot in every job; inline: a new key in every job.",
        ),
    ] = KeyUse.SAME,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="Rounds, of which the median counts.")] = 3,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            "--engine",
            metavar="NAME",
            help=f"accelerator or software; may be given twice. \\[default: {DEFAULT_ENGINE}]",
            show_default=False,
        ),
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option("--board", metavar="PROFILE", help=f"\\[default: {DEFAULT_BOARD}]", show_default=False),
    ] = None,
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="Also write one JSON record a line; - is standard output.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Measure throughput and latency of an engine over message sizes.

    The accelerator's figures are device cycles, counted by the device from the first doorbell to the last completion
    record, at the clock of the board profile; how fast the simulation runs does not enter. The software engine's are
    thread CPU time. Most options may be given several times; every combination is measured.

    Examples:

      outwork bench

      outwork bench --algorithm aes-256-gcm --size 16 --size 1024 --jobs 256 --engine accelerator --engine software

      outwork bench --algorithm aes-256-cbc --operation encrypt --size 65536 --jobs 16 --board zedboard --json points.json
    """
    wanted = list(
        measuring.points(
            algorithm or ["aes-256-gcm"],
            operation or [],
            size or measuring.DEFAULT_SIZES,
            jobs,
            batch,
            keys,
            rounds,
        )
    )
    # With --json - standard output belongs to the records.
    console = messages.console(to_stderr=json_file is not None and str(json_file) == "-")
    measured: list[tuple[Point, Record]] = []
    captions: list[str] = []
    for name in engine or [DEFAULT_ENGINE]:
        for profile in (board or [DEFAULT_BOARD]) if name == "accelerator" else [DEFAULT_BOARD]:
            with engines.open_engine(name, profile) as worker:
                measuring.check_supported(worker, wanted)
                measured.extend(_measure(worker, wanted))
                captions.append(measuring.caption(worker))
    if json_file is not None:
        measuring.write_json(json_file, [record for _, record in measured])
    console.print(measuring.table(measured), soft_wrap=True)
    for text in captions:
        console.print(text, style="dim", soft_wrap=True, highlight=False)


def _measure(worker: Engine, wanted: list[Point]) -> list[tuple[Point, Record]]:
    is_terminal = sys.stderr.isatty()
    found: list[tuple[Point, Record]] = []
    for number, point in enumerate(wanted, 1):
        if is_terminal:
            print(
                f"\r\033[K{number}/{len(wanted)} {point.cipher} {point.size_bytes} bytes",
                end="",
                file=sys.stderr,
            )
        found.append((point, worker.measure(point)))
    if is_terminal:
        print("\r\033[K", end="", file=sys.stderr)
    return found
