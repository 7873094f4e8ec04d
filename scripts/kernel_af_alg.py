# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compares what the kernel and a process pay for a request of the crypto API, on the system on chip under Linux.

AES-256-GCM by the accelerator and by the kernel's own code: called in the kernel, and by AF_ALG from a process, where
messages are copied into the kernel and asked for one by one or asynchronously. After `make linux`. With --write, the table
goes into docs/linux-kernel.md.
"""

import re
import sys
from dataclasses import dataclass

import kernel_check
import marked_part

from outwork.errors import OutworkError
from outwork.paths import PROJECT
from outwork.soc import module

PAGE = PROJECT / "docs/linux-kernel.md"
PART = "af-alg"
DEVICE, SOFTWARE = "gcm-aes-outwork", kernel_check.SOFTWARE
MANY = 16  # asynchronous requests at a time
POINTS = ((16, 1), (4096, 1), (4096, MANY))
COUNT = {DEVICE: 64, SOFTWARE: 4}  # the software takes a million cycles for 4 KiB
MAX_CYCLES = 800_000_000
LINE = re.compile(r"^af_alg: (\S+) bytes (\d+) depth (\d+) count (\d+) cycles (\d+) checksum (\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """Cycles of a request."""

    size: int
    depth: int
    kernel: float
    process: float
    software: float | None  # from a process


def process_step(driver: str, size: int, depth: int) -> str:
    return f"run /{module.AF_ALG_PROGRAM} {driver} {size} {depth} {COUNT[driver]}"


def measure() -> list[Row]:
    show = f"show {module.STATISTICS}"
    steps = ["load /outwork.ko minimum_cipher=0 minimum_hash=0"]
    for size, depth in POINTS:
        steps += [show, kernel_check.bench_step(DEVICE, size, depth), show, process_step(DEVICE, size, depth), show]
    steps += [process_step(SOFTWARE, size, depth) for size, depth in POINTS if depth == 1]
    more = {module.AF_ALG_PROGRAM: module.af_alg()}
    with module.start([*steps, "unload outwork"], module.NO_TESTS, more=more) as system:
        output = module.run(system, MAX_CYCLES)
    if output.status or output.faults:
        raise OutworkError(f"A step failed:\n{output.console[-2000:]}")
    found = {(m[1], int(m[2]), int(m[3])): m for m in LINE.finditer(output.console)}
    in_kernel = {(point.size, point.depth): point for point in kernel_check.points(output)}
    rows = []
    for number, (size, depth) in enumerate(POINTS):
        of_device, of_software = found[DEVICE, size, depth], found.get((SOFTWARE, size, depth))
        if of_software is not None and of_software[6] != of_device[6]:
            raise OutworkError(f"With {size} bytes the device's results are not those of the kernel's own code.")
        before, after = (output.statistics(3 * number + place)["queue0_device_jobs"] for place in (1, 2))
        if after - before != COUNT[DEVICE] + depth:  # the first ones warm the caches
            raise OutworkError("Not every request was one job of the device.")
        point = in_kernel[size, depth]
        software = None if of_software is None else int(of_software[5]) / COUNT[SOFTWARE]
        rows.append(Row(size, depth, point.cycles / point.count, int(of_device[5]) / COUNT[DEVICE], software))
    return rows


def table() -> str:
    lines = [
        "| bytes | in flight | in the kernel | from a process, by AF_ALG | the kernel's own code, by AF_ALG |",
        "|--:|--:|--:|--:|--:|",
    ]
    for row in measure():
        software = "" if row.software is None else f"{row.software:,.0f}"
        lines.append(f"| {row.size:,} | {row.depth} | {row.kernel:,.0f} | {row.process:,.0f} | {software} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(marked_part.main(__doc__, "kernel_af_alg", PAGE, PART, table))
