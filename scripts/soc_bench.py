# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compares on one clock: Mbed TLS, the CPU's scalar crypto instructions, the accelerator.

Builds the programs of platform/soc/bench, runs them on the simulated system on chip, checks that all made the same tags
and that the device counted every job, and prints the table of docs/soc.md; --write writes it there. Cycles are exact.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import marked_part

from outwork.errors import OutworkError
from outwork.soc import firmware
from outwork.soc import program as programs
from outwork.soc.system import System

ROOT: Final = Path(__file__).resolve().parents[1]
BENCH: Final = ROOT / "platform/soc/bench"
MBEDTLS: Final = ROOT / ".venv/mbedtls/3.6.5"
PAGE: Final = ROOT / "docs/soc.md"
PART = "soc"
LIBRARY: Final = ("aes", "gcm", "block_cipher", "platform_util", "constant_time")
RSA_LIBRARY: Final = (
    *("rsa", "rsa_alt_helpers", "bignum", "bignum_core", "constant_time", "platform_util", "platform"),
    *("oid", "md", "sha256", "asn1parse", "asn1write"),
)
SHA3_LIBRARY: Final = ("sha3", "platform_util", "constant_time")


@dataclass
class Outcome:
    """What one program printed."""

    cycles: dict[tuple[str, int, int], int] = field(default_factory=dict)  # by implementation, bytes and batch
    tags: dict[int, str] = field(default_factory=dict)  # by bytes
    free: dict[tuple[int, int], int] = field(default_factory=dict)  # per cent of the CPU, by bytes and jobs in flight


def parse(text: str) -> Outcome:
    outcome = Outcome()
    for line in text.splitlines():
        match line.split():
            case ["row", name, size, batch, cycles]:
                outcome.cycles[name, int(size), int(batch)] = int(cycles)
            case ["tag", size, tag]:
                outcome.tags[int(size)] = tag
            case ["free", size, flight, share]:
                outcome.free[int(size), int(flight)] = int(share)
    return outcome


def run(elf: Path, coherent: bool = True) -> Outcome:
    text = b""
    with System(programs.load(elf), coherent=coherent) as system:
        while not system.finished:
            text += system.run()
        if system.status != 0 or system.protocol_error:
            raise OutworkError(f"{elf.name} failed: {text.decode()}{system.protocol_error}")
    return parse(text.decode())


def mbedtls(parts: Sequence[str], config: str) -> tuple[list[Path], list[str]]:
    """Returns the sources of these parts of Mbed TLS, and the flags that build them."""
    sources = [MBEDTLS / f"library/{name}.c" for name in parts]
    return sources, [f"-I{MBEDTLS}/include", f"-I{MBEDTLS}/library", f'-DMBEDTLS_CONFIG_FILE="{config}"']


def build(folder: Path) -> dict[str, Path]:
    """Returns the programs by name."""
    if not MBEDTLS.is_dir():
        raise OutworkError("Mbed TLS is missing: `scripts/mbedtls.sh 3.6.5` fetches it.")
    sources: dict[str, tuple[Sequence[Path], Sequence[str]]] = {
        "software": mbedtls(LIBRARY, "soc_mbedtls.h"),
        "instructions": ([BENCH / "gcm_zkn.c", BENCH / "aes_zkn.c"], ()),
        "device": ([BENCH / "jobs.c"], ()),
        "freertos": ([BENCH / "jobs.c"], ()),
        "rsa": mbedtls(RSA_LIBRARY, "soc_mbedtls_rsa.h"),
    }
    library, options = mbedtls(SHA3_LIBRARY, "soc_mbedtls_sha3.h")
    sha3 = [BENCH / "sha3.c", BENCH / "jobs.c", BENCH / "keccak32.c", *library]
    sources["sha3"] = (sha3, options)
    sources["sha3-instructions"] = (sha3, [*options, "-DKECCAK32_INSTRUCTIONS"])
    for name, (more, flags) in sources.items():
        everything = list(more) if name.startswith("sha3") else [BENCH / f"{name}.c", *more]
        firmware.build(folder / f"{name}.elf", everything, flags=[f"-I{BENCH}", *flags], freertos=name == "freertos")
    return {name: folder / f"{name}.elf" for name in sources}


def measure() -> dict[str, Outcome]:
    with tempfile.TemporaryDirectory(prefix="outwork-soc-") as name:
        elves = build(Path(name))
        outcomes = {}
        for kind, elf in elves.items():
            print(f"soc: running {kind}", file=sys.stderr, flush=True)
            outcomes[kind] = run(elf)
        print("soc: running device, with caches that software empties", file=sys.stderr, flush=True)
        outcomes["device, not coherent"] = run(elves["device"], coherent=False)
    tags = {tuple(sorted(outcome.tags.items())) for outcome in outcomes.values() if outcome.tags}
    if len(tags) != 1:
        raise OutworkError("The implementations have made different tags.")
    return outcomes


def gcm_table(outcomes: dict[str, Outcome]) -> list[str]:
    software, instructions = outcomes["software"], outcomes["instructions"]
    device, emptied, tasks = outcomes["device"], outcomes["device, not coherent"], outcomes["freertos"]
    lines = [
        "| bytes | Mbed TLS | instructions | accelerator | faster than Mbed TLS | than instructions | in batches of 32 "
        "| FreeRTOS | not coherent |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for _, size, _ in software.cycles:
        portable = software.cycles["software", size, 1]
        special = instructions.cycles["instructions", size, 1]
        one = device.cycles["device", size, 1]
        rest = [device.cycles.get(("device", size, 32)), tasks.cycles.get(("freertos", size, 1))]
        cells = [f"{value:,}" for value in (size, portable, special, one)]
        cells += [f"{value / one:,.1f}" for value in (portable, special)]
        cells += ["" if value is None else f"{value:,}" for value in rest]
        lines.append(f"| {' | '.join(cells)} | {emptied.cycles['device', size, 1]:,} |")
    lines += [
        "",
        "Streams under FreeRTOS, 8 messages in flight:",
        "",
        "| bytes | cycles of a message | bytes a cycle | of the CPU for another task |",
        "|--:|--:|--:|--:|",
    ]
    for (size, flight), share in tasks.free.items():
        cycles = tasks.cycles["freertos", size, flight]
        lines.append(f"| {size:,} | {cycles:,} | {size / cycles:.1f} | {share} % |")
    return lines


def rsa_table(outcome: Outcome) -> list[str]:
    portable, one = (outcome.cycles[f"rsa-{kind}", 256, 1] for kind in ("software", "device"))
    return [
        "RSA-2048 with the private key:",
        "",
        "| Mbed TLS | accelerator | faster |",
        "|--:|--:|--:|",
        f"| {portable:,} | {one:,} | {portable / one:,.0f} |",
    ]


def sha3_table(outcomes: dict[str, Outcome]) -> list[str]:
    found = {**outcomes["sha3-instructions"].cycles, **outcomes["sha3"].cycles}
    size = next(bytes_ for _, bytes_, _ in found)
    one = found["sha3-device", size, 1]
    names = {
        "sha3-mbedtls": "Mbed TLS, lanes of 64 bits",
        "sha3-interleaved": "C, lanes of interleaved bits",
        "sha3-instructions": "the same with rotations and and-not of Zbkb",
        "sha3-device": "accelerator",
    }
    lines = [
        f"SHA3-384 of {size:,} bytes:",
        "",
        "| | cycles | cycles a byte | accelerator faster |",
        "|---|--:|--:|--:|",
    ]
    for key, text in names.items():
        cycles = found[key, size, 1]
        ratio = "" if key == "sha3-device" else f"{cycles / one:,.0f}"
        lines.append(f"| {text} | {cycles:,} | {cycles / size:,.2f} | {ratio} |")
    return lines


def tables() -> str:
    outcomes = measure()
    return "\n".join([*gcm_table(outcomes), "", *rsa_table(outcomes["rsa"]), "", *sha3_table(outcomes)])


if __name__ == "__main__":
    sys.exit(marked_part.main(__doc__, "soc", PAGE, PART, tables))
