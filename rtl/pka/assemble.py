# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Assembles programs/*.pka into the engine's ROMs: writes pka_rom_pkg.sv, or with --check says whether it is up to date.

A line is `label:`, `.equ name value`, or an instruction; `#` starts a comment. Names of slots, constants and numbers are
`.equ`s; those of one file are its own unless it says `.global name value`. Labels are known in all files, but `.label`
belongs to the label before it.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from pka import constants, curves, isa
from pka import rom as tables

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
COUNTER = re.compile(r"c([0-7])")


class AssemblyError(Exception):
    pass


@dataclass
class Line:
    file: str
    number: int
    label: str
    operation: isa.Operation
    operands: list[str]
    text: str


@dataclass
class Rom:
    words: list[int] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    names: dict[str, dict[str, int]] = field(default_factory=dict)

    def name(self, file: str, name: str) -> int:
        return self.names[file][name]


def _value(text: str, *scopes: dict[str, int]) -> int:
    """A number or a name, or a sum or difference of them, perhaps halved: a+1, a/2."""
    total, sign = 0, 1
    text, _, divisor = text.partition("/")
    for part in re.split(r"([+-])", text):
        part = part.strip()
        if part in ("+", "-"):
            sign = 1 if part == "+" else -1
        elif part:
            for scope in scopes:
                if part in scope:
                    total += sign * scope[part]
                    break
            else:
                total += sign * int(part, 0)
            sign = 1
    return total // int(divisor or 1)


def assemble(sources: dict[str, str], given: dict[str, int]) -> Rom:
    """`sources` are the texts by file name, `given` the names known everywhere (constants, statuses)."""
    rom = Rom()
    common = dict(given)
    for file, text in sorted(sources.items()):
        own = rom.names.setdefault(file, {})
        label = ""
        for number, raw in enumerate(text.splitlines(), 1):
            words = raw.split("#")[0].strip()
            try:
                label = _line(rom, Line(file, number, label, isa.BY_NAME["end"], [], words), own, common)
            except (ValueError, KeyError) as error:
                raise AssemblyError(f"{file}:{number}: {error} in '{words}'") from error
    for line in rom.lines:
        try:
            rom.words.append(_encode(line, rom.names[line.file], common, rom.labels))
        except (ValueError, KeyError) as error:
            raise AssemblyError(f"{line.file}:{line.number}: {error} in '{line.text}'") from error
    for own in rom.names.values():
        own |= {k: v for k, v in common.items() if k not in own}
    return rom


def _line(rom: Rom, line: Line, own: dict[str, int], common: dict[str, int]) -> str:
    """Takes a line of text; returns the label that it stands under."""
    if line.text.endswith(":"):
        name = line.text[:-1].strip()
        full = line.label + name if name.startswith(".") else name
        if full in rom.labels:
            raise ValueError(f"'{full}' is defined twice")
        rom.labels[full] = len(rom.lines)
        return line.label if name.startswith(".") else name
    head, _, rest = line.text.partition(" ")
    if head in (".equ", ".global"):
        name, _, value = rest.strip().partition(" ")
        scope = own if head == ".equ" else common
        if name in scope:
            raise ValueError(f"'{name}' is defined twice")
        scope[name] = _value(value, own, common)
    elif head:
        line.operation = isa.BY_NAME[head]
        line.operands = [o.strip() for o in rest.split(",")] if rest.strip() else []
        rom.lines.append(line)
    return line.label


def _encode(line: Line, own: dict[str, int], common: dict[str, int], labels: dict[str, int]) -> int:
    operation, fields = line.operation, {}
    names = operation.operands
    if operation.name == "count":
        return _encode_count(line, own, common)
    if operation.name == "size":
        names = ("f", "c") if line.operands[0] in ("both", "words") else ("f",)
    if len(line.operands) != len(names):
        raise ValueError(f"{operation.name} takes {', '.join(names) or 'nothing'}")
    for name, text in zip(names, line.operands, strict=True):
        if name == "c":
            fields[name] = _counter(text)
        elif name == "f":
            fields[name] = (isa.SIZE_CODES | isa.FIDX_CODES)[text]
        elif name == "i" and operation.name in ("jmp", "call", "loop", "jbit"):
            fields[name] = labels[line.label + text if text.startswith(".") else text]
        else:
            fields[name] = _value(text, own, common)
            limit = 1 << 14 if name == "i" else isa.SLOTS
            if not 0 <= fields[name] < limit:
                raise ValueError(f"{fields[name]} must be below {limit}")
    table = {"put": "d", "get": "a"}.get(operation.name)
    if table and fields[table] % isa.TABLE:
        raise ValueError(f"a table must begin at a multiple of {isa.TABLE} slots")
    return isa.encode(operation, **fields)


def _counter(text: str) -> int:
    found = COUNTER.fullmatch(text)
    if not found:
        raise ValueError(f"'{text}' is not a counter")
    return int(found[1])


def _encode_count(line: Line, own: dict[str, int], common: dict[str, int]) -> int:
    """`count c2 par 3`, `count c2 from c1`, `count c2 bytes`."""
    words = line.operands[0].split(None, 2)
    if len(line.operands) != 1 or len(words) < 2:
        raise ValueError("count takes a counter, what to do, and perhaps a number")
    f, value = isa.COUNT_CODES[words[1]], 0
    if words[1] in ("from", "max"):
        value = _counter(words[2])
    elif len(words) == 3:
        value = _value(words[2], own, common)
    if not -(1 << 13) <= value < 1 << 13:
        raise ValueError(f"{value} does not fit a counter")
    return isa.encode(line.operation, c=_counter(words[0]), f=f, i=value & 0x3FFF)


def load() -> Rom:
    sources = {path.name: path.read_text(encoding="utf-8") for path in sorted(PROGRAMS.glob("*.pka"))}
    return assemble(sources, constants.NAMES)


def _table(name: str, width: int, depth: int, values: list[int]) -> str:
    digits = -(-width // 4)
    body = [f"    {width}'h{value:0{digits}x}" for value in values + [0] * (depth - len(values))]
    return f"  localparam logic [{width - 1}:0] {name} [{depth}] = '{{\n" + ",\n".join(body) + "\n  };\n"


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.lower().split("_"))


def package(rom: Rom) -> str:
    words, bases = tables.constants()
    text = """// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What the public-key engine's sequencer executes: table of constants, written by rtl/pka/assemble.py from isa.py,
// rom.py and programs/*.pka.
package pka_rom_pkg;

  typedef enum logic [4:0] {
"""
    text += ",\n".join(f"    Op{_camel(o.name):8} = 5'h{o.code:02x}" for o in isa.OPERATIONS)
    text += "\n  } operation_e;\n\n  typedef enum logic [2:0] {\n"
    text += ",\n".join(f"    Count{_camel(name):8} = 3'd{code}" for name, code in isa.COUNT_CODES.items())
    text += "\n  } count_e;\n\n  typedef enum logic [2:0] {\n"
    text += ",\n".join(f"    Size{_camel(name):8} = 3'd{code}" for name, code in isa.SIZE_CODES.items())
    text += "\n  } size_e;\n\n  // Where programs start.\n"
    for label in ENTRIES:
        text += f"  localparam logic [10:0] At{_camel(label):14} = 11'd{rom.labels[label]};\n"
    text += f"\n  localparam int unsigned ProgramWords = {PROGRAM_WORDS};\n"
    text += "\n  // Of each curve: where its constants start, and its parameters.\n"
    text += f"  localparam int unsigned NumCurves = {len(bases)};\n"
    starts = ", ".join(f"10'd{base}" for base in bases)
    text += f"  localparam logic [9:0] CurveBase [NumCurves] = '{{{starts}}};\n"
    text += f"  localparam logic [9:0] CurveParameter [NumCurves][{len(curves.PARAMETERS)}] = '{{\n"
    rows = [", ".join(f"10'd{value}" for value in row) for row in tables.PARAMETERS]
    text += ",\n".join(f"    '{{{row}}}" for row in rows) + "\n  };\n\n"
    text += _table("Program", 32, PROGRAM_WORDS, rom.words) + "\n"
    return text + _table("Constants", isa.WORD_BITS, len(words), words) + "\nendpackage\n"


# Two block RAMs' worth at most; unused ones cost nothing in LUTs.
PROGRAM_WORDS = 1280
ENTRIES = (
    "modexp",
    "rsa_public",
    "rsa_private",
    "ec_multiply",
    "ec_public",
    "ec_check",
    "ec_sign",
    "ec_verify",
    "x25519",
    "ed25519_public",
    "ed25519_sign",
    "ed25519_verify",
)


def main() -> int:
    path = HERE / "pka_rom_pkg.sv"
    text = package(load())
    if sys.argv[1:] == ["--check"]:
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path.name} is out of date; run `make generate`")
            return 1
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(f"wrote rtl/pka/{path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
