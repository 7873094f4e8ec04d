# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork lab`: runs experiments from plan files, and evaluates their records."""

from pathlib import Path
from statistics import median
from typing import Annotated, Final

import typer

from outwork import messages
from outwork.choice import policy
from outwork.cli.application import Application
from outwork.cli.lab_algorithms import algorithms
from outwork.cli.lab_run import run_plan
from outwork.cli.options import DEFAULT_BOARD, check_output
from outwork.errors import OutworkError, UsageError
from outwork.files import streams
from outwork.files.streams import STANDARD, check_different, check_target
from outwork.lab import bench as measuring
from outwork.lab import costs, engines, plan, store
from outwork.lab import export as exporting
from outwork.lab import policy as making
from outwork.lab.records import Record
from outwork.paths import LAB

REPORT: Final = LAB / "report.html"
REPORT_MARK: Final = b'<meta name="generator" content="outwork '  # of outwork/lab/report/page.html
DEFAULT_RIVAL: Final = "cpu/openssl"  # an implementation of the software engine

app = Application(
    "Experiments: software, CPU instructions and the accelerator over message sizes; break-evens, policy, report."
)

Files = Annotated[
    list[Path] | None,
    typer.Argument(metavar="RECORDS", help=f"Files of records. \\[default: all of {LAB}]", show_default=False),
]

Force = Annotated[bool, typer.Option("--force", "-f", help="Replace FILE, whatever it is.")]


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


app.command(name="run")(run_plan)


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
    if not records:
        raise store.no_records(paths, skipped)
    for text in store.in_words(skipped):
        messages.note(text)
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
    measuring.check_tolerance(tolerance)
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
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace TABLE if it exists.")] = False,
) -> None:
    """Write records as a table with one row a record."""
    exporting.check(target)
    check_target(str(target), force, is_binary=target.suffix == ".parquet")
    exporting.write(target, _read(files, target)[0], force)


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
    force: Force = False,
) -> None:
    """Write one HTML page with all results of the records. The page needs no other files and no network.

    An older report is replaced; another file only with --force.

    Examples:

      outwork lab report

      outwork lab report build/lab/wp512.jsonl --output wp512.html --images docs/images
    """
    check_target(str(output), force, is_binary=False, own=REPORT_MARK)
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
    force: Force = False,
) -> None:
    """Write which messages pay for the device: by algorithm, key size, direction, size and messages in flight.

    The driver's queues obey such a file, and so does `outwork encrypt --engine auto`. Records come from
    `outwork lab run policy`. An older policy is replaced; another file only with --force.

    Examples:

      outwork lab run policy && outwork lab policy

      outwork lab policy --board zcu102 --against software/openssl -o no-instructions.txt
    """
    check_target(str(output), force, is_binary=False, own=policy.FIRST_LINE.encode())
    records, _ = _read(files, output, "policy")
    comments = making.comments(records, board, against)
    rules = making.rules(records, board, against)
    streams.write_text(output, policy.text_of(rules, comments), force=True)
    never = sum(rule.is_never for rule in rules)
    if str(output) != STANDARD:
        print(f"{len(rules)} rules, {never} of them `never`: {output}")
