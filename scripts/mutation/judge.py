# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Plants one fault after the other and runs the tests; outcomes are lines of JSON, so that a run can continue later."""

import dataclasses
import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final

from mutation.layers import LAYERS, SUFFIXES, Suite, suite_of
from mutation.operators import LANGUAGES, Fault, faults
from mutation.tree import Ended, Tree

KILLED, SURVIVED, EQUIVALENT, REFUSED = "killed", "survived", "equivalent", "does not compile"
# A test that takes longer than without the fault, by this factor and this many seconds, has detected it.
_PATIENCE: Final = 5.0
_PATIENCE_S: Final = 60.0


@dataclass(frozen=True)
class Outcome:
    layer: str
    fault: Fault
    source: str  # digest of the file that it was made for
    outcome: str
    by: str  # the test that detected it
    seconds: float

    def line(self) -> str:
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def parse(cls, line: str) -> "Outcome":
        values = json.loads(line)
        return cls(**{**values, "fault": Fault(**values["fault"])})


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def candidates(root: Path, layer: str) -> list[Fault]:
    found: list[Fault] = []
    for suite in LAYERS[layer]:
        for path in sorted((root / suite.prefix).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix == SUFFIXES[layer] and suite_of(layer, name) == suite:
                found += faults(name, path.read_text(encoding="utf-8"), LANGUAGES[path.suffix])
    return found


def judged_equivalent(root: Path, outcome: Outcome) -> bool:
    """Returns whether a fault that survived is listed in equivalent.toml, because it changes nothing."""
    fault = outcome.fault
    line = (root / fault.file).read_text(encoding="utf-8").split("\n")[fault.line - 1].strip()
    key = {"file": fault.file, "line": line, "before": fault.before, "after": fault.after}
    return any(key.items() <= entry.items() for entry in equivalents())


@cache
def equivalents() -> list[dict[str, str]]:
    """Returns the faults that change nothing: their file and line, what stands there and instead, and why."""
    path = Path(__file__).with_name("equivalent.toml")
    faults: list[dict[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    return faults


def holds(root: Path, outcome: Outcome) -> bool:
    """Returns whether the file of an outcome is unchanged."""
    path = root / outcome.fault.file
    return path.exists() and digest(path) == outcome.source


def read(path: Path) -> list[Outcome]:
    return [Outcome.parse(line) for line in path.read_text().splitlines()] if path.exists() else []


class Judge:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._compiled: dict[str, str | None] = {}  # compiled sources without a fault
        self._limits: dict[str, float] = {}  # time limit of each step in seconds

    def _step(self, kind: str, what: str) -> Ended:
        run = self._tree.ctest if kind == "ctest" else self._tree.pytest
        return run(what, self._limits.get(what))

    @staticmethod
    def _steps(suite: Suite) -> list[tuple[str, str]]:
        return [*(("ctest", name) for name in suite.ctests), *(("pytest", path) for path in suite.pytests)]

    def prepare(self, suite: Suite) -> None:
        """Builds everything without a fault, and runs the tests, which must pass; their times give the time limits."""
        if suite.targets:
            built = self._tree.make(suite.targets)
            if built.status != 0:
                raise SystemExit(f"mutate: {suite.prefix} cannot be built without a fault:\n{built.text[-3000:]}")
        for kind, what in self._steps(suite):
            if what in self._limits:
                continue
            ended = self._step(kind, what)
            if ended.status != 0:
                raise SystemExit(f"mutate: {what} fails without a fault:\n{ended.text[-3000:]}")
            self._limits[what] = _PATIENCE * ended.seconds + _PATIENCE_S

    def judge(self, layer: str, fault: Fault) -> Outcome:
        suite = suite_of(layer, fault.file)
        assert suite is not None
        path = self._tree.root / fault.file
        source, text, start = digest(path), path.read_text(encoding="utf-8"), monotonic()
        key = "rtl" if fault.file.endswith(".sv") else fault.file
        if key not in self._compiled:
            self._compiled[key] = self._tree.compiled(fault.file)
        try:
            path.write_text(fault.apply(text), encoding="utf-8")
            outcome, by = self._ask(suite, fault.file, self._compiled[key])
        finally:
            path.write_text(text, encoding="utf-8")
        return Outcome(layer, fault, source, outcome, by, round(monotonic() - start, 1))

    def _ask(self, suite: Suite, file: str, before: str | None) -> tuple[str, str]:
        now = self._tree.compiled(file)
        if now is None or now == before:
            return (REFUSED if now is None else EQUIVALENT), ""
        if suite.targets and self._tree.make(suite.targets).status != 0:
            return REFUSED, ""
        for kind, what in self._steps(suite):
            status = self._step(kind, what).status
            if status != 0:
                return KILLED, what if status is not None else f"{what} (it takes too long)"
        if file.endswith(".sv"):
            if not self._tree.slang():
                return REFUSED, ""
            if self._tree.prove(file).status != 0:
                return KILLED, "a proof"
        return SURVIVED, ""


def score(outcomes: Iterable[Outcome]) -> float | None:
    """Returns the share of killed faults among those that compile and change anything, in per cent."""
    counts = Counter(outcome.outcome for outcome in outcomes)
    counted = counts[KILLED] + counts[SURVIVED]
    return 100.0 * counts[KILLED] / counted if counted else None


def table(outcomes: list[Outcome]) -> str:
    rows = [
        "| layer | faults | killed | survived | do not compile | equivalent | score |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    layers = [name for name in LAYERS if any(outcome.layer == name for outcome in outcomes)]
    for name in [*layers, "all"]:
        ours = [outcome for outcome in outcomes if name in (outcome.layer, "all")]
        counts = Counter(outcome.outcome for outcome in ours)
        cells = [len(ours), *(counts[kind] for kind in (KILLED, SURVIVED, REFUSED, EQUIVALENT))]
        per_cent = score(ours)
        rows.append(f"| {name} | {' | '.join(map(str, cells))} | {'-' if per_cent is None else f'{per_cent:.0f} %'} |")
    return "\n".join(rows)
