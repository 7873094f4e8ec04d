# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""One file of Verilog: its names, its parameters, and that a board of it passes the self-test, elaborated and as gates."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import verilog

from outwork.device import presets
from outwork.paths import PROJECT

RAW = r"""
module \fifo$top.u_a (clk_i);
endmodule
module \fifo$top.u_b (clk_i);
  \bits$top.u_b.gen[0].u_bits  u_bits (.x(\gen[0].y ));
endmodule
module \bits$top.u_b.gen[0].u_bits (x);
endmodule
module outwork_toy(clk_i);
  \fifo$top.u_a  u_a (.clk_i(clk_i));
  \fifo$top.u_b  u_b (.clk_i(clk_i));
endmodule
"""


def test_modules_get_plain_names() -> None:
    text = verilog.plain(RAW, "outwork_toy")
    assert "$" not in text
    assert "module outwork_toy_fifo (" in text and "module outwork_toy_fifo_2 (" in text
    assert "  outwork_toy_fifo  u_a (" in text and "  outwork_toy_fifo_2  u_b (" in text
    assert "  outwork_toy_bits  u_bits (.x(\\gen[0].y ));" in text


def test_modules_that_synthesis_keeps_say_so() -> None:
    text = verilog.plain(
        RAW.replace("bits$", "aes_mix_columns$").replace("fifo$", "aes_mix_columns_of$"), "outwork_toy"
    )
    assert '\n(* keep_hierarchy = "yes" *)\nmodule outwork_toy_aes_mix_columns (x);' in text
    assert text.count("keep_hierarchy") == 1


def test_parameters_are_the_presets() -> None:
    for name, preset in presets.available().items():
        assert verilog.parameters(name)[: len(preset.parameters)] == [
            f"{key}={value}" for key, value in preset.parameters.items()
        ]
    assert verilog.parameters("micro")[-4:] == [
        "OUTWORK_QUEUES=1",
        "OUTWORK_STREAMS=2",
        "OUTWORK_STEP_CYCLES=0",
        "OUTWORK_SEAL=0",
    ]
    with pytest.raises(SystemExit, match=r"no preset mikro in rtl/presets\.json; there are: full, edge, tls, micro"):
        verilog.parameters("mikro")


def test_memories_are_written_in_words(tmp_path: Path) -> None:
    """Readers find block RAM where an enable is a word's or a byte's; with one for each bit they take many times as much."""
    file = tmp_path / "outwork_micro.v"
    verilog.write("micro", file, as_gates=False)
    text = file.read_text("utf-8")
    assert re.search(r"memory_q\[write_address_i\]\[31:0\] <=", text)
    assert not re.search(r"memory_q\[\w+\]\[(\d+):\1\] <=", text)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [pytest.param([], id="elaborated"), pytest.param(["--gates"], id="gates")])
def test_a_board_of_one_file(tmp_path: Path, arguments: list[str]) -> None:
    """The file stands in place of the RTL: nothing else of rtl/ is in the board."""
    file = tmp_path / "outwork_micro.v"
    script = PROJECT / "scripts/verilog.py"
    subprocess.run([sys.executable, script, "micro", "--output", file, *arguments], check=True)
    build = tmp_path / "build"
    options = ["-DOUTWORK_BOARD_PRESETS=micro", f"-DOUTWORK_BOARD_NETLIST={file}"]
    environment = os.environ | {"TARGET": "ow_board_micro"}
    subprocess.run([PROJECT / "scripts/build.sh", build, *options], env=environment, check=True)
    command = [sys.executable, "-m", "outwork", "selftest", "--board", "microcontroller"]
    environment = os.environ | {"OUTWORK_LIBRARY_PATH": str(build / "lib")}
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=True)
    assert "The device counted 75 jobs (15 with a wrong tag, as intended)." in done.stdout
