# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The generator of the files made from spec/outwork.rdl."""

import shutil
import struct
import subprocess
from pathlib import Path

import generate
import pytest
from generator import c, markdown, model, python, systemverilog

from outwork import spec as constants

ROOT = Path(__file__).resolve().parents[2]

SMALL = """
enum status_e { OK = 8'h00 { desc = "Done."; }; LOST = 8'h05 { desc = "Gone."; }; };
addrmap record {
    name = "Record"; desc = "16 bytes.";
    default regwidth = 32; default sw = rw; default hw = r;
    reg { desc = "What."; field { encode = status_e; } status[7:0]; field {} priority[31:31]; } control @ 0x0;
    reg { desc = "Number."; field {} value[31:0]; } context @ 0x4;
    reg { regwidth = 64; desc = "Where."; field {} value[63:0]; } address @ 0x8;
};
addrmap blocks {
    name = "Blocks"; desc = "40 bytes.";
    default regwidth = 128; default sw = rw; default hw = r;
    reg { regwidth = 64; desc = "How many."; field {} value[63:0]; } count @ 0x0;
    reg { desc = "All."; field {} value[127:0]; } data[2] @ 0x8;
};
regfile inner_r { default regwidth = 32; reg { desc = "Limit."; field { sw = rw; hw = r; reset = 7; } v[3:0]; } limit @ 0x4; };
regfile global_r { default regwidth = 32; inner_r inner[2] @ 0x10 += 0x8; reg { field { sw = r; hw = w; } v[31:0]; } id @ 0; };
regfile queue_r { default regwidth = 32; reg { field { sw = rw; hw = r; } v[31:0]; } data[4] @ 0x20; };
addrmap outwork { desc = "Test map."; global_r global @ 0; queue_r queue[2] @ 0x1000 += 0x1000; };
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> model.Spec:
    path = tmp_path_factory.mktemp("rdl") / "outwork.rdl"
    path.write_text(SMALL)
    return model.load(path)


def test_model_has_positions_and_arrays(small: model.Spec) -> None:
    blocks = {block.name: block for block in small.blocks()}
    assert (blocks["inner"].offset, blocks["inner"].stride, blocks["inner"].count) == (0x10, 8, 2)
    assert (blocks["queue"].offset, blocks["queue"].stride, blocks["queue"].count) == (0x1000, 0x1000, 2)
    assert (blocks["queue"].registers[0].count, blocks["queue"].registers[0].stride) == (4, 4)
    assert blocks["inner"].registers[0].reset == 7
    assert small.page_bytes == 0x1000


def test_enum_is_as_wide_as_its_field(small: model.Spec) -> None:
    assert [(enum.name, enum.width) for enum in small.enums] == [("status", 8)]


def test_systemverilog_struct_is_msb_first_and_without_gaps(small: model.Spec) -> None:
    text = systemverilog.emit(small)
    body = "logic priority_;\n    logic [22:0] unused8;\n    logic [7:0] status;\n"
    assert body in text
    assert "logic [255:0] data;\n    logic [63:0] count;\n" in text
    members = "logic [63:0] address;\n    logic [31:0] context_;\n    ow_record_control_t control;\n"
    assert members in text
    assert "StLost = 8'h05" in text


@pytest.mark.parametrize(("compiler", "standard", "suffix"), [("gcc", "c11", "c"), ("g++", "c++17", "cpp")])
def test_header_compiles_with_its_assertions(
    small: model.Spec, tmp_path: Path, compiler: str, standard: str, suffix: str
) -> None:
    (tmp_path / "spec.h").write_text(c.emit(small))
    source = tmp_path / f"user.{suffix}"
    source.write_text('#include "spec.h"\nint f(void) { return (int)OW_QUEUE_DATA_STRIDE + OW_DEVICE_LOST; }\n')
    command = [
        compiler,
        f"-std={standard}",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-c",
        source,
        "-o",
        tmp_path / "o",
    ]
    subprocess.run(command, check=True)


def test_python_module_runs(small: model.Spec) -> None:
    names: dict[str, object] = {}
    exec(python.emit(small), names)
    assert names["RECORD_FORMAT"] == "<IIQ"
    assert names["RECORD_CONTROL_PRIORITY_MASK"] == 1 << 31
    assert names["BLOCKS_FORMAT"] == "<Q32s"
    assert names["INNER_OFFSET"] == 0x10


def test_tables_name_every_register(small: model.Spec) -> None:
    text = markdown.registers(small)
    for name in ("id", "limit", "data"):
        assert f"`{name}`" in text


def test_layouts_have_no_holes() -> None:
    for layout in model.load(ROOT / "spec/outwork.rdl").layouts:
        end = 0
        for register in layout.registers:
            assert register.offset == end, f"{layout.name}.{register.name}"
            end += register.bits // 8
        assert end == layout.size


def test_committed_constants_agree_with_their_formats() -> None:
    for name in ("DESCRIPTOR", "COMPLETION", "SEGMENT", "CONTEXT", "HASH_CONTEXT"):
        assert struct.calcsize(getattr(constants, f"{name}_FORMAT")) == getattr(constants, f"{name}_SIZE")


def test_check_accepts_a_fresh_tree_and_names_a_stale_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    texts = generate.generate(ROOT / "spec/outwork.rdl")
    generate.write(tmp_path, texts)
    assert generate.check(tmp_path, texts)
    header = tmp_path / "driver/include/outwork/spec.h"
    header.write_text(header.read_text().replace("OW_OP_AES_GCM", "OW_OP_AES_GCX"))
    assert not generate.check(tmp_path, texts)
    assert "driver/include/outwork/spec.h" in capfd.readouterr().err
    shutil.rmtree(tmp_path / "docs")
    assert not generate.check(tmp_path, texts)


def test_committed_files_are_fresh() -> None:
    for name in generate.OUTPUTS:
        assert generate.check(ROOT, generate.generate(ROOT / f"spec/{name}.rdl")), "run `make generate`"
