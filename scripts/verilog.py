# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a preset of the accelerator as one file of Verilog-2001, for tools that do not read SystemVerilog.

The module is called outwork_<preset> and has the ports of rtl/outwork_axi.v; its parameters have the preset's values. The
hierarchy stays, with names that begin with the module's. With --gates the file is a netlist of gates and registers that
yosys synthesised, to be simulated; memories stay memories.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from synthesis import ROOT, gates, kept, read, run

from outwork.device import presets

# Clock gates are wires in synthesis: without them there is one clock.
CLOCKS = ("setattr -mod -set keep_hierarchy 1 *", "setattr -mod -unset keep_hierarchy ow_clock_gate*", "flatten")
# A bit of a memory's write enable is the same wire as its neighbour's, so that readers find the memory's words.
MEMORIES = ("opt_expr", "opt_merge -nomux", "opt_reduce")
NAME = re.compile(r"\\([A-Za-z_]\w*)\$\S+ ")


def parameters(preset: str) -> list[str]:
    if preset not in presets.available():
        names = ", ".join(presets.available())
        raise SystemExit(f"there is no preset {preset} in rtl/presets.json; there are: {names}")
    return presets.load(preset).settings


def plain(text: str, prefix: str) -> str:
    """Gives modules names without special characters: the kind of module, and a number where there are several. Those that
    synthesis keeps apart say so again."""
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    for match in re.finditer(rf"^module {NAME.pattern}", text, re.MULTILINE):
        kind = match[1]
        counts[kind] = counts.get(kind, 0) + 1
        names[match[0].removeprefix("module ")] = f"{prefix}_{kind}" + (f"_{counts[kind]}" if counts[kind] > 1 else "")
    text = NAME.sub(lambda match: names.get(match[0], match[0].rstrip()) + " ", text)
    apart = "|".join(file.stem for file in kept())
    return re.sub(
        rf"^(?=module {prefix}_({apart})(_\d+)? )", '(* keep_hierarchy = "yes" *)\n', text, flags=re.MULTILINE
    )


def write(preset: str, file: Path, as_gates: bool) -> None:
    name = f"outwork_{preset}"
    top = "outwork_axi"
    steps = [read(top, parameters(preset), hierarchy=not as_gates)]
    if as_gates:
        steps += gates(top)
    else:
        steps += [f"hierarchy -check -top {top}", "proc", *CLOCKS, *MEMORIES, "opt_clean", "bwmuxmap"]
    raw = file.with_suffix(".part")
    run(name, [*steps, f"rename {top} {name}", f"write_verilog -noattr {raw}"])
    text = plain(raw.read_text(encoding="utf-8"), name)
    head = f"// {name}: Outwork's preset {preset} as Verilog-2001, {'gates' if as_gates else 'elaborated'} by scripts/verilog.py.\n"
    raw.write_text(head + text, encoding="utf-8")
    raw.replace(file)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", help="a name in rtl/presets.json")
    parser.add_argument("--gates", action="store_true", help="the netlist of yosys instead of the elaborated source")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: build/verilog/outwork_<preset>[_gates].v")
    arguments = parser.parse_args()
    kind = "_gates" if arguments.gates else ""
    file = arguments.output or ROOT / f"build/verilog/outwork_{arguments.preset}{kind}.v"
    file.parent.mkdir(parents=True, exist_ok=True)
    write(arguments.preset, file, arguments.gates)
    print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
