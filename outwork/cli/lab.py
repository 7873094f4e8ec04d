# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork lab`: runs experiments from plan files, and evaluates their records."""

from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Annotated, Final

import typer

from outwork import messages
from outwork.choice import policy
from outwork.cli.application import Application
from outwork.cli.lab_algorithms import algorithms
from outwork.cli.options import DEFAULT_BOARD, check_output
from outwork.errors import OutworkError, UsageError
from outwork.files import streams
from outwork.files.streams import STANDARD, check_different
from outwork.lab import bench as measuring
from outwork.lab import costs, effort, engines, plan, run, store
from outwork.lab import export as exporting
from outwork.lab import policy as making
from outwork.lab.cluster import places, workers
from outwork.lab.cluster.places import Place
from outwork.lab.plan import Plan, Task
from outwork.lab.records import Record
from outwork.lab.store import Store
from outwork.lab.words import by_reason
from outwork.paths import LAB

REPORT: Final = LAB / "report.html"
DEFAULT_RIVAL: Final = "cpu/openssl"  # an implementation of the software engine

app = Application(
    "Experiments: software, CPU instructions and the accelerator over message sizes; break-evens, policy, report."
)

Files = Annotated[
    list[Path] | None,
    typer.Argument(metavar="RECORDS", help=f"Files of records. \\[default: all of {LAB}]", show_default=False),
]


@app.command()
def plans() -> None:
    """List the plans that come with the project."""
    from rich.table import Table

    view = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("plan", "points", "what it does"):
        view.add_column(title)
    for name in plan.shipped():
        found = plan.load(name)
        view.add_row(name, str(len(found.tasks)), found.title)
    messages.console().print(view, soft_wrap=True)


@app.command(name="engines")
def list_engines() -> None:
    """List what can be measured on this machine, and what is missing for the rest."""
    from rich.table import Table

    view = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("engine", "runs on", "constant time", "what it is"):
        view.add_column(title)
    said = {True: "yes", False: "no", None: "not said"}
    for entry in engines.discover():
        if entry.missing:
            view.add_row(entry.name, entry.environment, "", f"missing: {entry.missing}", style="dim")
        else:
            what = f"{entry.library}{'; ' if entry.note else ''}{entry.note}"
            view.add_row(entry.name, entry.environment, said[entry.constant_time], what)
    messages.console().print(view, soft_wrap=True)


app.command()(algorithms)


@app.command(name="run")
def run_plan(
    name: Annotated[
        str,
        typer.Argument(
            metavar="PLAN", autocompletion=plan.shipped, help="A name from `outwork lab plans`, or a .toml file."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"Records go here, one a line; - is standard output. \\[default: {LAB}/PLAN.jsonl]",
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
    """Run a plan. Points that FILE contains are not measured again, so an interrupted run can be continued.

    Examples:

      outwork lab run wp512

      outwork lab run mine.toml -o mine.jsonl --rounds 15

      outwork lab run whatif --cluster local:2
    """
    place = places.find(cluster) if cluster else None
    wanted = plan.load(name)
    if rounds is not None and rounds < 1:
        raise UsageError("--rounds is at least 1.")
    for text in by_reason(wanted.missing):
        messages.note(f"missing: {text}")
    if not wanted.tasks:
        raise OutworkError(f"Nothing of the plan '{wanted.name}' can be measured with this version on this machine.")
    path = output or LAB / f"{wanted.name}.jsonl"
    records = Store(path, fresh)
    try:
        for text in records.skipped:
            messages.note(f"skipped: {text}")
        _check_boards(wanted, records)
        fresh_count, old_count = _run(wanted, records, rounds or wanted.rounds, place)
    finally:
        records.close()
    kept = f", {old_count} kept from before" if old_count else ""
    # With -o - standard output is for the records.
    console = messages.console(to_stderr=not records.is_file)

    def say(text: str) -> None:
        console.print(text, soft_wrap=True, highlight=False, markup=False)

    say(f"{fresh_count} points measured{kept}{f': {path}' if records.is_file else ''}")
    wide = sum(record.is_wide for record in records.records)
    if wide:
        say(f"{wide} of them vary by more than a tenth; they are marked.")
    if records.is_file:
        say(f"Next: outwork lab report {path}")


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


def _run(wanted: Plan, records: Store, rounds: int, place: Place | None) -> tuple[int, int]:
    refused: Counter[str] = Counter()

    def refuse(task: Task, why: str) -> None:
        refused[f"{task.candidate.name}: {why}"] += 1

    before = len(records.records)
    kept = 0
    with ExitStack() as stack:
        bench = stack.enter_context(run.Bench())
        tasks = list(dict.fromkeys(run.one_at_a_time(bench, task) for task in wanted.tasks))
        left = sum(run.is_to_do(bench, task, records.__contains__) for task in tasks)
        measure = stack.enter_context(workers(place)).measure if place and left else run.measure
        efforts = [effort.of(task, rounds) for task in tasks]
        steps = stack.enter_context(messages.progress_steps(wanted.name, efforts))
        for task, record in measure(bench, tasks, rounds, records.__contains__, refuse):
            name = f"{task.candidate.name} {task.point.algorithm} {task.point.size_bytes} bytes"
            if record is not None:
                left -= 1
                records.append(replace(record, origin={**record.origin, **run.plan_origin(wanted, left)}))
                steps.done(name, *effort.of(task, rounds))
            else:
                kept += 1
                steps.skipped(name, *effort.of(task, rounds))
    for text, count in refused.items():
        messages.note(f"left out, {count} point{'s' if count > 1 else ''}: {text}")
    return len(records.records) - before, kept - refused.total()


def _paths(files: list[Path] | None, example: str = "wp512") -> list[Path]:
    paths = files or sorted(LAB.glob("*.jsonl"))
    if not paths:
        raise UsageError(f"There are no records in {LAB}: run a plan first, such as `outwork lab run {example}`.")
    return paths


def _read(
    files: list[Path] | None, target: Path | None = None, example: str = "wp512"
) -> tuple[list[Record], list[str]]:
    """Reads the records. target: the file to write, which may replace an older result but never records. example: a plan whose
    records serve."""
    paths = _paths(files, example)
    if target is not None:
        for path in paths:
            check_different(str(path), str(target))
    records, skipped = store.read(paths)
    for text in skipped:
        messages.note(f"skipped: {text}")
    if not records:
        raise OutworkError("The files contain no records.")
    return records, skipped


@app.command()
def show(files: Files = None) -> None:
    """Print records as a table."""
    records, _ = _read(files)
    console = messages.console()
    console.print(measuring.table(records), soft_wrap=True)
    for text in measuring.captions(records):
        console.print(text, style="dim", soft_wrap=True, highlight=False)


@app.command(name="break-even")
def break_even(files: Files = None) -> None:
    """Print from which size on the accelerator wins, and where it never does.

    Device cycles are turned into time at the clock of their board, and set against CPU time of this machine.
    """
    from rich.table import Table

    found = costs.break_evens(_read(files)[0])
    if not found:
        raise OutworkError("No setting has both the device and another engine at three sizes or more.")
    view = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("algorithm", "operation", "jobs", "device", "against", "the device wins"):
        view.add_column(title, no_wrap=True)
    for entry in found:
        setting = entry.setting
        view.add_row(
            setting.algorithm, setting.operation, str(setting.jobs), entry.device, entry.rival, costs.in_words(entry)
        )
    console = messages.console()
    console.print(view, soft_wrap=True)
    console.print(
        "The device's cycles at its board's clock against CPU time of this machine; 95 % intervals.",
        style="dim",
        highlight=False,
    )


@app.command()
def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="Records of an older run.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Records of a newer one.")],
    tolerance: Annotated[
        float, typer.Option("--tolerance", metavar="SHARE", help="Accept this much slower, as a share.")
    ] = 0.05,
) -> None:
    """Compare two runs of a plan point by point; fail if something has become slower."""
    view, ratios = measuring.against(_read([old])[0], _read([new])[0], tolerance)
    console = messages.console()
    console.print(view, soft_wrap=True)
    console.print(f"Median of the ratios: {median(ratios):.3f}, of {len(ratios)} points.", highlight=False)
    measuring.check_none_slower(ratios, tolerance, old)


@app.command()
def export(
    target: Annotated[
        Path, typer.Argument(metavar="TABLE", help="A .csv or .parquet file to write; - is standard output, as CSV.")
    ],
    files: Files = None,
) -> None:
    """Write records as a table with one row a record."""
    exporting.check(target)
    exporting.write(target, _read(files, target)[0])


@app.command(name="report")
def write_report(
    files: Files = None,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The page to write; - is standard output.",
            callback=check_output,
        ),
    ] = REPORT,
    images: Annotated[
        Path | None,
        typer.Option("--images", metavar="FOLDER", help="Also write the key figures to this folder, as PNG."),
    ] = None,
) -> None:
    """Write one HTML page with all results of the records. The page needs no other files and no network.

    Examples:

      outwork lab report

      outwork lab report build/lab/wp512.jsonl --output wp512.html --images docs/images
    """
    records, skipped = _read(files, output)
    try:
        from outwork.lab import report
    except ModuleNotFoundError as error:
        raise OutworkError(
            f"The report needs {error.name}, which is not installed: run `scripts/setup.sh lab` in the project, or "
            "`pip install outwork[lab]`."
        ) from error
    # Each file alone: of records that are in two files, one is dropped when they are read together.
    paths = _paths(files)
    of_file = {path: records if len(paths) == 1 else store.read([path])[0] for path in paths}
    stopped = [text for path, found in of_file.items() for text in report.stopped(path, found)]
    for path in report.write(records, skipped, output, images, stopped):
        if str(output) != STANDARD:
            print(path)


@app.command(name="policy")
def write_policy(
    files: Files = None,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The policy to write; - is standard output.",
            callback=check_output,
        ),
    ] = policy.DEFAULT_FILE,
    board: Annotated[
        str, typer.Option("--board", metavar="PROFILE", help="The board of the device's records.")
    ] = DEFAULT_BOARD,
    against: Annotated[
        str, typer.Option("--against", metavar="ENGINE", help="The engine to compare the device with.")
    ] = DEFAULT_RIVAL,
) -> None:
    """Write which messages pay for the device: by algorithm, key size, direction, size and messages in flight.

    The driver's queues obey such a file, and so does `outwork encrypt --engine auto`. Records come from
    `outwork lab run policy`.

    Examples:

      outwork lab run policy && outwork lab policy

      outwork lab policy --board zcu102 --against software/openssl -o no-instructions.txt
    """
    records, _ = _read(files, output, "policy")
    comments = making.comments(records, board, against)
    rules = making.rules(records, board, against)
    streams.write_text(output, policy.text_of(rules, comments), force=True)
    never = sum(rule.is_never for rule in rules)
    if str(output) != STANDARD:
        print(f"{len(rules)} rules, {never} of them `never`: {output}")
