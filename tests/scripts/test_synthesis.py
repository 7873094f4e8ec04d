# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Modules that synthesis keeps apart are mapped once each, and are no other module with other parameters."""

import re
from pathlib import Path

import synthesis


def test_modules_kept_apart_have_no_parameters() -> None:
    files = synthesis.kept()
    assert {"aes_sub_word", "keccak_chi", "ow_clmul_rows"} <= {file.stem for file in files}
    for file in files:
        text = file.read_text("utf-8")
        modules = re.findall(r"^\(\* keep_hierarchy = \"yes\" \*\)\nmodule (\w+)", text, re.MULTILINE)
        assert modules == [file.stem], file
        assert not re.search(r"^\s*parameter\b", text, re.MULTILINE), file


def test_a_module_kept_apart_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "stage.v"
    steps = [*synthesis.read_kept("aes_stage", ["Index=6"]), f"write_verilog -noattr {file}"]
    synthesis.run("aes_stage", steps)
    text = file.read_text("utf-8")
    assert len(re.findall(r"^module .*aes_sub_word", text, re.MULTILINE)) == 1
    assert len(re.findall(r"^  aes_sub_bytes ", text, re.MULTILINE)) == 4
