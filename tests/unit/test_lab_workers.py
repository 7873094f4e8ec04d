# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The processes in which the lab measures this CPU: the instructions that they use, and how they end."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import good
from lab_cpu import NAMES, adapter_of, point

from outwork.errors import OutworkError
from outwork.lab import openssl_cpu
from outwork.lab.engines import cpu, software
from outwork.lab.worker_engine import WorkerEngine, WorkerProcess
from outwork.openssl import libcrypto


def test_the_mask() -> None:
    assert openssl_cpu.MASK == "~0x0200000200000000:~0x0000060020000000"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("OPENSSL_ia32cap=0xfdfa32014f8bffff:0x81cd19e67eb env:~0x0200000200000000:~0x0000060020000000", ""),
        ("OPENSSL_ia32cap=0xfffa32034f8bffff:0x81cd19e67eb", "AES-NI, PCLMULQDQ|PCLMULQDQ, AES-NI"),
        ("OPENSSL_ia32cap=0xfdfa32014f8bffff:0x405fc6f1bf07ab", "SHA, VAES, VPCLMULQDQ"),
        ("OPENSSL_ia32cap=0xfdfa32014f8bffff:0x0", "does not use AVX2"),  # the mask without a second word
        ("OPENSSL_ia32cap=0xfdfa32014f8bffff:0x81cd19e67eb:0x0:0x0:0x0", ""),  # OpenSSL 4 has five words
        ("", "does not report"),
    ],
)
def test_whether_the_mask_took(monkeypatch: pytest.MonkeyPatch, said: str, words: str) -> None:
    monkeypatch.setattr(openssl_cpu, "cpu_flags", lambda: frozenset({"aes", "avx2"}))
    why = openssl_cpu.objection_masked(said)
    assert any(part in why for part in words.split("|")) and bool(why) == bool(words)


def openssl_engine(environment: dict[str, str], objection: Callable[[str], str]) -> WorkerEngine:
    return WorkerEngine("software/openssl", "openssl", libcrypto.file_name(), environment, objection)


needs_instructions = pytest.mark.skipif(
    not (openssl_cpu.is_x86() and "aes" in openssl_cpu.cpu_flags()), reason="this CPU has no AES-NI"
)


@needs_instructions
@pytest.mark.parametrize(
    "environment",
    [{}, {openssl_cpu.VARIABLE: "~0x0000000200000000:~0x0000060020000000"}],
)
def test_an_engine_whose_mask_does_not_take_is_not_measured(environment: dict[str, str]) -> None:
    with pytest.raises(OutworkError, match=r"software/openssl is not measured: the mask .* has no effect"):
        openssl_engine(environment, openssl_cpu.objection_masked)


@needs_instructions
def test_a_mask_that_takes_too_much_is_not_measured() -> None:
    if "avx2" not in openssl_cpu.cpu_flags() or "OpenSSL 3" not in libcrypto.load().version:
        pytest.skip("the trap is OpenSSL 3's, with a CPU that has AVX2")
    with pytest.raises(OutworkError, match="is too wide"):
        openssl_engine({openssl_cpu.VARIABLE: "~0x0200000200000000"}, openssl_cpu.objection_masked)


@needs_instructions
def test_the_mask_shows_in_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mask that the caller's environment has by chance does not reach the unmasked engine."""
    monkeypatch.setenv(openssl_cpu.VARIABLE, openssl_cpu.MASK)
    costs = []
    mask = {openssl_cpu.VARIABLE: openssl_cpu.MASK}
    with (
        openssl_engine(mask, openssl_cpu.objection_masked) as masked,
        openssl_engine({}, openssl_cpu.objection_unmasked) as unmasked,
    ):
        for engine in (masked, unmasked):
            work = engine.prepare(point("aes-256-gcm", "encrypt", 16384))
            costs.append(min(work.sample().cost for _ in range(3)))
            work.close()
    assert costs[0] > 3 * costs[1]


def test_libraries_without_instructions_say_so() -> None:
    assert adapter_of("mbedtls_soft").instructions == adapter_of("plain_O2").instructions == "aes=0"


@needs_instructions
def test_libraries_with_instructions_say_so() -> None:
    assert adapter_of("mbedtls").instructions == adapter_of("ipsec_mb").instructions == "aes=1"


def test_on_another_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (cpu, software):
        monkeypatch.setattr(module, "is_x86", lambda: False)
    monkeypatch.setattr(cpu, "cpu_flags", frozenset)
    assert "on x86 only" in software.candidates()[0].missing
    assert {entry.missing for entry in cpu.candidates()} == {
        "this CPU has no AES instructions, or its kernel does not report them"
    }


# -- processes


def test_a_worker_that_is_killed() -> None:
    engine = openssl_engine({}, lambda _: "")
    work = engine.prepare(point("aes-256-gcm", "encrypt"))
    os.kill(engine.worker.process.pid, signal.SIGKILL)
    with pytest.raises(OutworkError, match=r"software/openssl has ended \(signal SIGKILL\)"):
        work.sample()
    with pytest.raises(OutworkError, match="has ended"):
        engine.refuses(point("aes-128-gcm", "encrypt"))
    work.close()
    engine.close()


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import sys; sys.exit('no luck')", r"has ended \(exit status 1\). Its last output: no luck"),
        ("import os; os.abort()", "signal SIGABRT"),
        ("print('hello', flush=True); input()", "has ended"),
        ("pass", r"exit status 0"),
    ],
)
def test_a_worker_that_does_not_start(program: str, words: str) -> None:
    with pytest.raises(OutworkError, match=words):
        WorkerProcess("an engine", [sys.executable, "-c", program], {})


def test_a_worker_says_what_went_wrong_and_goes_on() -> None:
    with openssl_engine({}, lambda _: "") as engine:
        with pytest.raises(OutworkError, match="Unknown request to a worker: 'dance'"):
            engine.worker.ask(do="dance")
        assert engine.refuses(point("aes-256-gcm", "encrypt")) == ""
        pid = engine.worker.process.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_missing_libraries_are_reported_and_not_fatal(tmp_path: Path) -> None:
    text = good("lab", "engines", environment={"OUTWORK_LIBRARY_PATH": str(tmp_path), "COLUMNS": "400"}).decode()
    for name in NAMES:
        (line,) = (line for line in text.splitlines() if line.startswith(f"{name} ") and " host " in line)
        assert "missing: " in line and "scripts/setup.sh baselines" in line
