# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork lab run --cluster`: workers of this machine, a scheduler, and the commands of job queues."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from commands import ENVIRONMENT, good, outwork, sentence

pytest.importorskip("distributed", reason="`scripts/setup.sh cluster` installs Dask")

PLAN = b"""
rounds = 2
[[sweep]]
algorithms = ["aes-256-ctr"]
operations = ["encrypt"]
sizes_bytes = [16, 256, 1024]
engines = ["software/openssl", "cpu/openssl"]
[[sweep]]
algorithms = ["aes-256-ctr"]
operations = ["encrypt"]
sizes_bytes = [16, 256]
engines = ["accelerator/outwork"]
"""


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.slow
def test_a_plan_on_workers_of_this_machine(desk: Any) -> None:
    mine, kept = desk.file("mine.toml", PLAN), desk.path("mine.jsonl")
    text = good("lab", "run", mine, "-o", kept, "--cluster", "local:1").decode()
    assert text.startswith(f"8 points measured: {kept}")
    found = rows(kept)
    assert len(found) == len({row["id"] for row in found}) == 8
    assert {row["origin"]["worker"] for row in found} == {"local-0"} and all(row["origin"]["host"] for row in found)
    assert sorted(row["origin"]["points_left"] for row in found) == list(range(8))
    # Nothing is left to do: no worker is started, and the records stay.
    text = good("lab", "run", mine, "-o", kept, "--cluster", "tcp://127.0.0.1:9").decode()
    assert text.startswith("0 points measured, 8 kept from before") and rows(kept) == found


def test_a_place_that_is_none_leaves_the_records(desk: Any) -> None:
    mine, kept = desk.file("mine.toml", PLAN), desk.file("mine.jsonl")
    assert "--cluster slurm is not known" in sentence("lab", "run", mine, "-o", kept, "--cluster", "slurm", status=2)
    assert kept.read_bytes() == b""


@contextmanager
def process(*words: str) -> Iterator[None]:
    started = subprocess.Popen(
        [sys.executable, "-m", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    try:
        yield
    finally:
        started.terminate()
        started.wait()


@pytest.mark.slow
def test_a_scheduler_with_workers_that_may_measure_or_not(desk: Any) -> None:
    """As docs/many-machines.md shows. Without a worker for it the CPU is not measured, and the rest is."""
    mine, kept, port = desk.file("mine.toml", PLAN), desk.path("mine.jsonl"), "18786"
    where = f"tcp://127.0.0.1:{port}"
    worker = ("distributed.cli.dask_worker", where, "--nthreads", "1", "--no-dashboard")
    with process("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"):
        time.sleep(3)
        with process(*worker, "--name", "one"):
            done = outwork("lab", "run", mine, "-o", kept, "--cluster", where)
            assert b"2 points measured" in done.stdout
            assert b"left out, 3 points: software/openssl: no worker may measure its CPU" in done.stderr
            with process(*worker, "--name", "two", "--resources", "measure=1"):
                time.sleep(5)
                done = outwork("lab", "run", mine, "-o", kept, "--cluster", where)
                assert b"6 points measured, 2 kept" in done.stdout and b"left out" not in done.stderr
    by_kind = {
        kind: {row["origin"]["worker"] for row in rows(kept) if row["kind"] == kind} for kind in ("counted", "measured")
    }
    assert by_kind == {"counted": {"one"}, "measured": {"two"}}


QUEUES = {
    "slurm": ("sbatch", "scancel", "Submitted batch job %s", "#SBATCH"),
    "lsf": ("bsub", "bkill", "Job <%s> is submitted to queue <normal>.", "#BSUB"),
}


@pytest.mark.slow
@pytest.mark.parametrize("system", QUEUES)
def test_jobs_of_a_queue(desk: Any, system: str) -> None:
    """The queue's commands are stand-ins that run the job here; all between them and the records is real."""
    submit, cancel, answer, mark = QUEUES[system]
    tools, log = desk.path("bin"), desk.path("log")
    tools.mkdir()
    start = f'#!/bin/sh\ncat "${{1:--}}" > {log}.sh\nsetsid sh {log}.sh > {log}.out 2>&1 &\nprintf "{answer}\\n" $!\n'
    for name, text in ((submit, start), (cancel, f'#!/bin/sh\necho "$1" > {log}.end\nkill -- "-$1"\n')):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    jobs = desk.file(
        "jobs.toml",
        f'system = "{system}"\njobs = 1\nmemory = "1 GB"\nqueue = "normal"\naccount = "us"\nmeasure = true\n'
        f'wait_seconds = 60\nprologue = ["echo prologue"]\nshared_folder = "{desk.folder}"\n'.encode(),
    )
    kept = desk.path("mine.jsonl")
    environment = {**ENVIRONMENT, "PATH": f"{tools}:{ENVIRONMENT['PATH']}"}
    done = outwork("lab", "run", desk.file("mine.toml", PLAN), "-o", kept, "--cluster", jobs, environment=environment)
    assert done.returncode == 0, done.stderr.decode()
    assert b"8 points measured" in done.stdout and b"waiting for the first worker" in done.stderr
    assert len(rows(kept)) == 8
    script = desk.path("log.sh").read_text()
    assert f"{mark} -{'p' if system == 'slurm' else 'q'} normal" in script and "us" in script
    assert "--resources measure=1" in script and "--tls-key" in script
    assert "prologue" in desk.path("log.out").read_text() and desk.path("log.end").exists()
