# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the figures that the README shows, and says which of them reach what was asked.

Device figures are cycles that the device counts (the board `reference`), so they are the same on every machine; the last
rows are the simulation's own speed on this machine. With --write, the records go to docs/figures.json and the table into
README.md and docs/benchmarks.md, between the lines `<!-- figures: begin -->` and `<!-- figures: end -->`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTWORK = ROOT / ".venv/bin/outwork"
RECORDS = ROOT / "docs/figures.json"
PAGES = ("README.md", "docs/benchmarks.md")
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
KIB = 1024
BUS_BYTES = 16  # of the board `reference`

BYTES_PER_CYCLE, CYCLES_PER_JOB, LATENCY = "bytes/cycle", "cycles a job", "cycles, doorbell to completion"


@dataclass(frozen=True)
class Row:
    work: str
    algorithm: str
    size_bytes: int
    unit: str
    asked: float
    published: str
    operation: str = "encrypt"
    jobs: int = 1
    keys: str = "new-iv"
    slowest_part: str = ""  # what limits it, where that is not the bus

    @property
    def limit(self) -> str:
        """The best that the board allows. Reads (descriptor, inline key, data) and writes (data, record) go side by side."""
        if self.slowest_part:
            return self.slowest_part
        data = -(-self.size_bytes // BUS_BYTES)
        job = 0 if self.jobs == 1 else 1  # of one large job, what stands around the data does not count
        inline_key = 32 // BUS_BYTES if self.keys == "new-key" else 0
        beats = max(data + job * (64 // BUS_BYTES + inline_key), data + job * 32 // BUS_BYTES)
        return f"{beats} (bus)" if self.unit == CYCLES_PER_JOB else f"{self.size_bytes / beats:.3g} (bus)"

    @property
    def is_a_limit_from_above(self) -> bool:
        return self.unit != BYTES_PER_CYCLE

    def arguments(self) -> list[str]:
        return [
            *("--algorithm", self.algorithm, "--operation", self.operation, "--size", str(self.size_bytes)),
            *("--jobs", str(self.jobs), "--keys", self.keys, "--rounds", "1", "--board", "reference"),
        ]


@dataclass(frozen=True)
class Result:
    work: str
    asked: str
    limit: str
    got: str
    reached: bool
    published: str
    command: str
    record: dict[str, object]


ROWS = (
    *(
        Row(
            f"AES-256-{mode.upper()}, one job of 64 KiB",
            f"aes-256-{mode}",
            64 * KIB,
            BYTES_PER_CYCLE,
            14.5,
            "3.5, 2.25",
        )
        for mode in ("ctr", "gcm", "ecb", "xts")
    ),
    Row(
        "AES-256-CBC decryption, one job of 64 KiB",
        "aes-256-cbc",
        64 * KIB,
        BYTES_PER_CYCLE,
        14.5,
        "3.5",
        "decrypt",
    ),
    Row(
        "AES-256-CBC encryption, 16 jobs of 64 KiB at once",
        "aes-256-cbc",
        64 * KIB,
        BYTES_PER_CYCLE,
        14,
        "0.25",
        jobs=16,
    ),
    Row(
        "AES-256-CBC encryption, one job of 64 KiB",
        "aes-256-cbc",
        64 * KIB,
        BYTES_PER_CYCLE,
        1.0,
        "0.25",
        slowest_part="1.07 (14 rounds and an addition a block)",
    ),
    Row("AES-256-GCM, jobs of 1,024 bytes, batched", "aes-256-gcm", KIB, BYTES_PER_CYCLE, 12, "0.59", jobs=64),
    Row(
        "AES-256-GCM, jobs of 16 bytes, batched",
        "aes-256-gcm",
        16,
        CYCLES_PER_JOB,
        24,
        "about 1,500",
        jobs=64,
    ),
    Row(
        "the same, another key slot in every job",
        "aes-256-gcm",
        16,
        CYCLES_PER_JOB,
        24,
        "",
        jobs=64,
        keys="rotate",
    ),
    Row(
        "AES-256-GCM, 64-byte packets, a new inline key in each, batched",
        "aes-256-gcm",
        64,
        BYTES_PER_CYCLE,
        2.0,
        "0.35",
        jobs=64,
        keys="new-key",
    ),
    Row(
        "AES-256-GCM, one job of 16 bytes alone",
        "aes-256-gcm",
        16,
        LATENCY,
        300,
        "",
        slowest_part="135 (two reads, then two writes, and 15 in the pipeline)",
    ),
)


def measure(row: Row, scratch: Path) -> Result:
    records = scratch / "records.json"
    arguments = ["bench", *row.arguments()]
    subprocess.run([OUTWORK, *arguments, "--json", records], check=True, stdout=subprocess.DEVNULL)
    record = json.loads(records.read_text(encoding="utf-8").splitlines()[0])
    cycles_per_job = record["cost"]["p50"]
    value = {
        BYTES_PER_CYCLE: row.size_bytes / cycles_per_job,
        CYCLES_PER_JOB: cycles_per_job,
        LATENCY: record["latency"]["p50"],
    }[row.unit]
    reached = value <= row.asked if row.is_a_limit_from_above else value >= row.asked
    word = "at most" if row.is_a_limit_from_above else "at least"
    command = "outwork " + " ".join(arguments)
    got = f"{value:.4g} {row.unit}"
    return Result(row.work, f"{word} {row.asked:g}", row.limit, got, reached, row.published, command, record)


def simulate(algorithm: str, size_bytes: int, scratch: Path) -> Result:
    """Wall clock of encrypting a file on the simulated board: what a person waits for, reading and writing included."""
    source, key = scratch / "source", scratch / "key"
    with source.open("wb") as file:
        file.truncate(size_bytes)
    key.write_text("00" * 32, encoding="utf-8")
    key.chmod(0o600)
    arguments = [
        "encrypt",
        "--cipher",
        algorithm,
        "--key-file",
        str(key),
        str(source),
        str(scratch / "result"),
    ]
    begin = time.monotonic()
    subprocess.run([OUTWORK, *arguments], check=True)
    speed = size_bytes / (time.monotonic() - begin) / 1e6
    work = f"simulation: `outwork encrypt` of {size_bytes >> 20} MiB, {algorithm.upper()}"
    record: dict[str, object] = {
        "algorithm": algorithm,
        "size_bytes": size_bytes,
        "wall_megabytes_per_second": speed,
    }
    return Result(
        work,
        "at least 6",
        "",
        f"{speed:.3g} MB/s",
        speed >= 6,
        "2.5",
        f"outwork encrypt --cipher {algorithm} …",
        record,
    )


def table(results: list[Result]) -> str:
    lines = ["| work | asked | limit | got | published elsewhere |", "|---|---|---|---|---|"]
    for result in results:
        mark = "" if result.reached else " (not reached)"
        lines.append(
            f"| {result.work} | {result.asked} | {result.limit} | **{result.got}**{mark} | {result.published} |"
        )
    return "\n".join(lines)


def put_between_marks(page: Path, text: str) -> None:
    old = page.read_text(encoding="utf-8")
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{page.name} has no lines '{BEGIN}' and '{END}'")
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="update docs/figures.json and the tables in the pages")
    parser.add_argument("--mebibytes", type=int, default=64, help="size of the file that the simulation encrypts")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        results = [measure(row, scratch) for row in ROWS]
        results += [simulate(f"aes-256-{mode}", arguments.mebibytes << 20, scratch) for mode in ("ctr", "gcm")]
    text = table(results)
    print(text)
    if arguments.write:
        RECORDS.write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n", encoding="utf-8")
        for page in PAGES:
            if (ROOT / page).exists():
                put_between_marks(ROOT / page, text)
    missed = [result.work for result in results if not result.reached]
    if missed:
        print(f"figures: not reached: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
