# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the firmware: the driver, the program in firmware/, and the known answers of the command line's self-test."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from outwork.algorithms import KNOWN_ANSWERS
from outwork.algorithms.cipher import Cipher
from outwork.algorithms.family import KnownAnswer

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).parent / "firmware"
COMPILER = "riscv64-unknown-elf-gcc"
# -misa-spec=2.2: the CSR instructions belong to rv32im, the name of the C library's folder.
FLAGS = "-march=rv32im -misa-spec=2.2 -mabi=ilp32 -std=gnu11 -Os -Wall -Wextra -ffunction-sections -fdata-sections"
LINKING = "--specs=picolibc.specs -nostartfiles -Wl,--gc-sections"


def literal(data: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in data)


def row(answer: KnownAnswer) -> str:
    """Returns an initialiser of struct known_answer (firmware/selftest.h)."""
    algorithm = answer.algorithm
    is_cipher = isinstance(algorithm, Cipher)
    fields: dict[str, str | int] = {
        "name": f'"{algorithm.name}"',
        "opcode": int(algorithm.opcode),
        "keys": algorithm.key_count if is_cipher else 0,
        "is_aead": int(is_cipher and algorithm.is_aead),
        "is_tag": int(is_cipher and algorithm.is_mac),
        "tag_len": answer.tag_bytes,
    }
    for name in ("key", "iv", "aad", "message", "result"):
        data: bytes = getattr(answer, name)
        fields |= {name: f'(const uint8_t *)"{literal(data)}"', f"{name}_len": len(data)}
    return "    {" + ", ".join(f".{name} = {value}" for name, value in fields.items()) + "},\n"


def build(folder: Path, include: Path, cpu: Any) -> Path:
    """Returns the image for the ROM. `include` has LiteX's generated headers, whose builder is in the middle of a build."""
    import litex

    software = Path(litex.__file__).parent / "soc/software"
    core = Path(litex.__file__).parent / "soc/cores/cpu" / cpu.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "known_answers.h").write_text("".join(map(row, KNOWN_ANSWERS)), encoding="utf-8")
    elf, image = folder / "firmware.elf", folder / "firmware.bin"
    includes = [folder, include, ROOT / "driver/include", software / "include", software, core]
    sources = [core / "crt0.S", *sorted(SOURCES.glob("*.c")), *sorted(ROOT.glob("driver/src/*.c"))]
    script = ["-L", include, "-T", SOURCES / "linker.ld"]
    flags = [*FLAGS.split(), *(f"-I{each}" for each in includes), *LINKING.split(), *script]
    subprocess.run([COMPILER, *flags, *sources, "-o", elf], check=True)
    subprocess.run([COMPILER.replace("gcc", "objcopy"), "-O", "binary", elf, image], check=True)
    return image
