# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compares on one clock what a program gets through a crypto library: its software, the CPU's instructions, the accelerator.

Builds the programs of platform/soc/libraries: the PSA driver's benchmark with Mbed TLS, and wolfCrypt's own benchmark with
the callback. They end with an error where results differ or the device has not counted its jobs. Prints the tables of
docs/soc.md; --write writes them there.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import marked_part

from outwork.errors import OutworkError
from outwork.soc import firmware, libraries
from outwork.soc import program as programs
from outwork.soc.libraries import LIBRARIES, PSA
from outwork.soc.system import System

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs/soc.md"
PART = "libraries"
CLOCK_HZ: Final = 100_000_000  # which the programs declare
KIBIBYTE: Final = 1024
WOLFCRYPT_ROW: Final = re.compile(r"^(\S+) +(SW|HW) .*, +([\d.]+) KiB/s", re.MULTILINE)

Cycles = dict[tuple[str, int], tuple[int, int]]  # of CPU and accelerator, by row and bytes


@dataclass(frozen=True)
class Variant:
    """A way to build the benchmark with Mbed TLS. Not every one has every row: software takes minutes."""

    level: str = "2"
    instructions: bool = False
    freertos: bool = False
    every_row: bool = False  # of symmetric algorithms


VARIANTS: Final = {
    "portable": Variant(every_row=True),
    "instructions": Variant(instructions=True),
    "unoptimised": Variant(level="0"),
    "freertos": Variant(freertos=True),
}


def run(elf: Path) -> str:
    text = b""
    with System(programs.load(elf)) as system:
        while not system.finished:
            text += system.run()
        if system.status != 0 or system.protocol_error:
            raise OutworkError(f"{elf.name} failed: {text.decode()}{system.protocol_error}")
    return text.decode()


def measure_psa(folder: Path, name: str, variant: Variant, curves: bool = False) -> Cycles:
    elf = folder / f"{name}.elf"
    library = libraries.psa(variant.instructions)
    environment = libraries.environment(variant.freertos)
    sources = [LIBRARIES / "psa.c", PSA / "bench/rows.c", *environment, *library.sources]
    flags = [*library.flags, f"-DLIBRARY_MAIN={int(not variant.every_row)}", f"-DLIBRARY_CURVES={int(curves)}"]
    firmware.build(elf, sources, level=variant.level, flags=flags, freertos=variant.freertos)
    rows = [line.split()[1:] for line in run(elf).splitlines() if line.startswith("row ")]
    return {(row, int(size)): (int(cpu), int(device)) for row, size, cpu, device in rows}


def measure_wolfcrypt(folder: Path) -> dict[str, dict[str, float]]:
    """Returns cycles a byte, by row of wolfCrypt's benchmark, of SW and HW."""
    elf = folder / "wolfcrypt.elf"
    library = libraries.wolfcrypt()
    sources = [LIBRARIES / "wolfcrypt.c", *libraries.environment(freertos=False), *library.sources]
    firmware.build(elf, sources, flags=library.flags)
    found: dict[str, dict[str, float]] = {}
    for row, engine, rate in WOLFCRYPT_ROW.findall(run(elf)):
        found.setdefault(row, {})[engine] = CLOCK_HZ / (float(rate) * KIBIBYTE)
    return found


def psa_table(found: dict[str, Cycles]) -> list[str]:
    lines = [
        "| through PSA | bytes | Mbed TLS | instructions | accelerator | faster than Mbed TLS | than instructions "
        "| FreeRTOS | Mbed TLS `-O0` | accelerator `-O0` |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for place, (cpu, device) in found["portable"].items():
        row, size = place
        special, slow = found["instructions"].get(place), found["unoptimised"].get(place)
        tasks = found["freertos"].get(place)
        cells = [
            row,
            f"{size:,}",
            f"{cpu:,}",
            f"{special[0]:,}" if special else "",
            f"{device:,}",
            f"{cpu / device:,.1f}",
        ]
        cells += [f"{special[0] / device:,.1f}" if special else "", f"{tasks[1]:,}" if tasks else ""]
        cells += [f"{cycles:,}" for cycles in slow] if slow else ["", ""]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def wolfcrypt_table(found: dict[str, dict[str, float]]) -> list[str]:
    lines = ["| row of wolfCrypt's benchmark | SW, cycles a byte | HW, cycles a byte | faster |", "|---|--:|--:|--:|"]
    for row, engines in found.items():
        if len(engines) == 2:
            software, device = engines["SW"], engines["HW"]
            lines.append(f"| {row} | {software:,.2f} | {device:,.3f} | {software / device:,.1f} |")
    return lines


def measure(curves: bool) -> str:
    libraries.psa().check()
    libraries.wolfcrypt().check()
    with tempfile.TemporaryDirectory(prefix="outwork-soc-") as name:
        folder = Path(name)
        found = {}
        for kind, variant in VARIANTS.items():
            print(f"soc: running Mbed TLS, {kind}", file=sys.stderr, flush=True)
            found[kind] = measure_psa(folder, kind, variant, curves and variant.every_row)
        print("soc: running wolfCrypt's benchmark", file=sys.stderr, flush=True)
        return "\n".join([*psa_table(found), "", *wolfcrypt_table(measure_wolfcrypt(folder))])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--curves", action="store_true", help="also measure P-256, whose software takes minutes")
    parser.add_argument("--write", action="store_true", help="update the tables in docs/soc.md")
    arguments = parser.parse_args()
    try:
        text = measure(arguments.curves)
    except OutworkError as error:
        sys.exit(f"soc: {error}")
    print(text)
    if arguments.write:
        marked_part.write(PAGE, PART, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
