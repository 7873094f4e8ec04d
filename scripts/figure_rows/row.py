# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A row of the figures: what is measured, the goal, the limit, and the best figure published elsewhere. Each module in
this folder has a TITLE and the ROWS of an engine."""

from dataclasses import dataclass

KIB = 1024
BUS_BYTES = 16  # of the board `reference`

BYTES_PER_CYCLE, CYCLES_PER_JOB, LATENCY = "bytes/cycle", "cycles a job", "cycles, doorbell to completion"
OPERATION = "cycles"


@dataclass(frozen=True)
class Row:
    work: str
    algorithm: str
    size_bytes: int
    unit: str
    goal: float  # `make bench` fails if it is missed
    published: str  # the best figure published elsewhere, with the name of its source (docs/benchmarks.md)
    operation: str = "encrypt"
    jobs: int = 1
    keys: str = "new-iv"
    slowest_part: str = ""  # the limiting part, if it is not the bus
    units: int = 1  # units in parallel: cycles per job are those of one unit
    is_headline: bool = False  # also in the README

    @property
    def limit(self) -> str:
        """Returns the best that the board allows. Reads (descriptor, inline key, data) and writes (data, record) are
        parallel."""
        if self.slowest_part:
            return self.slowest_part
        data = -(-self.size_bytes // BUS_BYTES)
        job = 0 if self.jobs == 1 else 1  # in one large job, the transfers around the data do not count
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
