# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures what the kernel module's copy of what it encrypts in place costs, on the system on chip under Linux.

AES-256-GCM, 64 requests in flight, with the parameter `keep` of the module at 0 and as it is by default. After `make linux`.
With --write, the table goes into docs/linux-kernel.md.
"""

import sys

import kernel_check
import marked_part

from outwork.errors import OutworkError
from outwork.paths import PROJECT
from outwork.soc import module

PAGE = PROJECT / "docs/linux-kernel.md"
PART = "keep"
SIZES = (16, 1024, 2048, 4096)
DEPTH = 64
MAX_CYCLES = 400_000_000


def measure(parameter: str) -> list[float]:
    """Returns the CPU's cycles for a request of each size."""
    steps = [f"load /outwork.ko minimum_cipher=0 minimum_hash=0 {parameter}".rstrip()]
    show = f"show {module.STATISTICS}"
    for size in SIZES:
        steps += [show, kernel_check.bench_step("gcm-aes-outwork", size, DEPTH), show]
    with module.start([*steps, "unload outwork"], module.NO_TESTS) as system:
        points = kernel_check.points(module.run(system, MAX_CYCLES))
    if any(point.counters["queue0_device_jobs"] != point.count for point in points):
        raise OutworkError("Not every request was one job of the device.")
    return [point.cpu_cycles for point in points]


def table() -> str:
    rows = zip(SIZES, measure("keep=0"), measure(""), strict=True)
    lines = ["| bytes | `keep=0` | `keep=2048` |", "|--:|--:|--:|"]
    lines += [f"| {size:,} | {without:,.0f} | {kept:,.0f} |" for size, without, kept in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(marked_part.main(__doc__, "keep", PAGE, PART, table))
