# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the clock of modules, each placed and routed alone on a Lattice ECP5-85, and with --write puts it into the page.

A small module takes five minutes, a large one an hour: rows are printed as they come, and --only chooses some. A module that
does not fit has no clock, nor has one whose wires the router does not lay within two hours. With --check a module that
reaches less than nine tenths of its clock in the page is an error: another netlist alone moves a placement by some per cent.
"""

import argparse
import re

import marked_part
import place
from areas import AES, ASCON, COMBINED, DES, HASHES, LATTICE, LITE, PRESETS, RADIO, SHELL, Module
from synthesis import ROOT

PAGE = ROOT / "docs/choose-parameters.md"
PART = "clocks"
TOLERANCE = 0.9  # of the clock in the page
HEAD = "| module | MHz on ECP5-85 | cells on the longest path | from, to |"
# As wide as this device's multipliers.
PKA = Module("Public keys, `PkaRows` 8, `OUTWORK_MULTIPLIER_BITS` 18", "pka", ("OUTWORK_MULTIPLIER_BITS=18",))
# Keccak's state and the rows of the store that are as wide cross the whole chip.
SHA = [
    Module(
        f"Hash, a unit each of SHA-256 and SHA-512, `ShaRounds` {rounds}",
        "hash",
        ("Sha256Units=1", "Sha512Units=1", "KeccakUnits=0", f"ShaRounds={rounds}"),
    )
    for rounds in (2, 1)
]
MODULES = [SHELL, *AES, *HASHES, *SHA, COMBINED, *RADIO, DES, *ASCON, PKA, *LATTICE, LITE, *PRESETS]


def row(module: Module, clock: str, cells: str, signals: list[str]) -> str:
    """Returns a line of the table. The path is told by the first and the last of its signals."""
    ends = f"`{signals[0]}`, `{signals[-1]}`" if signals else ""
    return f"| {module.title} | {clock} | {cells} | {ends} |"


def measure(module: Module, seed: int) -> str:
    try:
        report = place.place(module.top, list(module.parameters), seed)
    except (place.DoesNotFit, place.NotRouted) as error:
        print(error)
        return row(module, "does not fit" if isinstance(error, place.DoesNotFit) else "not routed", "", [])
    cells, signals = place.path_of(report)
    return row(module, f"{place.clock_of(report):.1f}", str(cells), signals)


def megahertz(line: str) -> float:
    """Returns the clock in a row; 0 if the module does not fit or is not routed."""
    cell = marked_part.cells(line)[1]
    return float(cell) if re.fullmatch(r"[\d.]+", cell) else 0


def slower(line: str, table: str) -> list[str]:
    """Returns an error if a measured row has less than the page's clock, or none at all."""
    (title, now, *_), (_, before, *_) = marked_part.cells(line), marked_part.cells(table)
    is_slower = megahertz(line) < megahertz(table) * TOLERANCE
    return [f"{title}: {now}, in the page {before}"] if is_slower else []


def chosen(words: list[str]) -> list[Module]:
    """Returns the modules with one of these titles, or parts of titles. A whole title is no part of a longer one."""
    titles = {module.title for module in MODULES}
    return [m for m in MODULES if any(each == m.title or (each not in titles and each in m.title) for each in words)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the rows into the page too")
    parser.add_argument(
        "--only",
        metavar="TITLE",
        action="append",
        help="only this module, or those whose title contains this; again for more",
    )
    parser.add_argument("--check", action="store_true", help="fail if a module has become slower than in the page")
    parser.add_argument("--seed", type=int, default=1, help="of the placement")
    arguments = parser.parse_args()
    modules = chosen(arguments.only or [""])
    if not modules:
        raise SystemExit("No title has these words. The titles are:\n  " + "\n  ".join(m.title for m in MODULES))
    print(HEAD, flush=True)
    rows, errors = marked_part.read_rows(PAGE, PART), []
    for module in modules:
        line = measure(module, arguments.seed)
        print(line, flush=True)
        if arguments.check and module.title in rows:
            errors += slower(line, rows[module.title])
        if arguments.write:
            marked_part.write_rows(PAGE, PART, {module.title: line})
    if errors:
        raise SystemExit("\n".join(errors))


if __name__ == "__main__":
    main()
