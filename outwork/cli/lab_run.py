# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork lab run`: measures the points of plans, and keeps their records."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from outwork import messages
from outwork.cli.options import check_output
from outwork.errors import OutworkError, UsageError
from outwork.files.streams import STANDARD
from outwork.lab import plan
from outwork.lab.cluster import places
from outwork.lab.plan import Plan
from outwork.lab.running import Running, run_all
from outwork.lab.store import Store, in_words
from outwork.lab.words import by_reason
from outwork.paths import LAB
from outwork.simulated import IN_CYCLES, patience


def run_plan(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAN",
            autocompletion=plan.shipped,
            help="Names from `outwork lab plans`, or .toml files. Several run one after the other, with one estimate.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Records go here, one a line; - is standard output. For several plans it is a folder, with a file "
            f"PLAN.jsonl for each. \\[default: {LAB}/PLAN.jsonl]",
            show_default=False,
            callback=check_output,
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Measure all points again, instead of only those that FILE lacks.")
    ] = False,
    rounds: Annotated[
        int | None, typer.Option("--rounds", metavar="N", help="Samples of each point. \\[default: the plan's]")
    ] = None,
    cluster: Annotated[
        str,
        typer.Option(
            "--cluster",
            metavar="WHERE",
            help="Workers that measure: local:N, tcp://HOST:PORT of a Dask scheduler, or a .toml file for Slurm or LSF. "
            "\\[default: this process]",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Run plans. Points that FILE contains are not measured again, so an interrupted run can be continued.

    Examples:

      outwork lab run wp512

      outwork lab run mine.toml -o mine.jsonl --rounds 15

      outwork lab run wp512 wp437 imxrt -o build/papers

      outwork lab run whatif --cluster local:2
    """
    place = places.find(cluster) if cluster else None
    plans = [plan.load(name) for name in dict.fromkeys(names)]
    if rounds is not None and rounds < 1:
        raise UsageError("--rounds is at least 1.")
    for text in by_reason(dict.fromkeys(text for wanted in plans for text in wanted.missing)):
        messages.note(f"missing: {text}")
    for wanted in plans:
        if not wanted.tasks:
            raise OutworkError(
                f"Nothing of the plan '{wanted.name}' can be measured with this version on this machine."
            )
    with ExitStack() as stack:
        running: list[Running] = []
        for wanted, path in zip(plans, _paths(plans, output), strict=True):
            records = Store(path, fresh)
            stack.callback(records.close)
            for text in in_words(records.skipped):
                messages.note(text)
            _check_boards(wanted, records)
            running.append(Running(wanted, rounds or wanted.rounds, records))
        has_board = any(task.candidate.has_board for wanted in plans for task in wanted.tasks)
        with patience(has_board, IN_CYCLES):
            left_out = run_all(running, place)
    for text, count in left_out.items():
        messages.note(f"left out, {count} point{'s' if count > 1 else ''}: {text}")
    for each in running:
        _say(each)
    if running[0].records.is_file:
        _print(running[0], f"Next: outwork lab report {' '.join(str(each.records.path) for each in running)}")


def _paths(plans: list[Plan], output: Path | None) -> list[Path]:
    if len(plans) == 1:
        return [output or LAB / f"{plans[0].name}.jsonl"]
    folder = output or LAB
    if str(folder) == STANDARD or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"The records of several plans go into a folder, and {folder} is none: name one with -o.")
    if len({wanted.name for wanted in plans}) < len(plans):
        raise UsageError(f"Two of the plans have one name, and so one file in {folder}: run one after the other.")
    return [folder / f"{wanted.name}.jsonl" for wanted in plans]


def _say(each: Running) -> None:
    kept = f", {each.kept} kept from before" if each.kept else ""
    _print(each, f"{each.measured} points measured{kept}{f': {each.records.path}' if each.records.is_file else ''}")
    wide = sum(record.is_wide for record in each.records.records)
    if wide:
        _print(each, f"{wide} of them vary by more than a tenth; they are marked.")


def _print(each: Running, text: str) -> None:
    # With -o - standard output is for the records.
    console = messages.console(to_stderr=not each.records.is_file)
    console.print(text, soft_wrap=True, highlight=False)


def _check_boards(wanted: Plan, kept: Store) -> None:
    """Checks that earlier records of a board with this name were measured with the same parameters."""
    boards = {task.profile.name: task.profile for task in wanted.tasks if task.profile}
    for record in kept.records:
        board = boards.get(record.board or "")
        for name, value in board.parameters.items() if board else ():
            old = record.parameters.get(name, value)
            if old != value:
                raise UsageError(
                    f"{kept.path} has figures of a board '{record.board}' with {name} = {old}; now its file says {value}. "
                    "Measure them again with --fresh, or write to another file with -o."
                )
