# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the project's figures and writes docs/figures.md, docs/figures.json and the table in README.md.

figures.py [--no-files]   leaves out the 64 MiB files (simulator speed), which take half a minute
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from outwork import ciphers
from outwork.ciphers import Operation
from outwork.cpu_time import machine
from outwork.engines import open_engine
from outwork.profiles import load
from outwork.records import KeyUse, Point, Record

ROOT: Final = Path(__file__).resolve().parent.parent
BOARD: Final = "reference"
BEGIN, END = "<!-- figures: written by make bench -->", "<!-- /figures -->"
FILE_BYTES: Final = 64 * 1024 * 1024
BUS_BYTES: Final = 16
COWART: Final = "Cowart et al. 2017"
WP512: Final = "Xilinx WP512"


@dataclass(frozen=True)
class Row:
    """One line of the table: `asked` is a least value, or with `at_most` a greatest."""

    work: str
    unit: str
    asked: float
    got: float
    limit: str
    published: str = ""
    at_most: bool = False
    record: dict[str, Any] | None = None

    @property
    def is_reached(self) -> bool:
        return self.got <= self.asked if self.at_most else self.got >= self.asked

    def cells(self) -> tuple[str, ...]:
        asked = f"{'at most' if self.at_most else 'at least'} {self.asked:g} {self.unit}"
        verdict = "" if self.is_reached else " (missed)"
        got = f"**{self.got:.2f}**" if self.got < 100 else f"**{self.got:.0f}**"
        return self.work, f"{got}{verdict}", asked, self.limit, self.published


def bus_beats_limit(size_bytes: int, keys: KeyUse) -> int:
    """Fewest bus cycles of a job: reads (descriptor, inline key, data) and writes (data, completion) go side by side."""
    data = -(-size_bytes // BUS_BYTES)
    reads = 64 // BUS_BYTES + (32 // BUS_BYTES if keys is KeyUse.INLINE else 0) + data
    writes = data + 32 // BUS_BYTES
    return max(reads, writes)


def measure() -> Iterator[Row]:
    with open_engine("accelerator", BOARD) as engine:

        def one(name: str, operation: Operation, size: int, jobs: int, keys: KeyUse = KeyUse.SAME) -> Record:
            return engine.measure(Point(ciphers.find(name), operation, size, jobs, jobs, keys))

        yield from large_jobs(one)
        yield from small_jobs(one)


def large_jobs(one: Any) -> Iterator[Row]:
    published = {
        "ctr": "3.5 (CTR, " + COWART + ")",
        "gcm": "2.25 (" + WP512 + ")",
        "ecb": "0.25",
        "cbc": "0.25",
    }
    for mode in ("ctr", "gcm", "ecb", "xts", "cbc"):
        for operation in (Operation.ENCRYPT, Operation.DECRYPT):
            if (mode, operation) == ("cbc", Operation.ENCRYPT):
                continue
            record = one(f"aes-256-{mode}", operation, 65536, 1)
            yield Row(
                f"AES-256-{mode.upper()} {operation}, one job of 64 KiB",
                "bytes/cycle",
                14.5,
                record.bytes_per_cycle,
                "16 (bus)",
                published.get(mode, ""),
                record=record.as_json(),
            )
    record = one("aes-256-cbc", Operation.ENCRYPT, 65536, 16)
    work = "AES-256-CBC encrypt, 16 jobs of 64 KiB at once"
    yield Row(
        work,
        "bytes/cycle",
        14,
        record.bytes_per_cycle,
        "16 (bus)",
        f"0.25 ({COWART})",
        record=record.as_json(),
    )
    record = one("aes-256-cbc", Operation.ENCRYPT, 65536, 1)
    limit = "1.07 (a block in 14 rounds and one addition)"
    work = "AES-256-CBC encrypt, one job of 64 KiB"
    yield Row(
        work, "bytes/cycle", 1.0, record.bytes_per_cycle, limit, f"0.25 ({COWART})", record=record.as_json()
    )


def small_jobs(one: Any) -> Iterator[Row]:
    def limit_of(size: int, keys: KeyUse, is_rate: bool) -> str:
        beats = bus_beats_limit(size, keys)
        return f"{size / beats:.1f} (bus)" if is_rate else f"{beats} (bus)"

    record = one("aes-256-gcm", Operation.ENCRYPT, 1024, 128)
    yield Row(
        "AES-256-GCM, jobs of 1,024 bytes, 128 in flight",
        "bytes/cycle",
        12,
        record.bytes_per_cycle,
        limit_of(1024, KeyUse.SAME, True),
        f"0.59 ({WP512})",
        record=record.as_json(),
    )
    for keys, words, published in (
        (KeyUse.SAME, "one key", f"about 1,500 ({WP512})"),
        (KeyUse.ROTATE, "another key slot in every job", ""),
    ):
        record = one("aes-256-gcm", Operation.ENCRYPT, 16, 256, keys)
        yield Row(
            f"AES-256-GCM, jobs of 16 bytes, 256 in flight, {words}",
            "cycles a job",
            24,
            record.cycles / record.jobs_total,
            limit_of(16, keys, False),
            published,
            at_most=True,
            record=record.as_json(),
        )
    record = one("aes-256-gcm", Operation.ENCRYPT, 64, 256, KeyUse.INLINE)
    yield Row(
        "AES-256-GCM, packets of 64 bytes, 256 in flight, a new inline key in every one",
        "bytes/cycle",
        2.0,
        record.bytes_per_cycle,
        limit_of(64, KeyUse.INLINE, True),
        "0.35 (best open core measured)",
        record=record.as_json(),
    )
    record = one("aes-256-gcm", Operation.ENCRYPT, 16, 1)
    yield Row(
        "AES-256-GCM, one job of 16 bytes alone, doorbell to completion",
        "cycles",
        300,
        record.latency_cycles,
        "135 (two reads of 40 and two writes of 20 wait for each other; 15 in the pipeline)",
        at_most=True,
        record=record.as_json(),
    )


def measure_files() -> Iterator[Row]:
    """Wall clock of the whole command, interpreter and simulator included: nothing that a device would take."""
    with tempfile.TemporaryDirectory() as folder:
        source, target, key = (Path(folder) / name for name in ("in", "out", "key"))
        source.write_bytes(os.urandom(FILE_BYTES))
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)
        for cipher in ("aes-256-ctr", "aes-256-gcm"):
            command = [sys.executable, "-m", "outwork", "encrypt", "--cipher", cipher, "--key-file", str(key)]
            start = time.monotonic()
            subprocess.run([*command, str(source), str(target)], check=True)
            seconds = time.monotonic() - start
            yield Row(
                f"Simulator: `outwork encrypt` of 64 MiB, {cipher.upper()}",
                "MB/s of wall clock",
                6,
                FILE_BYTES / seconds / 1e6,
                "",
                "2.5 (real hardware, Zybo 2014)",
            )


def markdown(rows: list[Row]) -> str:
    head = ("work", "got", "asked", "limit", "published")
    lines = ["| " + " | ".join(head) + " |", "|---|--:|---|---|---|"]
    lines += ["| " + " | ".join(row.cells()) + " |" for row in rows]
    return "\n".join(lines)


def introduction() -> str:
    profile = load(BOARD)
    return (
        f"Device cycles counted by the device itself on the simulated board `{BOARD}` ({profile.description}), from the "
        "first doorbell to the last completion record; median of three rounds. They do not depend on the machine that "
        f"simulates. The simulator's own speed is wall clock on {machine()}, one run. Made by `make bench`."
    )


def write_page(rows: list[Row]) -> None:
    notice = "<!-- Written by scripts/figures.py (make bench); do not edit. -->"
    text = f"# Figures\n\n{notice}\n\n{introduction()}\n\n{markdown(rows)}\n\nHow they are measured: [Benchmarks](benchmarks.md).\n"
    (ROOT / "docs" / "figures.md").write_text(text, encoding="utf-8")
    document = {
        "board": BOARD,
        "machine": machine(),
        "rows": [
            {
                "work": row.work,
                "unit": row.unit,
                "asked": row.asked,
                "at_most": row.at_most,
                "limit": row.limit,
                "got": row.got,
                "is_reached": row.is_reached,
                "published": row.published,
                "record": row.record,
            }
            for row in rows
        ],
    }
    (ROOT / "docs" / "figures.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    readme = ROOT / "README.md"
    words = readme.read_text(encoding="utf-8")
    if BEGIN in words and END in words:
        before, rest = words.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        readme.write_text(f"{before}{BEGIN}\n{markdown(rows)}\n{END}{after}", encoding="utf-8")


def main() -> int:
    rows: list[Row] = []
    for row in measure():
        rows.append(row)
        print(f"{row.got:8.2f} {row.unit:20} {'' if row.is_reached else 'MISSED '}{row.work}", flush=True)
    if "--no-files" not in sys.argv[1:]:
        for row in measure_files():
            rows.append(row)
            print(f"{row.got:8.2f} {row.unit:20} {'' if row.is_reached else 'MISSED '}{row.work}", flush=True)
    write_page(rows)
    missed = sum(not row.is_reached for row in rows)
    print(f"{len(rows)} figures, {missed} missed; see docs/figures.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
