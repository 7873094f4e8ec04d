# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The system's memory map and interrupt sources, read from platform/soc/rtl/soc_pkg.sv."""

import re
from typing import Final

from outwork.paths import PROJECT

PACKAGE: Final = PROJECT / "platform/soc/rtl/soc_pkg.sv"


def constants() -> dict[str, int]:
    """Returns the package's constants by their names."""
    rows = re.findall(r"localparam [^=]*?(\w+) *= (?:32'h([0-9a-f_]+)|(\d+));", PACKAGE.read_text(encoding="utf-8"))
    return {name: int(value.replace("_", ""), 16) if value else int(number) for name, value, number in rows}


def header() -> str:
    """Returns the constants as C: SOC_RAM_BASE for RamBase."""
    lines = [
        f"#define SOC_{re.sub('(?<!^)(?=[A-Z])', '_', name).upper()} {value:#x}u\n"
        for name, value in constants().items()
    ]
    return "/* Written by outwork/soc/memory_map.py. */\n" + "".join(lines)
