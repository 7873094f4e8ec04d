# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the presets in one table: area, clock and what `outwork bench` counts, and with --write puts it into the page.

Areas are those of rtl/presets.json (scripts/areas.py). Clocks are those of the page's tables (scripts/clocks.py,
scripts/estimate.py). Cycles are counted on the simulated board, so they are the same on every machine.
"""

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import clocks
import estimate
import marked_part
from areas import PRESETS
from synthesis import ROOT

from outwork.device import presets
from outwork.errors import OutworkError

OUTWORK = ROOT / ".venv/bin/outwork"
PART = "presets"
NONE = "–"
GCM = ("--algorithm", "aes-256-gcm", "--operation", "encrypt")
BULK = ("--size", "65536", "--jobs", "16")
MEASURED = {
    "alone": (*GCM, "--size", "16", "--jobs", "1"),
    "batched": (*GCM, "--size", "16", "--jobs", "64"),
    "bulk": (*GCM, *BULK),
    "sha-256": ("--algorithm", "sha-256", "--operation", "digest", *BULK),
}
Records = Mapping[str, Mapping[str, Any]]


def bench(preset: str) -> Records:
    """Returns the records of MEASURED, counted on the board `reference` with a preset in it."""
    records = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in MEASURED.items():
            file = Path(folder) / f"{name}.jsonl"
            command = [str(OUTWORK), "bench", "--preset", preset, *arguments, "--rounds", "1", "--json", str(file)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            records[name] = json.loads(file.read_text("utf-8").splitlines()[0])
    return records


def clock(preset: str) -> tuple[float, str]:
    """Returns the clock on an ECP5 in MHz and how it is known, or 0 and nothing."""
    title = next(module.title for module in PRESETS if module.top == preset)
    for part, source in ((clocks.PART, "placed"), (estimate.PART, "estimated")):
        row = marked_part.read_rows(clocks.PAGE, part).get(title)
        if row and clocks.megahertz(row):
            return clocks.megahertz(row), source
    return 0, ""


def column(preset: presets.Preset, records: Records) -> dict[str, str]:
    """Returns what the table says of a preset."""
    area, (megahertz, source) = preset.area, clock(preset.name)
    rate = {name: record["size_bytes"] / record["cost"]["p50"] for name, record in records.items()}

    def of(name: str) -> str:
        return f"{area[name]:,g}" if area else NONE

    return {
        "LUTs": of("luts"),
        "LUTs as memory": of("memory_luts"),
        "flip-flops": of("flip_flops"),
        "block RAMs of 36 Kbit": of("block_rams"),
        "DSP blocks": of("dsp_blocks"),
        "clock on an ECP5-85, MHz": f"{megahertz:.1f}, {source}" if megahertz else NONE,
        "AES-256-GCM, 16 bytes alone, cycles": f"{records['alone']['latency']['p50']:,g}",
        "AES-256-GCM, 16 bytes, 64 in flight, cycles each": f"{records['batched']['cost']['p50']:.1f}",
        "AES-256-GCM, 64 KiB, 16 in flight, bytes a cycle": f"{rate['bulk']:.2f}",
        "the same at that clock, MB/s": f"{rate['bulk'] * megahertz:,.0f}" if megahertz else NONE,
        "the same, bytes a cycle and 1,000 LUTs": f"{1000 * rate['bulk'] / preset.luts:.3f}" if preset.luts else NONE,
        "SHA-256, 64 KiB, 16 in flight, bytes a cycle": f"{rate['sha-256']:.2f}",
    }


def table(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Returns the table with a column for each preset."""
    titles = next(iter(columns.values()))
    lines = [f"| | {' | '.join(f'`{name}`' for name in columns)} |", f"|---{'|--:' * len(columns)}|"]
    lines += [f"| {title} | {' | '.join(each[title] for each in columns.values())} |" for title in titles]
    return "\n".join(lines)


def make() -> str:
    smallest_first = reversed(presets.available().values())
    try:
        return table({preset.name: column(preset, bench(preset.name)) for preset in smallest_first})
    except subprocess.CalledProcessError as error:
        raise OutworkError(f"{' '.join(error.cmd)} has failed; its message is above") from None


if __name__ == "__main__":
    raise SystemExit(marked_part.main(__doc__, "preset_table", clocks.PAGE, PART, make))
