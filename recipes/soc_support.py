# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes what a program needs of the simulated system on chip into a folder: start-up code, platform, memory map, linker script.

For another chip these files are its own. soc_support.py FOLDER
"""

import shutil
import sys
from pathlib import Path

from outwork.paths import PROJECT
from outwork.soc import firmware, memory_map

SOURCES = ("start.S", "machine.c", "soc.c", "string.c", "soc.h", "environment.h")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in SOURCES:
        shutil.copy(firmware.SYSTEM / name, folder)
    shutil.copy(PROJECT / "platform/soc/libraries/heap.c", folder)
    begin, length = memory_map.program_memory(under_linux=False)
    (folder / "soc_map.h").write_text(memory_map.header({"ProgramBase": begin, "ProgramBytes": length}))
    symbols = f"ram_begin = {begin:#x};\nram_bytes = {length:#x};\ndata_boundary = {firmware.CACHE_LINE_BYTES};\n"
    (folder / "link.ld").write_text(symbols + (firmware.SYSTEM / "link.ld").read_text())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
