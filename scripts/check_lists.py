# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that rtl/outwork.f (for Verilator, Yosys) and the .core files (for FuseSoC) name exactly the files in rtl/."""

import re
import sys
from pathlib import Path

RTL = Path(__file__).resolve().parent.parent / "rtl"


def from_list(path: Path) -> list[Path]:
    """The files of a list and of the lists in it; paths are relative to the list that names them."""
    found: list[Path] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split("//")[0].split()
        if words[:1] == ["-F"]:
            found += from_list(path.parent / words[1])
        elif words:
            found.append((path.parent / words[0]).resolve())
    return found


def from_cores() -> list[Path]:
    entry = re.compile(r"^\s+- (\S+\.sv)$", re.MULTILINE)
    return [
        (core.parent / name).resolve()
        for core in sorted(RTL.rglob("*.core"))
        for name in entry.findall(core.read_text(encoding="utf-8"))
    ]


def main() -> int:
    present = {path.resolve() for path in RTL.rglob("*.sv") if "test" not in path.relative_to(RTL).parts}
    failed = False
    for title, listed in (("rtl/outwork.f", from_list(RTL / "outwork.f")), ("the .core files", from_cores())):
        for path in sorted(present.symmetric_difference(listed)):
            failed = True
            problem = "is not in" if path in present else "does not exist but is in"
            print(f"{path.relative_to(RTL.parent)} {problem} {title}")
        if len(set(listed)) != len(listed):
            failed = True
            print(f"{title}: a file is named twice")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
