# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Says what the modules are made of: memories, wide multiplexers, flip-flops. A latch or a combinational loop is an error.

Yosys reads each module alone with the slang reader, and maps it for the 7-series of Xilinx as far as memories and
flip-flops are known. With --write the lists go into docs/structure.md.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import marked_part
from areas import AES, ASCON, COMBINED, DES, HASH, LATTICE, LITE, PKA, RADIO, SHELL, Module
from synthesis import ROOT, read, run

MODULES = [
    SHELL,
    AES[0],
    HASH,
    COMBINED,
    RADIO[0],
    ASCON[0],
    DES,
    PKA,
    LATTICE[0],
    Module("Sealed states", "ow_seal"),
    LITE,
]
PAGE = ROOT / "docs/structure.md"
PART = "structure"
RAM = "ow_ram"  # the memories that an ASIC has as macros: each is listed with the module that it is in
LATCHES = "t:*latch* t:$sr %u"
# Bits that a wide multiplexer chooses from, of all of its inputs together: for example 16 words of 32 bits.
WIDE = 512
FLIP_FLOP = re.compile(r"\$(a|s)?dff(e|ce)?")
# What may stand between a flip-flop's reset and the module's.
GATE = re.compile(r"\$(not|and|or|logic_\w+|reduce_\w+)")
MAPPED = re.compile(
    r"^(?:mapping memory (\S+) via \$__XILINX_([A-Z]+)\S*|using FF mapping for memory (\S+))$", re.MULTILINE
)
KINDS = {"LUTRAM": "LUTs", "BLOCKRAM": "block RAM"}
Cell = Mapping[str, Any]


@dataclass
class Structure:
    """What a module and all below it are made of. Modules are named by their kind; of equal parts there is a number."""

    memories: Counter[tuple[str, ...]] = field(default_factory=Counter)
    muxes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    reset: Counter[str] = field(default_factory=Counter)
    unreset: Counter[str] = field(default_factory=Counter)


def number(cell: Cell, name: str) -> int:
    return int(cell["parameters"][name], 2)


def faults(reading: str, top: str) -> list[str]:
    """Returns the latches and the combinational loops of a module that the command `reading` reads."""
    with tempfile.TemporaryDirectory() as folder:
        loops, latches = Path(folder) / "loops", Path(folder) / "latches"
        steps = [reading, f"hierarchy -check -top {top}", "proc", "flatten", "opt_expr", "opt_clean"]
        steps += [f"tee -q -o {loops} check", f"select -write {latches} {LATCHES} %co1 {LATCHES} %d"]
        run(top, steps)
        found = [f"{top}: a latch, {line.partition('/')[2]}" for line in latches.read_text("utf-8").splitlines()]
        text = loops.read_text("utf-8")
    for loop in text.split("found logic loop in module ")[1:]:
        wires = dict.fromkeys(re.findall(r"wire \\(\S+)", loop))
        found.append(f"{top}: a combinational loop through {', '.join(wires) or 'wires without a name'}")
    return found


def instances(modules: Mapping[str, Any], name: str) -> Iterator[str]:
    """Yields the module and those below it, once for each instance."""
    yield name
    for cell in modules[name]["cells"].values():
        if cell["type"] in modules and not {"blackbox", "whitebox"} & modules[cell["type"]]["attributes"].keys():
            yield from instances(modules, cell["type"])


def signal(name: str) -> str:
    """Returns a signal's name without the indices of generate blocks; a table that has no name gets one."""
    return re.sub(r"\[\d+\]", "[]", name) if "$" not in name else "(a table)"


def follows(bit: int | str, source: int | str, drivers: Mapping[int | str, Cell]) -> bool:
    """Returns whether a net is another, or some gates of it."""
    waiting, seen = [bit], set()
    while waiting:
        net = waiting.pop()
        if net == source:
            return True
        cell = drivers.get(net)
        if net not in seen and cell is not None and GATE.fullmatch(cell["type"]):
            waiting += [each for port, bits in cell["connections"].items() if port != "Y" for each in bits]
        seen.add(net)
    return False


def count_flip_flops(result: Structure, kind: str, module: Mapping[str, Any]) -> None:
    drivers = {bit: cell for cell in module["cells"].values() for bit in cell["connections"].get("Y", ())}
    reset = module["netnames"].get("rst_ni", {"bits": [""]})["bits"][0]
    for cell in module["cells"].values():
        if FLIP_FLOP.fullmatch(cell["type"]):
            nets = [cell["connections"][port][0] for port in ("SRST", "ARST") if port in cell["connections"]]
            is_reset = any(follows(net, reset, drivers) for net in nets)
            (result.reset if is_reset else result.unreset)[kind] += number(cell, "WIDTH")


def inputs(cell: Cell) -> tuple[int, int]:
    """Returns the inputs of a multiplexer, and the bits of each; of anything else none."""
    match cell["type"]:
        case "$pmux":
            return number(cell, "S_WIDTH") + 1, number(cell, "WIDTH")
        case "$bmux":
            return 1 << number(cell, "S_WIDTH"), number(cell, "WIDTH")
        case "$shiftx":
            return number(cell, "A_WIDTH") // number(cell, "Y_WIDTH"), number(cell, "Y_WIDTH")
    return 0, 0


def first_named(start: Cell, module: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """Returns the signal that a cell's output is, or the nearest one that it goes into."""
    readers: dict[int, list[Cell]] = defaultdict(list)
    for cell in module["cells"].values():
        for port, bits in cell["connections"].items():
            for bit in set(bits):
                if cell["port_directions"][port] == "input":
                    readers[bit].append(cell)
    waiting, seen = deque([start]), set()
    while waiting:
        outputs = waiting.popleft()["connections"]
        for bit in [*outputs.get("Y", ()), *outputs.get("Q", ())]:
            if bit in names:
                return signal(names[bit])
            if bit not in seen:
                waiting += readers[bit]
            seen.add(bit)
    return ""


def count_muxes(result: Structure, kind: str, module: Mapping[str, Any]) -> None:
    names: dict[int, str] = {}
    for name, wire in module["netnames"].items():
        if "$" not in name:
            names.update((bit, name) for bit in wire["bits"] if len(name) < len(names.get(bit, name + " ")))
    for cell in module["cells"].values():
        words, bits = inputs(cell)
        data = [bit for port in "AB" for bit in cell["connections"].get(port, ())]
        if words * bits >= WIDE and any(isinstance(bit, int) for bit in data):
            result.muxes[kind, first_named(cell, module, names), f"{words:,} x {bits:,}"] += 1


def rams(modules: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Returns, of each instance of RAM, the kind of the module around it and the name that it has there."""
    return {
        cell["type"]: (parent.split("$")[0], signal(name))
        for parent, module in modules.items()
        for name, cell in module["cells"].items()
        if cell["type"].split("$")[0] == RAM
    }


def count_memories(
    result: Structure, name: str, modules: Mapping[str, Any], mapped: Mapping[str, str], within: tuple[str, str] | None
) -> None:
    """Counts the memories of a module. That of a RAM is listed as its instance `within` the module around it."""
    for cell in modules[name]["cells"].values():
        if cell["type"] != "$mem_v2":
            continue
        memory = cell["parameters"]["MEMID"].removeprefix("\\")
        reads, writes = number(cell, "RD_PORTS"), number(cell, "WR_PORTS")
        clocked = cell["parameters"]["RD_CLK_ENABLE"][-reads:].count("1")
        ports = [f"{reads - clocked} read"] if reads > clocked else []
        ports += [f"{clocked} clocked read"] if clocked else []
        ports += [f"{writes} write" if writes else "constant"]
        shape = f"{number(cell, 'SIZE'):,} x {number(cell, 'WIDTH'):,}"
        where = mapped.get(without_number(f"{name}.{memory}"), "LUTs")
        where = "logic" if where == "flip-flops" and not writes else where
        kind, called = within or (name.split("$")[0], signal(memory))
        result.memories[kind, called, shape, ", ".join(ports), where] += 1


def without_number(name: str) -> str:
    """Returns the name of a memory that yosys found in a table, as it is in every run."""
    return re.sub(r"\$\d+$", "", name)


def measure(reading: str, top: str) -> Structure:
    """Returns what a module is made of that the command `reading` reads, with its hierarchy."""
    result = Structure()
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / name for name in ("muxes", "memories", "flip-flops", "log")}
        steps = [reading, f"hierarchy -check -top {top}", "proc"]
        steps += ["opt_expr", "opt_clean", "design -save read", f"write_json {files['muxes']}"]
        steps += ["opt", "memory -nomap", "opt_clean", f"write_json {files['memories']}", "design -load read"]
        steps += [f"tee -q -o {files['log']} synth_xilinx -family xc7 -noiopad -run begin:fine"]
        run(top, [*steps, "delete =A:whitebox", f"write_json {files['flip-flops']}"])
        muxes, memories, flip_flops = (
            json.loads(file.read_text("utf-8"))["modules"] for file in list(files.values())[:3]
        )
        log = files["log"].read_text("utf-8")
    mapped = {}
    for memory, primitive, other in MAPPED.findall(log):
        mapped[without_number((memory or other).replace("\\", ""))] = KINDS.get(primitive, "flip-flops")
    within = rams(muxes)
    for name in instances(muxes, top):
        kind = name.split("$")[0]
        count_muxes(result, kind, muxes[name])
        count_memories(result, name, memories, mapped, within.get(name))
        count_flip_flops(result, kind, flip_flops[name])
    return result


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines] if lines else ["None."]


def section(module: Module) -> str:
    """Returns what the page says of a module."""
    found = measure(read(module.top, module.parameters, hierarchy=True), module.top)
    lines = [f"## {module.title}", "", "### Memories", ""]
    head = ("module", "memory", "number", "words x bits", "ports", "in")
    rows = [(kind, f"`{name}`", str(count), *rest) for (kind, name, *rest), count in sorted(found.memories.items())]
    lines += [*table(head, rows), "", "### Wide multiplexers", ""]
    rows = [(kind, name and f"`{name}`", str(count), size) for (kind, name, size), count in sorted(found.muxes.items())]
    lines += [*table(("module", "of", "number", "inputs x bits"), rows), "", "### Flip-flops", ""]
    kinds = sorted(found.reset | found.unreset, key=lambda kind: -found.reset[kind] - found.unreset[kind])
    rows = [(kind, f"{found.reset[kind]:,}", f"{found.unreset[kind]:,}") for kind in kinds]
    rows.append(("all", f"{found.reset.total():,}", f"{found.unreset.total():,}"))
    return "\n".join([*lines, *table(("module", "reset", "not reset"), rows), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the page")
    parser.add_argument("--only", metavar="TOP", help="only this module, whose lists are printed")
    arguments = parser.parse_args()
    modules = [module for module in MODULES if arguments.only in (None, module.top)]
    found = [fault for module in modules for fault in faults(read(module.top, module.parameters), module.top)]
    if found:
        raise SystemExit("\n".join(found))
    sections = [section(module) for module in modules]
    if arguments.write and not arguments.only:
        marked_part.write(PAGE, PART, "\n".join(sections))
    else:
        print("\n".join(sections), end="")


if __name__ == "__main__":
    main()
