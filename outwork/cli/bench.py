# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork bench`: measures the speed of engines for each message size."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from outwork import messages
from outwork.algorithms import ALGORITHMS
from outwork.algorithms.base import Operation
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE, LabBoards, LabEnvironments, check_output
from outwork.device import presets
from outwork.errors import UsageError
from outwork.files.streams import check_target
from outwork.lab import bench as measuring
from outwork.lab import effort, run, store
from outwork.lab.plan import Task
from outwork.lab.records import KeyUse, Record
from outwork.simulated import IN_CYCLES, patience

ENGINES: Final = ("accelerator", "cpu", "software")  # by what they are; each has implementations


def bench(
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            metavar="NAME",
            autocompletion=lambda: ALGORITHMS,
            help="Algorithm, of those that `outwork lab algorithms` lists; may be repeated. \\[default: aes-256-gcm]",
            show_default=False,
        ),
    ] = None,
    operation: Annotated[
        list[str] | None,
        typer.Option(
            "--operation",
            metavar="NAME",
            autocompletion=lambda: list(Operation),
            help="encrypt, decrypt, mac, verify, digest, and those of public keys; may be repeated. "
            "\\[default: all that fit]",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option(
            "--size",
            metavar="BYTES",
            help=f"Bytes of a message; may be repeated. \\[default: {', '.join(map(str, measuring.DEFAULT_SIZES))}]",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", help="Messages in flight at once.")] = 16,
    batch: Annotated[
        int | None,
        typer.Option(
            "--batch",
            metavar="N",
            help="Messages announced with one doorbell. \\[default: --jobs]",
            show_default=False,
        ),
    ] = None,
    keys: Annotated[
        KeyUse,
        typer.Option(
            "--keys",
            help="What changes with every message: nothing (kept), the IV, the key to another prepared one (rotate), the "
            "key, or the whole context.",
        ),
    ] = KeyUse.NEW_IV,
    align: Annotated[
        int, typer.Option("--align", metavar="BYTES", help="Offset of the data from a multiple of 64 bytes.")
    ] = 0,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", help="Samples of each point, interleaved; their median counts.")
    ] = 7,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            "--engine",
            metavar="NAME",
            autocompletion=lambda: ENGINES,
            help="accelerator, cpu, software, or one of `outwork lab engines` such as cpu/ipsec-mb; may be repeated. "
            f"\\[default: {DEFAULT_ENGINE}]",
            show_default=False,
        ),
    ] = None,
    board: LabBoards = None,
    preset: Annotated[
        list[str] | None,
        typer.Option(
            "--preset",
            metavar="NAME",
            help=f"A build of the accelerator other than the board's: {', '.join(presets.available())}; may be repeated.",
            autocompletion=presets.available,
            show_default=False,
        ),
    ] = None,
    environment: LabEnvironments = None,
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="Also write one JSON record a line; - is standard output.",
            show_default=False,
            callback=check_output,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace the FILE of --json if it exists.")] = False,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="OLD",
            help="Compare with the records of an older run; fail if something has become slower.",
            show_default=False,
        ),
    ] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", metavar="SHARE", help="With --against: accept this much slower, as a share.")
    ] = 0.05,
) -> None:
    """Measure throughput and latency of an engine over message sizes.

    The accelerator's figures are device cycles, counted by the device from the first doorbell to the last completion
    record, at the clock of the board profile; how fast the simulation runs does not enter. The figures of `cpu` (this
    machine's OpenSSL) and `software` (the same without crypto instructions) are thread CPU time. Most options may be given
    several times; every combination is measured. Whole experiments: `outwork lab`.

    Examples:

      outwork bench

      outwork bench --algorithm aes-256-gcm --size 16 --size 1024 --engine accelerator --engine cpu --engine software

      outwork bench --board soc --engine software --engine cpu --engine accelerator --jobs 1

      outwork bench --json new.jsonl --against old.jsonl --tolerance 0.03
    """
    if rounds < 1:
        raise UsageError("--rounds is at least 1.")
    measuring.check_tolerance(tolerance)
    if json_file is not None:
        check_target(str(json_file), force, is_binary=False)
    old: list[Record] = []
    if against is not None:
        old, skipped = store.read([against])
        for text in store.in_words(skipped):
            messages.note(text)
    wanted = measuring.points(
        algorithm or ["aes-256-gcm"], operation or [], size or measuring.DEFAULT_SIZES, jobs, batch, keys, align
    )
    tasks = measuring.tasks(
        wanted, engine or [DEFAULT_ENGINE], board or [DEFAULT_BOARD], preset or [], environment or []
    )
    records = _measure(tasks, rounds)
    if json_file is not None:
        measuring.write_json(json_file, records, force)
    # With --json - standard output is for the records.
    console = messages.console(to_stderr=json_file is not None and str(json_file) == "-")
    console.print(measuring.table(records), soft_wrap=True)
    for text in measuring.captions(records):
        console.print(text, style="dim", soft_wrap=True, highlight=False)
    if against is not None:
        view, ratios = measuring.against(old, records, tolerance)
        console.print(view, soft_wrap=True)
        measuring.check_none_slower(ratios, tolerance, against)


def _measure(tasks: list[Task], rounds: int) -> list[Record]:
    """Measures point by point, for one engine after the other."""
    found: dict[Task, Record] = {}

    def refuse(task: Task, why: str) -> None:
        raise UsageError(f"{task.candidate.name} cannot be measured with these options: {why}.")

    with run.Bench() as bench:
        tasks = _able(bench, tasks)
        with (
            messages.progress_steps("measuring", [effort.of(task, rounds) for task in tasks]) as steps,
            patience(any(task.candidate.has_board for task in tasks), IN_CYCLES),
        ):
            for task, record in run.measure(bench, tasks, rounds, lambda _: False, refuse):
                steps.done(f"{task.point.algorithm} {task.point.size_bytes} bytes", *effort.of(task, rounds))
                if record is not None:
                    found[task] = record
    engines = dict.fromkeys((task.candidate.place, task.profile and task.profile.name) for task in tasks)
    return [
        record
        for engine in engines
        for task, record in found.items()
        if (task.candidate.place, task.profile and task.profile.name) == engine
    ]


def _able(bench: run.Bench, tasks: list[Task]) -> list[Task]:
    """Returns the tasks as their engines can do them; says which are measured with one message in flight, and why.

    One that cannot be measured so either has one message too: its error then says what else is in the way.
    """
    able: list[Task] = []
    reasons: list[str] = []
    for task in tasks:
        engine = bench.engine(task.candidate, task.profile)
        why = bench.why_not(engine, task.point)
        if why:
            task = replace(task, point=run.message(task))
            if not bench.why_not(engine, task.point):
                reasons.append(f"{task.candidate.name} measured with 1 message in flight: {why}.")
        able.append(task)
    for text in dict.fromkeys(reasons):
        messages.note(text)
    return able
