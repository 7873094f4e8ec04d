# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the module outwork.spec."""

import json
from collections.abc import Iterator

from .model import Block, Enum, Register, Spec
from .names import SPDX, camel, notice, upper

STRUCT_CODES = {32: "I", 64: "Q", 128: "16s"}


def _enum(enum: Enum) -> Iterator[str]:
    name = camel(enum.name)
    yield f"class {name}(IntEnum):"
    for entry in enum.entries:
        yield f"    {entry.name} = 0x{entry.value:02X}"
    yield ""
    yield ""
    yield f"{upper(enum.name)}_DESCRIPTIONS: Final[dict[{name}, str]] = {{"
    for entry in enum.entries:
        yield f"    {name}.{entry.name}: {json.dumps(entry.desc)},"
    yield "}"
    yield ""


def _define(name: str, value: str) -> str:
    return f"{name}: Final = {value}"


def _fields(block: Block, register: Register) -> Iterator[str]:
    if register.is_whole:
        return
    for field in register.fields:
        full = upper(block.name, register.name, field.name)
        mask = ((1 << field.width) - 1) << field.lsb
        yield _define(f"{full}_SHIFT", str(field.lsb))
        yield _define(f"{full}_WIDTH", str(field.width))
        yield _define(f"{full}_MASK", f"0x{mask:08X}")


def _block(block: Block) -> Iterator[str]:
    name = upper(block.name)
    yield f"# {block.desc}"
    yield _define(f"{name}_OFFSET", f"0x{block.offset:04X}")
    if block.count > 1:
        yield _define(f"{name}_STRIDE", f"0x{block.stride:X}")
        yield _define(f"{name}_COUNT", str(block.count))
    for register in block.registers:
        full = upper(block.name, register.name)
        yield _define(f"{full}_OFFSET", f"0x{register.offset:03X}")
        if register.count > 1:
            yield _define(f"{full}_STRIDE", f"0x{register.stride:X}")
            yield _define(f"{full}_COUNT", str(register.count))
        if register.reset is not None:
            yield _define(f"{full}_RESET", f"0x{register.reset:08X}")
        yield from _fields(block, register)
    yield ""


def _layout(layout: Block) -> Iterator[str]:
    name = upper(layout.name)
    yield f"# {layout.title}: {layout.desc}"
    yield _define(f"{name}_SIZE", str(layout.size))
    codes = "".join(STRUCT_CODES.get(register.bits, f"{register.bits // 8}s") for register in layout.registers)
    yield _define(f"{name}_FORMAT", f'"<{codes}"')
    if len(layout.registers) == 1:
        yield f'{name}_MEMBERS: Final = ("{layout.registers[0].name}",)'
    else:
        yield f"{name}_MEMBERS: Final = ("
        for register in layout.registers:
            yield f'    "{register.name}",'
        yield ")"
    for register in layout.registers:
        yield from _fields(layout, register)
    yield ""


def _engines(spec: Spec) -> Iterator[str]:
    yield "# The fields of each engine's capability registers: engine, register, field, shift, width."
    yield "CAPABILITY_FIELDS: Final = ("
    for _, register in spec.capabilities():
        for field in register.fields:
            yield f'    ("{register.engine}", "{register.name}", "{field.name}", {field.lsb}, {field.width}),'
    yield ")"
    yield ""


def emit(spec: Spec) -> str:
    lines = [f"# {line}" for line in SPDX]
    lines += [
        f'"""Registers, memory layouts and codes: {notice(spec.name)}."""',
        "",
        "from enum import IntEnum",
        "from typing import Final",
        "",
        "",
    ]
    for enum in spec.enums:
        lines += [*_enum(enum), ""]
    lines.pop()
    lines += ["# Register offsets count from the start of the block around them. A _MASK is in place.", ""]
    lines += [_define("PAGE_SIZE", f"0x{spec.page_bytes:X}"), ""]
    for block in spec.blocks():
        lines += _block(block)
    lines += _engines(spec)
    lines += ["# Layouts in memory: a `struct` format, and its members in order.", ""]
    for layout in spec.layouts:
        lines += _layout(layout)
    return "\n".join(lines).rstrip("\n") + "\n"
