# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts for Vivado, with its commands recorded: files, parameters, ports and addresses are those of the design.

What Vivado would say of the scripts, no test here can tell.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import axi_module
import check_lists
import ipxact
import pytest

import outwork
from outwork.device import presets
from outwork.paths import PROJECT

RECORDER = Path(__file__).parent / "vivado_recorder.tcl"
PACKAGE = PROJECT / "platform/vivado/package_ip.tcl"
DESIGN = PROJECT / "platform/zynq/block_design.tcl"
CURRENT = ""  # what the recorder returns for a command without arguments, such as current_project

pytestmark = pytest.mark.skipif(shutil.which("tclsh") is None, reason="needs tclsh")


def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["tclsh", RECORDER, script, *arguments], capture_output=True, text=True)


def record(script: Path, *arguments: str) -> list[list[str]]:
    done = run(script, *arguments)
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


def called(calls: list[list[str]], name: str) -> list[list[str]]:
    return [call[1:] for call in calls if call[0] == name]


def settings(words: str) -> Iterator[tuple[str, str]]:
    """Yields what is set by the list after `set_property -dict`."""
    each = iter(words.split())
    return zip(each, each, strict=True)


@pytest.mark.parametrize("name", presets.available())
def test_an_ip_of_a_preset(tmp_path: Path, name: str) -> None:
    calls = record(PACKAGE, name, str(tmp_path))
    (systemverilog, verilog) = called(calls, "read_verilog")
    listed = check_lists.from_list(PROJECT / "rtl/outwork.f")
    read = [Path(path) for path in systemverilog[1].split()]
    assert systemverilog[0] == "-sv" and [path.name for path in read] == [path.name for path in listed]
    if macros := presets.load(name).macros:
        (copy,) = set(read) - set(listed)
        defines = "".join(f"`define {macro} {value}\n" for macro, value in macros.items())
        assert copy.read_text() == defines + (PROJECT / "rtl/common" / copy.name).read_text()
    else:
        assert read == listed
    assert verilog == [str(axi_module.SOURCE)]
    properties = called(calls, "set_property")
    assert ["version", outwork.__version__, CURRENT] in properties
    for parameter, value in presets.load(name).parameters.items():
        assert properties.count(["value", str(value), parameter]) == 2  # the user's, and the module's
    interfaces = [call[1] for call in called(calls, "ipx::associate_bus_interfaces")]
    assert interfaces == list(ipxact.BUSES)


def test_an_unknown_preset() -> None:
    done = run(PACKAGE, "mikro", "ip")
    assert done.returncode == 1 and "rtl/presets.json has no preset mikro" in done.stderr


def test_a_misspelt_command(tmp_path: Path) -> None:
    script = tmp_path / "wrong.tcl"
    script.write_text("create_bd_desing system\n")
    assert "no command create_bd_desing" in run(script).stderr


def test_the_block_design_connects_every_port() -> None:
    calls = record(DESIGN, "edge", "ip", "project")
    module = axi_module.load()
    pins = {call[0].removeprefix("outwork/") for call in called(calls, "get_bd_pins") if call[0].startswith("outwork/")}
    buses = {call[0] for call in called(calls, "get_bd_intf_pins")}
    assert {f"outwork/{name}" for name in ipxact.BUSES} < buses
    on_buses = {port.name for name in ipxact.BUSES for port in module.interface(name).values()}
    assert pins == {port.name for port in module.ports} - on_buses


def test_the_block_design_sets_parameters_that_exist() -> None:
    calls = record(DESIGN, "edge", "ip", "project")
    (found,) = (
        dict(settings(call[1])) for call in called(calls, "set_property") if call[0] == "-dict" and call[2] == "outwork"
    )
    assert {name.removeprefix("CONFIG.") for name in found} <= {each.name for each in axi_module.load().parameters}
    assert found["CONFIG.DataWidth"] == "64"


def test_the_board_is_set() -> None:
    board = "tul.com.tw:pynq-z2:part0:1.0"
    assert ["board_part", board, CURRENT] in called(record(DESIGN, "edge", "ip", "project", board), "set_property")
    assert not [call for call in called(record(DESIGN, "edge", "ip", "project"), "set_property") if "board" in call[0]]


def defines() -> dict[str, int]:
    text = (PROJECT / "platform/zynq/addresses.h").read_text(encoding="utf-8")
    words = [line.split() for line in text.splitlines() if line.startswith("#define ")]
    return {each[1]: int(each[2], 0) for each in words if len(each) == 3}


def test_the_addresses_are_those_of_the_header() -> None:
    where = defines()
    registers, memory = called(record(DESIGN, "edge", "ip", "project"), "assign_bd_address")
    assert int(registers[1], 16) == where["OUTWORK_REGISTERS_ADDRESS"]
    assert int(registers[3], 16) == where["OUTWORK_REGISTERS_BYTES"]
    assert registers[5:7] == ["ps7/Data", "outwork/s_axil/reg0"]
    assert (int(memory[1], 16), int(memory[3], 16)) == (0, where["OUTWORK_DDR_BYTES"])
    left = axi_module.load().interface("s_axil")["AWADDR"].left
    assert where["OUTWORK_REGISTERS_BYTES"] == 2 << int(left or 0)
    assert where["OUTWORK_MEMORY_ADDRESS"] + where["OUTWORK_MEMORY_BYTES"] <= where["OUTWORK_DDR_BYTES"]


BOARD = """
/dts-v1/;
/ {
  #address-cells = <1>;
  #size-cells = <1>;
  intc: interrupt-controller { interrupt-controller; #interrupt-cells = <3>; };
  clkc: clkc { fclk-enable = <0x0>; };
};
#include "outwork.dtsi"
"""


@pytest.fixture
def zynq(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PROJECT / "platform/zynq", tmp_path / "zynq"))


def compile_tree(folder: Path) -> subprocess.CompletedProcess[str]:
    """Compiles the device tree of a board, and back: what is then read is what a kernel would find."""
    cpp = ["cpp", "-nostdinc", "-undef", "-D__DTS__", "-x", "assembler-with-cpp", f"-I{folder}", "-P", "-"]
    text = subprocess.run(cpp, input=BOARD, capture_output=True, text=True, check=True).stdout
    errors = [word for check in ("simple_bus_reg", "unit_address_vs_reg", "reg_format") for word in ("-E", check)]
    return subprocess.run(["dtc", "-O", "dts", *errors], input=text, capture_output=True, text=True)


@pytest.mark.skipif(shutil.which("dtc") is None, reason="needs dtc (device-tree-compiler)")
def test_the_device_tree(zynq: Path) -> None:
    done = compile_tree(zynq)
    assert done.returncode == 0, done.stderr
    where = defines()
    address, size = where["OUTWORK_REGISTERS_ADDRESS"], where["OUTWORK_REGISTERS_BYTES"]
    memory, memory_size = where["OUTWORK_MEMORY_ADDRESS"], where["OUTWORK_MEMORY_BYTES"]
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert f"crypto@{address:x} {{" in lines and f"reg = <{address:#x} {size:#x}>;" in lines
    assert any(line.endswith(f"outwork@{memory:x} {{") for line in lines)
    assert f"reg = <{memory:#x} {memory_size:#x}>;" in lines and f"size = <{memory_size:#x}>;" in lines
    assert f"interrupts = <0x00 {where['OUTWORK_INTERRUPT']:#x} 0x04>;" in lines
    assert "fclk-enable = <0x01>;" in lines


@pytest.mark.skipif(shutil.which("dtc") is None, reason="needs dtc (device-tree-compiler)")
def test_a_device_tree_at_another_address_than_its_name(zynq: Path) -> None:
    header = zynq / "addresses.h"
    header.write_text(header.read_text().replace("0x43c00000", "0x43c10000"))
    assert compile_tree(zynq).returncode != 0
