# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The system on chip in Python: loads a program, runs it, counts cycles by function."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from outwork.device import binding, profiles
from outwork.errors import NoDeviceError, OutworkError, UsageError
from outwork.paths import has_library
from outwork.soc import memory_map
from outwork.soc.program import Program

STEP_CYCLES: Final = 1 << 20  # between two looks at the console
CONSOLE_BYTES: Final = 1 << 16
ALL_CYCLES: Final = (1 << 32) - 1


@dataclass(frozen=True)
class Statistics:
    """Members of struct ow_soc_statistics."""

    cycles: int
    instructions: int
    waiting_cycles: int
    device_cycles: int
    instruction_reads: int
    data_reads: int
    host_nanoseconds: int
    pc: int
    decode_errors: int
    lite_results: int


def library_of(board: profiles.Profile, wave: bool = False) -> str:
    """Returns the name of the library that simulates the system with a board's memory and accelerator."""
    return board.library.replace("ow_board", "ow_soc") + ("_trace" if wave else "")


class System:
    """A system on chip with a program in its memory. A context manager."""

    def __init__(
        self,
        program: Program,
        board: str | profiles.Profile = profiles.DEFAULT_BOARD,
        coherent: bool = True,
        wave: bool = False,
    ) -> None:
        """Opens the system. wave: the build that can write waveforms, which is slower."""
        self.program = program
        self.coherent = coherent
        self.board = profiles.load(board) if isinstance(board, str) else board
        name = library_of(self.board, wave)
        if wave and not has_library(name):
            raise NoDeviceError(
                f"The system that writes waveforms, {name}, is not built: `make soc-trace` builds ow_soc_128_trace, for "
                "boards whose accelerator has a port of 128 bits."
            )
        if not has_library(name):
            raise NoDeviceError(
                f"The simulated system {name} is not built: `make soc` in the project builds ow_soc_128, and "
                "`make soc WIDTH=64` or 32 the others. There is none for a board of another preset than full."
            )
        library = binding.load(name)
        self.library = library.path
        self._ffi, self._c = library.ffi, library.c
        parameters = self._ffi.new("struct ow_sim_parameters *", {**self.board.parameters, "relax_cycles": 1})
        why = self._ffi.new("const char **")
        self._open_soc: Any = self._c.ow_soc_open(parameters, coherent, why)
        if self._open_soc == self._ffi.NULL:
            raise NoDeviceError(f"The system cannot be opened: {self._ffi.string(why[0]).decode()}.")
        self._console = self._ffi.new("char[]", CONSOLE_BYTES)
        self._profiles: list[tuple[Program, Any]] = []
        self._profile_begin = 0
        self.finished = False
        self._load()

    def _load(self) -> None:
        program, begin, length = self.program, self._c.ow_soc_ram(), self._c.ow_soc_ram_bytes()
        if program.entry == memory_map.linux()["DeviceMemory"]:
            raise UsageError(f"{program.path} is a program for Linux: `outwork soc boot --run` runs it.")
        if program.entry != begin:
            raise UsageError(f"{program.path} starts at 0x{program.entry:08x}, but the CPU starts at 0x{begin:08x}.")
        for segment in program.segments:
            end = segment.address + segment.memory_bytes
            if segment.address < begin or end > begin + length:
                raise UsageError(
                    f"{program.path} does not fit: it wants 0x{segment.address:08x} to 0x{end - 1:08x}, but memory is "
                    f"0x{begin:08x} to 0x{begin + length - 1:08x} ({length >> 20} MiB)."
                )
            self._c.ow_soc_load(self._soc, segment.address, segment.data, len(segment.data))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._open_soc is not None:
            self._c.ow_soc_close(self._open_soc)
            self._open_soc = None

    @property
    def _soc(self) -> Any:
        """The system in C. After close() its memory is another's, so nothing is asked of it."""
        if self._open_soc is None:
            raise OutworkError("The system is closed: ask for its state and its cycles before.")
        return self._open_soc

    def run(self, cycles: int = STEP_CYCLES) -> bytes:
        """Runs until the program ends, there is much on the console, or `cycles` have passed. Returns what was printed."""
        self.finished = bool(self._c.ow_soc_run(self._soc, cycles))
        taken = self._c.ow_soc_console(self._soc, self._console, CONSOLE_BYTES)
        return bytes(self._ffi.buffer(self._console, taken))

    def load(self, address: int, data: bytes) -> None:
        """Writes to RAM."""
        if not self._c.ow_soc_load(self._soc, address, data, len(data)):
            raise UsageError(f"{len(data):,} bytes from 0x{address:08x} are not all in RAM.")

    def read(self, address: int, length_bytes: int) -> bytes:
        """Reads RAM."""
        data = self._ffi.new("uint8_t[]", length_bytes)
        if not self._c.ow_soc_read(self._soc, data, address, length_bytes):
            raise UsageError(f"{length_bytes:,} bytes from 0x{address:08x} are not all in RAM.")
        return bytes(self._ffi.buffer(data))

    def type(self, character: int) -> bool:
        """Gives the program a character. Returns False if it has not read the last one yet."""
        return bool(self._c.ow_soc_type(self._soc, bytes([character])))

    def trace(self, path: Path, begin: int = 0, cycles: int = ALL_CYCLES) -> None:
        """Writes a waveform from a cycle on. Only of a system that was opened with `wave`."""
        if begin < self.statistics.cycles:
            raise UsageError(f"The waveform cannot begin at cycle {begin:,}: it is over.")
        try:
            path.open("wb").close()  # Verilator does not say why it cannot
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
        if not self._c.ow_soc_trace(self._soc, str(path).encode(), begin, cycles):
            raise OutworkError("This system cannot write a waveform, or it writes one already.")

    def save(self) -> bytes:
        """Returns the state of the system. Raises OutworkError if the accelerator has been used."""
        length = self._ffi.new("size_t *")
        state = self._c.ow_soc_save(self._soc, length)
        if state == self._ffi.NULL:
            raise OutworkError(
                "The system cannot be saved: a program has accessed the accelerator, whose state is not part of a checkpoint."
            )
        return bytes(self._ffi.buffer(state, length[0]))

    def restore(self, state: bytes) -> None:
        """Goes on from what `save` has returned; the same library has to be in use, and the same parameters."""
        if not self._c.ow_soc_restore(self._soc, state, len(state)):
            raise OutworkError("The checkpoint does not fit this system.")
        self._profile_begin = self.statistics.cycles

    @property
    def status(self) -> int:
        """The exit status of the program, once it has finished."""
        return int(self._c.ow_soc_status(self._soc))

    @property
    def statistics(self) -> Statistics:
        got = self._ffi.new("struct ow_soc_statistics *")
        self._c.ow_soc_statistics(self._soc, got)
        return Statistics(**{name: int(getattr(got, name)) for name in Statistics.__dataclass_fields__})

    @property
    def protocol_error(self) -> str:
        """The accelerator's first violation of an AXI rule; empty: none."""
        text = self._c.ow_soc_protocol_error(self._soc)
        return "" if text == self._ffi.NULL else self._ffi.string(text).decode()

    def profile(self, *code: Program) -> None:
        """Counts cycles by function from now on: of the programs given, by their virtual addresses."""
        self._profile_begin = self.statistics.cycles
        for program in code:
            low, high = program.code
            counts = self._ffi.new("uint64_t[]", (high - low + 1) // 2)
            self._c.ow_soc_profile(self._soc, low, counts, len(counts))
            self._profiles.append((program, counts))

    def cycles_by_function(self) -> list[tuple[str, int]]:
        """Returns functions and their cycles since `profile`, the longest first. Of several programs, with the file's name."""
        found: Counter[str] = Counter()
        for program, counts in self._profiles:
            low, _ = program.code
            suffix = f" ({program.path.name})" if len(self._profiles) > 1 else ""
            for place, cycles in enumerate(memoryview(self._ffi.buffer(counts)).cast("Q")):
                if cycles:
                    found[program.function_at(low + 2 * place) + suffix] += cycles
        if elsewhere := self.statistics.cycles - self._profile_begin - found.total():
            found["(elsewhere)"] = elsewhere
        return found.most_common()
