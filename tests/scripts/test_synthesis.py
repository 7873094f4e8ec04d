# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Presets stand for the whole device, and modules that synthesis keeps apart are mapped once each."""

import re
from pathlib import Path

import areas
import synthesis

from outwork.device import presets


def test_a_preset_is_the_whole_device() -> None:
    top, parameters = synthesis.resolved("micro", ["OUTWORK_STREAMS=4"])
    assert (top, parameters) == ("outwork_top", [*presets.load("micro").settings, "OUTWORK_STREAMS=4"])
    assert synthesis.resolved("aes", ["Stages=1"]) == ("aes", ["Stages=1"])


def test_files_of_all_measured_modules_can_be_written() -> None:
    """A file system takes names of up to 255 bytes."""
    for page in areas.PAGES.values():
        for module in page:
            synthesis.output(module.top, module.parameters, "flat.json.part").touch()
            synthesis.output(module.top, module.parameters, "flat.json.part").unlink()


RTL = {file.stem: file.read_text("utf-8") for file in sorted((synthesis.ROOT / "rtl").rglob("*.sv"))}


def has_the_same_parameters_everywhere(module: str) -> bool:
    """Whether there is one place with instances of a module, whose parameters do not depend on a loop's variable, which has
    one letter; and so for the module around it, up to the top."""
    places = [
        (parent, parameters)
        for parent, text in RTL.items()
        for parameters in re.findall(rf"^ +{module} +(#\(.*?\) +)?u_\w+ \(", text, re.MULTILINE | re.DOTALL)
    ]
    if len(places) != 1:
        return not places
    parent, parameters = places[0]
    return not re.search(r"\b[a-z]\b", parameters) and has_the_same_parameters_everywhere(parent)


def test_parameters_of_modules_kept_apart_are_widths_or_the_same_everywhere() -> None:
    files = synthesis.kept()
    assert {"aes_sub_word", "keccak_chi", "ow_clmul_rows"} <= {file.stem for file in files}
    assert has_the_same_parameters_everywhere("hash_sched") and not has_the_same_parameters_everywhere("sha_unit")
    for file in files:
        text = RTL[file.stem]
        modules = re.findall(r"^\(\* keep_hierarchy = \"yes\" \*\)\nmodule (\w+)", text, re.MULTILINE)
        assert modules == [file.stem], file
        if has_the_same_parameters_everywhere(file.stem):
            continue
        for name in re.findall(r"^\s*parameter .*?(\w+) *=", text, re.MULTILINE):
            assert re.search(rf"^\s*(input|output) .*\b{name}\b", text, re.MULTILINE), (file, name)


def test_a_module_kept_apart_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "stage.v"
    steps = [*synthesis.read_kept("aes_stage", ["Index=6"]), f"write_verilog -noattr {file}"]
    synthesis.run("aes_stage", steps)
    text = file.read_text("utf-8")
    assert len(re.findall(r"^module .*aes_sub_bytes", text, re.MULTILINE)) == 1
    assert (
        len(re.findall(r"^  .aes_sub_bytes\S* +u_sub_bytes|^  .aes_sub_bytes\S* +.*u_sub_bytes", text, re.MULTILINE))
        == 4
    )
