# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Estimates the clock of a module on a Lattice ECP5-85 (speed 6) without placement, in three minutes in place of thirty.

Yosys maps the module as for scripts/place.py; then each cell takes its time, and each wire one that grows with the
number of its readers. The times are those seen in reports of nextpnr. The estimate is mostly within a fifth of what
placement gives; modules with many block RAMs or multipliers are slower (docs/choose-parameters.md). It shows all paths
above a limit, where a placement shows one: families of paths are listed by what they begin and end with, the slowest
first. --path shows the slowest path between two of them, --write puts the clock into the page.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import clocks
import levels
import marked_part
import place

PART: Final = "estimates"
# Times in picoseconds.
LUT: Final = 240
WIDE: Final = 220  # a multiplexer behind LUTs
CARRY_IN: Final = 450  # from an operand to the carry, or to a sum beside it
CARRY: Final = 71  # two bits of a carry chain
SUM: Final = 440  # from the carry to a sum
REGISTER: Final = 520
BLOCK: Final = {"DP16KD": 5700}
PRODUCT: Final = 3930  # yosys uses no register of a multiplier
WIRE: Final = 550
READERS: Final = 280  # more for each doubling of the readers
ADDED: Final = re.compile(r"_(LUT4|CCU2C|PFUMX|L6MUX21|TRELLIS_FF|DI|DO)_?.*|\[\d+\]|^dut\.|(\.\d+)+$")


@dataclass
class Netlist(levels.Netlist):
    """A netlist for the ECP5, whose levels are picoseconds."""

    readers: Counter[int] = field(default_factory=Counter)

    def add(self, cell: Mapping[str, Any]) -> None:
        kind = cell["type"]
        inputs, outputs = dict(pairs(cell, "input")), dict(pairs(cell, "output"))
        if kind == "LUT4":
            self.arcs(inputs.values(), outputs["Z"], LUT)
        elif kind in ("PFUMX", "L6MUX21"):
            select = {"C0", "SD"}
            self.arcs((net for port, net in inputs.items() if port in select), outputs["Z"], WIDE)
            self.arcs((net for port, net in inputs.items() if port not in select), outputs["Z"], WIDE, wired=False)
        elif kind == "CCU2C":
            operands = [(port, net) for port, net in inputs.items() if port != "CIN"]
            for port, net in outputs.items():
                late = SUM - CARRY_IN + 2 * CARRY if port == "S1" else 0  # the lower bit's operands
                for operand, earlier in operands:
                    if port != "S0" or operand.endswith("0"):
                        self.arcs([earlier], net, CARRY_IN + (late if operand.endswith("0") else 0))
                if "CIN" in inputs:
                    self.arcs([inputs["CIN"]], net, CARRY if port == "COUT" else SUM, wired=False)
        elif kind == "TRELLIS_DPR16X4":
            address = [net for port, net in inputs.items() if port.startswith("RAD")]
            for net in outputs.values():
                self.arcs(address, net, LUT)
                self.starts.setdefault(net, kind)
            self.clocked([pair for pair in inputs.items() if not pair[0].startswith("RAD")], [], kind)
        elif kind == "MULT18X18D":
            for net in outputs.values():
                self.arcs(inputs.values(), net, PRODUCT)
        elif "SCOPEINFO" not in kind.upper():
            slow = BLOCK.get(kind)
            self.clocked(inputs.items(), () if slow else outputs.items(), "register" if kind == "TRELLIS_FF" else kind)
            for net in outputs.values() if slow else ():
                inside = -1 - len(self.starts)  # no net of the netlist: the register in front of the slow output
                self.starts[inside], self.names[inside] = kind, self.name(net)
                self.arcs([inside], net, (slow or 0) - REGISTER, wired=False)

    def arcs(self, earlier: Any, net: int, time: int, wired: bool = True) -> None:
        self.before[net] += [(each, time + (self.wire(each) if wired else 0)) for each in earlier]

    def wire(self, net: int) -> int:
        return WIRE + int(READERS * math.log2(1 + self.readers[net]))


def pairs(cell: Mapping[str, Any], direction: str) -> list[tuple[str, int]]:
    """Returns the ports of a cell, each bit with a name of its own: RAD, RAD1, RAD2."""
    seen: Counter[str] = Counter()
    found = []
    for name, net in levels.ports(cell, direction):
        found.append((f"{name}{seen[name] or ''}", net))
        seen[name] += 1
    return found


def read(file: Path) -> Netlist:
    """Returns the netlist that place.netlist has written."""
    modules = json.loads(file.read_text(encoding="utf-8"))["modules"]
    module = next(each for each in modules.values() if "top" in each["attributes"])
    readers = Counter(net for cell in module["cells"].values() for _, net in levels.ports(cell, "input"))
    netlist = Netlist(readers=readers)
    levels.fill(netlist, module)
    return netlist


@dataclass(frozen=True)
class TimedPath:
    """A path between registers."""

    time: int  # picoseconds
    nets: list[int]
    begin: str
    end: str


def paths(netlist: Netlist) -> list[TimedPath]:
    """Returns the slowest path to each register, the slowest first."""
    found = levels.arrivals(netlist, False)
    slowest = []
    for net, end in netlist.ends:
        if net in found.levels and not end.startswith("output "):
            nets = found.trace(net)
            time = REGISTER + found.levels[net] + netlist.wire(net)
            slowest.append(TimedPath(time, nets, family(netlist.name(nets[0])), family(end)))
    return sorted(slowest, key=lambda path: -path.time)


def family(name: str) -> str:
    """Returns a signal's name without what yosys has added to it, and without indices."""
    signal, bracket, port = name.partition(" (")
    return f"{ADDED.sub('', ADDED.sub('', signal))}{bracket}{port}"


def pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a regular expression: {error}") from error


def title(top: str, parameters: tuple[str, ...]) -> str:
    """Returns what the tables of the page call a module, or how this script calls one that they do not have."""
    known = {(module.top, module.parameters): module.title for module in clocks.MODULES}
    return known.get((top, parameters), f"`{' '.join((top, *parameters))}`")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("top", help="a module of rtl/, for example aes, or a preset")
    parser.add_argument("parameters", nargs="*", metavar="Name=Value", help="of the module")
    parser.add_argument(
        "--limit", type=float, default=16.7, help="nanoseconds: count the ends of slower paths (60 MHz)"
    )
    parser.add_argument("--count", type=int, default=20, help="families to show")
    parser.add_argument(
        "--path",
        nargs=2,
        type=pattern,
        metavar=("FROM", "TO"),
        help="show the slowest path between registers that match these regular expressions",
    )
    parser.add_argument("--write", action="store_true", help="write the module's row into the page")
    arguments = parser.parse_args()
    netlist = read(place.netlist(arguments.top, arguments.parameters))
    slowest = paths(netlist)
    if arguments.path:
        begin, end = arguments.path
        shown = next((path for path in slowest if begin.search(path.begin) and end.search(path.end)), None)
        if shown is None:
            raise SystemExit("no path between registers begins and ends with these")
        print(f"{shown.time / 1000:.1f} ns, {shown.begin} to {shown.end}")
        for net in shown.nets:
            print(f"    {netlist.name(net)}, {netlist.readers[net]} readers")
        return
    if arguments.write:
        name = title(arguments.top, tuple(arguments.parameters))
        marked_part.write_rows(clocks.PAGE, PART, {name: f"| {name} | {1e6 / slowest[0].time:.1f} |"})
    over = [path for path in slowest if path.time > 1000 * arguments.limit]
    families: dict[tuple[str, str], list[TimedPath]] = {}
    for path in over or slowest[:1]:
        families.setdefault((path.begin, path.end), []).append(path)
    print(f"{1e6 / slowest[0].time:.1f} MHz; {len(over)} of {len(slowest)} ends over {arguments.limit} ns")
    for (begin_name, end_name), members in list(families.items())[: arguments.count]:
        print(f"{members[0].time / 1000:5.1f} ns, {len(members)} ends: {begin_name} to {end_name}")


if __name__ == "__main__":
    main()
