# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of the system on chip: a restored system goes on to the cycle, and files that do not fit are refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from outwork.errors import OutworkError, UsageError
from outwork.paths import PROJECT, has_library
from outwork.soc import checkpoint, firmware
from outwork.soc import program as programs
from outwork.soc.system import System

pytestmark = pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc")
BEFORE_THE_DEVICE = """
#include <stdio.h>
#include "outwork/outwork.h"
#include "soc.h"
int main(void) {
  static volatile uint32_t memory[5000];
  uint32_t sum = 0;
  for (unsigned i = 0; i < 5000; i++) memory[i] = i * i;
  for (unsigned i = 0; i < 5000; i++) sum += memory[i];
  printf("sum %lu\\n", (unsigned long)sum);
  struct ow_platform platform;
  struct ow_device device;
  soc_platform(&platform);
  printf("opened: %d\\n", ow_device_open(&device, &platform));
  return 7;
}
"""
AT = 30_011  # cycles; in the loop, long before the device


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoint")
    (folder / "program.c").write_text(BEFORE_THE_DEVICE, encoding="utf-8")
    firmware.build(folder / "program.elf", [folder / "program.c"])
    return folder / "program.elf"


@pytest.fixture(scope="module")
def saved(elf: Path) -> Path:
    path = elf.with_suffix(".checkpoint")
    with System(programs.load(elf)) as system:
        assert system.run(AT) == b"" and not system.finished
        checkpoint.save(system, path)
    return path


def finish(system: System) -> tuple[str, int, int, int, int, int]:
    console = b""
    while not system.finished:
        console += system.run()
    got = system.statistics
    return console.decode(), system.status, got.cycles, got.instructions, got.data_reads, got.device_cycles


def test_a_restored_system_goes_on_to_the_cycle(elf: Path, saved: Path) -> None:
    """The console, every counter and the accelerator's part are those of a run without a break; twice."""
    with System(programs.load(elf)) as whole:
        wanted = finish(whole)
    assert wanted[:2] == (
        "sum 4162487500\nopened: 0\n".replace("4162487500", f"{sum(i * i for i in range(5000)) % 2**32}"),
        7,
    )
    assert wanted[2] > 2 * AT
    for _ in range(2):
        with System(programs.load(elf)) as system:
            checkpoint.restore(system, saved)
            assert system.statistics.cycles == AT
            assert finish(system) == wanted


def test_another_process_starts_there(elf: Path, saved: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from outwork.soc import checkpoint, program\n"
        "from outwork.soc.system import System\n"
        f"with System(program.load(pathlib.Path({str(elf)!r}))) as system:\n"
        f"    checkpoint.restore(system, pathlib.Path({str(saved)!r}))\n"
        "    while not system.finished:\n"
        "        sys.stdout.write(system.run().decode())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, timeout=300)
    assert done.stdout.endswith("opened: 0\n"), done.stderr


def test_the_accelerator_is_not_saved(elf: Path, tmp_path: Path) -> None:
    """After its first access there is no checkpoint, and the file that was there stays."""
    path = tmp_path / "late.checkpoint"
    path.write_text("old")
    with System(programs.load(elf)) as system:
        finish(system)
        with pytest.raises(OutworkError, match="a program has accessed the accelerator"):
            checkpoint.save(system, path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_files_that_do_not_fit_are_refused(elf: Path, saved: Path, tmp_path: Path) -> None:
    line, _, state = saved.read_bytes().partition(b"\n")
    head = json.loads(line)
    cases = {
        "no checkpoint": (b"text", "is no checkpoint"),
        "damaged": (line + b"\n" + state[:-1] + bytes([state[-1] ^ 1]), "is damaged"),
        "short": (line + b"\n" + state[:1000], "is damaged"),
        "library": (json.dumps({**head, "library": "0"}).encode() + b"\n" + state, "is of another library"),
        "board": (json.dumps({**head, "parameters": {}}).encode() + b"\n" + state, "is of another parameters"),
    }
    for name, (data, why) in cases.items():
        path = tmp_path / name
        path.write_bytes(data)
        with System(programs.load(elf)) as system, pytest.raises(UsageError, match=why):
            checkpoint.restore(system, path)
    with (
        System(programs.load(elf), coherent=False) as system,
        pytest.raises(UsageError, match="is of another coherent"),
    ):
        checkpoint.restore(system, saved)
    with System(programs.load(elf)) as system, pytest.raises(UsageError, match="cannot be read"):
        checkpoint.restore(system, tmp_path / "missing")
    with System(programs.load(elf)) as system, pytest.raises(UsageError, match="cannot be written"):
        checkpoint.save(system, tmp_path / "missing/folder")


def test_a_system_that_has_run_takes_no_checkpoint(elf: Path, saved: Path) -> None:
    with System(programs.load(elf)) as system:
        system.run(10)
        with pytest.raises(OutworkError, match="does not fit"):
            checkpoint.restore(system, saved)
