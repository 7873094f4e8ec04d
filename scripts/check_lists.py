# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that rtl/outwork.f and rtl/lite/lite.f name every file in rtl/, and each .core file (for FuseSoC) those of its folder in the same order,
that outwork.core has the engines of outwork.f, the parameters of outwork_top.sv and a target for each preset of presets.json,
and that the .core files have the version of outwork/__init__.py.

With --write, the .core files are brought up to date.
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"
VERSION_FILE = ROOT / "outwork/__init__.py"
ENTRIES = re.compile(r"(?:^ +- \S+\.sv\n)+", re.MULTILINE)

# What FuseSoC can do with every preset: the beginnings of names of targets, and the targets' settings.
FLOWS = {
    "synth": "flow: vivado, flow_options: {pnr: none}, filesets: [rtl, axi]",
    "sim": "flow: sim, flow_options: {tool: verilator, mode: cc}, filesets: [waivers, rtl, axi, bench]",
}
VERSIONS = re.compile(r"(outwork::\w+:)[\w.]+")


def version() -> str:
    match = re.search(r'^__version__: Final = "(.+)"$', VERSION_FILE.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        raise SystemExit(f'{VERSION_FILE}: no line `__version__: Final = "..."`')
    return match[1]


def from_list(path: Path) -> list[Path]:
    """Returns the files of a list and of the lists that it includes; paths are relative to the including list."""
    found: list[Path] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split("//")[0].split()
        if words[:1] == ["-F"]:
            found += from_list(path.parent / words[1])
        elif words:
            found.append((path.parent / words[0]).resolve())
    return found


PARAMETER = re.compile(r"^  parameter (?:int unsigned|bit) +(\w+) += (?:1'b)?(\w+),? *// (.+)$", re.MULTILINE)


def top_parameters() -> dict[str, tuple[str, str]]:
    """Returns the default of each parameter of outwork_top, and what it says of itself."""
    text = (RTL / "outwork_top.sv").read_text(encoding="utf-8")
    return {name: (value, what) for name, value, what in PARAMETER.findall(text)}


MACRO = re.compile(r"^`ifndef (OUTWORK_\w+)\n +`define \w+ (\w+)$", re.MULTILINE)


def macros() -> dict[str, str]:
    """Returns the default of each macro that a build may set."""
    return dict(MACRO.findall((RTL / "common/ow_engine_pkg.sv").read_text(encoding="utf-8")))


def targets() -> str:
    """Returns the targets of each preset, a line each: every parameter has a value there."""
    presets = json.loads((RTL / "presets.json").read_text(encoding="utf-8"))
    lines = ""
    for name, preset in presets.items():
        values = {**presets["full"]["parameters"], **preset["parameters"], **preset.get("macros", {})}
        settings = ", ".join(f"{parameter}={value}" for parameter, value in values.items())
        for kind, options in FLOWS.items():
            lines += f'  {kind}-{name}: {{description: "{preset["description"]}", {options}, toplevel: outwork_axi, parameters: [{settings}]}}\n'
    return lines


def whole(text: str) -> str:
    """Returns outwork.core with the engines of outwork.f, the parameters of outwork_top.sv, and the presets."""
    parts = re.findall(r"^-F (\w+)/", (RTL / "outwork.f").read_text(encoding="utf-8"), re.MULTILINE)
    depend = "".join(f"      - outwork::{name}:{version()}\n" for name in ("common", *parts))
    top = top_parameters()
    names = ", ".join(top)
    lines = "".join(
        f'  {name}: {{datatype: int, paramtype: vlogparam, default: {value}, description: "{what}"}}\n'
        for name, (value, what) in top.items()
    ) + "".join(
        f'  {name}: {{datatype: int, paramtype: vlogdefine, description: "{value} unless set; see docs/choose-parameters.md"}}\n'
        for name, value in macros().items()
    )
    text = re.sub(r"(?<=    depend:\n)(?:      - outwork::.*\n)+", depend, text, count=1)
    text = re.sub(r"(?:^  (?:synth|sim)-.*\n)+", targets(), text, flags=re.MULTILINE)
    text = re.sub(r"(?<=parameters: &parameters )\[.*\]", f"[{names}]", text)
    return re.sub(r"(?<=^parameters:\n)(?:  .*\n)+", lines, text, flags=re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="update the .core files")
    arguments = parser.parse_args()
    failed = False

    listed = from_list(RTL / "outwork.f")
    if len(set(listed)) != len(listed):
        failed = True
        print("rtl/outwork.f: a file is named twice")
    # The small accelerator is a design of its own, which shares files with the other.
    listed += [path for path in from_list(RTL / "lite/lite.f") if path not in listed]
    present = {path.resolve() for path in RTL.rglob("*.sv")}
    for path in sorted(present.symmetric_difference(listed)):
        failed = True
        lists = "rtl/outwork.f or rtl/lite/lite.f"
        problem = f"is not in {lists}" if path in present else f"does not exist but is in {lists}"
        print(f"{path.relative_to(ROOT)} {problem}")

    for core in sorted(path for folder in ("rtl", "driver", "platform") for path in (ROOT / folder).rglob("*.core")):
        text = core.read_text(encoding="utf-8")
        entries = "".join(f"      - {path.name}\n" for path in listed if path.parent == core.parent.resolve())
        fresh = VERSIONS.sub(rf"\g<1>{version()}", ENTRIES.sub(entries, text, count=1))
        if core.name == "outwork.core":
            fresh = whole(fresh)
        if core.is_relative_to(RTL) and entries not in fresh:
            failed = True
            print(f"{core.relative_to(ROOT)}: it lists no files; name one of them under `files:`")
        if fresh != text and arguments.write:
            core.write_text(fresh, encoding="utf-8")
            print(f"wrote {core.relative_to(ROOT)}")
        elif fresh != text:
            failed = True
            print(
                f"{core.relative_to(ROOT)}: its files are not those of rtl/outwork.f, its parameters not those of rtl/outwork_top.sv, its presets not those of rtl/presets.json, or its version is not {version()}; run `make generate`"
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
