# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The simulated system on chip: programs on CPU, caches and accelerator, the command line, and what it says to bad input."""

import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from outwork.paths import PROJECT, has_library
from outwork.soc import firmware
from outwork.soc import program as programs
from outwork.soc.system import System

pytestmark = pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc")
BENCH = PROJECT / "platform/soc/bench"
TRAP = """
#include "soc.h"
int main(void) {
  return *(volatile int *)0x60000000;
}
"""
ENDLESS = """
__attribute__((noinline)) void wait_for_nothing(void) {
  for (;;) __asm__ volatile("");
}
int main(void) {
  wait_for_nothing();
  return 0;
}
"""


def run(elf: Path, coherent: bool = True) -> tuple[str, int]:
    """Returns what the program printed, and its exit status."""
    console = b""
    with System(programs.load(elf), coherent=coherent) as system:
        for _ in range(40):
            console += system.run()
            if system.finished:
                break
        assert system.finished, f"in {system.program.function_at(system.statistics.pc)} after {console.decode()}"
        assert system.protocol_error == ""
        return console.decode(), system.status


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "outwork", "soc", *arguments], cwd=PROJECT, capture_output=True, text=True, timeout=300
    )


def build(folder: Path, name: str, text: str) -> Path:
    source = folder / f"{name}.c"
    source.write_text(text, encoding="utf-8")
    firmware.build(folder / f"{name}.elf", [source])
    return folder / f"{name}.elf"


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("soc"), "endless", ENDLESS)


@pytest.mark.parametrize("coherent", [True, False], ids=["coherent", "emptied"])
def test_checks(tmp_path_factory: pytest.TempPathFactory, coherent: bool) -> None:
    elf = tmp_path_factory.mktemp("soc") / "checks.elf"
    firmware.build(
        elf, [PROJECT / "tests/soc/checks.c", BENCH / "gcm_zkn.c", BENCH / "aes_zkn.c"], flags=[f"-I{BENCH}"]
    )
    console, status = run(elf, coherent)
    assert "WRONG" not in console
    assert status == 0
    assert len(re.findall(": good$", console, re.MULTILINE)) == (15 if coherent else 14)
    assert f"jobs {17 if coherent else 16}\n" in console


def test_the_self_test_by_command(tmp_path: Path) -> None:
    """Every known answer that the device has, by polling and by interrupt, counted by the device."""
    elf = tmp_path / "selftest.elf"
    built = command("build", PROJECT / "platform/soc/examples/selftest.c", "-o", elf)
    assert built.returncode == 0, built.stderr
    done = command("run", elf)
    assert done.returncode == 0, done.stdout + done.stderr
    for how in ("polling", "interrupt"):
        assert f"{how}: 189 runs, 0 failed; the device counted 189 jobs, 0 interrupts missed" in done.stdout
    assert re.search(r"exit status 0; [\d,]+ cycles, [\d,]+ instructions", done.stderr)


def test_tasks_of_freertos_share_the_device(tmp_path: Path) -> None:
    """Two tasks with a queue each sleep while the device works, and a third one has the CPU."""
    elf = tmp_path / "freertos.elf"
    firmware.build(elf, [PROJECT / "platform/soc/examples/freertos.c"], freertos=True)
    console, status = run(elf)
    assert "The device counted 12 jobs of 12; the other task ran often meanwhile." in console
    assert "Tasks: passed." in console and status == 0


def test_timer_interrupts_and_console(tmp_path: Path) -> None:
    elf, console = tmp_path / "peripherals.elf", b""
    firmware.build(elf, [PROJECT / "tests/soc/peripherals.c"])
    with System(programs.load(elf)) as system:
        for _ in range(20):
            console += system.run(20_000)
            if console.endswith(b"type\n") and not system.finished:
                assert system.type(ord("a")) and not system.type(ord("b"))
                console += system.run(20_000)
        assert system.finished and system.status == 42, console
    assert b"WRONG" not in console and console.count(b": good\n") == 15


def test_a_read_of_nothing_is_a_trap(tmp_path: Path) -> None:
    console, status = run(build(tmp_path, "trap", TRAP))
    assert re.search(r"Trap: cause 5 at 0x8000[0-9a-f]{4}, value 0x60000000", console)
    assert status == 125


def test_a_program_without_end_is_stopped(endless: Path) -> None:
    done = command("run", "--max-cycles", "20000", endless)
    assert done.returncode != 0
    assert re.search(r"has not ended after 20,000 cycles; it is in wait_for_nothing \(0x8000", done.stderr)


def test_an_accelerator_at_rest_is_not_evaluated(endless: Path) -> None:
    """It wipes its memories after reset; then the program, which does not use it, runs alone. Else all is half as fast."""
    with System(programs.load(endless)) as system:
        system.run(200_000)
        assert 0 < system.statistics.device_cycles < 20_000


def test_cycles_do_not_depend_on_the_steps(endless: Path) -> None:
    """Two runs, one of them cycle by cycle, are the same run."""
    states = []
    for step in (1, 3000):
        with System(programs.load(endless)) as system:
            while system.statistics.cycles < 3000:
                system.run(step)
            states.append((system.statistics.cycles, system.statistics.instructions, system.statistics.pc))
    assert states[0] == states[1]


def test_bad_programs_are_refused(tmp_path: Path, endless: Path) -> None:
    missing, text, whole = tmp_path / "missing.elf", tmp_path / "text.elf", endless.read_bytes()
    text.write_text("no program")
    # The entry and the addresses of the segments, word by word: the same bytes stand elsewhere too, by chance.
    begin, size, count = struct.unpack_from("<I10xHH", whole, 28)
    place, old = bytearray(whole), struct.pack("<I", 0x80000000)
    for at in (24, *(begin + size * i + field for i in range(count) for field in (8, 12))):
        if place[at : at + 4] == old:
            place[at : at + 4] = struct.pack("<I", 0x90000000)
    damaged = {
        "machine": whole[:18] + struct.pack("<H", 0x3E) + whole[20:],
        "short": whole[:100],
        "place": bytes(place),
    }
    for name, data in damaged.items():
        (tmp_path / f"{name}.elf").write_bytes(data)
    said = {path: command("run", path) for path in (missing, text, *(tmp_path / f"{name}.elf" for name in damaged))}
    assert all(done.returncode == 2 and "Traceback" not in done.stderr for done in said.values()), said
    assert "cannot be read" in said[missing].stderr
    assert "is not an ELF file, or it is damaged" in said[text].stderr
    assert "the CPU is a 32-bit RISC-V" in said[tmp_path / "machine.elf"].stderr
    assert "is not an ELF file, or it is damaged" in said[tmp_path / "short.elf"].stderr
    assert "0x90000000" in said[tmp_path / "place.elf"].stderr


def test_a_program_that_does_not_compile_leaves_the_old_one(tmp_path: Path) -> None:
    source, elf = tmp_path / "wrong.c", tmp_path / "program.elf"
    source.write_text("int main(void) { return missing; }")
    elf.write_text("old")
    done = command("build", source, "-o", elf)
    assert done.returncode == 1 and "was not written: the compiler rejected the program" in done.stderr
    assert elf.read_text() == "old"
    done = command("build", tmp_path / "nothing.c", "-o", elf)
    assert done.returncode == 2 and "there is no such file" in done.stderr
    done = command("build", tmp_path, "-o", elf)
    assert done.returncode == 2 and f"{tmp_path} is a folder; give a C file." in done.stderr
