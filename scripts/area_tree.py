# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Prints where the LUTs of a module are, instance by instance, and what has changed since the run before.

Modules are synthesised apart, so the sum is up to a fifth more than `make areas` counts for the whole. Runs are kept in
build/areas. It needs what `make areas` installs; a large engine takes minutes.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from synthesis import MEMORY, output, synthesise

# What the numbers of an instance are, in the order of the columns.
COLUMNS = ("LUTs", "own", "as memory", "flip-flops", "block RAMs", "DSP blocks")
Numbers = tuple[float, ...]


@dataclass
class Instance:
    path: str
    module: str
    numbers: Numbers  # of it and all below it; "own" of it alone
    below: list[Instance] = field(default_factory=list)

    def all(self) -> Iterator[Instance]:
        yield self
        for instance in sorted(self.below, key=lambda each: -each.numbers[0]):
            yield from instance.all()


def count(cells: Mapping[str, Any]) -> Numbers:
    kinds = Counter(cell["type"] for cell in cells.values())
    luts = sum(number for kind, number in kinds.items() if re.fullmatch(r"LUT\d", kind))
    memory = sum(each * kinds[kind] for kind, each in MEMORY.items())
    registers = sum(number for kind, number in kinds.items() if kind.startswith("FD"))
    blocks = kinds["RAMB36E1"] + kinds["RAMB18E1"] / 2
    return luts, luts, memory, registers, blocks, kinds["DSP48E1"]


def tree(modules: Mapping[str, Any], module: str, path: str) -> Instance:
    """Returns an instance with all below it, from what yosys' `write_json` says of the modules."""
    cells = modules[module]["cells"]
    below = [
        tree(modules, cell["type"], f"{path}.{name}")
        for name, cell in cells.items()
        if cell["type"] in modules and not {"blackbox", "whitebox"} & modules[cell["type"]]["attributes"].keys()
    ]
    own = count(cells)
    sums = [sum(column) for column in zip(own, *(instance.numbers for instance in below), strict=True)]
    return Instance(path, module.split("$")[0], (sums[0], own[0], *sums[2:]), below)


def print_tree(top: Instance, before: Mapping[str, float], least: int) -> None:
    print(f"{'':52}{''.join(f'{title:>11}' for title in COLUMNS)}     change")
    for instance in top.all():
        if instance.numbers[0] < least:
            continue
        name = "  " * instance.path.count(".") + instance.path.rpartition(".")[2]
        change = instance.numbers[0] - before.get(instance.path, 0 if before else instance.numbers[0])
        cells = "".join(f"{number:11,g}" if number else f"{'':11}" for number in instance.numbers)
        print(f"{f'{name} ({instance.module})':52.52}{cells}{f'{change:+11,g}' if change else ''}")
    known = {instance.path for instance in top.all()}
    for path, luts in before.items():
        if path not in known and luts >= least:
            print(f"{path}: gone, was {luts:,g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "top", help="a module of rtl/, for example aes, or a preset of rtl/presets.json, for example micro"
    )
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE", help="its parameters, for example Stages=1")
    parser.add_argument("--least", type=int, default=60, metavar="LUTS", help="leave out what is smaller (60)")
    arguments = parser.parse_args()
    what = (arguments.top, arguments.parameters)
    netlist, record = output(*what, "tree.json"), output(*what, "luts.json")
    synthesise(*what, f"write_json {netlist}", hierarchy=True)
    modules = json.loads(netlist.read_text(encoding="utf-8"))["modules"]
    name = next(name for name, module in modules.items() if int(module["attributes"].get("top", "0"), 2))
    result = tree(modules, name, arguments.top)
    before = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    print_tree(result, before, arguments.least)
    luts = {instance.path: instance.numbers[0] for instance in result.all()}
    record.write_text(json.dumps(luts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
