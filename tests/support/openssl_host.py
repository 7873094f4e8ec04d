# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs programs that use OpenSSL with the installed provider: configuration, environment, counters."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from outwork import paths
from outwork.choice import process_statistics

MODULE = paths.PROJECT / "build" / "release" / "lib" / "ossl-modules" / "outwork.so"
DROP_IN = paths.PROJECT / "plugins" / "openssl" / "openssl.cnf.in"
CONFIGURATION = "/usr/lib/ssl/openssl.cnf"


def drop_in(policy: str, counters: Path) -> str:
    """The configuration that is installed, for this build's module and board, with another policy."""
    lines = []
    for line in DROP_IN.read_text().splitlines():
        key = line.split("=")[0].strip()
        value = {
            "module": str(MODULE),
            "policy": policy,
            "#counters": f"{counters}\nlibrary = {paths.library_file('ow_board_128')}",
        }.get(key)
        lines.append(line if value is None else f"{key.removeprefix('#')} = {value}")
    return "\n".join(lines) + "\n"


@dataclass
class Host:
    """A folder with a configuration; programs that run in it use the provider."""

    folder: Path

    def __post_init__(self) -> None:
        self.counters = self.folder / "counters"
        self.counters.mkdir()
        self.configure("always")

    def configure(self, policy: str) -> None:
        (self.folder / "outwork.cnf").write_text(drop_in(policy, self.counters))
        text = f".include {CONFIGURATION}\n.include {self.folder / 'outwork.cnf'}\n"
        (self.folder / "openssl.cnf").write_text("openssl_conf = openssl_init\n" + text)

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OUTWORK_", "OPENSSL_"))}
        return kept | {"OPENSSL_CONF": str(self.folder / "openssl.cnf")}

    def run(self, *words: str | Path, stdin: bytes = b"") -> bytes:
        """Standard output of a program that uses the provider and must end well."""
        return run(*words, stdin=stdin, environment=self.environment())

    def jobs(self, program: str | None = None) -> dict[str, int]:
        """Jobs of the device, by algorithm, of all processes (of a program) so far."""
        found: dict[str, int] = {}
        for process in process_statistics.read_all(self.counters):
            if program is None or process.program == program:
                for opcode, row in process.rows.items():
                    name = process_statistics.opcode_name(opcode)
                    found[name] = found.get(name, 0) + row.jobs
        return {name: jobs for name, jobs in found.items() if jobs}

    def kept(self) -> dict[str, int]:
        """Requests that the CPU did, by reason."""
        found: dict[str, int] = {}
        for process in process_statistics.read_all(self.counters):
            for row in process.rows.values():
                for reason, count in row.cpu_requests.items():
                    found[reason] = found.get(reason, 0) + count
        return {reason: count for reason, count in found.items() if count}


def plain_environment() -> dict[str, str]:
    """Of a program that has never heard of the provider."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("OUTWORK_", "OPENSSL_"))}


def run(*words: str | Path, stdin: bytes = b"", environment: dict[str, str] | None = None) -> bytes:
    done = subprocess.run(
        list(map(str, words)),
        input=stdin,
        capture_output=True,
        env=plain_environment() if environment is None else environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, (words, done.returncode, done.stderr.decode())
    return done.stdout
