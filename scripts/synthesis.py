# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Synthesises a module of rtl/ with yosys, alone and without placement. A preset's name stands for the whole device."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from outwork.device import presets

ROOT = Path(__file__).resolve().parent.parent
MACROS = ROOT / "rtl/common/ow_engine_pkg.sv"
FOLDER = ROOT / "build/areas"  # of netlists and reports
# LUTs that each primitive for memory takes.
MEMORY = {"RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM64X1S": 1, "RAM256X1S": 4, "RAM32M": 4, "RAM64M": 4}
# Puts modules that mapping has kept (`keep_hierarchy`) into the one around them.
FLATTEN = ["setattr -mod -unset keep_hierarchy *", "flatten"]
STEPS = """
import re, sys, tempfile
from pyosys import libyosys
design = libyosys.Design()

def merge(kinds):
    with tempfile.NamedTemporaryFile(mode="r", suffix=".il") as file:
        libyosys.run_pass(f"write_rtlil {file.name}", design)
        text = file.read()
    first = {}
    for name, kind, body in re.findall(r"^module \\\\(([^ $]+)\\$[^ ]+)\\n(.*?)^end$", text, re.MULTILINE | re.DOTALL):
        if kind in kinds:
            ports = tuple(re.findall(r"^ *wire .*(?:input|output) .*$", body, re.MULTILINE))
            same = first.setdefault((kind, ports), name)
            if same != name:
                libyosys.run_pass(f"chtype -set {same} t:{name.translate(str.maketrans('[]', '??'))}", design)

for step in sys.argv[1:]:
    if step.startswith("merge "):
        merge(step.split()[1:])
    else:
        libyosys.run_pass(step, design)
"""


def resolved(top: str, parameters: Sequence[str]) -> tuple[str, list[str]]:
    """Returns a module and its parameters: for the name of a preset the whole device, with the preset's first."""
    if top in presets.available():
        return "outwork_top", [*presets.load(top).settings, *parameters]
    return top, list(parameters)


def output(top: str, parameters: Sequence[str], kind: str) -> Path:
    """Returns the file in FOLDER, which it makes, for what is made of a module or preset, for example its netlist."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    return FOLDER / f"{'_'.join([top, *parameters])}.{kind}"


def read(top: str, parameters: Sequence[str], hierarchy: bool = False) -> str:
    """Returns the command of yosys that reads a module of rtl/ with these parameters, and macros (OUTWORK_...)."""
    sources = (path for folder in ("rtl", "platform/soc/rtl") for path in ROOT.glob(f"{folder}/**/{top}.*v"))
    source = next(sources, None)
    if source is None:
        raise SystemExit(f"there is no rtl/*/{top}.sv and no platform/soc/rtl/{top}.sv")
    sizes = ""
    for parameter in parameters:
        # The reader ignores an unknown name.
        name = re.escape(parameter.partition("=")[0])
        macro = name.startswith("OUTWORK_")
        file, pattern = (MACROS, f"`ifndef {name}$") if macro else (source, rf"^  parameter [^=]*\b{name}\b")
        if not re.search(pattern, file.read_text("utf-8"), re.MULTILINE):
            raise SystemExit(f"{file.relative_to(ROOT)} has no {'macro' if macro else 'parameter'} {name}")
        sizes += f"-{'D' if macro else 'G'}{parameter} "
    keep = "--keep-hierarchy" if hierarchy else ""
    is_listed = source.suffix == ".sv" and source.is_relative_to(ROOT / "rtl")
    beside = "" if is_listed else source.relative_to(ROOT)
    files = "rtl/lite/lite.f" if source.is_relative_to(ROOT / "rtl/lite") else "rtl/outwork.f"
    return f"read_slang --threads 1 {keep} {sizes} -F {files} {beside} --top {top}"


def kept() -> list[Path]:
    """Returns the files of the modules that mapping keeps apart (CONTRIBUTING.md, Style)."""
    files = sorted((ROOT / "rtl").rglob("*.sv"))
    return [file for file in files if '(* keep_hierarchy = "yes" *)' in file.read_text("utf-8")]


def read_kept(top: str, parameters: Sequence[str]) -> list[str]:
    """Returns the steps that read a module as a hierarchy, in which modules that mapping keeps apart are one each, whatever the
    number of their instances: the reader makes a module of each instance, and each would be mapped.

    Modules of a name whose ports are as wide are the same: their parameters are widths, or are the same in
    all instances.
    """
    kinds = " ".join(file.stem for file in kept())
    return [read(top, parameters, hierarchy=True), f"merge {kinds}", f"hierarchy -top {top}"]


def gates(top: str) -> list[str]:
    """Returns the commands of yosys that make gates and registers of a module that was read; memories stay memories."""
    return [f"synth -flatten -top {top} -run begin:fine", "techmap", "opt -fast", "abc -g gates", "opt_clean"]


def run(what: str, steps: Sequence[str]) -> None:
    """Runs steps, commands of yosys and `merge` of read_kept, for an error message about `what`."""
    done = subprocess.run([sys.executable, "-c", STEPS, *steps], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        said = [line for line in (done.stdout + done.stderr).splitlines() if "error" in line.lower()]
        raise SystemExit("\n".join([f"yosys cannot synthesise {what}:", *said]))


def synthesise(top: str, parameters: Sequence[str], *reports: str, hierarchy: bool = False) -> None:
    """Synthesises for the 7-series, and at the end runs the commands `reports`.

    With `hierarchy` modules stay apart, so that nothing is optimised across their ports; else only those that say so.
    """
    what = " ".join([top, *parameters])
    top, parameters = resolved(top, parameters)
    synth = f"synth_xilinx -family xc7 -noiopad {'' if hierarchy else '-flatten'} -top {top}"
    steps = [*read_kept(top, parameters), synth, *([] if hierarchy else FLATTEN), *reports]
    run(what, steps)
