# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Prints the longest paths of a module in levels of logic, as yosys maps it for the 7-series of Xilinx.

A level is a LUT, a carry chain, a read of distributed RAM, or a DSP block without its registers; the multiplexers
behind LUTs (F7, F8) count nothing. This is a static estimate that knows no wires: it shows where the long paths are, and
scripts/place.py what they cost. Paths between registers come first, then those from inputs and to outputs, which go on
outside of the module.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from synthesis import output, synthesise

REGISTER = re.compile(r"FD[RSCP]E|SRL\w+")
MEMORY = re.compile(r"RAM\d+[XM]\w*")
BLOCK = re.compile(r"RAMB\w+")
# Which outputs of distributed RAM follow which address.
READS = [(r"A\d?", "SPO|O"), (r"DPRA\d?", "DPO"), *((f"ADDR{port}", f"DO{port}") for port in "ABCDEFGH")]
FREE = re.compile(r"MUXF[78]|BUFG|IBUF|OBUF")


@dataclass
class Netlist:
    """Nets are numbers. `before[net]` has the nets that it depends on in the same cycle, and the levels between them."""

    before: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    starts: dict[int, str] = field(default_factory=dict)
    ends: list[tuple[int, str]] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)

    def add(self, cell: Mapping[str, Any]) -> None:
        kind = cell["type"]
        inputs, outputs = ports(cell, "input"), ports(cell, "output")
        if REGISTER.fullmatch(kind):
            self.clocked(inputs, outputs, "register")
        elif BLOCK.fullmatch(kind):
            self.clocked(inputs, outputs, kind)
        elif kind == "DSP48E1":
            self.multiplied(inputs, outputs, {name for name, value in cell["parameters"].items() if "1" in str(value)})
        elif MEMORY.fullmatch(kind):
            for address, output in READS:
                reads = [pair for pair in outputs if re.fullmatch(output, pair[0])]
                self.through([pair for pair in inputs if re.fullmatch(address, pair[0])], reads, 1)
            self.clocked(inputs, [], kind)
            for _, net in outputs:
                self.starts.setdefault(net, kind)
        elif kind == "CARRY4":
            self.through([(name, net) for name, net in inputs if name != "CI"], outputs, 1)
            self.through([(name, net) for name, net in inputs if name == "CI"], outputs, 0)
        else:
            self.through(inputs, outputs, 0 if FREE.fullmatch(kind) else 1)

    def multiplied(
        self, inputs: Sequence[tuple[str, int]], outputs: Sequence[tuple[str, int]], parameters: Container[str]
    ) -> None:
        """A DSP block: operands may have registers in it, or the result."""
        if "PREG" in parameters or "MREG" in parameters:
            self.clocked(inputs, outputs, "DSP48E1")
            return
        data = re.compile("[ABCD]|PCIN|CARRYIN")
        kept = [(name, net) for name, net in inputs if not data.fullmatch(name) or f"{name}REG" in parameters]
        self.clocked(kept, [], "DSP48E1")
        self.through([pair for pair in inputs if pair not in kept], outputs, 3)
        if kept:
            inside = -1 - len(self.starts)  # no net of the netlist: what its registers give to the multiplier
            self.starts[inside], self.names[inside] = "DSP48E1", "DSP48E1"
            self.through([("inside", inside)], outputs, 3)

    def clocked(self, inputs: Iterable[tuple[str, int]], outputs: Iterable[tuple[str, int]], kind: str) -> None:
        inputs = list(inputs)
        outputs = list(outputs)
        for _, net in outputs:
            self.starts[net] = kind
        what = self.name(outputs[0][1]) if outputs and kind == "register" else kind
        for name, net in inputs:
            if "CLK" not in name and name != "C":
                self.ends.append((net, f"{what} ({name})" if name != "D" else what))

    def through(self, inputs: Iterable[tuple[str, int]], outputs: Iterable[tuple[str, int]], levels: int) -> None:
        inputs = list(inputs)
        for _, out in outputs:
            self.before[out] += [(net, levels) for _, net in inputs]

    def name(self, net: int) -> str:
        return self.names.get(net, "unnamed")


def ports(cell: Mapping[str, Any], direction: str) -> list[tuple[str, int]]:
    return [
        (name, net)
        for name, nets in cell["connections"].items()
        if cell["port_directions"][name] == direction
        for net in nets
        if isinstance(net, int)
    ]


def read(module: Mapping[str, Any]) -> Netlist:
    """Returns the netlist of a flat module of yosys' `write_json`."""
    netlist = Netlist()
    fill(netlist, module)
    return netlist


def fill(netlist: Netlist, module: Mapping[str, Any]) -> None:
    """Adds a flat module's nets and cells to an empty netlist."""
    rank: dict[int, tuple[int, int]] = {}
    for name, wire in module["netnames"].items():
        quality = (name.count("$"), len(name))
        for net in wire["bits"]:
            if isinstance(net, int) and (net not in rank or quality < rank[net]):
                rank[net], netlist.names[net] = quality, name
    for port in module["ports"].items():
        name, what = port
        for net in what["bits"]:
            if isinstance(net, int):
                if what["direction"] == "input":
                    netlist.starts[net] = "input"
                else:
                    netlist.ends.append((net, f"output {name}"))
    for cell in module["cells"].values():
        netlist.add(cell)


@dataclass
class Arrivals:
    """Of each net: the levels in front of it, and the net before it on the longest path."""

    levels: dict[int, int] = field(default_factory=dict)
    path: dict[int, int] = field(default_factory=dict)

    def trace(self, net: int) -> list[int]:
        nets = [net]
        while nets[-1] in self.path:
            nets.append(self.path[nets[-1]])
        return nets[::-1]


def arrivals(netlist: Netlist, from_inputs: bool) -> Arrivals:
    """Returns the arrivals behind registers, or behind inputs."""
    found = Arrivals({net: 0 for net, kind in netlist.starts.items() if (kind == "input") == from_inputs})
    for net in order(netlist):
        for earlier, levels in netlist.before[net]:
            if earlier in found.levels and found.levels[earlier] + levels > found.levels.get(net, -1):
                found.levels[net] = found.levels[earlier] + levels
                found.path[net] = earlier
    return found


def order(netlist: Netlist) -> Iterator[int]:
    """Yields the nets behind logic, each after those that it depends on."""
    open_, done = set(), set()
    for root in list(netlist.before):
        stack = [(root, iter(netlist.before[root]))] if root not in done else []
        open_.add(root)
        while stack:
            net, earlier = stack[-1]
            following = next(((n for n, _ in earlier if n in netlist.before and n not in done)), None)
            if following is None:
                stack.pop()
                open_.discard(net)
                done.add(net)
                yield net
            elif following in open_:
                raise SystemExit(f"combinational loop through {netlist.name(following)}")
            else:
                open_.add(following)
                stack.append((following, iter(netlist.before[following])))


def family(name: str) -> str:
    """Returns a signal's name without indices: paths of a family are shown once."""
    return re.sub(r"\[\d+\]|\.\d+|\d+$", "", name)


def print_paths(netlist: Netlist, found: Arrivals, to_outputs: bool, title: str, count: int) -> None:
    ends = [
        (found.levels[net], net, end)
        for net, end in netlist.ends
        if net in found.levels and end.startswith("output ") == to_outputs
    ]
    shown: set[tuple[str, str]] = set()
    for levels, net, end in sorted(ends, key=lambda each: -each[0]):
        nets = found.trace(net)
        key = family(netlist.name(nets[0])), family(end)
        if key in shown:
            continue
        if len(shown) == count:
            break
        shown.add(key)
        print(f"{title}: {levels} levels, {netlist.name(nets[0])} to {end}")
        if len(shown) == 1:
            between = [netlist.name(each) for each in nets[1:]]
            words = list(dict.fromkeys(name for name in between if "$" not in name))
            print("    by " + ", ".join(words))


def synthesised(top: str, parameters: Sequence[str], *reports: str) -> Netlist:
    """Returns the netlist of a module of rtl/. Runs the commands `reports` of yosys too."""
    file = output(top, parameters, "flat.json")
    synthesise(top, parameters, f"write_json {file}", *reports)
    modules = json.loads(file.read_text(encoding="utf-8"))["modules"]
    return read(next(module for module in modules.values() if "top" in module["attributes"]))


def deepest(netlist: Netlist) -> int:
    """Returns the levels of the longest path between registers."""
    found = arrivals(netlist, False)
    return max(found.levels[net] for net, end in netlist.ends if net in found.levels and not end.startswith("output "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("top", help="a module of rtl/, for example aes, or a preset")
    parser.add_argument("parameters", nargs="*", metavar="Name=Value", help="of the module")
    parser.add_argument("--count", type=int, default=5, help="paths to show of each sort")
    arguments = parser.parse_args()
    netlist = synthesised(arguments.top, arguments.parameters)
    inside, entering = arrivals(netlist, False), arrivals(netlist, True)
    for found, to_outputs, title in (
        (inside, False, "between registers"),
        (entering, False, "from an input"),
        (inside, True, "to an output"),
        (entering, True, "from an input to an output"),
    ):
        print_paths(netlist, found, to_outputs, title, arguments.count)


if __name__ == "__main__":
    main()
