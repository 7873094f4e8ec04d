# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The wheel of `make wheel` in a new virtual environment, on a PATH without a compiler."""

import json
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from outwork import paths

pytestmark = pytest.mark.slow
FOLDER = paths.PROJECT / "dist"


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The newest one. It is made here if there is none of this version; with one board, because each takes minutes."""
    found = sorted(FOLDER.glob("outwork-*.whl"))
    if not found:
        subprocess.run(["make", "wheel", "BOARDS=128"], cwd=paths.PROJECT, check=True)
        found = sorted(FOLDER.glob("outwork-*.whl"))
    return found[-1]


class Machine:
    """A new virtual environment. Its programs see no other folder of programs than a few of the system's by name."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        tools = folder / "tools"
        tools.mkdir()
        for name in ("openssl", "sh", "dirname", "uname"):
            (tools / name).symlink_to(Path("/usr/bin") / name)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        self.environment = {"PATH": f"{folder / 'venv/bin'}:{tools}", "HOME": str(folder)}
        for name in ("cc", "gcc", "c++", "g++", "clang"):
            assert not any((Path(place) / name).exists() for place in self.environment["PATH"].split(":"))
        proxies = {
            name: value for name, value in os.environ.items() if name.upper().startswith(("PIP_", "HTTP", "SSL_"))
        }
        begin = time.monotonic()
        words = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
        subprocess.run([folder / "venv/bin/pip", "install", *words, wheel], env=self.environment | proxies, check=True)
        self.install_seconds = time.monotonic() - begin

    def run(self, *words: str | Path, status: int = 0, **environment: str) -> str:
        done = subprocess.run(
            [self.folder / "venv/bin/outwork", *words],
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, (words, done.stdout, done.stderr)
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Machine:
    return Machine(tmp_path_factory.mktemp("machine"), wheel)


def test_name_and_content(wheel: Path) -> None:
    """For every Python, and for a manylinux, because nothing in it is compiled for one release of Python."""
    assert re.fullmatch(r"outwork-[0-9.]+-py3-none-manylinux_2_[0-9]+_(x86_64|aarch64)\.whl", wheel.name)
    names = zipfile.ZipFile(wheel).namelist()
    assert "outwork/lib/libow_board_128.so" in names and "outwork/lib/ossl-modules/outwork.so" in names
    assert not [name for name in names if name.endswith((".c", ".sv", ".o", ".a"))]
    assert not [name for name in names if "libcrypto.so" in name], "the one that a program has loaded is used"


def test_a_file_on_the_device(machine: Machine) -> None:
    plain, key = machine.folder / "plain", machine.folder / "key"
    plain.write_bytes(os.urandom(100_000))
    key.write_text("00" * 32)
    key.chmod(0o600)
    begin = time.monotonic()
    said = machine.run("encrypt", "--stats", "--key-file", "key", "plain", "sealed")
    seconds = machine.install_seconds + time.monotonic() - begin
    print(
        f"from `pip install` to the first encrypted file: {seconds:.1f} s, {machine.install_seconds:.1f} s of it pip's"
    )
    counted = re.search(r"jobs on the device: (\d+)", said)
    assert counted and int(counted[1]) >= 1, said
    machine.run("decrypt", "--key-file", "key", "--engine", "software", "sealed", "back")
    assert (machine.folder / "back").read_bytes() == plain.read_bytes()
    machine.run("decrypt", "--key-file", "key", "sealed", "again")
    assert (machine.folder / "again").read_bytes() == plain.read_bytes()


def test_selftest(machine: Machine) -> None:
    assert re.search(r"The device counted [1-9]\d* jobs", machine.run("selftest"))


def test_bench_and_lab(machine: Machine) -> None:
    """The device's cycles beside this CPU's time, and what else could be measured."""
    said = machine.run("bench", "--size", "1024", "--engine", "accelerator", "--engine", "cpu", "--json", "-")
    records = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert {record["engine"] for record in records} == {"accelerator", "cpu"}
    assert all(record["cost"]["p50"] > 0 and record["messages"] >= 1 for record in records)
    said = machine.run("lab", "algorithms", "sha-256")
    assert re.search(r"^sha-256 .*openssl .*outwork", said, re.MULTILINE)
    assert "software/wolfssl" in said and "`make build` in the project" in said
    assert "wp512" in machine.run("lab", "plans")


def test_provider(machine: Machine) -> None:
    """Installed from the wheel, asked by `doctor`, and taken back."""
    root = machine.folder / "root"
    said = machine.run("openssl", "install", "--root", root, "--policy", "always", "--yes")
    configuration = said.rsplit("OPENSSL_CONF=", 1)[1].strip()
    healthy = machine.run("doctor", OPENSSL_CONF=configuration)
    assert "65,536 bytes of AES-256-GCM: the device did them" in healthy and "wrong" not in healthy
    machine.run("openssl", "uninstall", "--root", root, "--yes")
    assert not [path for path in root.rglob("*") if path.is_file()]


def test_a_board_that_is_not_in_it(machine: Machine, wheel: Path) -> None:
    if "outwork/lib/libow_board_64.so" in zipfile.ZipFile(wheel).namelist():
        pytest.skip("this wheel has every board")
    said = machine.run("status", "--board", "zedboard-64", status=4)
    assert "make wheel" in said and "--board reference" in said
