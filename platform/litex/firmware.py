# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the firmware: the driver, the program in firmware/, and the known answers of the command line's self-test."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from outwork.algorithms import c_answers

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).parent / "firmware"
SELFTEST = ROOT / "platform/selftest"
COMPILER = "riscv64-unknown-elf-gcc"
# -misa-spec=2.2: the CSR instructions belong to rv32im, the name of the C library's folder.
FLAGS = "-march=rv32im -misa-spec=2.2 -mabi=ilp32 -std=gnu11 -Os -Wall -Wextra -ffunction-sections -fdata-sections"
LINKING = "--specs=picolibc.specs -nostartfiles -Wl,--gc-sections"


def build(folder: Path, include: Path, cpu: Any) -> Path:
    """Returns the image for the ROM. `include` has LiteX's generated headers, whose builder is in the middle of a build."""
    import litex

    software = Path(litex.__file__).parent / "soc/software"
    core = Path(litex.__file__).parent / "soc/cores/cpu" / cpu.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "known_answers.h").write_text(c_answers.initialisers(), encoding="utf-8")
    elf, image = folder / "firmware.elf", folder / "firmware.bin"
    includes = [folder, include, SELFTEST, ROOT / "driver/include", software / "include", software, core]
    sources = [
        core / "crt0.S",
        *sorted(SOURCES.glob("*.c")),
        SELFTEST / "selftest.c",
        *sorted(ROOT.glob("driver/src/*.c")),
    ]
    script = ["-L", include, "-T", SOURCES / "linker.ld"]
    flags = [*FLAGS.split(), *(f"-I{each}" for each in includes), *LINKING.split(), *script]
    subprocess.run([COMPILER, *flags, *sources, "-o", elf], check=True)
    subprocess.run([COMPILER.replace("gcc", "objcopy"), "-O", "binary", elf, image], check=True)
    return image
