# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The coverage report: runs and instances are added; files outside the project do not count."""

import subprocess
from pathlib import Path

import coverage_report

ROOT = Path(__file__).resolve().parents[2]


def point(file: Path, line: int, page: str, what: str, count: int) -> str:
    keys = {"f": str(file), "l": str(line), "page": page, "o": what}
    body = "".join(f"\x01{key}\x02{value}" for key, value in keys.items())
    return f"C '{body}' {count}\n"


def test_runs_add_up_and_foreign_files_do_not_count(tmp_path: Path) -> None:
    rtl = tmp_path / "rtl"
    source = rtl / "top.sv"
    first = tmp_path / "1.dat"
    second = tmp_path / "2.dat"
    head = "# SystemC::Coverage-3\n"
    bench = point(tmp_path / "bench.sv", 1, "v_line/bench", "block", 9)
    first.write_text(
        head + point(source, 3, "v_line/top", "if", 0) + point(source, 4, "v_branch/top", "else", 0) + bench
    )
    second.write_text(head + point(source, 3, "v_line/top", "if", 2) + point(source, 4, "v_branch/top", "else", 0))
    counts = coverage_report.read([first, second], rtl)
    assert {(item.file, item.line, item.kind): count for item, count in counts.items()} == {
        ("top.sv", 3, "line"): 2,
        ("top.sv", 4, "branch"): 0,
    }
    last = coverage_report.table(counts)[-1].split()
    assert last == ["all", "1/1", "100.0", "%", "0/1", "0.0", "%"]


SOURCE = """int sign(int x) {
  if (x < 0) {
    return -1;
  }
  return 1;
}
#ifdef MAIN
int main(void) { return sign(NUMBER) == 0; }
#endif
"""


def test_compilations_of_one_source_add_up(tmp_path: Path) -> None:
    source = tmp_path / "src" / "sign.c"
    source.parent.mkdir()
    source.write_text(SOURCE)
    for number in ("1", "-1"):
        folder = tmp_path / number
        folder.mkdir()
        command = ["cc", "--coverage", "-O0", "-DMAIN", f"-DNUMBER={number}", str(source), "-o", "sign"]
        subprocess.run(command, cwd=folder, check=True)
        subprocess.run(["./sign"], cwd=folder, check=True)
    files = sorted(tmp_path.rglob("*.gcda"))
    assert len(files) == 2

    def reached(files: list[Path]) -> dict[tuple[int, str], list[bool]]:
        found: dict[tuple[int, str], list[bool]] = {}
        for point, count in coverage_report.read_gcov(files, source.parent).items():
            assert point.file == "sign.c"
            found.setdefault((point.line, point.kind), []).append(count > 0)
        return found

    both = {(line, "line"): [True] for line in (1, 2, 3, 5, 8)} | {(2, "branch"): [True, True]}
    assert reached(files) == both
    once = reached(files[:1])
    assert once[3, "line"] != once[5, "line"]
    assert sorted(once[2, "branch"]) == [False, True]
