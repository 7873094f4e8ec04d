# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the figures that the README shows, and fails if one misses its goal.

Device figures are cycles that the device counts (the board `reference`), so they are the same on every machine; the last
rows are the simulation's own speed on this machine. With --write, the records are written to docs/figures.json, all tables to
docs/benchmarks.md, the table of a group also to its own page if it has one, and headline rows to README.md,
between the lines `<!-- figures: begin -->` and `<!-- figures: end -->`. With --only, one group is measured, and the others
stay as they were recorded.
"""

import argparse
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import figure_rows
import marked_part
from figure_rows.row import BYTES_PER_CYCLE, CYCLES_PER_JOB, LATENCY, OPERATION, Row

ROOT = Path(__file__).resolve().parent.parent
OUTWORK = ROOT / ".venv/bin/outwork"
RECORDS = ROOT / "docs/figures.json"
SOURCES_PAGE = ROOT / "docs/benchmarks.md"  # its part `Sources` says where the published figures are from
MODULES = {
    entry.name: importlib.import_module(f"figure_rows.{entry.name}")
    for entry in pkgutil.iter_modules(figure_rows.__path__)
}
GROUPS = {name: module for name, module in MODULES.items() if hasattr(module, "ROWS")}
SIMULATION = "Simulation"  # the group of the last rows
PART = "figures"
SIMULATION_ONLY = "simulation"  # its name for --only
BOARD_MEGABYTES_PER_SECOND = 6  # that a simulated board is to reach


@dataclass(frozen=True)
class Result:
    group: str  # title of its table
    work: str
    goal: str
    limit: str
    got: str
    reached: bool
    is_headline: bool
    published: str
    command: str
    record: dict[str, object]


def measure(group: str, row: Row, scratch: Path) -> Result:
    records = scratch / "records.json"
    arguments = ["bench", *row.arguments()]
    subprocess.run([OUTWORK, *arguments, "--json", records, "--force"], check=True, stdout=subprocess.DEVNULL)
    record = json.loads(records.read_text(encoding="utf-8").splitlines()[0])
    cycles_per_job = record["cost"]["p50"]
    value = {
        BYTES_PER_CYCLE: row.size_bytes / cycles_per_job,
        CYCLES_PER_JOB: cycles_per_job * row.units,
        LATENCY: record["latency"]["p50"],
        OPERATION: record["latency" if row.jobs == 1 else "cost"]["p50"],
    }[row.unit]
    reached = value <= row.goal if row.is_a_limit_from_above else value >= row.goal
    word = "at most" if row.is_a_limit_from_above else "at least"
    command = "outwork " + " ".join(arguments)
    is_operation = row.unit == OPERATION
    got = f"{value:,.0f} cycles" if is_operation else f"{value:.4g} {row.unit}"
    goal = f"{row.goal:,.0f}" if is_operation else f"{row.goal:g}"
    return Result(
        *(group, row.work, f"{word} {goal}", row.limit, got, reached, row.is_headline, row.published, command, record)
    )


def simulate(algorithm: str, boards: int, size_bytes: int, scratch: Path) -> Result:
    """Measures the wall-clock time of encrypting a file on simulated boards, including reading and writing."""
    source, key = scratch / "source", scratch / "key"
    with source.open("wb") as file:
        file.truncate(size_bytes)
    key.write_text("00" * 32, encoding="utf-8")
    key.chmod(0o600)
    arguments = [
        "encrypt",
        "--force",
        "--boards",
        str(boards),
        "--cipher",
        algorithm,
        "--key-file",
        str(key),
        str(source),
        str(scratch / "result"),
    ]
    begin = time.monotonic()
    subprocess.run([OUTWORK, *arguments], check=True)
    speed = size_bytes / (time.monotonic() - begin) / 1e6
    shared = f", {boards} boards on {boards} processors" if boards > 1 else ""
    work = f"simulation: `outwork encrypt` of {size_bytes >> 20} MiB, {algorithm.upper()}{shared}"
    goal = boards * BOARD_MEGABYTES_PER_SECOND
    record: dict[str, object] = {
        "algorithm": algorithm,
        "boards": boards,
        "size_bytes": size_bytes,
        "wall_megabytes_per_second": speed,
    }
    return Result(
        SIMULATION,
        work,
        f"at least {goal}",
        "",
        f"{speed:.3g} MB/s",
        speed >= goal,
        True,
        "",
        f"outwork encrypt --boards {boards} --cipher {algorithm} …",
        record,
    )


def table(results: list[Result], page: Path) -> str:
    """Returns a table for a page, with a link to the sources of published figures."""
    sources = "" if page == SOURCES_PAGE else os.path.relpath(SOURCES_PAGE, page.parent)
    lines = [f"| work | got | limit | [best published elsewhere]({sources}#sources) |", "|---|---|---|---|"]
    for result in results:
        mark = "" if result.reached else f" (goal missed: {result.goal})"
        lines.append(f"| {result.work} | **{result.got}**{mark} | {result.limit} | {result.published} |")
    return "\n".join(lines)


def tables(results: list[Result]) -> str:
    """Returns a part for each group."""
    groups = dict.fromkeys(result.group for result in results)
    parts = ((group, [result for result in results if result.group == group]) for group in groups)
    return "\n\n".join(f"### {group}\n\n{table(rows, SOURCES_PAGE)}" for group, rows in parts)


def with_recorded(results: list[Result]) -> list[Result]:
    """Returns these results and those of other groups that are in docs/figures.json, in the order of the groups."""
    measured = {result.group for result in results}
    recorded = [Result(**row) for row in json.loads(RECORDS.read_text(encoding="utf-8"))]
    both = results + [result for result in recorded if result.group not in measured]
    order = [*(group.TITLE for group in GROUPS.values()), SIMULATION]
    return sorted(both, key=lambda result: order.index(result.group))


def write(results: list[Result]) -> None:
    RECORDS.write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n", encoding="utf-8")
    marked_part.write(SOURCES_PAGE, PART, tables(results))
    readme = ROOT / "README.md"
    marked_part.write(readme, PART, table([result for result in results if result.is_headline], readme))
    for group in GROUPS.values():
        if page := getattr(group, "PAGE", ""):
            rows = [result for result in results if result.group == group.TITLE]
            marked_part.write(ROOT / page, PART, table(rows, ROOT / page))


def main() -> int:
    names = [*GROUPS, SIMULATION_ONLY]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="update docs/figures.json and the tables in the pages")
    parser.add_argument("--mebibytes", type=int, default=64, help="size of the file that the simulation encrypts")
    parser.add_argument("--only", choices=names, metavar="GROUP", help=f"one of: {', '.join(names)}")
    arguments = parser.parse_args()
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        for name_of_group, group in GROUPS.items():
            if arguments.only in (None, name_of_group):
                results += [measure(group.TITLE, row, scratch) for row in group.ROWS]
        if arguments.only in (None, SIMULATION_ONLY):
            for mode in ("ctr", "gcm"):
                for boards in (1, 2):
                    results.append(simulate(f"aes-256-{mode}", boards, arguments.mebibytes << 20, scratch))
    print(tables(results))
    if arguments.write:
        write(results if arguments.only is None else with_recorded(results))
    missed = [result.work for result in results if not result.reached]
    if missed:
        print(f"figures: goals missed: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
