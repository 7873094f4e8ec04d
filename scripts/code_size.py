# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Links the firmware example for two processors with more and more of the driver, and writes its sizes into docs/firmware.md.

With --check, only tells whether the page is up to date. Sizes hold for the compilers that the page names.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import marked_part

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/firmware.md"
PART = "code size"
COMPILERS = {
    "RV32IMC": "riscv64-unknown-elf-gcc --specs=picolibc.specs -march=rv32imc -mabi=ilp32",
    "Cortex-M4": "arm-none-eabi-gcc --specs=nano.specs -mcpu=cortex-m4 -mthumb",
}
FLAGS = "-std=c11 -Os -Wall -Wextra -Wconversion -Werror -ffunction-sections -fdata-sections -Idriver/include"
LINK = "-nostartfiles -T driver/examples/bare_metal/link.ld -Wl,--fatal-warnings"
SOURCES = "driver/examples/bare_metal.c driver/examples/bare_metal/startup.c driver/src/*.c"
CONFIGURATIONS = {
    "AES": "-Wl,--gc-sections",
    "AES and hashes": "-Wl,--gc-sections -DWITH_HASH",
    "the whole driver": "-Wl,--no-gc-sections -DWITH_HASH",
}


def command(processor: str, configuration: str) -> str:
    """Returns the shell command that links the firmware, but for `-o FILE`."""
    return f"{COMPILERS[processor]} {FLAGS} {LINK} {CONFIGURATIONS[configuration]} {SOURCES}"


def link(processor: str, configuration: str, file: Path) -> None:
    subprocess.run(f"{command(processor, configuration)} -o {file}", shell=True, cwd=ROOT, check=True)


def version(processor: str) -> str:
    compiler = COMPILERS[processor].split()[0]
    return subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()


def size(processor: str, file: Path) -> tuple[int, int]:
    """Returns the bytes of flash (code, constants, images of data) and of RAM (data, zeros), without stack."""
    tool = COMPILERS[processor].split()[0].replace("-gcc", "-size")
    lines = subprocess.run([tool, file], capture_output=True, text=True, check=True).stdout.splitlines()
    text, data, zeros = (int(word) for word in lines[1].split()[:3])
    return text + data, data + zeros


def table() -> str:
    heads = [f"{processor}: {what}" for processor in COMPILERS for what in ("flash", "RAM")]
    rows = [f"| bytes | {' | '.join(heads)} |", f"|---|{'--:|' * len(heads)}"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "firmware.elf"
        for configuration in CONFIGURATIONS:
            numbers: list[int] = []
            for processor in COMPILERS:
                link(processor, configuration, file)
                numbers += size(processor, file)
            rows.append(f"| {configuration} | {' | '.join(map(str, numbers))} |")
    compilers = " and ".join(f"{version(name)} for {name}" for name in COMPILERS)
    return "\n".join([*rows, "", f"GCC {compilers}, `-Os`."])


def fresh(page: str) -> str:
    """Returns the page with the table of now."""
    return marked_part.replaced(page, PART, table())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is out of date")
    arguments = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    text = fresh(page)
    if text == page:
        return 0
    if arguments.check:
        print(f"{PAGE.relative_to(ROOT)} is out of date: run scripts/code_size.py")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
