# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Completion in the shell: commands, options, names and files."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import ENVIRONMENT, good

SHELLS = ("bash", "zsh", "fish")


def candidates(shell: str, line: str) -> set[str]:
    """What may follow the line, asked as that shell's script asks."""
    words = line.split(" ")
    environment = {
        "_OUTWORK_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": words[-1],
    }
    return set(good(environment=environment).decode().replace('"', " ").replace("\t", " ").split())


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_and_options(shell: str) -> None:
    assert "encrypt" in candidates(shell, "outwork enc")
    assert "decrypt" not in candidates(shell, "outwork enc")
    assert "genkey" in candidates(shell, "outwork pka gen")
    assert "--password-file" in candidates(shell, "outwork encrypt --pass")


@pytest.mark.parametrize(
    ("line", "name", "other"),
    [
        ("outwork encrypt --cipher aes-256-g", "aes-256-gcm", "aes-256-gmac"),
        ("outwork crypt --cipher aes-256-g", "aes-256-gmac", "aes-256-ctr"),
        ("outwork encrypt --engine a", "auto", "software"),
        ("outwork pka genkey --engine ", "software", "auto"),
        ("outwork status --board z", "zcu102", "reference"),
        ("outwork digest sha3", "sha3-256", "sha-256"),
        ("outwork mac hm", "hmac-sha-256", "kmac128"),
        ("outwork bench --algorithm aes-256-g", "aes-256-gcm", "aes-128-gcm"),
        ("outwork bench --engine c", "cpu", "software"),
        ("outwork bench --board z", "zcu102", "reference"),
        ("outwork radio encrypt --algorithm 128-eea", "128-eea3", "128-eia3"),
        ("outwork pka genkey ml-k", "ml-kem-768", "p-256"),
        ("outwork soc run --board z", "zcu102", "reference"),
        ("outwork lab run wp", "wp512", "quick"),
        ("outwork lab algorithms sha3", "sha3-256", "sha-256"),
        ("outwork bench --operation enc", "encapsulate", "decrypt"),
        ("outwork openssl speed aes-256-g", "aes-256-gcm", "aes-256-ctr"),
    ],
)
def test_names(line: str, name: str, other: str) -> None:
    found = candidates("bash", line)
    assert name in found and other not in found


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts(shell: str) -> None:
    script = good(environment={"_OUTWORK_COMPLETE": f"source_{shell}"}).decode()
    assert f"_OUTWORK_COMPLETE=complete_{shell}" in script


def test_bash_completes_commands_and_files(desk: Any) -> None:
    """The script in a real shell, which leaves the names of files to the shell."""
    command = desk.file("outwork", f'#!/bin/sh\nexec {sys.executable} -m outwork "$@"\n'.encode(), 0o700)
    script = (
        "source <(_OUTWORK_COMPLETE=source_bash outwork); COMP_WORDS=(outwork encr); COMP_CWORD=1; "
        "_outwork_completion outwork; echo ${COMPREPLY[@]}; complete -p outwork"
    )
    environment = ENVIRONMENT | {"PATH": f"{command.parent}:{ENVIRONMENT['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, env=environment, check=True)
    assert done.stdout.decode().splitlines() == ["encrypt", "complete -o default -F _outwork_completion outwork"]


def test_installation(tmp_path: Path) -> None:
    """For the shell that calls it, in the user's folder."""
    script = f"{sys.executable} -m outwork --install-completion; exit $?"
    environment = ENVIRONMENT | {"HOME": str(tmp_path)}
    subprocess.run(["bash", "-c", script], capture_output=True, env=environment, check=True)
    assert "outwork.sh" in (tmp_path / ".bashrc").read_text()
    assert "complete_bash" in (tmp_path / ".bash_completions" / "outwork.sh").read_text()
