# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the netlist of a module of rtl/, as yosys synthesises it: gates and registers; memories stay memories.

The module keeps its name, and its ports as vectors, so that its bench plays on the netlist instead of the source. The
parameters that are given stay parameters, which nobody may set to another value.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from synthesis import gates, read, run


def with_parameters(text: str, top: str, parameters: Sequence[str]) -> str:
    """Gives the module in `text` parameters, for instances that set them."""
    if not parameters:
        return text
    pairs = [parameter.split("=") for parameter in parameters]
    declared = ", ".join(f"parameter {name} = {value}" for name, value in pairs)
    checks = "".join(
        f'  if ({name} != {value}) $error("{top}: {name} is %0d; this netlist is that of {name}={value}.", {name});\n'
        for name, value in pairs
    )
    text = re.sub(rf"^module {top} ?\(", f"module {top} #({declared}) (", text, flags=re.MULTILINE)
    return text.replace("endmodule", f"{checks}endmodule")


def write(top: str, parameters: Sequence[str], file: Path) -> None:
    """Writes the netlist. Nets are single bits: a simulator sees no loop through the bits of a vector."""
    raw = file.with_suffix(".part")
    steps = [read(top, parameters), *gates(top), "splitnets", f"write_verilog -noattr {raw.resolve()}"]
    run(" ".join([top, *parameters]), steps)
    raw.write_text(with_parameters(raw.read_text("utf-8"), top, parameters), encoding="utf-8")
    raw.replace(file)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("top", help="a module of rtl/, for example aes")
    parser.add_argument("parameters", nargs="*", metavar="Name=Value", help="of the module")
    parser.add_argument("--output", type=Path, metavar="FILE", required=True)
    arguments = parser.parse_args()
    write(arguments.top, arguments.parameters, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
