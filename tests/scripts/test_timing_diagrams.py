# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Timing diagrams: what is cut out and how values are drawn; the page shows all of them and counts the cycles as the
board does; and they are what the RTL does."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from timing.drawing import draw
from timing.lanes import Column, Diagram, Lane, columns
from timing.scenes import INTERRUPT_AFTER, PAGE, Job, Memory

from outwork import spec
from outwork.device.board import Board
from outwork.paths import PROJECT

PICTURES = PROJECT / "docs/images/timing"
TRACE = PROJECT / "build/timing/lib/trace"
SVG = "{http://www.w3.org/2000/svg}"


def page() -> str:
    text = (PROJECT / "docs/integrate.md").read_text(encoding="utf-8")
    return text.split("\n## Timing\n")[1].split("\n## ")[0]


def bus(*values: str) -> Lane:
    return Lane("data", values, is_bus=True)


def texts(svg: str) -> list[str]:
    return [found.text or "" for found in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def paths(svg: str, kind: str) -> list[str]:
    return [found.attrib["d"] for found in ElementTree.fromstring(svg).iter(f"{SVG}path") if found.get("class") == kind]


def test_cycles_without_a_change_are_cut_out() -> None:
    valid = Lane("valid", "0100000010")
    assert columns([valid]) == [*map(Column, (0, 1, 2)), Column(3, 5), *map(Column, (8, 9))]
    assert columns([valid, bus(*[""] * 4, "a", *[""] * 5)]) == [Column(cycle) for cycle in range(10)]


def test_a_few_cycles_are_not_cut_out() -> None:
    assert columns([Lane("valid", "0001")]) == [Column(0), Column(1), Column(2), Column(3)]
    assert columns([Lane("valid", "00001")]) == [Column(0), Column(1, 3), Column(4)]


def test_signals_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match=r"different numbers of cycles: \[2, 3\]"):
        columns([Lane("valid", "01"), Lane("ready", "011")])


def test_a_diagram_has_its_names_numbers_gaps_and_values() -> None:
    lanes = [Lane("m_valid", "0110000000"), bus("", "a1", "b2", *[""] * 7)]
    svg = draw(Diagram("A <b>", [lanes], first=-1, numbered_from=0))
    assert "<title>A &lt;b&gt;</title>" in svg
    shown = ["cycle", "0", "1", "2", "5 cycles", "…", "8", "aclk", "m_valid", "data", "a1", "b2"]
    assert texts(svg) == [*shown, "driven by the system", "driven by Outwork"]


def test_a_bit_rises_at_the_left_edge_of_its_cycle() -> None:
    svg = draw(Diagram("", [[Lane("q", "010", is_output=True)]]))
    assert paths(svg, "output")[0] == "M122 90H154L157 76H186L189 90H218"


def test_a_text_that_does_not_fit_stands_behind_or_is_refused() -> None:
    assert "4f57524b" in texts(draw(Diagram("", [[bus("4f57524b", "", "")]])))
    with pytest.raises(ValueError, match="no room for '4f57524b' on data"):
        draw(Diagram("", [[bus("4f57524b", "1", "1")]]))


def test_an_unknown_address_or_beat_is_an_error() -> None:
    memory = Memory()
    memory.add("src", "P", 0x1000, bytes(16) + bytes([1]) + bytes(15))
    assert (memory.place(0x1000), memory.beat(0), memory.beat(1)) == ("src", "P0", "P1")
    for name in (memory.place, memory.beat):
        with pytest.raises(KeyError):
            name(0x2000)


def test_the_page_shows_every_diagram() -> None:
    shown = re.findall(r"\]\(images/timing/([\w-]+\.svg)\)", page())
    assert len(shown) > 3 and sorted(shown) == sorted(file.name for file in PICTURES.iterdir())


def test_the_page_counts_the_cycles(board: Board) -> None:
    """Those of a job, without a waveform: when bursts are offered, and when the interrupt rises and falls."""
    job, offered = Job.on(board), []
    see = board.ffi.callback(
        "ow_sim_watcher",
        lambda _, burst: offered.append(("m_axi_awvalid" if burst.write else "m_axi_arvalid", int(burst.offered))),
    )
    board.c.ow_sim_watch(board.sim, see, board.ffi.NULL)
    doorbell = board.cycles
    job.submit()
    rise = _cycles_until(board, 1)
    board.c.ow_sim_run(board.sim, INTERRUPT_AFTER)
    acknowledged = board.cycles
    platform = board.platform
    platform.write32(platform.context, PAGE + spec.QUEUE_IRQ_OFFSET, 1)
    fall = _cycles_until(board, 0)
    board.c.ow_sim_watch(board.sim, board.ffi.NULL, board.ffi.NULL)
    job.finish()
    seen = [*offered, ("irq", rise), ("software", acknowledged), ("irq", fall)]
    rows = re.findall(r"^\| (\d+) \| `?(m_axi_a[rw]valid|irq|software)\b", page(), re.MULTILINE)
    assert rows == [(str(cycle - doorbell), name) for name, cycle in [("software", doorbell), *seen]]


def test_the_page_counts_register_accesses(board: Board) -> None:
    """Without a waveform: the board's clock runs only from the cycle in which an access is offered to its answer."""
    platform = board.platform

    def cycles(access: str, *arguments: int) -> int:
        before = board.cycles
        getattr(platform, access)(platform.context, *arguments)
        return board.cycles - before

    found = re.search(r"from cycle (\d+) on, is\s+taken in cycle \d+ and answered in cycle (\d+)\.", page())
    assert found
    board.c.ow_sim_reset(board.sim)
    assert cycles("read32", spec.GLOBAL_ID_OFFSET) == int(found[2]) - int(found[1]) + 1
    found = re.search(r"can write every (\d+) cycles and read every (\d+)\.", page())
    assert found
    register = PAGE + spec.QUEUE_IRQ_TIME_OFFSET
    assert [cycles("write32", register, 0), cycles("read32", register)] == [int(found[1]), int(found[2])]


def _cycles_until(board: Board, level: int) -> int:
    while board.c.ow_sim_interrupts(board.sim) != level:
        board.c.ow_sim_run(board.sim, 1)
    return board.cycles


@pytest.mark.slow
@pytest.mark.skipif(not any(TRACE.glob("*")), reason="the board that writes waveforms is not built: make timing")
def test_the_diagrams_are_what_the_rtl_does() -> None:
    script = PROJECT / "scripts/timing_diagrams.py"
    environment = os.environ | {"OUTWORK_LIBRARY_PATH": str(TRACE)}
    done = subprocess.run(
        [sys.executable, script, "--check"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
