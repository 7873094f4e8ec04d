# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Outwork lite on the system on chip: known answers by its driver on the CPU, and what its accesses take."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import soc_modes

from outwork.algorithms import KNOWN_ANSWERS
from outwork.device import profiles
from outwork.paths import PROJECT, has_library
from outwork.soc import firmware
from outwork.soc import program as programs
from outwork.soc.system import System

pytestmark = pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc")
LITE_ANSWERS = [answer for answer in KNOWN_ANSWERS if re.fullmatch(r"aes-\d+-(ecb|cbc|ctr)", answer.algorithm.name)]
BLOCK_BYTES = 16
CYCLES_PER_BLOCK = {128: 44, 192: 52, 256: 60}  # of the device alone


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    elf = tmp_path_factory.mktemp("lite") / "lite.elf"
    firmware.build(elf, [PROJECT / "platform/soc/examples/lite.c"])
    return elf


def run(elf: Path, mmio_latency: int = 0) -> tuple[str, int]:
    """Returns what the program printed, and how many words Outwork lite gave."""
    board = profiles.load("soc")
    board = replace(board, parameters={**board.parameters, "mmio_latency": mmio_latency})
    console = b""
    with System(programs.load(elf), board) as system:
        while not system.finished and system.statistics.cycles < 20_000_000:
            console += system.run()
        assert system.finished and system.status == 0, console.decode()
        return console.decode(), system.statistics.lite_results


def cycles(console: str, name: str) -> tuple[int, int]:
    """Returns those of a message of 16 bytes and of one of 1,024."""
    found = re.search(rf"^{name}: (\d+) cycles for 16 bytes, (\d+) for 1,024$", console, re.MULTILINE)
    assert found, console
    return int(found[1]), int(found[2])


def test_known_answers_by_the_driver_on_the_cpu(example: Path) -> None:
    console, words = run(example)
    assert f"Outwork lite: {2 * len(LITE_ANSWERS)} runs, 0 failed" in console
    assert {answer.algorithm.name for answer in LITE_ANSWERS} >= {
        f"aes-{bits}-{mode}" for bits in (128, 192, 256) for mode in ("ecb", "cbc", "ctr")
    }
    answers = sum(2 * -(-len(answer.message) // BLOCK_BYTES) for answer in LITE_ANSWERS)
    timed = len(LITE_ANSWERS) * 2 * (1 + 1024 // BLOCK_BYTES)
    assert words == 4 * (answers + timed)
    for bits, alone in CYCLES_PER_BLOCK.items():
        short, long = cycles(console, f"aes-{bits}-ecb")
        assert alone < (long - short) / 63 < 175
        assert short < 400


def test_a_longer_way_to_the_registers_costs_each_access(example: Path) -> None:
    """A block takes four writes, once each way of 10 cycles, and four reads, twice; the device works meanwhile."""
    (_, near), (_, far) = (cycles(run(example, latency)[0], "aes-128-cbc") for latency in (0, 10))
    assert 80 <= (far - near) / 64 <= 125


@pytest.mark.slow
def test_all_four_implementations_make_the_same_blocks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those of the tables in docs/soc.md, with a few sizes; Outwork lite gave its words, and nobody else's."""
    if not soc_modes.soc_bench.MBEDTLS.is_dir():
        pytest.skip("Mbed TLS 3.6.5 is missing: scripts/mbedtls.sh 3.6.5")
    short = tmp_path / "bench"
    short.mkdir()
    text = (soc_modes.BENCH / "measure.h").read_text(encoding="utf-8")
    sizes = "{16, 64, 256, 1024, 4096, 16384, MESSAGE_BYTES_MAX}"
    assert sizes in text
    for file in soc_modes.BENCH.iterdir():
        (short / file.name).write_bytes(file.read_bytes())
    (short / "measure.h").write_text(text.replace(sizes, "{16, 64}"), encoding="utf-8")
    monkeypatch.setattr(soc_modes, "BENCH", short)
    outcomes = soc_modes.measure()
    lite, rings = outcomes["lite"].cycles, outcomes["rings"].cycles
    assert set(lite) == {
        (f"{bits}-{mode}", size) for bits in (128, 256) for mode in ("ecb", "cbc", "ctr") for size in (16, 64)
    }
    assert lite["128-cbc", 16] < rings["128-cbc", 16] < outcomes["software"].cycles["128-cbc", 16]
    outcomes["rings"].blocks["128-cbc", 16] = "0" * 32
    with pytest.raises(soc_modes.OutworkError, match="Mbed TLS and rings have made different blocks"):
        soc_modes.check(outcomes)
    outcomes["rings"].blocks["128-cbc", 16] = outcomes["lite"].blocks["128-cbc", 16]
    outcomes["lite"].lite_results -= 4
    with pytest.raises(soc_modes.OutworkError, match="Outwork lite has given"):
        soc_modes.check(outcomes)
    assert len(soc_modes.tables(outcomes)) == 3 * 6 + 2
