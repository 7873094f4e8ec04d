# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the area of modules with yosys for the 7-series of Xilinx, and with --write puts the tables into the pages.

No placement, each module alone. LUTs that serve as memory are counted apart; block RAMs have 36 Kbit. Levels are those of
logic on the longest path between registers, a static estimate (scripts/levels.py). Some of the modules take minutes: rows
are printed as they come. With --check a module that has grown by more than 2 % since its row was written, or has more
levels, is an error.
"""

import argparse
import json
import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import levels
import marked_part
from synthesis import MEMORY, ROOT

PART = "areas"
COLUMNS = ("LUTs", "as memory", "flip-flops", "DSP blocks", "block RAMs", "levels")
HEAD = f"| module | {' | '.join(COLUMNS)} |\n|---{'|--:' * len(COLUMNS)}|"
GROWTH = 1.02  # of the number in the table
PRESETS_FILE = ROOT / "rtl/presets.json"
AREA = ("luts", "memory_luts", "flip_flops", "dsp_blocks", "block_rams")  # the same there, without the levels


@dataclass(frozen=True)
class Module:
    title: str
    top: str
    parameters: tuple[str, ...] = ()


AES = [
    Module("AES, `AesStages` 14", "aes"),
    Module("AES, `AesStages` 14, `AesSBoxMemory` 1", "aes", ("SBoxMemory=1",)),
    Module("AES, `AesStages` 1", "aes", ("Stages=1",)),
    Module("AES, `AesStages` 1, `AesSBoxMemory` 1", "aes", ("Stages=1", "SBoxMemory=1")),
]
HASH = Module("Hash, default units", "hash")
HASHES = [HASH, Module("Hash, a unit of each kind", "hash", ("Sha256Units=1", "Sha512Units=1"))]
COMBINED = Module("AES with HMAC: what the chain adds", "combined_chain")
RADIO = [Module(f"Radio, `RadioLanes` {n}", "radio", (f"Lanes={n}",)) for n in (4, 1)]
ASCON = [Module(f"Ascon, `AsconUnits` {n}, `AsconRounds` {n}", "ascon", (f"Units={n}", f"Rounds={n}")) for n in (2, 1)]
DES = Module("DES", "des")
PKA = Module("Public keys, `PkaRows` 8", "pka")
LATTICE = [
    Module("Lattices: ML-KEM and ML-DSA", "lattice"),
    *(Module(f"Lattices, `LatticeButterflies` {n}", "lattice", (f"Butterflies={n}",)) for n in (4, 2)),
]
SHELL = Module("Shell, `DataWidth` 128", "ow_shell", ("DataWidth=128",))
SHELLS = [SHELL, Module(f"{SHELL.title}, `MadeKeys` 0", SHELL.top, (*SHELL.parameters, "MadeKeys=0"))]
LITE = Module("Outwork lite", "ow_lite")
ZKN = Module("Scalar crypto instructions", "zkn")
PRESETS = [Module(f"The whole of preset `{name}`", name) for name in ("full", "edge", "tls", "micro")]
PAGES = {
    "docs/choose-parameters.md": [*SHELLS, *AES, *HASHES, COMBINED, *RADIO, DES, *ASCON, PKA, *LATTICE, *PRESETS],
    "rtl/aes/README.md": AES,
    "rtl/combined/README.md": [COMBINED],
    "rtl/radio/README.md": RADIO,
    "rtl/ascon/README.md": ASCON,
    "rtl/des/README.md": [DES],
    "rtl/lattice/README.md": LATTICE,
    "rtl/lite/README.md": [LITE],
    "platform/soc/rtl/README.md": [ZKN],
}


def row(title: str, statistics: str, depth: int) -> str:
    """Returns a line of the table from what `stat -tech xilinx` prints, and the levels."""
    cells = {
        name: int(count) for count, name in re.findall(r"^\s+(\d+)\s+([A-Z][A-Z0-9_]+)$", statistics, re.MULTILINE)
    }
    luts = sum(count for name, count in cells.items() if re.fullmatch(r"LUT\d", name))
    if not luts:
        raise SystemExit(f"areas: yosys counted no LUT in {title}")
    memory = sum(each * cells.get(name, 0) for name, each in MEMORY.items())
    registers = sum(count for name, count in cells.items() if name.startswith("FD"))
    blocks = cells.get("RAMB36E1", 0) + cells.get("RAMB18E1", 0) / 2
    numbers = [luts, memory, registers, cells.get("DSP48E1", 0)]
    counts = " | ".join(f"{n:,}" if n else "" for n in numbers)
    return f"| {title} | {counts} | {f'{blocks:g}' if blocks else ''} | {depth} |"


def measure(module: Module) -> str:
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
        netlist = levels.synthesised(module.top, module.parameters, f"tee -o {file.name} stat -tech xilinx")
        line = row(module.title, file.read(), levels.deepest(netlist))
    print(line, flush=True)
    return line


def numbers(line: str) -> list[float]:
    """Returns the numbers in a row, in the order of COLUMNS."""
    return [float((cell or "0").replace(",", "")) for cell in marked_part.cells(line)[1:]]


def area(line: str) -> dict[str, float]:
    """Returns what rtl/presets.json says of a row."""
    return {
        name: int(number) if number == int(number) else number
        for name, number in zip(AREA, numbers(line), strict=False)
    }


def grown(line: str, table: str) -> list[str]:
    """Returns an error for each number of a measured row that is too large beside the table's. More levels are longer paths:
    one is too many."""
    title = marked_part.cells(line)[0]
    return [
        f"{title}: {column} {new:,g}, in the table {old:,g}"
        for column, new, old in zip(COLUMNS, numbers(line), numbers(table), strict=True)
        if new > old * (1 if column == "levels" else GROWTH)
    ]


def check(module: Module, line: str) -> list[str]:
    """Returns what is wrong with a measured row beside that of the first page that has the module."""
    page = next(name for name, modules in PAGES.items() if module in modules)
    table = marked_part.read_rows(ROOT / page, PART).get(module.title)
    return grown(line, table) if table else [f"{module.title}: no row in {page}"]


def write_presets(lines: dict[Module, str]) -> None:
    """Puts the areas of presets into their file, for the lab."""
    read = json.loads(PRESETS_FILE.read_text("utf-8"))
    for module, line in lines.items():
        read[module.top]["area"] = area(line)
    PRESETS_FILE.write_text(json.dumps(read, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables of the pages too")
    parser.add_argument("--check", action="store_true", help="fail if a module has grown since its row was written")
    parser.add_argument(
        "--only", metavar="TOP", help="only the modules with this top, or this preset; the other rows stay"
    )
    arguments = parser.parse_args()
    modules = list(dict.fromkeys(module for page in PAGES.values() for module in page))
    if arguments.only:
        modules = [module for module in modules if module.top == arguments.only]
        if not modules:
            parser.error(f"no row is of {arguments.only!r}: give the top of a module, such as aes, or a preset")
    print(HEAD, flush=True)
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        lines = dict(zip(modules, pool.map(measure, modules), strict=True))
    errors = [error for module in modules if arguments.check for error in check(module, lines[module])]
    if errors:
        raise SystemExit(
            "\n".join([*errors, "Make it smaller again, or write the table anew and say why in the commit."])
        )
    if arguments.write:
        write_presets({module: line for module, line in lines.items() if module in PRESETS})
        for name, page in PAGES.items():
            marked_part.write_rows(
                ROOT / name, PART, {module.title: lines[module] for module in page if module in lines}
            )


if __name__ == "__main__":
    main()
