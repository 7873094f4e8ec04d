#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes every file that comes from spec/outwork.rdl and spec/lite.rdl; with --check only tells which are out of date."""

import argparse
import difflib
import sys
from pathlib import Path

from generator import c, markdown, python, systemverilog
from generator.model import load

ROOT = Path(__file__).resolve().parent.parent
OUTPUTS = {
    "outwork": {
        "rtl/common/ow_spec_pkg.sv": systemverilog.emit,
        "driver/include/outwork/spec.h": c.emit,
        "outwork/spec.py": python.emit,
        "docs/reference/registers.md": markdown.registers,
        "docs/reference/layouts.md": markdown.layouts,
        "docs/reference/codes.md": markdown.codes,
    },
    "lite": {
        "rtl/lite/ow_lite_pkg.sv": systemverilog.emit,
        "driver/lite/include/outwork/lite_spec.h": c.emit,
        "docs/reference/lite.md": markdown.whole,
    },
}


def generate(source: Path) -> dict[str, str]:
    """The text of every output of a description, by its path in the tree."""
    spec = load(source)
    return {path: emit(spec) for path, emit in OUTPUTS[source.stem].items()}


def check(root: Path, texts: dict[str, str]) -> bool:
    """Print what differs from the tree; true if nothing does."""
    fresh = True
    for path, text in texts.items():
        target = root / path
        present = target.read_text(encoding="utf-8") if target.exists() else ""
        if present != text:
            fresh = False
            lines = difflib.unified_diff(
                present.splitlines(),
                text.splitlines(),
                f"{path} (in the tree)",
                f"{path} (from the RDL)",
                lineterm="",
                n=0,
            )
            print("\n".join(list(lines)[:20]), file=sys.stderr)
    return fresh


def write(root: Path, texts: dict[str, str]) -> None:
    """Write what has changed; files that have not keep their time stamp, so that nothing is rebuilt for them."""
    for path, text in texts.items():
        target = root / path
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        print(f"wrote {path}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree to write to or to check")
    arguments = parser.parse_args()
    texts = {path: text for name in OUTPUTS for path, text in generate(ROOT / f"spec/{name}.rdl").items()}
    if not arguments.check:
        write(arguments.root, texts)
        return 0
    if not check(arguments.root, texts):
        print("Generated files are out of date; run `make generate`.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
