# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A family of algorithms that OpenSSL lacks needs one new module: the commands with the toy family of tests/support."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import a_toy
import pytest
from commands import ENVIRONMENT

from outwork.engines.accelerator import AcceleratorEngine
from outwork.engines.hashing import BytesStream, HashTask
from outwork.engines.software import SoftwareEngine
from outwork.errors import UsageError
from outwork.lab import adapters, cpu_work
from outwork.lab.records import Point
from outwork.openssl import libcrypto

# Puts a folder on the path of the package of families, then starts the command.
LAUNCHER = """
import importlib.util, runpy, sys
spec = importlib.util.find_spec("outwork.algorithms")
spec.submodule_search_locations.append(sys.argv.pop(1))
package = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = package
spec.loader.exec_module(package)
sys.modules["outwork"].algorithms = package
runpy.run_module("outwork", run_name="__main__")
"""
CRYPT = ("crypt", "--cipher", "toy-aead128", "--key", a_toy.KEY.hex(), "--iv", a_toy.NONCE.hex())
SEALED = b"".join(a_toy.seal(a_toy.KEY, a_toy.NONCE, a_toy.TEXT))
HAS_NO = "This machine's OpenSSL has no {}: use --engine accelerator."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("families")
    shutil.copy(a_toy.__file__, folder)
    return folder


class Desk:
    """Runs commands that know the toy, in a folder."""

    def __init__(self, families: Path, folder: Path) -> None:
        self._families, self.folder = families, folder

    def run(self, *words: object, stdin: bytes = b"", status: int = 0) -> tuple[bytes, str]:
        done = subprocess.run(
            [sys.executable, "-c", LAUNCHER, str(self._families), *map(str, words)],
            input=stdin,
            capture_output=True,
            env=ENVIRONMENT,
            cwd=self.folder,
            timeout=600,
            check=False,
        )
        text = done.stderr.decode()
        assert done.returncode == status, text
        return done.stdout, text.removeprefix("outwork: ").strip()

    def error(self, *words: object, stdin: bytes = b"", status: int = 2) -> str:
        out, text = self.run(*words, stdin=stdin, status=status)
        assert out == b""
        return text


@pytest.fixture
def toys(folder: Path, tmp_path: Path) -> Desk:
    return Desk(folder, tmp_path)


def test_one_message_on_the_device(toys: Desk) -> None:
    assert toys.run(*CRYPT, stdin=a_toy.TEXT)[0] == SEALED
    assert toys.run(*CRYPT, "--decrypt", stdin=SEALED)[0] == a_toy.TEXT
    assert "takes an IV of 16 bytes" in toys.error(*CRYPT, "--iv", "00" * 12)


def test_auto_uses_the_device_and_says_why(toys: Desk) -> None:
    out, text = toys.run(*CRYPT, "--engine", "auto", "--explain", stdin=a_toy.TEXT)
    assert out == SEALED
    assert "engine: accelerator, because this machine's OpenSSL has no toy-aead128." in text


def test_software_says_what_to_use(toys: Desk) -> None:
    software = ("--engine", "software")
    assert toys.error(*CRYPT, *software, stdin=a_toy.TEXT) == HAS_NO.format("toy-aead128")
    assert toys.error("digest", "toy-hash", *software, stdin=b"abc") == HAS_NO.format("toy-hash")
    (toys.folder / "plain").write_bytes(b"data")
    # Before it asks for a password.
    text = toys.error("encrypt", "--cipher", "toy-aead128", *software, "plain", "sealed")
    assert text == HAS_NO.format("toy-aead128")
    assert not (toys.folder / "sealed").exists()
    with SoftwareEngine() as engine:
        assert not any(engine.supports(a_toy.AEAD, operation) for operation in a_toy.AEAD.operations)
        with pytest.raises(UsageError, match="OpenSSL has no toy-aead128: use --engine accelerator"):
            engine.crypt(a_toy.AEAD, a_toy.AEAD.operations[0], a_toy.KEY, a_toy.NONCE, a_toy.TEXT, tag_bytes=16)
        with pytest.raises(UsageError, match="OpenSSL has no toy-hash: use --engine accelerator"):
            list(engine.hash_streams(HashTask(a_toy.HASH, b"", 32), [BytesStream(b"abc")]))


def test_a_device_without_it(toys: Desk) -> None:
    for engine in ("accelerator", "auto"):
        text = toys.error(
            "crypt", "--cipher", "toy-nowhere", "--key", "00" * 16, "--iv", "00" * 16, "--engine", engine, stdin=b"data"
        )
        assert text.startswith("The device of board 'reference' cannot encrypt with toy-nowhere, and this machine's")
        assert text.endswith("choose a board that has it with --board.")


def test_no_device_is_an_error_with_auto(toys: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "OUTWORK_LIBRARY_PATH", os.devnull)
    assert "is not built" in toys.error(*CRYPT, "--engine", "auto", stdin=a_toy.TEXT, status=4)


def test_files_have_nonces_of_16_bytes(toys: Desk) -> None:
    data = random.Random(16).randbytes(300_000)
    (toys.folder / "plain").write_bytes(data)
    (toys.folder / "key").write_text(a_toy.KEY.hex())
    toys.run("encrypt", "--engine", "auto", "--cipher", "toy-aead128", "--key-file", "key", "plain", "sealed")
    toys.run("decrypt", "--engine", "auto", "--key-file", "key", "sealed", "back")
    assert (toys.folder / "back").read_bytes() == data
    text = toys.error("decrypt", "--engine", "software", "--key-file", "key", "sealed", "again")
    assert text == HAS_NO.format("toy-aead128")
    text = toys.error("encrypt", "--format", "openssl", "--cipher", "toy-aead128", "plain", "other")
    assert text.startswith("`openssl enc` has no toy-aead128")


def test_digests(toys: Desk) -> None:
    digest = a_toy.HASH.function.reference
    assert digest is not None
    out, _ = toys.run("digest", "Toy Hash", "--engine", "auto", stdin=b"abc")
    assert out.decode() == f"{digest(b'abc').hex()}  -\n"
    assert toys.error("digest", "toy-hash", "--customization", "00") == "toy-hash takes no --customization."
    text = toys.error("digest", "toy-cxof", "--customization", "00" * 257)
    assert text == "toy-cxof takes a --customization of at most 256 bytes; this one has 257."


def test_names_tables_and_selftest(toys: Desk) -> None:
    assert "toy-aead128" in toys.error("crypt", "--cipher", "toy-aead256", "--key", "00")
    assert "toy-hash" in toys.error("digest", "toy-hush")
    assert "Did you mean 'toy-nowhere'" in toys.error("bench", "--algorithm", "toy-nowere")
    results = {line.split()[0]: line.split()[1:] for line in toys.run("selftest")[0].decode().splitlines()}
    assert results["toy-aead128"] == ["3", "good"]
    assert results["toy-hash"] == ["1", "good"]
    rows = [json.loads(line) for line in toys.run("lab", "algorithms", "toy-", "--json", "-")[0].splitlines()]
    engines = {row["algorithm"]: {entry["engine"] for entry in row["engines"] if entry["operations"]} for row in rows}
    assert engines["toy-hash"] == {"accelerator"} and engines["toy-nowhere"] == set()
    status = toys.run("status")[0].decode()
    assert "toy-nowhere" in status and "hashes without MACs" in status


def test_bench_measures_it_on_the_device_alone(toys: Desk) -> None:
    for name in ("toy-aead128", "toy-hash"):
        out, _ = toys.run("bench", "--algorithm", name, "--size", "64", "--jobs", "2", "--rounds", "1", "--json", "-")
        records = [json.loads(line) for line in out.splitlines()]
        assert {record["algorithm"] for record in records} == {name}
    point = Point(a_toy.AEAD, a_toy.AEAD.operations[0], 64)
    assert cpu_work.refuses(adapters.load("openssl", libcrypto.file_name()), point) == "it has no toy-aead128"


def test_the_customization_is_the_iv_of_the_first_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device of the simulated board has no such function, so the queue is replaced."""
    customization, given = bytes(range(200)), []

    with AcceleratorEngine("reference") as engine:
        ffi, c = engine.board.ffi, engine.board.c

        def submit(pointers: Any, count: int) -> int:
            job = pointers[0]
            given.append((bytes(ffi.buffer(job.iv, job.iv_len)), bool(job.flags & c.OW_JOB_LOAD_STATE)))
            job.status = c.OW_OK
            return count

        monkeypatch.setattr(engine.queue, "submit", submit)
        task = HashTask(a_toy.CUSTOM, b"", 100, customization)
        assert len(list(engine.hash_streams(task, [BytesStream(bytes(300_000)), BytesStream(b"")]))) == 2
    assert sorted(given) == [(b"", True), (customization, False), (customization, False)]
