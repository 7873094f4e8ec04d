# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the energy of operations on a preset, from switching activity weighed with cells; --write puts it into
docs/power.md.

Figures are relative: toggles of LUTs and flip-flops, and apart from them the flip-flops that the clock reaches. It needs the
preset's board that writes activity (`make energy` builds it), and what `make areas` installs. The netlist of the preset takes
minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import area_tree
import marked_part
import switching
from switching import Cells, Weight
from synthesis import ROOT, output, synthesise

from outwork import algorithms
from outwork.algorithms.base import Operation
from outwork.device import presets, profiles
from outwork.device.board import Board
from outwork.errors import OutworkError
from outwork.lab.device_round import Round
from outwork.lab.records import Point

PAGE: Final = ROOT / "docs/power.md"
PART = "energy"
TOP: Final = "outwork_top"
IDLE_CYCLES: Final = 2000
# Presets whose netlist takes minutes, not hours, and their boards.
BOARDS: Final = {"micro": "microcontroller"}
# The first is the measure of all.
WORK: Final = (
    ("aes-128-gcm", Operation.ENCRYPT, 4096),
    ("aes-128-gcm", Operation.ENCRYPT, 64),
    ("aes-256-gcm", Operation.ENCRYPT, 4096),
    ("aes-128-cbc", Operation.ENCRYPT, 4096),
    ("aes-128-ctr", Operation.ENCRYPT, 4096),
    ("sha-256", Operation.DIGEST, 4096),
    ("sha-256", Operation.DIGEST, 64),
)


@dataclass(frozen=True)
class Row:
    title: str
    size_bytes: int
    cycles: float
    weight: Weight
    shares: dict[str, float]  # of the data's toggles, by part


def cells_of(preset: presets.Preset) -> dict[str, Cells]:
    """Returns the cells of every instance, from a new netlist, which stays in build/areas."""
    netlist = output(preset.name, (), "energy.json")
    print(f"energy: synthesising {preset.name}, some minutes", file=sys.stderr, flush=True)
    synthesise(TOP, preset.settings, f"write_json {netlist}", hierarchy=True)
    modules = json.loads(netlist.read_text(encoding="utf-8"))["modules"]
    name = next(name for name, module in modules.items() if int(module["attributes"].get("top", "0"), 2))
    found: dict[str, Cells] = {}
    _add(found, modules, name, TOP)
    return found


def _add(found: dict[str, Cells], modules: Mapping[str, Any], module: str, path: str) -> None:
    instance = area_tree.tree(modules, module, path)
    for each in instance.all():
        below = sum(lower.numbers[3] for lower in each.below)
        memory = each.numbers[2] - sum(lower.numbers[2] for lower in each.below)
        found[each.path] = Cells(int(each.numbers[1] + memory), int(each.numbers[3] - below))


def part_of(path: str) -> str:
    """Returns the part of the accelerator that an instance belongs to: the shell, an engine, or the rest."""
    names = path.split(".")
    part = next((name for name in names[1:] if name.startswith("u_")), "")
    return part.removeprefix("u_") or "rest"


def weigh(file: Path, cells: Mapping[str, Cells]) -> tuple[Weight, dict[str, float], int]:
    """Returns the weight of a recording, the parts' shares, and its cycles."""
    with file.open(encoding="ascii") as lines:
        activity = switching.read(lines, TOP)
    weights = switching.weigh(activity, cells)
    total = sum(weights.values(), Weight())
    parts: dict[str, float] = {}
    for path, weight in weights.items():
        parts[part_of(path)] = parts.get(part_of(path), 0) + weight.data / total.data
    return total, parts, (activity[TOP].clock or 0) // 2


def measure(preset: str, cells: Mapping[str, Cells], name: str, operation: Operation, size: int, folder: Path) -> Row:
    file = folder / f"{name}-{size}.saif"
    point = Point(algorithms.find(name), operation, size)
    with Board(profiles.load(BOARDS[preset]), relax_cycles=16) as board:
        work = Round(board, board.queue(0, 1), point, 1)
        work.run(1, 1, 1)  # the key is there, and the ring has been used
        work.check()
        board.trace(str(file), 1)
        work.run(1, 1, 1)
        work.check()
    weight, shares, cycles = weigh(file, cells)
    return Row(f"{name} {operation}", size, cycles, weight, shares)


def idle(preset: str, cells: Mapping[str, Cells], folder: Path) -> Row:
    """Returns the accelerator at rest, some time after its reset."""
    file = folder / "idle.saif"
    with Board(profiles.load(BOARDS[preset])) as board:
        board.c.ow_sim_run(board.sim, IDLE_CYCLES)
        if not board.c.ow_sim_trace_cycles(board.sim, str(file).encode(), IDLE_CYCLES):
            raise OutworkError(f"{file} cannot be written.")
        board.c.ow_sim_run(board.sim, IDLE_CYCLES + 10)
    weight, shares, cycles = weigh(file, cells)
    return Row("at rest", 0, cycles, weight, shares)


def table(preset: str, rows: list[Row], rest: Row, flip_flops: int) -> str:
    unit = rows[0].weight.data / rows[0].size_bytes
    parts = sorted({part for row in rows for part, share in row.shares.items() if share >= 0.01})
    lines = [
        f"### `{preset}`",
        "",
        f"| operation | bytes | cycles | toggles per byte | flip-flops clocked | {' | '.join(parts)} |",
        f"|---|--:|--:|--:|--:|{'--:|' * len(parts)}",
    ]
    for row in rows:
        values = [f"{row.size_bytes:,}", f"{row.cycles:,}", f"{row.weight.data / row.size_bytes / unit:.2f}"]
        values.append(f"{row.weight.clock / 2 / row.cycles / flip_flops:.0%}")
        values += [f"{row.shares.get(part, 0):.0%}" for part in parts]
        lines.append(f"| {row.title} | {' | '.join(values)} |")
    busy = rows[0].weight.data / rows[0].cycles
    lines += [
        "",
        f"At rest, a cycle has {rest.weight.data / rest.cycles / busy:.1%} of the toggles of a cycle of the first row, and",
        f"the clock reaches {rest.weight.clock / 2 / rest.cycles / flip_flops:.0%} of {flip_flops:,} flip-flops; without",
        "clock gates it would reach all of them in every cycle.",
    ]
    return "\n".join(lines)


def measure_preset(name: str) -> str:
    preset = presets.load(name)
    cells = cells_of(preset)
    with tempfile.TemporaryDirectory(prefix="outwork-energy-") as folder:
        rows = []
        for algorithm, operation, size in WORK:
            print(f"energy: {name}, {algorithm}, {size} bytes", file=sys.stderr, flush=True)
            rows.append(measure(name, cells, algorithm, operation, size, Path(folder)))
        flip_flops = sum(each.flip_flops for each in cells.values())
        return table(name, rows, idle(name, cells, Path(folder)), flip_flops)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("presets", nargs="*", default=["micro"], help=f"of {', '.join(BOARDS)} (micro)")
    parser.add_argument("--write", action="store_true", help="update the tables in docs/power.md")
    arguments = parser.parse_args()
    if unknown := set(arguments.presets) - BOARDS.keys():
        sys.exit(
            f"energy: there is no board with activity for {', '.join(sorted(unknown))}; there are {', '.join(BOARDS)}"
        )
    try:
        text = "\n\n".join(measure_preset(name) for name in arguments.presets)
    except (OutworkError, ValueError) as error:
        sys.exit(f"energy: {error}")
    print(text)
    if arguments.write:
        marked_part.write(PAGE, PART, text)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OUTWORK_LIBRARY_PATH", str(ROOT / "build/activity/lib/activity"))
    sys.exit(main())
