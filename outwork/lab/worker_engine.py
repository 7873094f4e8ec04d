# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""An engine whose library is measured in a process of its own (worker.py), and the search for its candidates."""

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, NoReturn

from outwork.errors import OutworkError
from outwork.lab import adapters
from outwork.lab.engines.base import Candidate, LabEngine, Sample, Work
from outwork.lab.records import Kind, Point

# Variables that are removed from a worker's environment: they select instructions or implementations.
CLEARED: Final = ("OPENSSL_ia32cap", "OPENSSL_armcap", "OPENSSL_riscvcap", "OPENSSL_ppccap", "OPENSSL_s390xcap")
END_SECONDS: Final = 5


class WorkerProcess:
    """Sends requests and reads answers over pipes. If the worker ends, raises an error that says how."""

    def __init__(self, name: str, command: list[str], environment: Mapping[str, str]) -> None:
        self._name = name
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the process)
        inherited = {key: value for key, value in os.environ.items() if key not in CLEARED}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            env={**inherited, "OPENSSL_CONF": os.devnull, **environment},
            text=True,
            encoding="utf-8",
        )
        try:
            self.greeting = self._read()
        except OutworkError:
            self.close()
            raise

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            self._lost()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        try:
            answer = json.loads(line)
        except json.JSONDecodeError:
            self._lost()
        if "error" in answer:
            raise OutworkError(str(answer["error"]))
        return dict(answer)

    def _lost(self) -> NoReturn:
        self._end()
        code = self.process.returncode
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
        self._complaints.seek(0)
        said = self._complaints.read().decode(errors="replace").strip().splitlines()
        last = f" Its last output: {said[-1]}" if said else ""
        raise OutworkError(f"The process that measures {self._name} has ended ({how}).{last}")

    def _end(self) -> None:
        """Ends the worker by closing its input; kills it if it is busy for too long."""
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(OSError):  # data that could not be written
                pipe.close()
        try:
            self.process.wait(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def close(self) -> None:
        self._end()
        self._complaints.close()


class WorkerWork(Work):
    """A point that is prepared in the worker."""

    def __init__(self, engine: "WorkerEngine", point: Point) -> None:
        self._engine = engine
        answer = engine.worker.ask(do="prepare", point=point.key())
        self._number = answer["work"]
        self.messages = answer["messages"]
        self.overhead_seconds = answer["overhead_seconds"]

    def sample(self) -> Sample:
        answer = self._engine.worker.ask(do="sample", work=self._number)
        self._engine.note_clock(answer["clock_hz"])
        return Sample(answer["cost"], answer["latency"])

    def close(self) -> None:
        self._engine.works_open -= 1
        if self._engine.worker.process.poll() is None:  # otherwise its memory is already free
            self._engine.worker.ask(do="close", work=self._number)


class WorkerEngine(LabEngine):
    kind = Kind.MEASURED
    unit = "seconds"

    def __init__(
        self,
        name: str,
        adapter: str,
        library: str,
        environment: Mapping[str, str],
        objection: Callable[[str], str],
    ) -> None:
        command = [sys.executable, "-m", "outwork.lab.worker", adapter, library]
        self.worker = WorkerProcess(name, command, environment)
        why = objection(self.worker.greeting["instructions"])
        if why:
            self.worker.close()
            raise OutworkError(f"{name} is not measured: {why}.")
        self.works_open = 0
        self._clocks: list[int] = []
        self._refusals: dict[Point, str] = {}

    def refuses(self, point: Point) -> str:
        if point not in self._refusals:
            self._refusals[point] = self.worker.ask(do="refuses", point=point.key())["why"]
        return self._refusals[point]

    def prepare(self, point: Point) -> Work:
        if self.works_open == 0:
            self._clocks.clear()
        work = WorkerWork(self, point)
        self.works_open += 1
        return work

    def note_clock(self, clock_hz: int) -> None:
        self._clocks.append(clock_hz)

    def clock_hz(self) -> int | None:
        """Returns the median of the clock measurements next to the samples of the open points."""
        return int(statistics.median(self._clocks)) if self._clocks else None

    def close(self) -> None:
        self.worker.close()


def without_instructions(said: str) -> str:
    return "" if said == "aes=0" else "the library on this machine was built to use AES instructions"


def with_instructions(said: str) -> str:
    return "" if said == "aes=1" else "the library on this machine was built without AES instructions"


def candidate(
    engine: str,
    implementation: str,
    adapter: str,
    *,
    constant_time: bool | None,
    note: str,
    library: str = "",
    environment: Mapping[str, str] | None = None,
    objection: Callable[[str], str] | None = None,
    missing: str = "",
    answers_to_family: bool = True,
) -> Candidate:
    """Returns a candidate for an adapter. objection: checks the instructions that the library reports."""
    name = f"{engine}/{implementation}"
    judge = objection or (without_instructions if engine == "software" else with_instructions)
    version = ""
    if not missing:
        try:
            found = adapters.load(adapter, library)
            version = found.version
            # The library reports the same in the worker, unless the worker's environment differs.
            missing = "" if environment else judge(found.instructions)
        except adapters.NotThereError as error:
            missing = f"{error}; run `scripts/setup.sh baselines`, then `make build` in the project"
    return Candidate(
        engine=engine,
        implementation=implementation,
        library=version,
        constant_time=constant_time,
        open=lambda _: WorkerEngine(name, adapter, library, environment or {}, judge),
        note=note,
        missing=missing,
        answers_to_family=answers_to_family,
    )
