# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Says where the cycles of an operation of `openssl speed` with the provider go, under Linux on the system on chip.

Profiles `openssl speed` with AES-256-GCM twice, for a short time and for a longer one. What the longer run has more, divided by
the operations that it has more, is one operation without the program's start. Prints the table of docs/soc-linux.md; --write
writes it there.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import marked_part
import soc_openssl_bench as bench

from outwork.errors import OutworkError
from outwork.soc import linux
from outwork.soc import program as programs

PART = "openssl-shares"
SIZE_BYTES: Final = 4096
SECONDS: Final = (1, 4)  # of `openssl speed`, short and long
# Functions of the program by what they do. Each of the rest takes little.
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "copying the message to the device's memory and back": ("memcpy", "memmove"),
    "OpenSSL's AES: `speed` sets the key before each message, which expands it; the key of GHASH; the block that masks the tag": (
        "AES_encrypt",
        "AES_set_encrypt_key",
    ),
    "wiping the copy, and setting memory to zero": ("explicit_bzero", "OPENSSL_cleanse", "memset"),
}
KERNEL: Final = "the kernel and the firmware below it: ticks of the timer, system calls"
REST: Final = "the rest of libcrypto, the provider, the driver and the C library"


@dataclass(frozen=True)
class Profile:
    cycles: Counter[str]  # by function
    operations: int
    device_cycles: int


def measure(seconds: int) -> Profile:
    """Returns what the process took, and the functions that it was in."""
    words = ("speed", "-elapsed", "-seconds", str(seconds), "-bytes", str(SIZE_BYTES), "-evp", "aes-256-gcm")
    line = bench.command("provider", *words)
    with linux.start(bench.OPENSSL, lines=[line], cycles_per_second=bench.CYCLES_PER_SECOND) as system:
        console = linux.run_to_init(system)
        program, kernel = programs.load(bench.OPENSSL), programs.load(linux.KERNEL_SYMBOLS)
        before = system.statistics.device_cycles
        system.profile(program, kernel, system.program)
        while not system.finished:
            console += system.run()
        device_cycles = system.statistics.device_cycles - before
        cycles = Counter(dict(system.cycles_by_function()))
    (done,) = bench.runs(console.decode(errors="replace").replace("\r", ""), [line])
    _, operations = done.speed()
    bench.check_jobs("provider", done, operations)
    return Profile(cycles, operations, device_cycles)


def one_operation(short: Profile, long: Profile) -> tuple[dict[str, float], float]:
    """Returns the cycles of an operation by function, and those in which the device was not at rest."""
    operations = long.operations - short.operations
    if operations <= 0:
        raise OutworkError(f"The longer run has {long.operations} operations, the shorter one {short.operations}.")
    functions = short.cycles.keys() | long.cycles.keys()
    cycles = {name: (long.cycles[name] - short.cycles[name]) / operations for name in functions}
    return cycles, (long.device_cycles - short.device_cycles) / operations


def grouped(cycles: Mapping[str, float]) -> dict[str, float]:
    """Returns the cycles of each group of functions."""
    own, groups = f" ({bench.OPENSSL.name})", {name: group for group, names in GROUPS.items() for name in names}
    found = dict.fromkeys((*GROUPS, KERNEL, REST), 0.0)
    for function, count in cycles.items():
        name = function.removesuffix(own)
        found[groups.get(name, REST) if function.endswith(own) else KERNEL] += count
    return found


def table(cycles: Mapping[str, float], device_cycles: float) -> list[str]:
    whole = sum(cycles.values())
    rows = sorted(grouped(cycles).items(), key=lambda row: -row[1])
    return [
        f"An operation takes {whole:,.0f} cycles; in {device_cycles:,.0f} of them the device is not at rest.",
        "",
        "| what | cycles | of 100 |",
        "|---|--:|--:|",
        *(f"| {name} | {count:,.0f} | {100 * count / whole:.0f} |" for name, count in rows),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="update the table in docs/soc-linux.md")
    parser.add_argument(
        "--functions", type=int, default=0, metavar="N", help="print the N functions with most cycles too"
    )
    arguments = parser.parse_args()
    try:
        cycles, device_cycles = one_operation(*(measure(seconds) for seconds in SECONDS))
    except OutworkError as error:
        sys.exit(f"soc-openssl: {error}")
    text = "\n".join(table(cycles, device_cycles))
    print(text)
    for name, count in Counter(cycles).most_common(arguments.functions):
        print(f"{count:10,.0f}  {name}")
    if arguments.write:
        marked_part.write(bench.PAGE, PART, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
