# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""LiteX: the core connects every port, the SoC's firmware passes its self-test in simulation, and a bitstream is made.

What needs LiteX is skipped without it; `make test-all` installs it.
"""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from outwork.paths import PROJECT

FOLDER = PROJECT / "platform/litex"
needs_litex = pytest.mark.skipif(find_spec("litex") is None, reason="LiteX is not installed: scripts/setup.sh litex")


def script(name: str, *arguments: str | Path, seconds: int = 7200) -> str:
    command = [sys.executable, FOLDER / name, *arguments]
    done = subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def verilog(preset: str) -> None:
    subprocess.run([sys.executable, PROJECT / "scripts/verilog.py", preset], check=True, capture_output=True)


def test_nothing_else_needs_litex() -> None:
    code = (
        "import sys, outwork.cli, outwork.engines; print([name for name in ('litex', 'migen') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "[]\n"


@needs_litex
def test_the_core_connects_every_port(tmp_path: Path) -> None:
    """And each in its direction: rtl/outwork_axi.v has the same ports as a preset's file."""
    from litex.build.sim import SimPlatform
    from migen import Instance

    from outwork.litex import Outwork

    file = tmp_path / "outwork_micro.v"
    file.touch()
    core: Any = Outwork(SimPlatform("SIM", []), "micro", file)
    (instance,) = [special for special in core._fragment.specials if isinstance(special, Instance)]
    connected = {(type(item).__name__.lower(), item.name) for item in instance.items}
    source = (PROJECT / "rtl/outwork_axi.v").read_text("utf-8")
    ports = set(re.findall(r"^  (input|output) +wire +(?:\[[^]]*\] +)?(\w+)", source, re.MULTILINE))
    assert connected == ports


@needs_litex
def test_a_design_without_a_cpu(tmp_path: Path) -> None:
    """What a host drives has no interrupts."""
    from litex.build.sim import SimPlatform
    from litex.soc.integration.soc_core import SoCMini

    from outwork.litex import add_outwork

    file = tmp_path / "outwork_micro.v"
    file.touch()
    soc = SoCMini(SimPlatform("SIM", []), clk_freq=1_000_000)
    add_outwork(soc, "micro", verilog=file)
    assert soc.bus.regions["outwork"].size == 0x8000 and "outwork" in soc.bus.masters


@needs_litex
def test_a_missing_source_is_named(tmp_path: Path) -> None:
    from litex.build.sim import SimPlatform

    from outwork.errors import OutworkError
    from outwork.litex import Outwork

    with pytest.raises(OutworkError, match="`make verilog PRESET=micro` in Outwork's tree writes it"):
        Outwork(SimPlatform("SIM", []), "micro", tmp_path / "nothing.v")


@needs_litex
def test_a_tool_without_an_end_is_ended(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(FOLDER)!r}); from pathlib import Path; import ulx3s; "
        f"ulx3s.LIMIT_SECONDS = 0.1; ulx3s.run(Path({str(tmp_path)!r}), '/bin/sleep', 'infinity')"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1 and "sleep has not ended within" in done.stderr and "--seed" in done.stderr, done.stderr


@needs_litex
@pytest.mark.slow
def test_firmware_passes_its_self_test(tmp_path: Path) -> None:
    verilog("micro")
    said = script("sim.py", "--output", tmp_path)
    assert "The device counted 72 jobs (15 with a wrong tag, as intended)" in said
    assert " 0 interrupts missed." in said
    assert "Self-test 72 runs: passed." in said


@needs_litex
@pytest.mark.slow
def test_a_bitstream_for_the_ulx3s(tmp_path: Path) -> None:
    """It fits, and reaches the clock that its PLL makes: else the script fails."""
    verilog("micro")
    said = script("ulx3s.py", "--output", tmp_path)
    bitstream = tmp_path / "gateware/outwork_ulx3s.bit"
    assert str(bitstream) in said
    assert bitstream.stat().st_size > 100_000
    clock = re.search(r"clock: ([\d.]+) MHz reached, ([\d.]+) MHz asked for", said)
    assert clock is not None and float(clock[1]) >= float(clock[2])
