# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures what a user waits for: help, the wheel's installation up to a first encrypted file, a report of many points.

    user_times.py WHEEL RECORDS...

The project's goals are 0.3 s, 10 s, and 10 s of CPU time for 1,500 points; the machine should be idle."""

import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

STARTS: Final = 21
INSTALLATIONS: Final = 3
FILE_BYTES: Final = 100_000


def run(*words: str | Path, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OUTWORK_", "PYTHON"))}
    done = subprocess.run(list(words), cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))} failed: {done.stderr}")
    return done.stdout + done.stderr


def elapsed(*words: str | Path, folder: Path) -> float:
    begin = time.monotonic()
    run(*words, folder=folder)
    return time.monotonic() - begin


def cpu_seconds() -> float:
    """Returns the CPU time of all programs that have ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def first_file(wheel: Path) -> tuple[float, float, float]:
    """Installs the wheel in a new virtual environment and encrypts a file. Returns the seconds of pip and of the file, and the
    CPU time of both, which other programs of the machine change less."""
    with tempfile.TemporaryDirectory(prefix="outwork-times-") as name:
        folder = Path(name)
        (folder / "plain").write_bytes(os.urandom(FILE_BYTES))
        key = folder / "key"
        key.write_text("00" * 32)
        key.chmod(0o600)
        run(sys.executable, "-m", "venv", "venv", folder=folder)
        before = cpu_seconds()
        pip = folder / "venv/bin/pip"
        installation = elapsed(
            pip, "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", wheel, folder=folder
        )
        begin = time.monotonic()
        outwork = folder / "venv/bin/outwork"
        said = run(outwork, "encrypt", "--stats", "--key-file", "key", "plain", "sealed", folder=folder)
        file = time.monotonic() - begin
        if not re.search(r"jobs on the device: [1-9]", said):
            sys.exit(f"the device has not encrypted the file: {said}")
        return installation, file, cpu_seconds() - before


def cpu_of_report(records: list[Path]) -> float:
    with tempfile.TemporaryDirectory(prefix="outwork-times-") as name:
        before = cpu_seconds()
        page = Path(name) / "report.html"
        run(sys.executable, "-m", "outwork", "lab", "report", *records, "--output", page, folder=Path(name))
        if not page.stat().st_size:
            sys.exit("the report is empty")
        return cpu_seconds() - before


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    wheel, records = Path(sys.argv[1]).resolve(), [Path(word).resolve() for word in sys.argv[2:]]
    print(
        f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )
    here = Path.cwd()
    starts = [elapsed(sys.executable, "-m", "outwork", "--help", folder=here) for _ in range(STARTS)]
    print(f"outwork --help: {statistics.median(starts):.2f} s, from {min(starts):.2f} to {max(starts):.2f} of {STARTS}")
    for _ in range(INSTALLATIONS):
        installation, file, cpu = first_file(wheel)
        print(
            f"wheel to first encrypted file: {installation + file:.1f} s, pip {installation:.1f} and outwork {file:.1f}; "
            f"{cpu:.1f} s of CPU time"
        )
    points = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in records)
    print(f"report of {points:,} points: {cpu_of_report(records):.1f} s of CPU time")


if __name__ == "__main__":
    main()
