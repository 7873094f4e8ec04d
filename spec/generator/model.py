# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A description in RDL as plain records, free of the compiler's classes."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, RegfileNode, RegNode


@dataclass(frozen=True)
class Entry:
    name: str  # as in the RDL: AES_GCM
    value: int
    desc: str


@dataclass(frozen=True)
class Enum:
    name: str  # without the _e: opcode
    width: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Field:
    name: str
    lsb: int
    width: int
    desc: str
    access: str  # rw, r, w, w1c
    reset: int | None
    enum: str | None


@dataclass(frozen=True)
class Register:
    name: str
    offset: int  # inside its block
    width: int
    desc: str
    count: int  # 1 unless an array
    stride: int
    fields: tuple[Field, ...]
    engine: str = ""  # whose capabilities it tells: aes
    digits: int = 0  # the high digits of that engine's opcodes, a bit a digit

    @property
    def is_whole(self) -> bool:
        """One field fills the register, so that the register itself is the value."""
        return len(self.fields) == 1 and self.fields[0].width == self.width

    @property
    def bits(self) -> int:
        """Of the whole array."""
        return self.width * self.count

    @property
    def reset(self) -> int | None:
        """The reset value, where any field has one."""
        values = [field.reset << field.lsb for field in self.fields if field.reset is not None]
        return sum(values) if values else None


@dataclass(frozen=True)
class Block:
    """A register file, or a layout in memory."""

    name: str
    title: str
    desc: str
    offset: int  # inside the block around it
    size: int
    count: int
    stride: int
    registers: tuple[Register, ...]
    blocks: tuple["Block", ...]


@dataclass(frozen=True)
class Engine:
    name: str  # as in the RTL: aes
    number: int
    digits: int  # the high digits of its opcodes, a bit a digit
    opcodes: int  # the low digits of those with its first high digit, a bit an opcode


@dataclass(frozen=True)
class Spec:
    name: str  # of the file, and of the address map in it that has the registers: outwork
    enums: tuple[Enum, ...]
    layouts: tuple[Block, ...]  # descriptor, completion, ...
    pages: tuple[Block, ...]  # global, queue
    page_bytes: int  # 0: the register map has no pages
    title: str
    desc: str

    def capabilities(self) -> list[tuple[Block, Register]]:
        """The registers that tell what engines can do, with the page that they are in."""
        return [(page, register) for page in self.pages for register in page.registers if register.engine]

    def engines(self) -> list[Engine]:
        """Every engine that a capability register declares, by its number."""
        numbers = [entry for enum in self.enums if enum.name == "engine" for entry in enum.entries]
        digits: dict[str, int] = {}
        for _, register in self.capabilities():
            digits[register.engine] = digits.get(register.engine, 0) | register.digits
        known = {entry.name.lower(): entry.value for entry in numbers}
        if unknown := digits.keys() - known:
            raise ValueError(
                f"capability registers name engines that are not in engine_e: {', '.join(sorted(unknown))}"
            )
        engines = [Engine(name, known[name], digits[name], self._opcodes(digits[name])) for name in digits]
        return sorted(engines, key=lambda engine: engine.number)

    def _opcodes(self, digits: int) -> int:
        first = (digits & -digits).bit_length() - 1
        (opcodes,) = (enum for enum in self.enums if enum.name == "opcode")
        return sum(1 << (entry.value & 15) for entry in opcodes.entries if entry.value >> 4 == first)

    def blocks(self) -> list[Block]:
        """Every register block, outermost first."""
        found: list[Block] = []
        waiting = list(self.pages)
        while waiting:
            block = waiting.pop(0)
            found.append(block)
            waiting.extend(block.blocks)
        return found


def _text(node: Any) -> str:
    return " ".join((node.get_property("desc") or "").split())


def _array(node: Any) -> tuple[int, int, int]:
    """Offset, count and stride of a component that may be an array of one dimension."""
    if node.is_array:
        (count,) = node.array_dimensions
        return int(node.raw_address_offset), int(count), int(node.array_stride)
    return int(node.raw_address_offset), 1, int(node.total_size)


def _field(node: FieldNode) -> Field:
    access = node.get_property("sw").name
    if (onwrite := node.get_property("onwrite")) is not None:
        access = {"woclr": "w1c", "woset": "w1s"}[onwrite.name]
    encode = node.get_property("encode")
    reset = node.get_property("reset")
    return Field(
        name=node.inst_name,
        lsb=node.lsb,
        width=node.width,
        desc=_text(node),
        access=access,
        reset=reset if isinstance(reset, int) else None,
        enum=encode.type_name.removesuffix("_e") if encode else None,
    )


def _register(node: RegNode) -> Register:
    offset, count, stride = _array(node)
    fields = tuple(_field(field) for field in node.fields())
    engine, digits = node.get_property("engine", default=None), node.get_property("opcode_digits", default=None)
    return Register(
        node.inst_name, offset, node.size * 8, _text(node), count, stride, fields, engine or "", int(digits or 0)
    )


def _block(node: AddrmapNode | RegfileNode) -> Block:
    offset, count, stride = (0, 1, node.size) if isinstance(node, AddrmapNode) else _array(node)
    children = list(node.children(unroll=False))
    return Block(
        name=node.inst_name,
        title=node.get_property("name"),
        desc=_text(node),
        offset=offset,
        size=node.size,
        count=count,
        stride=stride,
        registers=tuple(_register(child) for child in children if isinstance(child, RegNode)),
        blocks=tuple(_block(child) for child in children if isinstance(child, RegfileNode)),
    )


def _enum(name: str, definition: Any, widths: dict[str, int]) -> Enum:
    entries = tuple(
        Entry(member.name, int(member.value), " ".join((member.rdl_desc or "").split())) for member in definition
    )
    name = name.removesuffix("_e")
    # As wide as the field that holds it; an enumeration that no field holds is as wide as its largest value needs.
    needed = max(max(entry.value for entry in entries).bit_length(), 1)
    return Enum(name, widths.get(name, needed), entries)


def _encoded_widths(blocks: Iterable[Block]) -> dict[str, int]:
    widths: dict[str, int] = {}
    for block in blocks:
        for field in (field for register in block.registers for field in register.fields):
            if field.enum is not None:
                widths[field.enum] = max(field.width, widths.get(field.enum, 0))
        widths |= _encoded_widths(block.blocks)
    return widths


def load(path: Path) -> Spec:
    """Compile an RDL file; its registers are in the address map of its name. Errors in it are printed by the compiler and raised."""
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    definitions = {name: definition for name, (definition, _) in compiler.namespace.type_ns_stack[0].items()}
    maps = {
        name: _block(compiler.elaborate(top_def_name=name).top)
        for name, definition in definitions.items()
        if type(definition).__name__ == "Addrmap"
    }
    widths = _encoded_widths(maps.values())
    enums = [
        _enum(name, value, widths) for name, value in definitions.items() if type(value).__name__ == "UserEnumMeta"
    ]
    registers = maps.pop(path.stem)
    page_bytes = max((block.stride for block in registers.blocks if block.count > 1), default=0)
    return Spec(
        path.stem, tuple(enums), tuple(maps.values()), registers.blocks, page_bytes, registers.title, registers.desc
    )
