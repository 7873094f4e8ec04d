# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Files that say how to ask Slurm or LSF for workers. TOML, described in docs/many-machines.md."""

from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Final, get_origin, get_type_hints

from outwork import toml_files
from outwork.errors import UsageError

SYSTEMS: Final = ("slurm", "lsf")
EXPECTED: Final[dict[type, str]] = {
    str: "text in quotes",
    int: "a whole number, 1 or more, without quotes",
    bool: "true or false",
    tuple: "a list of texts in brackets",
}


@dataclass(frozen=True)
class Jobs:
    """What to ask a job queue for. Field names and types are those of the file."""

    system: str
    jobs: int
    memory: str  # of a job
    cores: int = 1  # of a job; each has a worker
    walltime: str = ""
    queue: str = ""
    account: str = ""
    interface: str = ""  # of the network
    measure: bool = False  # whether the workers measure their CPU
    wait_seconds: int = 3600
    directives: tuple[str, ...] = ()  # more lines for the queue
    prologue: tuple[str, ...] = ()  # shell commands before the worker
    shared_folder: str = "."  # which this machine and those of the jobs see

    def options(self, resource: str) -> dict[str, Any]:
        """Returns the arguments for the cluster classes of dask-jobqueue."""
        named = {"queue": self.queue, "walltime": self.walltime, "interface": self.interface}
        named["account" if self.system == "slurm" else "project"] = self.account
        return {
            "cores": self.cores,
            "processes": self.cores,
            "memory": self.memory,
            "job_extra_directives": list(self.directives),
            "job_script_prologue": list(self.prologue),
            "worker_extra_args": ["--resources", f"{resource}=1"] if self.measure else [],
            "security": True,
            "shared_temp_directory": str(Path(self.shared_folder).resolve()),
            "scheduler_options": {"dashboard": False, "dashboard_address": None},
            **{name: value for name, value in named.items() if value},
        }


def read(name: str) -> Jobs:
    """Reads a file. An error names the file, the key and what is expected."""
    kinds = {key: get_origin(hint) or hint for key, hint in get_type_hints(Jobs).items()}
    where = f"The cluster file {name}"
    values: dict[str, Any] = {}
    for key, value in toml_files.read(Path(name), "cluster file").items():
        here = f"{where}{toml_files.line_of(Path(name), key)}"
        if key not in kinds:
            raise UsageError(f"{here} has '{key}', which is not known. {toml_files.suggestion(key, kinds)}")
        values[key] = tuple(value) if isinstance(value, list) else value
        if not _fits(values[key], kinds[key]):
            raise UsageError(f"{here} has {key} = {toml_files.written(value)}; it must be {EXPECTED[kinds[key]]}.")
    lacking = [f"'{entry.name}'" for entry in fields(Jobs) if entry.default is MISSING and entry.name not in values]
    if lacking:
        raise UsageError(f"{where} lacks {' and '.join(lacking)}.")
    if values["system"] not in SYSTEMS:
        raise UsageError(
            f"{where}{toml_files.line_of(Path(name), 'system')} has system = {toml_files.written(values['system'])}; "
            f"it must be {' or '.join(map(toml_files.written, SYSTEMS))}."
        )
    return Jobs(**values)


def _fits(value: object, kind: type) -> bool:
    if type(value) is not kind:
        return False
    if isinstance(value, tuple):
        return all(isinstance(entry, str) for entry in value)
    return kind is not int or (isinstance(value, int) and value >= 1)
