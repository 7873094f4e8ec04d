# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compares OpenSSL's code, with and without the CPU's instructions, with the provider, under Linux on the system on chip.

Runs `openssl speed`, `enc` and `dgst` of build/soc/openssl/openssl (scripts/soc_openssl.sh), checks results and the device's
job counter, and prints the tables of docs/soc-linux.md; --write writes them there.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import marked_part

from outwork.errors import OutworkError
from outwork.lab.samples import sample_text
from outwork.soc import linux

ROOT: Final = Path(__file__).resolve().parents[1]
OPENSSL: Final = ROOT / "build/soc/openssl/openssl"
PAGE: Final = ROOT / "docs/soc-linux.md"
PART = "openssl"
SIZES: Final = (16, 256, 1024, 16_384, 65_536)
FILE_BYTES: Final = 262_144
# `openssl speed` stops the time in hundredths of a second. What Linux takes for one is a tenth of the clock's.
CYCLES_PER_SECOND: Final = 10_000_000
SECONDS: Final = 2
# Put before and behind a command of OpenSSL.
WAYS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "software": ((), ()),
    "instructions": (("OPENSSL_riscvcap=rv32imac_zbkb_zkne_zknd",), ()),
    "provider": (
        ("OUTWORK_POLICY=always",),
        ("-provider", "outwork", "-provider", "default", "-propquery", "?outwork.offload=yes"),
    ),
}
KEY: Final = hashlib.sha256(b"key").hexdigest()
IV: Final = KEY[:32]


@dataclass(frozen=True)
class Run:
    """What a command printed, what it took with its start, and the jobs that the device had done when it ended."""

    text: str
    cycles: int
    jobs: int

    def speed(self) -> tuple[float, int]:
        """Returns cycles and number of operations."""
        found = re.search(r"size blocks: (\d+) .* ops in ([\d.]+)s", self.text)
        if found is None or found[1] == "0":
            raise OutworkError(f"`openssl speed` has not measured anything:\n{self.text}")
        return float(found[2]) * CYCLES_PER_SECOND / int(found[1]), int(found[1])


def command(way: str, *words: str) -> list[str]:
    before, behind = WAYS[way]
    return [*before, words[0], *behind, *words[1:]]


def run(lines: Sequence[Sequence[str]], files: Mapping[str, bytes] | None = None) -> list[Run]:
    """Runs commands one after the other in one Linux. Raises OutworkError if one fails."""
    if not OPENSSL.is_file():
        raise OutworkError("OpenSSL is not built: `make soc-openssl` builds it.")
    console = ""
    with linux.start(OPENSSL, lines=lines, more=files, cycles_per_second=CYCLES_PER_SECOND) as system:
        while not system.finished:
            console += system.run().decode(errors="replace").replace("\r", "")
        if system.status != 0 or system.protocol_error:
            raise OutworkError(f"A command failed with {system.status}: {system.protocol_error}\n{console[-2000:]}")
    return runs(console, lines)


def runs(console: str, lines: Sequence[Sequence[str]]) -> list[Run]:
    """Returns what each command printed and took. Raises OutworkError if one has not run."""
    found = []
    for line in lines:
        _, _, console = console.partition(f"init: {' '.join(line)}\n")
        text, _, _ = console.partition("init: ")
        ended = re.search(
            r"init: the program took (\d+) cycles with its start; the device has counted (\d+) jobs", console
        )
        if ended is None:
            raise OutworkError(f"`{' '.join(line)}` has not run:\n{console[-2000:]}")
        found.append(Run(text, int(ended[1]), int(ended[2])))
    return found


def speeds(sizes: Sequence[int] = SIZES, seconds: int = SECONDS) -> dict[str, dict[int, float]]:
    """Returns by way and size the cycles of a message of AES-256-GCM, as `openssl speed` measures it."""
    found: dict[str, dict[int, float]] = {}
    for way in WAYS:
        print(f"soc-openssl: openssl speed, {way}", file=sys.stderr, flush=True)
        lines = [
            command(way, "speed", "-elapsed", "-seconds", str(seconds), "-bytes", str(size), "-evp", "aes-256-gcm")
            for size in sizes
        ]
        found[way] = {}
        for size, done in zip(sizes, run(lines), strict=True):
            found[way][size], operations = done.speed()
            check_jobs(way, done, operations)
    return found


def check_jobs(way: str, done: Run, at_least: int) -> None:
    """Raises OutworkError if the work was done elsewhere. Every process that opens the device resets its counters."""
    wrong = done.jobs < at_least if way == "provider" else done.jobs != 0
    if wrong:
        raise OutworkError(f"The device has counted {done.jobs} jobs for {at_least} operations, {way}:\n{done.text}")


def tools(length: int = FILE_BYTES) -> dict[str, dict[str, int]]:
    """Returns by command and way the cycles of the whole process, and checks what it has made."""
    text = sample_text(length)
    found: dict[str, dict[str, int]] = {"version": {}, "enc -aes-256-ctr": {}, "dgst -sha256": {}}
    results = set()
    for way in WAYS:
        print(f"soc-openssl: openssl enc and dgst, {way}", file=sys.stderr, flush=True)
        encrypt = ("enc", "-aes-256-ctr", "-K", KEY, "-iv", IV, "-in", "/plain", "-out", "/result")
        start, enc, dgst, result = run(
            [
                ["version"],
                command(way, *encrypt),
                command(way, "dgst", "-sha256", "/plain"),
                ["dgst", "-sha256", "/result"],
            ],
            {"plain": text},
        )
        for done in (enc, dgst):
            check_jobs(way, done, 1)
        if hashlib.sha256(text).hexdigest() not in dgst.text:
            raise OutworkError(f"`openssl dgst` gives a wrong digest, {way}: {dgst.text}")
        results.add(result.text)
        for name, done in zip(found, (start, enc, dgst), strict=True):
            found[name][way] = done.cycles
    if len(results) != 1:
        raise OutworkError(f"`openssl enc` makes different files: {results}")
    return found


def table(rows: Mapping[str, Mapping[str, float]], first: str) -> list[str]:
    """Returns a table with a row for each name and a column for each way."""
    lines = [
        f"| {first} | software | instructions | provider | faster than software | than instructions |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for name, by_way in rows.items():
        cells = [f"{by_way[way]:,.0f}" for way in WAYS]
        cells += [f"{by_way[way] / by_way['provider']:,.1f}" for way in ("software", "instructions")]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def tables() -> str:
    by_way = speeds()
    by_size = {f"{size:,}": {way: by_way[way][size] for way in WAYS} for size in SIZES}
    lines = [*table(by_size, "bytes"), "", f"Whole processes, a file of {FILE_BYTES:,} bytes:", ""]
    return "\n".join([*lines, *table({f"`openssl {name}`": costs for name, costs in tools().items()}, "command")])


if __name__ == "__main__":
    sys.exit(marked_part.main(__doc__, "soc-openssl", PAGE, PART, tables))
