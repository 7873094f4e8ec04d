# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Builds a program for the system on chip, with start-up code, the driver and the C library: build.py [OPTION…] FILE.c… -o FILE.elf"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))

import memory_map  # noqa: E402  (beside the folder of this file)

COMPILER = "riscv64-unknown-elf-gcc"
# -misa-spec=2.2: the CSR instructions belong to rv32imac, the name of the C library's folder.
TARGET = "-march=rv32imac -misa-spec=2.2 -mabi=ilp32 -mcmodel=medany"
COMPILING = "-std=gnu11 -Wall -Wextra -ffunction-sections -fdata-sections -g"
LINKING = "--specs=picolibc.specs -nostartfiles -Wl,--gc-sections -Wl,--no-warn-rwx-segments"


def build(output: Path, sources: list[Path], optimise: str = "-O2", flags: list[str] | None = None) -> Path:
    """Returns `output`. Raises CalledProcessError if the compiler rejects a source, after its messages."""
    constants = memory_map.constants()
    generated = output.parent / "generated"
    generated.mkdir(parents=True, exist_ok=True)
    (generated / "soc_map.h").write_text(memory_map.header(), encoding="utf-8")
    includes = [generated, HERE, ROOT / "driver/include"]
    own = [HERE / "start.S", HERE / "soc.c", *sorted(ROOT.glob("driver/src/*.c"))]
    symbols = {"ram_begin": constants["RamBase"], "ram_bytes": constants["RamBytes"]}
    command = [
        COMPILER, *TARGET.split(), *COMPILING.split(), optimise, *(f"-I{each}" for each in includes), *(flags or []),
        *LINKING.split(), *(f"-Wl,--defsym={name}={value:#x}" for name, value in symbols.items()),
        "-T", HERE / "link.ld", *own, *sources, "-o", output,
    ]  # fmt: skip
    subprocess.run(command, check=True)
    return output


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("-O", dest="level", default="2", help="level of optimisation (2)")
    parser.add_argument("--flag", action="append", default=[], help="passed to the compiler")
    arguments = parser.parse_args()
    if shutil.which(COMPILER) is None:
        sys.exit(f"build.py: {COMPILER} is not installed: run scripts/setup.sh soc")
    try:
        build(arguments.output, arguments.sources, f"-O{arguments.level}", arguments.flag)
    except subprocess.CalledProcessError:
        sys.exit(1)


if __name__ == "__main__":
    main()
