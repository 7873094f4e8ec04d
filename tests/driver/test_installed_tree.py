# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Other projects take the driver from an installed tree: by pkg-config, by find_package(Outwork), and as firmware."""

import shutil
import subprocess
from pathlib import Path

import pytest

from outwork import paths

CMAKE = paths.PROJECT / ".venv/bin/cmake"
PROGRAM = """
#include <outwork/outwork.h>
#include <stdio.h>
static uint32_t read32(void *context, uint32_t offset) { (void)context; (void)offset; return 0; }
static void write32(void *context, uint32_t offset, uint32_t value) { (void)context; (void)offset; (void)value; }
static bool map(void *context, uint64_t *address, void *memory, size_t length, ow_direction direction) {
  (void)context; (void)length; (void)direction; *address = (uintptr_t)memory; return true;
}
static void barrier(void *context) { (void)context; }
static uint64_t microseconds(void *context) { (void)context; return 0; }
int main(void) {
  const struct ow_platform platform = {.read32 = read32, .write32 = write32, .map = map, .barrier = barrier,
                                       .microseconds = microseconds};
  struct ow_device device;
  puts(ow_status_text(ow_device_open(&device, &platform)));
  return 0;
}
"""
ANSWER = "No Outwork device of this driver's version answers.\n"
LISTS = """
cmake_minimum_required(VERSION 3.25)
project(mine C)
find_package(Outwork 0.2 REQUIRED)
foreach(kind outwork outwork_static)
  add_executable(with_${kind} main.c)
  target_link_libraries(with_${kind} PRIVATE Outwork::${kind})
endforeach()
"""


def run(*words: str | Path, **environment: str) -> str:
    done = subprocess.run([*map(str, words)], env=environment or None, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed tree, moved, and beside it a program in C."""
    folder = tmp_path_factory.mktemp("installed")
    run(CMAKE, "--install", paths.PROJECT / "build/release", "--component", "driver", "--prefix", folder / "first")
    (folder / "first").rename(folder / "usr")
    (folder / "main.c").write_text(PROGRAM)
    return folder


def flags(tree: Path, *words: str) -> list[str]:
    (found,) = (tree / "usr").rglob("outwork.pc")
    return run("pkg-config", *words, "outwork", PKG_CONFIG_PATH=str(found.parent), PATH="/usr/bin:/bin").split()


def test_version_of_the_library(tree: Path) -> None:
    (library,) = (tree / "usr").rglob("liboutwork.so")
    said = run("readelf", "--wide", "--dynamic", library)
    assert "[liboutwork.so.0.2]" in said
    symbols = run("readelf", "--wide", "--dyn-syms", library)
    shown = [line.split()[-1] for line in symbols.splitlines() if "@@OUTWORK_0.2" in line and "FUNC" in line]
    assert "ow_device_open@@OUTWORK_0.2" in shown and all(name.startswith("ow_") for name in shown)


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="pkg-config is missing")
def test_pkg_config(tree: Path) -> None:
    program = tree / "program"
    run(
        "cc",
        "-std=c11",
        "-Wall",
        "-Werror",
        *flags(tree, "--cflags"),
        tree / "main.c",
        "-o",
        program,
        *flags(tree, "--libs"),
    )
    (folder,) = flags(tree, "--variable=libdir")
    assert run(program, LD_LIBRARY_PATH=folder) == ANSWER


def test_find_package(tree: Path) -> None:
    (tree / "CMakeLists.txt").write_text(LISTS)
    build = tree / "build"
    run(CMAKE, "-S", tree, "-B", build, f"-DCMAKE_PREFIX_PATH={tree / 'usr'}")
    run(CMAKE, "--build", build)
    for kind in ("outwork", "outwork_static"):
        assert run(build / f"with_{kind}") == ANSWER


@pytest.mark.skipif(shutil.which("riscv64-unknown-elf-gcc") is None, reason="a compiler for RISC-V is missing")
@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="pkg-config is missing")
def test_firmware(tree: Path) -> None:
    """The bare-metal example, from nothing but the installed tree."""
    (sources,) = flags(tree, "--variable=sourcedir")
    examples = Path(sources).parent / "examples"
    words = ["--specs=picolibc.specs", "-march=rv32imc", "-mabi=ilp32", "-std=c11", "-Os", "-ffunction-sections"]
    words += [
        "-nostartfiles",
        "-T",
        str(examples / "bare_metal/link.ld"),
        "-Wl,--gc-sections",
        *flags(tree, "--cflags"),
    ]
    files = [examples / "bare_metal.c", examples / "bare_metal/startup.c", *sorted(Path(sources).glob("*.c"))]
    run("riscv64-unknown-elf-gcc", *words, *files, "-o", tree / "firmware.elf")
    assert "ow_device_open" in run("riscv64-unknown-elf-nm", tree / "firmware.elf")
