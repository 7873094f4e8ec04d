# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Checks every file of the tree: licence lines, length, whitespace, prose of at most 100 columns, length of RTL blocks."""

import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = {".sv", ".svh", ".c", ".h", ".cpp", ".py", ".sh", ".cmake", ".rdl", ".vlt"}
NAMED = {"Makefile", "CMakeLists.txt", ".ci/run", "pyproject.toml", "mkdocs.yml"}
TEXT = CODE | {".md", ".toml", ".yml", ".txt", ".f", ".core"}
LINES_MAX = 400
BLOCK_LINES_MAX = 100
PROSE_COLUMNS = 100
# Tables of constants, generated files and the description from which they are generated may be long.
LONG_BY_NATURE = ("generated from spec/", "table of constants", "The one description of what software and")
# Tabs are the style of Linux.
KERNEL_STYLE = "platform/linux/kernel/"
BLOCK = re.compile(r"\b(?:always_comb|always_ff|always_latch|function|task)\b")
TOKEN = re.compile(r"\b(?:begin|end|case[xz]?|endcase|else)\b|\S")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*[\s\S]*?\*/|"(?:\\.|[^"\\\n])*"')


def problems(path: Path) -> Iterator[str]:
    name = path.relative_to(ROOT).as_posix()
    is_code = path.suffix in CODE or name in NAMED or path.name == "CMakeLists.txt"
    if not (is_code or path.suffix in TEXT):
        return
    lines = path.read_text(encoding="utf-8").split("\n")
    head = "\n".join(lines[:8])
    if is_code and path.stat().st_size:
        for words in ("SPDX-FileCopyrightText: The Outwork authors", "SPDX-License-Identifier: Apache-2.0"):
            if words not in head:
                yield f"{name}: lacks '{words}' in its first lines"
    if is_code and len(lines) - 1 > LINES_MAX and not any(words in head for words in LONG_BY_NATURE):
        yield f"{name}: {len(lines) - 1} lines; split it (the limit is {LINES_MAX})"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield f"{name}:{number}: spaces at the end of the line"
        if "\t" in line and path.name != "Makefile" and not name.startswith(KERNEL_STYLE):
            yield f"{name}:{number}: a tab"
    if lines[-1]:
        yield f"{name}: no newline at its end"
    if path.suffix == ".sv" and name.startswith("rtl/"):
        yield from long_blocks(name, "\n".join(lines))
    if path.suffix == ".md" and not name.startswith(("docs/reference/", ".github/")):
        yield from long_prose(name, lines)


def end_of_block(code: str, begin: int, word: str) -> int:
    """Returns where the function, task or always_* block that begins at `begin` ends in SystemVerilog without comments."""
    if word in ("function", "task"):
        return code.index(f"end{word}", begin)
    depth = 0
    tokens = list(TOKEN.finditer(code, begin))
    for token, following in itertools.pairwise(tokens):
        depth += token[0] in ("begin", "(") or token[0].startswith("case")
        depth -= token[0] in ("end", ")", "endcase")
        if depth == 0 and token[0] in ("end", "endcase", ";") and following[0] != "else":
            return token.end()
    return len(code)


def long_blocks(name: str, text: str) -> Iterator[str]:
    """Yields always_* blocks, functions and tasks that have too many lines, lines of comments included."""
    code = COMMENT_OR_STRING.sub(lambda match: "\n" * match[0].count("\n"), text)
    for head in BLOCK.finditer(code):
        first = code.count("\n", 0, head.start()) + 1
        lines = code.count("\n", head.start(), end_of_block(code, head.start(), head[0])) + 1
        if lines > BLOCK_LINES_MAX:
            yield f"{name}:{first}: {head[0]} of {lines} lines; split it (the limit is {BLOCK_LINES_MAX})"


def long_prose(name: str, lines: list[str]) -> Iterator[str]:
    """Yields lines of Markdown that are too long; tables, code, pictures and comments may be longer."""
    in_code = False
    for number, line in enumerate(lines, 1):
        text = line.lstrip()
        in_code ^= text.startswith("```")
        may_be_long = in_code or text.startswith(("|", "![", "<!--", "#")) or " " not in text
        if len(line) > PROSE_COLUMNS and not may_be_long:
            yield f"{name}:{number}: {len(line)} columns of prose; wrap at {PROSE_COLUMNS}"


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [ROOT / name for name in listed.split("\0") if name and not name.startswith("tests/vectors/")]
    found = [problem for path in paths if path.is_file() for problem in problems(path)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
