# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Takes blocks of code out of pages, and runs those in C on the simulated board."""

import re
import subprocess
from pathlib import Path

from outwork import paths

ROOT = Path(__file__).resolve().parents[2]


def blocks(text: str, language: str) -> str:
    """All blocks of a language, one behind the other."""
    return "".join(re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))


def part(page: str, name: str) -> str:
    """The part of a page between its marks [start:name] and [end:name]."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return text.split(f"[start:{name}]")[1].split(f"[end:{name}]")[0]


def run_c(block: str, folder: Path) -> str:
    """Compiles a block with page_block.c around it and runs it; what it has printed."""
    (folder / "block.c").write_text(block, encoding="utf-8")
    library, program = paths.library_file("ow_board_128"), folder / "block"
    around = ROOT / "tests/scripts/page_block.c"
    includes = (f"-I{folder}", f"-I{ROOT}/driver/include", f"-I{ROOT}/platform/sim/include")
    warnings = ("-std=c11", "-Wall", "-Wextra", "-Werror", '-DBLOCK="block.c"')
    place = f"-Wl,-rpath,{library.parent}"
    subprocess.run(["cc", *warnings, *includes, around, library, place, "-o", program], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout
