# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The netlist of a module: gates, registers and memories, with the parameters that it was made with and no others.

The benches of tests/rtl play on netlists too, in the slow tests.
"""

import os
import re
import subprocess
from pathlib import Path

import netlist
import pytest
import verilator


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("netlist") / "ow_seal_core.v"
    netlist.write("ow_seal_core", ["Rounds=1"], file)
    return file


def test_it_is_of_gates_and_registers(core: Path) -> None:
    text = core.read_text("utf-8")
    assert text.count("module ow_seal_core") == 1
    assert "always @(posedge clk_i)" in text
    assert re.search(r"^  assign .*( [-+*?] |<<|>>|==)|\bcase", text, re.MULTILINE) is None


@pytest.mark.parametrize(
    ("rounds", "error"), [(1, ""), (2, "ow_seal_core: Rounds is 2; this netlist is that of Rounds=1.")]
)
def test_its_parameters_are_those_it_was_made_with(core: Path, rounds: int, error: str) -> None:
    root = Path(verilator.__file__).parent
    command = [
        root / "bin/verilator_bin",
        "--lint-only",
        "-Wno-fatal",
        "-Werror-USERERROR",
        "--top-module",
        "ow_seal_core",
        f"-GRounds={rounds}",
        core,
    ]
    done = subprocess.run(command, env=os.environ | {"VERILATOR_ROOT": str(root)}, capture_output=True, text=True)
    assert (done.returncode == 0) == (error == "")
    assert error in done.stderr
