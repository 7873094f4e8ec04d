# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the packages ow_spec_pkg and ow_lite_pkg."""

from collections.abc import Iterator

from .model import Block, Enum, Field, Register, Spec
from .names import SPDX, camel, notice

# Keywords of SystemVerilog that the RDL uses as names; as members of a struct they get a trailing underscore.
KEYWORDS = {"context", "priority", "restrict", "global", "interface", "reg", "wait", "type"}
ENUM_PREFIX = {"opcode": "Op", "status": "St", "key_length": "Key"}
ADDRESS_BITS = 12


def member(name: str) -> str:
    return name + "_" if name in KEYWORDS else name


def _bits(width: int) -> str:
    return f"logic [{width - 1}:0]" if width > 1 else "logic"


def _enum(enum: Enum) -> Iterator[str]:
    prefix = ENUM_PREFIX.get(enum.name, camel(enum.name))
    digits = (enum.width + 3) // 4
    yield f"  typedef enum {_bits(enum.width)} {{"
    for entry in enum.entries:
        comma = "" if entry is enum.entries[-1] else ","
        yield f"    {prefix}{camel(entry.name)} = {enum.width}'h{entry.value:0{digits}x}{comma}"
    yield f"  }} ow_{enum.name}_e;"
    yield ""


def _fields_struct(name: str, width: int, fields: tuple[Field, ...]) -> Iterator[str]:
    """A packed struct of a register: the highest bit first, gaps filled."""
    yield "  typedef struct packed {"
    top = width
    for field in sorted(fields, key=lambda item: -item.lsb):
        gap = top - field.lsb - field.width
        if gap:
            yield f"    {_bits(gap)} unused{top - gap};"
        yield f"    {_bits(field.width)} {member(field.name)};"
        top = field.lsb
    if top:
        yield f"    {_bits(top)} unused0;"
    yield f"  }} {name};"
    yield ""


def _struct_name(block: Block, register: Register) -> str:
    return f"ow_{block.name}_{register.name}_t"


def _register_structs(block: Block) -> Iterator[str]:
    for register in block.registers:
        if not register.is_whole:
            yield from _fields_struct(_struct_name(block, register), register.width, register.fields)


def _layout(layout: Block) -> Iterator[str]:
    yield f"  // {layout.title}: bit 0 of the struct is bit 0 of the byte at the lowest address."
    yield f"  localparam int unsigned {camel(layout.name)}Bytes = {layout.size};"
    yield ""
    yield from _register_structs(layout)
    yield "  typedef struct packed {"
    for register in reversed(layout.registers):
        kind = _bits(register.bits) if register.is_whole else _struct_name(layout, register)
        yield f"    {kind} {member(register.name)};"
    yield f"  }} ow_{layout.name}_t;"
    yield ""


def _block_constants(block: Block, page_bytes: int) -> Iterator[str]:
    name = camel(block.name)
    yield f"  // {block.desc}"
    if page_bytes == 0 or block.stride >= page_bytes or block.offset % page_bytes == 0:
        yield f"  localparam int unsigned {name}PageOffset = 'h{block.offset:x};"
    else:
        yield f"  localparam logic [{ADDRESS_BITS - 1}:0] {name}Offset = {ADDRESS_BITS}'h{block.offset:03x};"
    if block.count > 1:
        yield f"  localparam int unsigned {name}Stride = 'h{block.stride:x};"
        yield f"  localparam int unsigned {name}Count = {block.count};"
    for register in block.registers:
        full = name + camel(register.name)
        yield f"  localparam logic [{ADDRESS_BITS - 1}:0] {full}Offset = {ADDRESS_BITS}'h{register.offset:03x};"
        if register.count > 1:
            yield f"  localparam int unsigned {full}Count = {register.count};"
        if register.reset is not None:
            yield f"  localparam logic [{register.width - 1}:0] {full}Reset = {register.width}'h{register.reset:08x};"
    yield ""


def _field_constants(block: Block) -> Iterator[str]:
    """Only where a struct does not already say it better: for code that shifts and masks."""
    for register in block.registers:
        if register.is_whole:
            continue
        for field in register.fields:
            full = camel(block.name, register.name, field.name)
            yield f"  localparam int unsigned {full}Lsb = {field.lsb};"
            yield f"  localparam int unsigned {full}Width = {field.width};"
    yield ""


def _engines(spec: Spec) -> Iterator[str]:
    engines = spec.engines()
    registers = spec.capabilities()
    if not engines:
        return
    count = max(engine.number for engine in engines) + 1
    digits = {engine.number: engine.digits for engine in engines}
    yield "  // Engines by their numbers, the shell's included; the high digits of their opcodes, a bit a digit."
    yield f"  localparam int unsigned NumEngines = {count};"
    yield "  localparam logic [NumEngines-1:0][15:0] EngineDigits = {"
    yield "    " + ", ".join(f"16'h{digits.get(number, 0):04x}" for number in reversed(range(count)))
    yield "  };"
    yield "  // The opcodes with an engine's first high digit, a bit an opcode, by their low digits."
    for engine in engines:
        yield f"  localparam logic [15:0] {camel(engine.name)}Opcodes = 16'h{engine.opcodes:04x};"
    yield ""
    yield "  // What each engine of a build can do."
    yield "  typedef struct packed {"
    for block, register in registers:
        yield f"    {_struct_name(block, register)} {member(register.name)};"
    yield "  } ow_capabilities_t;"
    yield ""
    yield "  // The capability register at an offset; zero where there is none."
    yield f"  function automatic logic [31:0] ow_capability(ow_capabilities_t of, logic [{ADDRESS_BITS - 1}:0] offset);"
    yield "    unique case (offset)"
    width = max(len(camel(block.name, register.name, "offset")) for block, register in registers) + 1
    for block, register in registers:
        name = camel(block.name, register.name, "offset") + ":"
        yield f"      {name:{width}} ow_capability = of.{member(register.name)};"
    yield f"      {'default:':{width}} ow_capability = '0;"
    yield "    endcase"
    yield "  endfunction"
    yield ""
    yield "  // The engines of a build, a bit an engine: those that can do anything, and the shell."
    yield "  function automatic logic [31:0] ow_engines(ow_capabilities_t of);"
    yield "    ow_engines = 32'd1 << EngineShell;"
    for _, register in registers:
        yield f"    if (of.{member(register.name)} != '0) ow_engines |= 32'd1 << Engine{camel(register.engine)};"
    yield "  endfunction"
    yield ""


def emit(spec: Spec) -> str:
    package = "ow_spec_pkg" if spec.name == "outwork" else f"ow_{spec.name}_pkg"
    lines = [f"// {line}" for line in SPDX]
    lines += [
        f"// Registers, memory layouts and codes: {notice(spec.name)}.",
        "",
        "// A package holds more constants than any one design reads, and `interrupt` is a word of some C++ compilers.",
        "// verilator lint_off UNUSEDPARAM",
        "// verilator lint_off SYMRSVDWORD",
        f"package {package};",
        "",
    ]
    if spec.page_bytes:
        lines += [f"  localparam int unsigned PageBytes = {spec.page_bytes};", ""]
    for enum in spec.enums:
        lines += _enum(enum)
    for layout in spec.layouts:
        lines += _layout(layout)
    for block in spec.blocks():
        lines += _block_constants(block, spec.page_bytes)
        lines += _register_structs(block)
    lines += _engines(spec)
    for block in (*spec.layouts, *spec.blocks()):
        lines += _field_constants(block)
    while not lines[-1]:
        lines.pop()
    lines += ["", "endpackage", "// verilator lint_on UNUSEDPARAM", "// verilator lint_on SYMRSVDWORD"]
    text = "\n".join(lines) + "\n"
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text
