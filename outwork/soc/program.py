# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A program for the system on chip: an ELF file with its segments and the names of its functions."""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from outwork.errors import UsageError

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

# In the header of an ELF file of 32 bits: the place of the table of sections; their number, and that of the one with names.
SECTIONS_AT: Final = 32
SECTIONS_COUNT_AT: Final = 48
# Compilers' own labels, which are no functions.
NO_NAMES = ("$", ".L")


@dataclass(frozen=True)
class Segment:
    address: int  # in memory
    virtual_address: int  # by which the program uses it
    data: bytes
    memory_bytes: int  # with what the file leaves out because it is zero
    is_code: bool


@dataclass(frozen=True)
class Program:
    path: Path
    entry: int
    segments: tuple[Segment, ...]
    functions: tuple[tuple[int, str], ...] = field(repr=False)  # address and name, by address

    @property
    def code(self) -> tuple[int, int]:
        """Returns the first address of the code, and the one after its end."""
        code = [segment for segment in self.segments if segment.is_code]
        begin = min(each.virtual_address for each in code)
        return begin, max(each.virtual_address + len(each.data) for each in code)

    def function_at(self, address: int) -> str:
        """Returns the name of the function that contains an address, or the address itself if none is known."""
        place = bisect_right(self.functions, (address, "\uffff")) - 1
        low, high = self.code
        return self.functions[place][1] if place >= 0 and low <= address < high else f"0x{address:08x}"


def load(path: Path) -> Program:
    """Raises UsageError if the file is not a program for a 32-bit RISC-V CPU."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        with path.open("rb") as file:
            return _program(path, ELFFile(file))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (ELFError, ValueError, KeyError, IndexError) as error:
        raise UsageError(f"{path} is not an ELF file, or it is damaged. Give the linker's output.") from error


def load_module(path: Path, address: int) -> Program:
    """Returns the code of a kernel module whose section `.text` the kernel has put to an address. Raises UsageError if the file
    is not a module for a 32-bit RISC-V CPU."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            text = elf.get_section_by_name(".text")
            if text is None or elf.header["e_type"] != "ET_REL" or elf.get_machine_arch() != "RISC-V":
                raise UsageError(f"{path} is not a kernel module for RISC-V.")
            code, place = text.data(), elf.get_section_index(".text")
            table: Any = elf.get_section_by_name(".symtab")
            functions = [
                (address + symbol["st_value"], symbol.name)
                for symbol in table.iter_symbols()
                if symbol["st_shndx"] == place and symbol["st_info"]["type"] == "STT_FUNC"
            ]
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (ELFError, ValueError, KeyError, AttributeError) as error:
        raise UsageError(f"{path} is not a kernel module, or it is damaged.") from error
    segment = Segment(address, address, code, len(code), True)
    return Program(path, address, (segment,), tuple(sorted(functions)))


def without_symbols(data: bytes) -> bytes:
    """Returns a program's file without what comes after the last segment that is loaded: symbols, what is for debuggers."""
    from elftools.elf.elffile import ELFFile

    elf = ELFFile(BytesIO(data))
    end = max(each["p_offset"] + each["p_filesz"] for each in elf.iter_segments("PT_LOAD"))
    end = max(end, elf.header["e_phoff"] + elf.header["e_phnum"] * elf.header["e_phentsize"])
    if elf.header["e_shoff"] < end:
        return data
    head = bytearray(data[:end])
    struct.pack_into("<I", head, SECTIONS_AT, 0)
    struct.pack_into("<2H", head, SECTIONS_COUNT_AT, 0, 0)
    return bytes(head)


def _program(path: Path, elf: ELFFile) -> Program:
    if elf.get_machine_arch() != "RISC-V" or elf.elfclass != 32 or not elf.little_endian:
        raise UsageError(
            f"{path} is a program for {elf.get_machine_arch()}, {elf.elfclass} bits; the CPU is a 32-bit RISC-V. "
            "Compile it with -march=rv32imac -mabi=ilp32."
        )
    if elf.header["e_type"] != "ET_EXEC":
        raise UsageError(f"{path} is not linked to fixed addresses: `outwork soc build` does it.")
    segments = tuple(
        Segment(each["p_paddr"], each["p_vaddr"], each.data(), each["p_memsz"], bool(each["p_flags"] & 1))
        for each in elf.iter_segments("PT_LOAD")
        if each["p_memsz"]
    )
    if not any(segment.is_code for segment in segments):
        raise UsageError(f"{path} contains no code.")
    return Program(path, elf.header["e_entry"], segments, tuple(sorted(_functions(elf))))


def _functions(elf: ELFFile) -> list[tuple[int, str]]:
    table: Any = elf.get_section_by_name(".symtab")
    if table is None:
        return []
    code = {index for index, each in enumerate(elf.iter_sections()) if each["sh_flags"] & 4}
    return [
        (symbol["st_value"], symbol.name)
        for symbol in table.iter_symbols()
        if symbol["st_shndx"] in code
        and symbol["st_info"]["type"] in ("STT_FUNC", "STT_NOTYPE")
        and symbol.name
        and not symbol.name.startswith(NO_NAMES)
    ]
