# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compares on one clock: AES by Mbed TLS, by the CPU's instructions, a block at a time through registers, through rings.

Builds platform/soc/bench/modes.c with each implementation, runs them on the simulated system on chip, checks that all
made the same blocks and that the devices counted them, and prints the tables of docs/soc.md; --write writes them there.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import marked_part
import soc_bench

from outwork.errors import OutworkError
from outwork.soc import firmware
from outwork.soc import program as programs
from outwork.soc.system import System

PART = "modes"
BENCH: Final = soc_bench.BENCH
IMPLEMENTATIONS: Final = {
    "software": "Mbed TLS",
    "instructions": "instructions",
    "lite": "registers",
    "rings": "rings",
}
KEYS: Final = ("128", "256")
MODES: Final = ("ecb", "cbc", "ctr")
LIBRARY: Final = ("aes", "platform_util")
WORD_BYTES: Final = 4


@dataclass
class Outcome:
    """What one program printed, and the words that Outwork lite gave it."""

    cycles: dict[tuple[str, int], int] = field(default_factory=dict)  # by key and mode ("128-ecb"), and bytes
    blocks: dict[tuple[str, int], str] = field(default_factory=dict)  # the last one of each result
    lite_results: int = 0


def build(folder: Path) -> dict[str, Path]:
    """Returns the programs by implementation."""
    if not soc_bench.MBEDTLS.is_dir():
        raise OutworkError("Mbed TLS is missing: `scripts/mbedtls.sh 3.6.5` fetches it.")
    library, flags = soc_bench.mbedtls(LIBRARY, "soc_mbedtls_modes.h")
    more = {"software": library, "instructions": [BENCH / "aes_zkn.c"]}
    made = {}
    for name in IMPLEMENTATIONS:
        made[name] = folder / f"{name}.elf"
        sources = [BENCH / "modes.c", BENCH / f"modes_{name}.c", *more.get(name, [])]
        firmware.build(made[name], sources, flags=[f"-I{BENCH}", *(flags if name == "software" else [])])
    return made


def parse(text: str) -> Outcome:
    outcome = Outcome()
    for line in text.splitlines():
        match line.split():
            case ["row", name, size, _, cycles]:
                outcome.cycles[name.partition("-")[2], int(size)] = int(cycles)
            case ["block", name, size, block]:
                outcome.blocks[name, int(size)] = block
    return outcome


def run(elf: Path) -> Outcome:
    text = b""
    with System(programs.load(elf)) as system:
        while not system.finished:
            text += system.run()
        if system.status != 0 or system.protocol_error:
            raise OutworkError(f"{elf.stem} failed: {text.decode()}{system.protocol_error}")
        outcome = parse(text.decode())
        outcome.lite_results = system.statistics.lite_results
    return outcome


def rounds(size: int) -> int:
    """Returns how often modes.c encrypts a message."""
    return 1 if size > 4096 else 3


def measure() -> dict[str, Outcome]:
    with tempfile.TemporaryDirectory(prefix="outwork-soc-") as name:
        outcomes = {}
        for kind, elf in build(Path(name)).items():
            print(f"soc: running {kind}", file=sys.stderr, flush=True)
            outcomes[kind] = run(elf)
    check(outcomes)
    return outcomes


def check(outcomes: dict[str, Outcome]) -> None:
    """Raises OutworkError if results differ, or if Outwork lite did not make its own."""
    first = outcomes["software"].blocks
    for kind, outcome in outcomes.items():
        if outcome.blocks != first or len(first) != len(outcome.cycles):
            raise OutworkError(f"Mbed TLS and {kind} have made different blocks.")
        words = sum(size * rounds(size) for _, size in outcome.cycles) // WORD_BYTES if kind == "lite" else 0
        if outcome.lite_results != words:
            raise OutworkError(f"Outwork lite has given {outcome.lite_results} words to {kind}, and not {words}.")


def tables(outcomes: dict[str, Outcome]) -> list[str]:
    lines: list[str] = []
    sizes = sorted({size for _, size in outcomes["software"].cycles})
    for mode in MODES:
        heads = [
            f"AES-{key}: {what}" if what == "Mbed TLS" else what for key in KEYS for what in IMPLEMENTATIONS.values()
        ]
        lines += [
            f"{mode.upper()}:",
            "",
            f"| bytes | {' | '.join(heads)} |",
            f"|{'--:|' * (len(heads) + 1)}",
        ]
        for size in sizes:
            cells = [outcomes[kind].cycles[f"{key}-{mode}", size] for key in KEYS for kind in IMPLEMENTATIONS]
            lines.append(f"| {size:,} | {' | '.join(f'{cell:,}' for cell in cells)} |")
        lines.append("")
    return lines[:-1]


if __name__ == "__main__":
    sys.exit(marked_part.main(__doc__, "soc", soc_bench.PAGE, PART, lambda: "\n".join(tables(measure()))))
