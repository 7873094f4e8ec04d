# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The system's memory map and interrupt sources, read from platform/soc/rtl/soc_pkg.sv, and the places of Linux in memory."""

import re
from typing import Final

from outwork import spec
from outwork.paths import PROJECT

PACKAGE: Final = PROJECT / "platform/soc/rtl/soc_pkg.sv"
MIB: Final = 1 << 20
# Where a process that does not map the device has code and variables, by virtual addresses, and how much room: its stack is
# elsewhere.
PROCESS: Final = (128 * MIB, 16 * MIB)


def constants() -> dict[str, int]:
    """Returns the package's constants by their names, and the size of the accelerator's registers."""
    rows = re.findall(r"localparam [^=]*?(\w+) *= (?:32'h([0-9a-f_]+)|(\d+));", PACKAGE.read_text(encoding="utf-8"))
    found = {name: int(value.replace("_", ""), 16) if value else int(number) for name, value, number in rows}
    return {**found, "OutworkBytes": spec.QUEUE_OFFSET + spec.QUEUE_COUNT * spec.QUEUE_STRIDE}


def linux() -> dict[str, int]:
    """Returns where firmware, kernel and programs are under Linux.

    The kernel has to start at a multiple of 4 MiB, and does not use what is below. The memory from DeviceMemory on is not
    the kernel's: a program has it, and the device.
    """
    found = constants()
    begin, length = found["RamBase"], found["RamBytes"]
    return {
        "DeviceTree": begin + MIB,
        "Kernel": begin + 4 * MIB,
        "LinuxBytes": 28 * MIB,
        "Initramfs": begin + 16 * MIB,
        "DeviceMemory": begin + 32 * MIB,
        "DeviceMemoryBytes": length - 32 * MIB,
    }


def program_memory(under_linux: bool) -> tuple[int, int]:
    """Returns begin and bytes of the memory that a program has for code, variables and stack."""
    if under_linux:
        return linux()["DeviceMemory"], linux()["DeviceMemoryBytes"]
    return constants()["RamBase"], constants()["RamBytes"]


def header(*more: dict[str, int]) -> str:
    """Returns the constants as C: SOC_RAM_BASE for RamBase."""
    everything = constants()
    for each in more:
        everything.update(each)
    lines = [
        f"#define SOC_{re.sub('(?<!^)(?=[A-Z])', '_', name).upper()} {value:#x}\n" for name, value in everything.items()
    ]
    return "/* Written by outwork/soc/memory_map.py. */\n" + "".join(lines)
