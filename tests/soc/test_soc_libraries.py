# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Crypto libraries with their plug-in on the simulated system on chip."""

import ctypes
import hashlib
import re
import subprocess
from pathlib import Path

import pytest

from outwork.paths import PROJECT, has_library
from outwork.soc import firmware, libraries
from outwork.soc import program as programs
from outwork.soc.libraries import BENCH, Library
from outwork.soc.system import System

has_system = pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc")
has_mbedtls = pytest.mark.skipif(not libraries.MBEDTLS.is_dir(), reason="Mbed TLS is missing: scripts/mbedtls.sh 3.6.5")
has_wolfssl = pytest.mark.skipif(not libraries.WOLFSSL.is_dir(), reason="wolfSSL is missing: scripts/wolfssl.sh")
TEXT = bytes((7 * place + place // 256) & 255 for place in range(1000))


def run(elf: Path, source: Path, library: Library, level: str = "2", freertos: bool = False) -> tuple[str, int]:
    """Builds a program with a library and runs it. Returns what it printed, and its exit status."""
    sources = [source, *libraries.environment(freertos), *library.sources]
    firmware.build(elf, sources, level=level, flags=library.flags, freertos=freertos)
    console = b""
    with System(programs.load(elf)) as system:
        for _ in range(400):
            console += system.run()
            if system.finished:
                break
        assert system.finished, f"in {system.program.function_at(system.statistics.pc)} after {console.decode()}"
        assert system.protocol_error == ""
        return console.decode(), system.status


def check_answers(console: str, status: int) -> None:
    assert "WRONG" not in console and len(re.findall(": good$", console, re.MULTILINE)) == 16
    assert "jobs 12 of 12\n" in console and status == 0


@has_system
@has_mbedtls
def test_known_answers_through_psa(tmp_path: Path) -> None:
    """By the accelerator, whose own count of jobs is asserted, and by the CPU."""
    library = libraries.psa()
    check_answers(*run(tmp_path / "psa.elf", PROJECT / "tests/soc/psa.c", library, level="0"))


@pytest.mark.slow
@has_system
@has_mbedtls
@pytest.mark.parametrize(("instructions", "freertos"), [(True, False), (False, True)], ids=["instructions", "freertos"])
def test_known_answers_in_other_programs(tmp_path: Path, instructions: bool, freertos: bool) -> None:
    library = libraries.psa(instructions)
    console, status = run(tmp_path / "psa.elf", PROJECT / "tests/soc/psa.c", library, freertos=freertos)
    check_answers(console, status)
    if freertos:
        other = re.search(r"The other task has counted to (\d+)", console)
        assert other and int(other[1]) > 100  # it runs only while the first task sleeps


@pytest.mark.slow
@has_system
@has_wolfssl
def test_wolfcrypts_own_test_with_the_callback(tmp_path: Path) -> None:
    """Every context has the callback, and the device has counted a job at least for each that the callback has."""
    source = libraries.LIBRARIES / "wolfcrypt_test.c"
    console, status = run(tmp_path / "test.elf", source, libraries.wolfcrypt("test"))
    for name in ("SHA-256", "SHA-512", "SHA-3", "HMAC-SHA256", "AES-CBC", "AES-CTR", "AES-GCM", "CMAC"):
        assert re.search(rf"^{name} +test passed!$", console, re.MULTILINE), console
    counted = re.search(r"^jobs (\d+) of (\d+), failures 0$", console, re.MULTILINE)
    assert counted and int(counted[1]) >= int(counted[2]) > 100 and status == 0, console


def test_interleaved_keccak(tmp_path: Path) -> None:
    """The software that the accelerator is compared with gives SHA-3."""
    shared = tmp_path / "keccak32.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", BENCH / "keccak32.c", "-o", shared], check=True)
    sha3 = ctypes.CDLL(str(shared)).keccak32_sha3
    for digest_bytes in (28, 32, 48, 64):
        rate = 200 - 2 * digest_bytes
        for length in (0, 1, rate - 1, rate, rate + 1, 2 * rate, 1000):
            made = ctypes.create_string_buffer(digest_bytes)
            sha3(made, ctypes.c_size_t(digest_bytes), TEXT[:length], ctypes.c_size_t(length))
            assert made.raw == hashlib.new(f"sha3_{8 * digest_bytes}", TEXT[:length]).digest()
