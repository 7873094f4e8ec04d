# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Waveforms of the system on chip: both models, at the right cycles, and a run that they do not change."""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pylibfst
import pytest

from outwork.paths import PROJECT, has_library
from outwork.soc import firmware
from outwork.soc import program as programs
from outwork.soc.system import System

pytestmark = pytest.mark.skipif(
    not (has_library("ow_soc_128") and has_library("ow_soc_128_trace")),
    reason="the system is not built: make soc-trace",
)
# One block through Outwork lite, then the accelerator's identification.
PROGRAM = """
#include "outwork/lite.h"
#include "soc.h"
#include "soc_map.h"
int main(void) {
  static const uint8_t key[16];
  uint8_t block[16] = {0};
  struct ow_platform platform;
  struct ow_lite lite;
  soc_lite_platform(&platform);
  (void)ow_lite_open(&lite, &platform);
  (void)ow_lite_load_key(&lite, key, 16);
  (void)ow_lite_ecb_crypt(&lite, block, OW_LITE_ENCRYPT, block, 16);
  return *(volatile uint32_t *)SOC_OUTWORK_BASE == 0;
}
"""


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wave")
    (folder / "program.c").write_text(PROGRAM, encoding="utf-8")
    firmware.build(folder / "program.elf", [folder / "program.c"])
    return folder / "program.elf"


def changes(path: Path) -> tuple[dict[str, list[tuple[int, str]]], int, int]:
    """Returns the changes of each signal, time and value, and the times between which the file is."""
    opened = pylibfst.lib.fstReaderOpen(str(path).encode())
    assert opened != pylibfst.ffi.NULL
    begin, end = pylibfst.lib.fstReaderGetStartTime(opened), pylibfst.lib.fstReaderGetEndTime(opened)
    _, signals = pylibfst.get_scopes_signals2(opened)
    names = defaultdict(list)
    for name, signal in signals.by_name.items():
        names[signal.handle].append(name)
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)

    def take(_: object, time: int, handle: int, value: object) -> None:
        text = pylibfst.helpers.string(value)
        for name in names[handle]:
            found[name].append((time, text))

    pylibfst.lib.fstReaderSetFacProcessMaskAll(opened)
    pylibfst.fstReaderIterBlocks(opened, take)
    pylibfst.lib.fstReaderClose(opened)
    return found, begin, end


def rises(found: dict[str, list[tuple[int, str]]], name: str) -> list[int]:
    (chosen,) = [values for full, values in found.items() if full.split(" ")[0] == name]
    return [time for time, value in chosen if value == "1"]


def cycles_of(elf: Path) -> int:
    with System(programs.load(elf)) as system:
        while not system.finished:
            system.run()
        assert system.status == 0
        return system.statistics.cycles


def test_a_whole_run(elf: Path, tmp_path: Path) -> None:
    path, wanted = tmp_path / "run.fst", cycles_of(elf)
    with System(programs.load(elf), wave=True) as system:
        system.trace(path)
        while not system.finished:
            system.run()
        got = system.statistics
    assert got.cycles == wanted, "a waveform changes no cycle"
    found, begin, end = changes(path)
    assert begin == 0 and 0 <= 2 * wanted - end <= 2
    for clock in ("TOP.soc.clk_i", "TOP.board.clk_i"):
        assert [time % 2 for time in rises(found, clock)] == [1] * len(rises(found, clock))
        assert abs(len(rises(found, clock)) - wanted) <= 1
    assert got.lite_results == 4 == len(rises(found, "TOP.soc.lite_result_o"))
    (access,) = rises(found, "TOP.board.s_axil_arvalid")
    assert max(rises(found, "TOP.soc.lite_result_o")) < access < end
    assert rises(found, "TOP.soc.m_axil_arvalid")[-1] <= access + 1
    # The clock of Outwork lite is that of its accesses and of 255 cycles after, and no more.
    assert 255 < len(rises(found, "TOP.soc.u_lite.lite_clk")) < wanted


def test_a_part(elf: Path, tmp_path: Path) -> None:
    """The same accesses at the same times, by the command."""
    whole, part = tmp_path / "whole.fst", tmp_path / "part.fst"
    with System(programs.load(elf), wave=True) as system:
        system.trace(whole)
        while not system.finished:
            system.run()
    (access,) = rises(changes(whole)[0], "TOP.board.s_axil_arvalid")
    first = access // 2 - 90
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "outwork",
            "soc",
            "run",
            "--wave",
            part,
            "--wave-from",
            str(first),
            "--wave-cycles",
            "100",
            elf,
        ],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found, begin, end = changes(part)
    assert (begin, end) == (2 * first, 2 * first + 199)
    assert rises(found, "TOP.board.s_axil_arvalid") == [access]


def test_what_cannot_be_written_is_said(elf: Path, tmp_path: Path) -> None:
    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "outwork", "soc", "run", *arguments, elf]
        return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300)

    done = run("--wave", tmp_path / "missing/run.fst")
    assert done.returncode == 2 and "cannot be written: No such file or directory" in done.stderr
    done = run("--wave-from", "100")
    assert done.returncode == 2 and "give --wave FILE too" in done.stderr
    done = run("--wave", tmp_path / "late.fst", "--wave-from", "100000000")
    assert done.returncode == 1 and "has ended before cycle 100,000,000" in done.stderr
    done = run("--board", "zedboard", "--wave", tmp_path / "narrow.fst")
    assert done.returncode != 0 and "make soc-trace" in done.stderr
