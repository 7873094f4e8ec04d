# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the headers outwork/spec.h and outwork/lite_spec.h."""

from collections.abc import Iterator

from .model import Block, Enum, Register, Spec
from .names import SPDX, notice, upper

# `ow_status` is the driver's own; what the device answers is an ow_device_status.
ENUM_NAME = {"status": "device_status"}
ENTRY_PREFIX = {"opcode": "OW_OP_", "status": "OW_DEVICE_", "key_length": "OW_KEY_"}
C_TYPES = {32: "uint32_t {}", 64: "uint64_t {}"}  # everything larger is bytes


def _enum(enum: Enum) -> Iterator[str]:
    prefix = ENTRY_PREFIX.get(enum.name, f"OW_{upper(enum.name)}_")
    yield f"enum ow_{ENUM_NAME.get(enum.name, enum.name)} {{"
    for entry in enum.entries:
        yield f"  {prefix}{entry.name} = 0x{entry.value:02x}, /* {entry.desc} */"
    yield "};"
    yield ""


def _define(name: str, value: str) -> str:
    return f"#define OW_{name} {value}"


def _fields(block: Block, register: Register) -> Iterator[str]:
    if register.is_whole:
        return
    for field in register.fields:
        full = upper(block.name, register.name, field.name)
        mask = ((1 << field.width) - 1) << field.lsb
        yield _define(f"{full}_SHIFT", f"{field.lsb}u")
        yield _define(f"{full}_WIDTH", f"{field.width}u")
        yield _define(f"{full}_MASK", f"0x{mask:08x}u")


def _block(block: Block) -> Iterator[str]:
    name = upper(block.name)
    yield f"/* {block.desc} */"
    yield _define(f"{name}_OFFSET", f"0x{block.offset:04x}u")
    if block.count > 1:
        yield _define(f"{name}_STRIDE", f"0x{block.stride:x}u")
        yield _define(f"{name}_COUNT", f"{block.count}u")
    for register in block.registers:
        full = upper(block.name, register.name)
        yield _define(f"{full}_OFFSET", f"0x{register.offset:03x}u")
        if register.count > 1:
            yield _define(f"{full}_STRIDE", f"0x{register.stride:x}u")
            yield _define(f"{full}_COUNT", f"{register.count}u")
        if register.reset is not None:
            yield _define(f"{full}_RESET", f"0x{register.reset:08x}u")
        yield from _fields(block, register)
    yield ""


def _layout(layout: Block) -> Iterator[str]:
    kind = f"struct ow_{layout.name}"
    yield f"/* {layout.title}: {layout.desc} */"
    yield _define(f"{upper(layout.name)}_SIZE", f"{layout.size}u")
    for register in layout.registers:
        yield from _fields(layout, register)
    yield f"{kind} {{"
    for register in layout.registers:
        declaration = C_TYPES.get(register.bits, f"uint8_t {{}}[{register.bits // 8}]").format(register.name)
        yield f"  {declaration}; /* {register.desc} */"
    yield "};"
    yield f'OW_STATIC_ASSERT(sizeof({kind}) == {layout.size}, "{layout.name}");'
    for register in layout.registers:
        where = f"offsetof({kind}, {register.name}) == 0x{register.offset:02x}"
        yield f'OW_STATIC_ASSERT({where}, "{layout.name}.{register.name}");'
    yield ""


def _engines(spec: Spec) -> Iterator[str]:
    registers = spec.capabilities()
    if not registers:
        return
    yield "/* What each engine of a build can do: its capability registers, zero where it is not built in. */"
    yield "struct ow_engine_capabilities {"
    for _, register in registers:
        yield f"  uint32_t {register.name}; /* {register.desc} */"
    yield "};"
    yield "/* X(member, offset of the register) for each of them. */"
    yield "#define OW_CAPABILITY_REGISTERS(X) \\"
    rows = [f"  X({register.name}, OW_{upper(block.name, register.name)}_OFFSET)" for block, register in registers]
    yield " \\\n".join(rows)
    yield "/* X(engine) for each engine. Its first capability register is a member of its name, whose lower half has a bit"
    yield "   for each of its opcodes, by their low digits. */"
    yield "#define OW_ENGINES(X) \\"
    yield " \\\n".join(f"  X({engine.name})" for engine in spec.engines())
    yield "/* X(engine, high digit of opcodes) for each engine and each of its digits. */"
    yield "#define OW_ENGINE_DIGITS(X) \\"
    rows = [
        f"  X({engine.name}, {digit})" for engine in spec.engines() for digit in range(16) if engine.digits >> digit & 1
    ]
    yield " \\\n".join(rows)
    yield ""


def emit(spec: Spec) -> str:
    guard = "OUTWORK_SPEC_H" if spec.name == "outwork" else f"OUTWORK_{upper(spec.name)}_SPEC_H"
    lines = [f"/* {line} */" for line in SPDX]
    lines += [
        f"/* Registers, memory layouts and codes: {notice(spec.name)}. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#include <stddef.h>",
        "#include <stdint.h>",
        "",
        "/* clang-format off */",
        "#ifdef __cplusplus",
        "#define OW_STATIC_ASSERT static_assert",
        "#else",
        "#define OW_STATIC_ASSERT _Static_assert",
        "#endif",
        "",
    ]
    for enum in spec.enums:
        lines += _enum(enum)
    lines += [
        "/* Register offsets count from the start of the block around them (page, queue_config, window). A _MASK is in",
        "   place: (value << _SHIFT) & _MASK. A register of one field that fills it has no masks. */",
        *([_define("PAGE_SIZE", f"0x{spec.page_bytes:x}u")] if spec.page_bytes else []),
        "#define OW_FIELD(value, name) (((value) & name##_MASK) >> name##_SHIFT)",
        "",
    ]
    for block in spec.blocks():
        lines += _block(block)
    lines += _engines(spec)
    if spec.layouts:
        lines += ["/* Layouts in memory, little-endian. */", ""]
    for layout in spec.layouts:
        lines += _layout(layout)
    lines += ["/* clang-format on */", "", "#endif"]
    return "\n".join(lines) + "\n"
