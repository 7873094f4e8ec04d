# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Linux on the simulated system on chip: the firmware below it, its device tree, the kernel, programs with the driver."""

import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from outwork.errors import OutworkError, UsageError
from outwork.paths import PROJECT, has_library
from outwork.soc import firmware, linux, memory_map
from outwork.soc import program as programs
from outwork.soc.system import System

pytestmark = pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc")
boots = pytest.mark.skipif(not linux.IMAGE.is_file(), reason="the kernel is not built: make soc-linux")
EXAMPLES = PROJECT / "platform/soc/examples"


def supervisor(folder: Path) -> programs.Program:
    """Returns the test's kernel, at the place of Linux."""
    elf = folder / "supervisor.elf"
    place = f"-Wl,-Ttext={memory_map.linux()['Kernel']:#x}"
    linux.compile_freestanding(elf, [PROJECT / "tests/soc/supervisor.c"], [place])
    return programs.load(elf)


def test_the_firmware_serves_a_kernel(tmp_path: Path) -> None:
    kernel, console = supervisor(tmp_path), b""
    assert kernel.entry == memory_map.linux()["Kernel"]
    with System(linux.sbi()) as system:
        for segment in kernel.segments:
            system.load(segment.address, segment.data)
        for _ in range(20):
            console += system.run(20_000)
            if console.endswith(b"type\n") and not system.finished:
                system.type(ord("a"))
        assert system.finished and system.status == 42, console
    assert b"WRONG" not in console and console.count(b": good\n") == 14


def test_cycles_are_those_of_a_function_of_firmware_or_kernel(tmp_path: Path) -> None:
    """Every cycle belongs to a function, whose file is named."""
    kernel = supervisor(tmp_path)
    with System(linux.sbi()) as system:
        for segment in kernel.segments:
            system.load(segment.address, segment.data)
        system.profile(system.program, kernel)
        system.run(20_000)
        functions, cycles = dict(system.cycles_by_function()), system.statistics.cycles
    assert functions["trap_entry (sbi.elf)"] > 100
    assert sum(functions.values()) == cycles
    assert functions["(elsewhere)"] < 100 and any(name.endswith("(supervisor.elf)") for name in functions)


def test_symbols_stay_outside(tmp_path: Path) -> None:
    """A program that Linux gets is the same one without the names of its functions."""
    whole, stripped = tmp_path / "whole", tmp_path / "stripped"
    firmware.build(whole, [EXAMPLES / "hello.c"], linux=True)
    stripped.write_bytes(programs.without_symbols(whole.read_bytes()))
    before, after = programs.load(whole), programs.load(stripped)
    assert (before.entry, before.segments) == (after.entry, after.segments)
    assert before.functions and not after.functions
    assert stripped.stat().st_size < whole.stat().st_size / 2
    assert programs.without_symbols(stripped.read_bytes()) == stripped.read_bytes()


def test_a_segment_that_is_not_loaded_keeps_nothing(tmp_path: Path) -> None:
    """The compiler of OpenSSL puts such a one behind what is for debuggers."""
    whole = tmp_path / "whole"
    firmware.build(whole, [EXAMPLES / "hello.c"], linux=True)
    data, loaded = bytearray(whole.read_bytes()), len(programs.without_symbols(whole.read_bytes()))
    table, size, count = *struct.unpack_from("<I", data, 28), *struct.unpack_from("<2H", data, 42)
    kinds = [struct.unpack_from("<I", data, table + number * size)[0] for number in range(count)]
    place = table + next(number for number, kind in enumerate(kinds) if kind != 1) * size
    struct.pack_into("<I", data, place + 4, len(data) - 16)  # its place in the file
    struct.pack_into("<I", data, place + 16, 16)  # and its size
    assert len(programs.without_symbols(bytes(data))) == loaded


def test_files_have_their_folders() -> None:
    """Before them, each once: Linux makes none by itself."""
    files = linux.initramfs(None, {"one/two/three": b"1", "one/four": b"2", "five": b"3"})
    names = re.findall(rb"070701[0-9A-F]{104}([\w/]+)\0", files)
    places = [names.index(name) for name in (b"one", b"one/two", b"one/two/three", b"one/four", b"five")]
    assert len(set(names)) == len(names) and places[0] < places[1] < places[2] and places[0] < places[3]


@pytest.mark.skipif(shutil.which("dtc") is None, reason="dtc is not installed")
def test_the_device_tree_has_what_the_chip_has() -> None:
    """Memory of kernel and device do not meet, and registers and interrupts are the accelerator's."""
    done = subprocess.run(
        ["dtc", "-I", "dtb", "-O", "dts"], input=linux.device_tree(1000), capture_output=True, check=True
    )
    tree = done.stdout.decode()
    chip = memory_map.constants()

    def cells(node: str, name: str) -> list[int]:
        found = re.search(rf"{node} {{[^{{}}]*?\b{re.escape(name)} = <([^>]*)>", tree)
        assert found, tree
        return [int(each, 16) for each in found[1].split()]

    kernel = cells("memory@[0-9a-f]+", "reg")
    reserved = cells("reserved-memory {[^{}]*outwork@[0-9a-f]+", "reg")
    assert kernel[0] + kernel[1] <= reserved[0] and sum(reserved) == chip["RamBase"] + chip["RamBytes"]
    initramfs = cells("chosen", "linux,initrd-start"), cells("chosen", "linux,initrd-end")
    assert initramfs[1][0] - initramfs[0][0] == 1000
    assert kernel[0] < initramfs[0][0] and initramfs[1][0] < sum(kernel)
    device = f"soc {{.*outwork@{chip['OutworkBase']:x}"
    assert re.search(device, tree, re.DOTALL)
    sources = " ".join(f"0x{chip['OutworkSource'] + number:02x}" for number in range(4))
    assert f"interrupts = <{sources}>" in tree


def test_programs_of_the_other_kind_are_refused(tmp_path: Path) -> None:
    """A program for the bare machine does not start under Linux, nor the other way round."""
    bare, hosted = tmp_path / "bare.elf", tmp_path / "hosted.elf"
    firmware.build(bare, [EXAMPLES / "hello.c"])
    firmware.build(hosted, [EXAMPLES / "hello.c"], linux=True)
    with pytest.raises(UsageError, match="build it with --linux"):
        linux.initial_files(bare)
    with pytest.raises(UsageError, match="outwork soc boot --run"):
        System(programs.load(hosted))
    assert b"070701" in linux.initial_files(hosted)[:6]


def test_a_missing_kernel_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(linux, "IMAGE", tmp_path / "Image")
    with pytest.raises(OutworkError, match="make soc-linux"):
        linux.start(None)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([["enc", "-in", "a b"]], "contains a space"),
        ([["enc", ""]], "is empty"),
        ([["x"] * 65], "65 arguments"),
        ([["x" * 100] * 40] * 2, "8080 bytes"),
    ],
)
def test_arguments_that_the_first_process_cannot_pass_on(lines: list[list[str]], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        linux.commands(lines)


def test_what_boot_refuses(tmp_path: Path) -> None:
    for arguments, why in (
        (["--", "enc"], "name it with --run"),
        (["--profile"], "name it with --run"),
        (["--file", "plain"], "give NAME=FILE"),
        (["--file", f"plain={tmp_path}/none"], "cannot be read"),
        (["--run", "x", "--script", f"{tmp_path}/none"], "cannot be read"),
        (["--restore", "x", "--run", "y", "--", "enc"], "need a boot of their own"),
        (["--save", "x", "--file", f"plain={EXAMPLES / 'hello.c'}"], "need a boot of their own"),
    ):
        done = boot(*arguments)
        assert done.returncode != 0 and why in done.stderr


# Prints its arguments and variables, and the first letter of /data; returns the number that follows `fail`.
ECHO = r"""
#include "system_calls.h"
static void say(const char *text, const char *end) {
  size_t length = 0;
  while (text[length] != 0) length++;
  (void)system_write(1, text, length);
  (void)system_write(1, end, 1);
}
void run(const long *stack) {
  const long count = stack[0];
  const char *const *words = (const char *const *)(stack + 1);
  for (long i = 0; i < count; i++) say(words[i], i + 1 < count ? "," : ";");
  for (long i = count + 1; words[i] != NULL; i++) say(words[i], ",");
  (void)system_write(1, "\n", 1);
  char first = 0;
  (void)system_read((int)system_open("/data", O_RDONLY), &first, 1);
  system_exit(first != '/' ? 99 : count == 3 && words[1][0] == 'f' ? words[2][0] - '0' : 0);
}
__asm__(".globl _start\n_start:\nmv a0, sp\ntail run\n");
"""


@boots
@pytest.mark.slow
def test_lines_of_arguments_until_one_fails(tmp_path: Path) -> None:
    """Every line runs the program with variables and arguments; the first status that is not 0 ends it."""
    source, elf, script = tmp_path / "arguments.c", tmp_path / "arguments", tmp_path / "script"
    source.write_text(ECHO)
    linux.compile_freestanding(elf, [source], [f"-I{firmware.LINUX}"])
    script.write_text("# a comment\nA=1 B=2 one x=y\n\ntwo\nfail 3\nnever\n")
    done = boot("--run", elf, "--script", script, "--file", f"data={firmware.LINUX / 'soc.dts'}")
    console = done.stdout.replace("\r", "")
    assert done.returncode == 1 and "exit status 3" in done.stderr, console
    assert "init: A=1 B=2 one x=y\n/program,one,x=y;A=1,B=2,\n" in console
    assert "init: two\n/program,two;\n" in console and "never" not in console
    assert console.count("with its start; the device has counted 0 jobs") == 3


def boot(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "outwork", "soc", "boot", *arguments], cwd=PROJECT, capture_output=True, text=True
    )


@boots
@pytest.mark.slow
@pytest.mark.parametrize("coherent", ["--coherent", "--no-coherent"])
def test_the_self_test_under_linux(tmp_path: Path, coherent: str) -> None:
    """Every known answer, from a process, counted by the device."""
    elf = tmp_path / "selftest.elf"
    firmware.build(elf, [EXAMPLES / "selftest.c"], linux=True)
    done = boot("--run", elf, coherent)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Linux version 6." in done.stdout and "init: Linux is up after" in done.stdout
    assert done.stdout.count("189 runs, 0 failed; the device counted 189 jobs, 0 interrupts missed") == 2
    assert "Self-test: passed." in done.stdout


@pytest.fixture(scope="module")
def booted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of a Linux that waits for its program: booted once for the tests below."""
    path = tmp_path_factory.mktemp("booted") / "linux.checkpoint"
    done = boot("--save", path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Linux version 6." in done.stdout and "init: ready for a program" in done.stdout
    assert path.stat().st_size < 16e6 and re.search(r"linux\.checkpoint: [\d,]+ cycles, [\d.]+ MB", done.stderr)
    return path


ENDINGS = {
    "return 7;": (r"init: the program took \d+ cycles", 7),
    "__builtin_trap();": (r"init: the program was ended by signal \d+", 1),
    "*(volatile int *)16 = 1;": (r"init: the program was ended by signal 11", 128 + 11),
}


@boots
@pytest.mark.slow
@pytest.mark.parametrize("body", ENDINGS)
def test_how_a_program_ends(tmp_path: Path, booted: Path, body: str) -> None:
    source, elf = tmp_path / "program.c", tmp_path / "program.elf"
    source.write_text(f"int main(void) {{ {body} return 0; }}")
    firmware.build(elf, [source], linux=True)
    said, status = ENDINGS[body]
    done = boot("--restore", booted, "--run", elf)
    assert "Linux version" not in done.stdout, "it has not booted again"
    assert re.search(said, done.stdout) and done.returncode == 1
    if status != 1:
        assert f"exit status {status};" in done.stderr


@boots
@pytest.mark.slow
def test_a_boot_without_program() -> None:
    done = boot()
    assert done.returncode == 0 and "init: there is no program to run" in done.stdout


@boots
@pytest.mark.slow
def test_many_programs_start_from_one_boot(tmp_path: Path, booted: Path) -> None:
    """The self-test with the device, the same to a cycle each time; and no program at all."""
    elf = tmp_path / "selftest.elf"
    firmware.build(elf, [EXAMPLES / "selftest.c"], linux=True)
    runs = [boot("--restore", booted, "--run", elf) for _ in range(2)]
    ends = [re.search(r"exit status 0; [\d,]+ cycles, [\d,]+ instructions", done.stderr) for done in runs]
    assert all(done.stdout.count("189 runs, 0 failed; the device counted 189 jobs") == 2 for done in runs), runs
    assert ends[0] and ends[1] and ends[0][0] == ends[1][0]
    done = boot("--restore", booted)
    assert done.returncode == 0 and "init: there is no program to run" in done.stdout
    done = boot("--restore", booted, "--no-coherent")
    assert done.returncode == 2 and "is of another coherent" in done.stderr
    done = boot("--save", booted, "--run", elf)
    assert done.returncode == 2 and "leave --run and --restore out" in done.stderr
