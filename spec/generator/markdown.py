# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables in docs/reference."""

from collections.abc import Iterator

from .model import Block, Enum, Field, Spec
from .names import camel, notice

ENUM_TITLES = {
    "engine": "Engines",
    "opcode": "Opcodes",
    "status": "Status codes",
    "halt": "Why a queue has halted",
    "key_length": "Key lengths",
    "lite_mode": "Modes",
    "lite_command": "Commands",
    "lite_error": "Errors",
}


def _cell(text: str) -> str:
    return text.replace("|", "\\|") or "&nbsp;"


def _bits(field: Field) -> str:
    return f"{field.lsb + field.width - 1}:{field.lsb}" if field.width > 1 else str(field.lsb)


def _offset(offset: int, count: int, stride: int) -> str:
    return f"`0x{offset:03x}`" + (f" + n × `0x{stride:x}`, n < {count}" if count > 1 else "")


def _reset(reset: int | None) -> str:
    return "" if reset is None else f"`0x{reset:x}`"


def _enum(enum: Enum) -> Iterator[str]:
    yield f"## {ENUM_TITLES.get(enum.name, camel(enum.name))}"
    yield ""
    yield "| value | name | meaning |"
    yield "|---|---|---|"
    for entry in enum.entries:
        yield f"| `0x{entry.value:02x}` | `{entry.name}` | {_cell(entry.desc)} |"
    yield ""


def _block(block: Block, level: int) -> Iterator[str]:
    where = _offset(block.offset, block.count, block.stride)
    yield f"{'#' * level} {block.name}"
    yield ""
    yield f"{block.desc} At {where}."
    yield ""
    yield "| offset | register | bits | field | access | reset | meaning |"
    yield "|---|---|---|---|---|---|---|"
    for register in block.registers:
        start = f"| {_offset(register.offset, register.count, register.stride)} | `{register.name}` |"
        if register.is_whole:
            field = register.fields[0]
            yield f"{start} 31:0 | | {field.access} | {_reset(field.reset)} | {_cell(register.desc)} |"
            continue
        yield f"{start} | | | | {_cell(register.desc)} |"
        for field in register.fields:
            yield (
                f"| | | {_bits(field)} | `{field.name}` | {field.access} | {_reset(field.reset)} "
                f"| {_cell(field.desc)} |"
            )
    yield ""
    for inner in block.blocks:
        yield from _block(inner, level + 1)


def _layout(layout: Block) -> Iterator[str]:
    yield f"## {layout.title}"
    yield ""
    yield layout.desc
    yield ""
    yield "| offset | bytes | member | bits | field | meaning |"
    yield "|---|---|---|---|---|---|"
    for register in layout.registers:
        yield (f"| `0x{register.offset:02x}` | {register.bits // 8} | `{register.name}` | | | {_cell(register.desc)} |")
        if not register.is_whole:
            for field in register.fields:
                yield f"| | | | {_bits(field)} | `{field.name}` | {_cell(field.desc)} |"
    yield ""


def _page(spec: Spec, title: str, introduction: str, body: Iterator[str]) -> str:
    lines = [f"<!-- {notice(spec.name)} -->", "", f"# {title}", "", introduction, "", *body]
    return "\n".join(lines).rstrip("\n") + "\n"


def registers(spec: Spec) -> str:
    introduction = (
        f"{spec.desc} A page has {spec.page_bytes} bytes. Offsets count from the start of the block around them."
    )
    return _page(spec, "Registers", introduction, (line for page in spec.pages for line in _block(page, 2)))


def layouts(spec: Spec) -> str:
    introduction = "What software and device read and write in memory, little-endian."
    return _page(spec, "Layouts in memory", introduction, (line for layout in spec.layouts for line in _layout(layout)))


def codes(spec: Spec) -> str:
    introduction = "Numbers that stand in descriptors, completion records and registers."
    return _page(spec, "Opcodes and status codes", introduction, (line for enum in spec.enums for line in _enum(enum)))


def whole(spec: Spec) -> str:
    """One page with the registers and the codes of a small map."""

    def body() -> Iterator[str]:
        for page in spec.pages:
            yield from _block(page, 2)
        for enum in spec.enums:
            yield from _enum(enum)

    return _page(spec, spec.title, spec.desc, body())
