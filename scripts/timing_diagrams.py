# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Draws the timing diagrams in docs/images/timing from simulations. With --check: fails if they differ from those there.

It needs the board that writes waveforms, with the RTL of the board `reference` whole: `make timing` builds it.
"""

import argparse
import sys

from timing.drawing import draw
from timing.scenes import diagrams

from outwork.errors import OutworkError
from outwork.paths import PROJECT

FOLDER = PROJECT / "docs/images/timing"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a diagram is not up to date")
    arguments = parser.parse_args()
    try:
        made = {FOLDER / f"{name}.svg": draw(diagram) for name, diagram in diagrams().items()}
    except OutworkError as error:
        print(f"timing_diagrams: {error}", file=sys.stderr)
        return 2
    there = {file: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.svg")}
    stale = sorted(file.name for file in made.keys() | there.keys() if made.get(file) != there.get(file))
    if arguments.check:
        if stale:
            print(f"timing_diagrams: not what the RTL does: {', '.join(stale)}; run `make timing`", file=sys.stderr)
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file in there.keys() - made.keys():
        file.unlink()
    for file, text in made.items():
        file.write_text(text, encoding="utf-8")
    print(f"timing_diagrams: {len(made)} written, {len(stale)} changed: {', '.join(stale) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
