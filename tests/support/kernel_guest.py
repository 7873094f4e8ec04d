# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of this machine in a guest, User Mode Linux or QEMU: it sees this machine's files, and cannot write to them."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import uml_check

from outwork.paths import PROJECT
from outwork.soc import module

GUEST: Final = PROJECT / "tests/linux/guest"
ROOT: Final = "/host"


def steps(mount: str) -> tuple[str, ...]:
    """Returns the steps that show this machine's files to the guest, and beside them its own: processes, devices, counters, places
    to write to. `mount` is the step's part before the folder."""
    own = {"proc": "/proc", "sysfs": "/sys", "devtmpfs": "/dev", "tmpfs": "/run"}
    return (
        f"run mkdir {ROOT}",
        f"{mount} {ROOT}",
        *(f"run mount -t {kind} {kind} {ROOT}{folder}" for kind, folder in own.items()),
        f"run mount -t debugfs debugfs {ROOT}/sys/kernel/debug",
    )


STEPS: Final = steps("run mount -t hostfs -o ro none")
SHOW: Final = f"show {module.STATISTICS}"


def python(script: str, *words: str | Path) -> str:
    """Returns the step that runs a script of the folder `guest` with this machine's Python."""
    return " ".join(str(word) for word in ("run", "chroot", ROOT, sys.executable, "-B", GUEST / script, *words))


def load_command(build: uml_check.Build, name: str, *parameters: str) -> tuple[str | Path, ...]:
    """Returns a command that loads a module, by its path in the module's folder, with one parameter at most."""
    return (uml_check.LOAD, build.folder / "module" / name, *parameters)


def results(output: module.Output) -> list[dict[str, Any]]:
    """What each script has printed at its end."""
    return [json.loads(line[len("result ") :]) for line in output.console.splitlines() if line.startswith("result ")]


def check(run: uml_check.Run) -> None:
    """Every step has succeeded, the kernel has complained of nothing, nor has the board."""
    assert run.output.status == 0 and not run.output.faults, run.output.console
    assert run.board["violations"] == 0


def differences(output: module.Output, before: int = 0, after: int = -1) -> Mapping[str, int]:
    """How far the module's counters have moved between two times that they were shown."""
    first, last = (output.statistics(time) for time in (before, after))
    return {name: last[name] - first.get(name, 0) for name in last}
