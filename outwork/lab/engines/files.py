# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Whole files through the path of `outwork encrypt --format openssl`: reading, ciphering, writing.

A file is one message that is too large for one job, so its pieces are in flight together and its size alone is a point.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from outwork import __version__
from outwork.algorithms.base import Operation
from outwork.device.profiles import DEFAULT_BOARD, Profile, load
from outwork.errors import OutworkError
from outwork.files.formats import openssl
from outwork.lab import file_pass, openssl_cpu
from outwork.lab.engines import accelerator, cpu, software
from outwork.lab.engines.base import Candidate, LabEngine, Sample, Work
from outwork.lab.file_pass import Pass, Taken
from outwork.lab.records import KeyUse, Kind, Point
from outwork.lab.worker_engine import CLEARED

# From this size on one pass on the simulated board is enough: it takes seconds to minutes, and three passes of 8 MiB in CTR
# mode differ by 6 cycles of 2,097,895.
LONG_BYTES: Final = 2 << 20
SECONDS_MAX: Final = 1800  # of one pass; the engine itself notices earlier if a simulated device hangs
BLOCK_BYTES: Final = 1 << 20


def passes(point: Point, wanted: int, has_board: bool) -> int:
    """Returns how often a file is measured."""
    return min(wanted, 1) if has_board and point.size_bytes >= LONG_BYTES else wanted


class FileWork(Work):
    """The files of a point. Every pass is checked: OpenSSL decrypts what was encrypted."""

    messages = 1

    def __init__(self, engine: "FileEngine", point: Point) -> None:
        self._engine, self._point = engine, point
        self._folder = tempfile.TemporaryDirectory(prefix="outwork-lab-")
        folder = Path(self._folder.name)
        self._plain, self._result, self._back = folder / "plain", folder / "result", folder / "back"
        _fill(self._plain, point.size_bytes)
        self._digest = _digest(self._plain)
        self._source = self._plain
        if point.operation is Operation.DECRYPT:
            self._source = folder / "encrypted"
            file_pass.run(self._pass("software", Operation.ENCRYPT, self._plain, self._source))

    def _pass(self, engine: str, operation: Operation, source: Path, target: Path) -> Pass:
        return Pass(
            engine, self._engine.board_file, self._point.algorithm.name, operation.value, str(source), str(target)
        )

    def sample(self) -> Sample:
        taken = self._engine.run(self._pass(self._engine.runs_on, self._point.operation, self._source, self._result))
        self._check()
        cost = taken.cpu_seconds if taken.cycles is None else taken.cycles
        return Sample(cost, cost)

    def _check(self) -> None:
        result = self._result
        if self._point.operation is Operation.ENCRYPT:
            file_pass.run(self._pass("software", Operation.DECRYPT, self._result, self._back))
            result = self._back
        if _digest(result) != self._digest:
            raise OutworkError(
                f"{self._point.algorithm}: the file made by {self._engine.runs_on} is wrong. Please report it."
            )

    def close(self) -> None:
        self._folder.cleanup()


class FileEngine(LabEngine):
    def __init__(
        self, runs_on: str, profile: Profile | None, variables: Mapping[str, str], objection: Callable[[str], str]
    ) -> None:
        self.runs_on = runs_on
        self._variables, self._objection = variables, objection
        self._profile = profile
        self.board_file = str(profile.path) if profile else DEFAULT_BOARD
        self.board = profile.name if profile else None
        self.kind = Kind.COUNTED if profile else Kind.MEASURED
        self.unit = "cycles" if profile else "seconds"
        self.environment = "file, simulated board" if profile else "file, host"

    def refuses(self, point: Point) -> str:
        if point.algorithm.name not in openssl.CIPHERS:
            return f"`openssl enc` does not support {point.algorithm}"
        if (point.jobs, point.batch, point.keys, point.alignment_bytes) != (1, 1, KeyUse.NEW_IV, 0):
            return "jobs, batch, key use and alignment do not apply to files"
        if self._profile and load(self.board_file).parameters != self._profile.parameters:
            return "`vary` does not apply to files"
        return ""

    def prepare(self, point: Point) -> Work:
        return FileWork(self, point)

    def rounds(self, point: Point, wanted: int) -> int:
        return passes(point, wanted, self._profile is not None)

    def clock_hz(self) -> int | None:
        return self._profile.clock_hz if self._profile else None

    def parameters(self) -> dict[str, Any]:
        return dict(self._profile.settings) if self._profile else {}

    def run(self, wanted: Pass) -> Taken:
        try:
            done = subprocess.run(
                [sys.executable, "-m", file_pass.__name__],
                input=json.dumps(asdict(wanted)),
                env={**{key: value for key, value in os.environ.items() if key not in CLEARED}, **self._variables},
                capture_output=True,
                text=True,
                timeout=SECONDS_MAX,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise OutworkError(f"A file of {self.runs_on} took more than {SECONDS_MAX} seconds.") from error
        if done.returncode:
            raise OutworkError(done.stderr.strip() or f"A pass of {self.runs_on} ended with {done.returncode}.")
        taken = Taken(**json.loads(done.stdout))
        why = self._objection(taken.cpu_settings)
        if why:
            raise OutworkError(f"Files through software are not measured: {why}.")
        if taken.jobs == 0:
            raise OutworkError("The device has counted no job for a file. Please report it.")
        return taken


def _fill(path: Path, size_bytes: int) -> None:
    """Writes contents that no cipher or file system can compress or shorten, the same in every run."""
    block = hashlib.shake_256(b"outwork lab").digest(min(BLOCK_BYTES, size_bytes))
    with path.open("wb") as file:
        for place in range(0, size_bytes, BLOCK_BYTES):
            file.write(block[: size_bytes - place])


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _nothing(_: str) -> str:
    return ""


def _open_device(profile: Profile | None) -> LabEngine:
    return FileEngine("accelerator", profile or load(DEFAULT_BOARD), {}, _nothing)


def _software(
    like: Candidate, variables: Mapping[str, str], objection: Callable[[str], str], constant_time: bool | None
) -> Candidate:
    return Candidate(
        engine=like.engine,
        implementation="openssl-files",
        library=like.library,
        constant_time=constant_time,
        open=lambda _: FileEngine("software", None, variables, objection),
        note="whole files through `outwork encrypt`; CPU time of the process, reading and writing included",
        missing=like.missing,
        answers_to_family=False,
    )


def candidates() -> list[Candidate]:
    device = accelerator.candidates()[0]
    masked = next(entry for entry in software.candidates() if entry.implementation == "openssl")
    unmasked = next(entry for entry in cpu.candidates() if entry.implementation == "openssl")
    return [
        _software(masked, {openssl_cpu.VARIABLE: openssl_cpu.MASK}, openssl_cpu.objection_masked, None),
        _software(unmasked, {}, openssl_cpu.objection_unmasked, True),
        Candidate(
            engine="accelerator",
            implementation="outwork-files",
            library=f"outwork {__version__}, simulated from its RTL",
            constant_time=True,
            open=_open_device,
            note="whole files through `outwork encrypt`; device cycles from the start of the file to its last completion",
            missing=device.missing,
            has_board=True,
            answers_to_family=False,
        ),
    ]
