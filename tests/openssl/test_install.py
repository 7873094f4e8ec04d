# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the installation steps of the page exactly as written, with another root."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from openssl_host import CONFIGURATION, plain_environment

from outwork import paths

PAGE = paths.PROJECT / "plugins" / "openssl" / "README.md"
SHORT_PLAN = """
title = "What a policy needs, in short"
rounds = 1
[[sweep]]
algorithms = ["aes-256-gcm"]
sizes_bytes = [16, 1024, 16384]
jobs = [1]
"""


def steps() -> list[list[str]]:
    """The commands of each block in the page's section."""
    section = PAGE.read_text().split("## Install it\n")[1].split("\n## ")[0]
    return [block.splitlines() for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL)]


@dataclass
class Machine:
    """A root folder in which things are installed, and a copy of the system's configuration of OpenSSL."""

    root: Path

    def __post_init__(self) -> None:
        self.configuration = self.root / "openssl.cnf"
        self.configuration.write_bytes(Path(CONFIGURATION).read_bytes())
        self.drop_in = self.root / "etc/outwork/openssl.cnf"
        (self.root / "policy.toml").write_text(SHORT_PLAN)
        commands = self.root / "bin"
        commands.mkdir()
        (commands / "outwork").write_text(f'#!/bin/sh\ncd {self.root} && exec {sys.executable} -m outwork "$@"\n')
        (commands / "outwork").chmod(0o755)

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """A command of the page, with this root for the system's and a short plan for the long one."""
        command = re.sub(r"(?<=[ =])/(?=(etc|run)/outwork)", f"{self.root}/", command)
        command = command.replace(". .venv/bin/activate", "true").replace("lab run policy", "lab run policy.toml")
        environment = plain_environment() | {
            "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}",
            "DESTDIR": str(self.root),
            "OPENSSL_CONF": str(self.configuration),
            "OUTWORK_LIBRARY": str(paths.library_file("ow_board_128")),
        }
        return subprocess.run(
            ["bash", "-c", command],
            cwd=paths.PROJECT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    def good(self, command: str) -> str:
        done = self.run(command)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def stay_inside(self) -> None:
        """What is installed for this root's own processes names its files without the root."""
        text = self.drop_in.read_text()
        if str(self.root) not in text:
            self.drop_in.write_text(re.sub(r"^(module|policy) = ", rf"\1 = {self.root}", text, flags=re.MULTILINE))


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    yield Machine(tmp_path)


def without_build(command: str) -> str:
    """Everything is built already, and `make` would look whether it is."""
    return command.replace("make build install", "scripts/provider.sh build/release install")


def test_the_steps(machine: Machine) -> None:
    install, look, back = steps()
    before = machine.configuration.read_bytes()
    for command in install:
        done = machine.good(without_build(command))
        if "install" in command:
            machine.stay_inside()
    assert "wrong" not in done and "The policy is" in done
    assert (machine.root / "openssl.cnf.before-outwork").read_bytes() == before
    table = [machine.good(command) for command in look][-1]
    assert "aes-ctr" in table and "openssl" in table
    for command in back:
        machine.good(command)
    assert machine.configuration.read_bytes() == before
    kept = {str(path.relative_to(machine.root)) for path in machine.root.rglob("*") if path.is_file()}
    assert not any(name.endswith((".so", "before-outwork")) for name in kept), kept
    assert "etc/outwork/policy.txt" in kept, "it was measured"


def test_twice(machine: Machine) -> None:
    """A second time changes nothing, and what was edited stays."""
    for _ in range(2):
        machine.good("scripts/provider.sh build/release install")
        machine.good("make enable")
    names = [line for line in machine.configuration.read_text().splitlines() if line.startswith(".include")]
    assert names == [f".include {machine.drop_in}"]
    machine.drop_in.write_text(machine.drop_in.read_text() + "# mine\n")
    assert "Kept" in machine.good("scripts/provider.sh build/release install")
    assert "kept your files" in machine.good("make uninstall")
    assert machine.drop_in.read_text().endswith("# mine\n")


def test_the_copy_is_of_the_first_time(machine: Machine) -> None:
    before = machine.configuration.read_bytes()
    machine.good("scripts/provider.sh build/release install && make enable")
    machine.configuration.write_bytes(before)
    (machine.root / "openssl.cnf.before-outwork").write_bytes(b"of another time")
    machine.good("make enable && make uninstall")
    assert (machine.root / "openssl.cnf.before-outwork").read_bytes() == b"of another time"


def test_refusals(machine: Machine) -> None:
    """Nothing installed; a configuration that would not look at what is added."""
    before = machine.configuration.read_bytes()
    done = machine.run("make enable")
    assert done.returncode != 0 and "run `make install` first" in done.stderr
    assert machine.configuration.read_bytes() == before
    machine.good("scripts/provider.sh build/release install")
    machine.configuration.write_text("[section]\nkey = value\n")
    done = machine.run("make enable")
    assert done.returncode != 0 and "openssl_conf = openssl_init" in done.stderr
    assert machine.configuration.read_text() == "[section]\nkey = value\n"


def test_a_last_line_without_end(machine: Machine) -> None:
    machine.configuration.write_text("openssl_conf = openssl_init\n[openssl_init]\nkey = value")
    machine.good("scripts/provider.sh build/release install && make enable")
    assert machine.configuration.read_text().endswith(f"key = value\n.include {machine.drop_in}\n")
