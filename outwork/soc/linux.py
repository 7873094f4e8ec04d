# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Starts Linux on the system on chip: what its memory holds at reset."""

from __future__ import annotations

import shutil
import struct
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import Template
from typing import Final

from outwork.device import profiles
from outwork.errors import OutworkError, UsageError
from outwork.paths import PROJECT
from outwork.soc import checkpoint, firmware, memory_map
from outwork.soc import program as programs
from outwork.soc.system import System

IMAGE: Final = PROJECT / "build/soc/linux/Image"
KERNEL_SYMBOLS: Final = IMAGE.parent / "vmlinux"
MISSING: Final = f"The kernel is not built: `make soc-linux` makes {IMAGE} (two minutes)."
CYCLES_PER_SECOND: Final = 100_000_000  # as the driver's platform declares the clock
FREESTANDING: Final = (
    "-march=rv32ima", "-misa-spec=2.2", "-mabi=ilp32", "-mcmodel=medany", "-msmall-data-limit=0", "-std=gnu11", "-Wall",
    "-Wextra", "-O2", "-ffreestanding", "-nostdlib", "-static", "-Wl,--no-relax", "-Wl,--no-warn-rwx-segments",
)  # fmt: skip
# Of a file in an initramfs.
FOLDER: Final = 0o040755
PROGRAM: Final = 0o100755
DATA: Final = 0o100644
CHARACTER_DEVICE: Final = 0o020600
# Of platform/soc/linux/init.c: the file of the lines that it runs the program with, and its limits.
COMMANDS: Final = "commands"
COMMANDS_BYTES: Final = 4095
WORDS: Final = 64
# Of init.c too: how it gets a program later.
MAILBOX: Final = struct.Struct("<2I")
MAILBOX_WAIT: Final = 1
MAILBOX_PROGRAM: Final = 2
MAILBOX_NO_PROGRAM: Final = 3
MAILBOX_BEFORE: Final = 4
READY: Final = b"init: ready for a program"
UP: Final = b"init: Linux is up"
READY_STEP_CYCLES: Final = 20_000


def compile_freestanding(output: Path, sources: Sequence[Path], flags: Sequence[str | Path]) -> None:
    """Compiles without C library. Raises OutworkError if that fails."""
    firmware.check_compiler()
    (output.parent / "soc_map.h").write_text(memory_map.header(memory_map.linux()), encoding="utf-8")
    command = [firmware.COMPILER, *FREESTANDING, f"-I{output.parent}", *flags, *sources, "-o", output]
    if subprocess.run(command, check=False).returncode != 0:
        raise OutworkError(f"{output.name} was not built: the compiler rejected its sources in {firmware.LINUX}.")


def sbi() -> programs.Program:
    """Returns the firmware in machine mode."""
    folder = firmware.LINUX / "sbi"
    with tempfile.TemporaryDirectory(prefix="outwork-soc-") as name:
        elf = Path(name) / "sbi.elf"
        begin = memory_map.constants()["RamBase"]
        compile_freestanding(
            elf,
            [folder / "start.S", folder / "sbi.c"],
            [f"-Wl,--defsym=ram_begin={begin:#x}", "-T", folder / "link.ld"],
        )
        return programs.load(elf)


def device_tree(initramfs_bytes: int, parameters: str = "", cycles_per_second: int = CYCLES_PER_SECOND) -> bytes:
    """Returns the flattened device tree. Raises OutworkError if its compiler is missing."""
    if shutil.which("dtc") is None:
        raise OutworkError("The compiler of device trees, dtc, is missing: install the package device-tree-compiler.")
    found = memory_map.constants() | memory_map.linux()
    found["InitramfsEnd"] = found["Initramfs"] + initramfs_bytes
    values = {name: f"{value:x}" for name, value in found.items()}
    first = found["OutworkSource"]
    values["OutworkInterrupts"] = " ".join(f"<{source}>" for source in range(first, first + 4)).replace("> <", ">, <")
    values["CyclesPerSecond"] = str(cycles_per_second)
    values["Parameters"] = f" {parameters}" if parameters else ""
    source = Template((firmware.LINUX / "soc.dts").read_text(encoding="utf-8")).substitute(values)
    done = subprocess.run(["dtc", "-I", "dts", "-O", "dtb"], input=source.encode(), capture_output=True, check=False)
    if done.returncode != 0 or done.stderr:
        raise OutworkError(f"dtc rejects platform/soc/linux/soc.dts: {done.stderr.decode().strip()}")
    return done.stdout


def entry(name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> bytes:
    """Returns a file as cpio's format `newc` has it; `device` are its major and minor numbers."""
    path = name.encode() + b"\0"
    fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(path), 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + path
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def is_program(data: bytes) -> bool:
    """Returns whether a file is an ELF program; a kernel module is an ELF file of another type."""
    return data[:4] == b"\x7fELF" and data[16] == 2


def initramfs(program: bytes | None, files: Mapping[str, bytes] | None = None) -> bytes:
    """Returns the first file system: devices, the first process, a program for it to run, and files by their paths, with the
    folders that they are in."""
    folders = {str(parent) for name in files or {} for parent in Path(name).parents} - {"."}
    with tempfile.TemporaryDirectory(prefix="outwork-soc-") as name:
        init = Path(name) / "init"
        compile_freestanding(init, [firmware.LINUX / "init.c"], ["-s", f"-I{PROJECT / 'driver/include'}"])
        first = init.read_bytes()
    parts = [
        entry("dev", FOLDER),
        entry("dev/console", CHARACTER_DEVICE, device=(5, 1)),
        entry("dev/mem", CHARACTER_DEVICE, device=(1, 1)),
        entry("dev/null", CHARACTER_DEVICE, device=(1, 3)),
        entry("proc", FOLDER),
        *(entry(folder, FOLDER) for folder in sorted(folders)),
        entry("init", PROGRAM, first),
        *([] if program is None else [entry("program", PROGRAM, program)]),
        *(entry(path, PROGRAM if is_program(data) else DATA, data) for path, data in (files or {}).items()),
        entry("TRAILER!!!", 0),
    ]
    return b"".join(parts)


def _checked(path: Path) -> bytes:
    """Returns a program's file. Raises UsageError if Linux on this CPU cannot run it."""
    program = programs.load(path)
    if program.entry == memory_map.constants()["RamBase"]:
        raise UsageError(f"{path} is a program for the bare machine: build it with --linux.")
    return programs.without_symbols(path.read_bytes())


def _check_size(files: bytes) -> None:
    place = memory_map.linux()
    if len(files) > place["Kernel"] + place["LinuxBytes"] - place["Initramfs"]:
        raise UsageError(f"The program and its files are too large: {len(files) >> 20} MiB.")


def commands(lines: Sequence[Sequence[str]]) -> bytes:
    """Returns what makes the first process run the program once for each line: variables, then arguments.

    Raises UsageError if it would not understand a line.
    """
    for line in lines:
        for word in line:
            if not word or word.split() != [word]:
                raise UsageError(
                    f"The argument '{word}' is empty or contains a space, which the first process cannot pass on."
                )
        if len(line) > WORDS:
            raise UsageError(
                f"The program gets {len(line)} arguments and variables; the first process passes on {WORDS}."
            )
    text = "".join(" ".join(line) + "\n" for line in lines).encode()
    if len(text) > COMMANDS_BYTES:
        raise UsageError(f"The arguments have {len(text)} bytes; the first process reads {COMMANDS_BYTES}.")
    return text


def initial_files(
    program: Path | None, lines: Sequence[Sequence[str]] = (), more: Mapping[str, bytes] | None = None
) -> bytes:
    """Returns the initramfs with a program from a file, lines to run it with, and more files by their paths.

    Raises UsageError if the program or the lines cannot run there.
    """
    extra = {COMMANDS: commands(lines)} if lines else {}
    files = initramfs(None if program is None else _checked(program), {**extra, **(more or {})})
    _check_size(files)
    return files


def start(
    program: Path | None,
    board: str | profiles.Profile = profiles.DEFAULT_BOARD,
    coherent: bool = True,
    lines: Sequence[Sequence[str]] = (),
    more: Mapping[str, bytes] | None = None,
    cycles_per_second: int = CYCLES_PER_SECOND,
) -> System:
    """Returns a system at reset, with everything in memory: see initial_files().

    `cycles_per_second` is what Linux believes: with fewer, programs that measure for a second end earlier.

    Raises OutworkError if the kernel is not built.
    """
    if not IMAGE.is_file():
        raise OutworkError(MISSING)
    files = initial_files(program, lines, more)
    return start_kernel(IMAGE, files, board, coherent, cycles_per_second=cycles_per_second)


def start_kernel(
    image: Path,
    files: bytes,
    board: str | profiles.Profile = profiles.DEFAULT_BOARD,
    coherent: bool = True,
    parameters: str = "",
    cycles_per_second: int = CYCLES_PER_SECOND,
) -> System:
    """Returns a system at reset, with a kernel, an initramfs and words for the kernel's command line."""
    _check_size(files)
    place = memory_map.linux()
    system = System(sbi(), board, coherent=coherent)
    system.load(place["DeviceTree"], device_tree(len(files), parameters, cycles_per_second))
    system.load(place["Kernel"], image.read_bytes())
    system.load(place["Initramfs"], files)
    return system


def run_to_init(system: System) -> bytes:
    """Runs until the first process has been started. Returns what was printed."""
    console = b""
    while UP not in console and not system.finished:
        console += system.run(READY_STEP_CYCLES)
    return console


def boot(board: str | profiles.Profile = profiles.DEFAULT_BOARD, coherent: bool = True) -> tuple[System, bytes]:
    """Returns a system whose Linux waits for a program, and what it has printed. `deliver` lets it go on."""
    return _boot(start(None, board, coherent))


def _boot(system: System) -> tuple[System, bytes]:
    """Runs a system at reset until its first process waits for a program."""
    system.load(memory_map.linux()["DeviceMemory"], MAILBOX.pack(MAILBOX_WAIT, 0))
    return system, _wait(system)


def _wait(system: System) -> bytes:
    """Runs until the first process waits for a program. Returns what was printed. Raises OutworkError, and closes the system,
    if that does not come."""
    console = b""
    while READY not in console:
        console += system.run(READY_STEP_CYCLES)
        if system.finished:
            system.close()
            raise OutworkError(f"Linux does not wait for a program: {console.decode(errors='replace').strip()}")
    return console


def deliver(system: System, program: Path | None) -> None:
    """Gives a Linux that waits its program, or tells it that there is none."""
    if program is None:
        system.load(memory_map.linux()["DeviceMemory"], MAILBOX.pack(MAILBOX_NO_PROGRAM, 0))
        return
    _give(system, MAILBOX_PROGRAM, _checked(program))


def _give(system: System, state: int, data: bytes) -> None:
    place = memory_map.linux()
    if len(data) > place["DeviceMemoryBytes"] - firmware.PAGE_BYTES:
        raise UsageError(f"The program is too large: {len(data) >> 20} MiB.")
    system.load(place["DeviceMemory"] + firmware.PAGE_BYTES, data)
    system.load(place["DeviceMemory"], MAILBOX.pack(state, len(data)))


def restored(path: Path, board: str | profiles.Profile = profiles.DEFAULT_BOARD, coherent: bool = True) -> System:
    """Returns a system in the state of a checkpoint. Raises UsageError if the file does not fit."""
    system = System(sbi(), board, coherent=coherent)
    try:
        checkpoint.restore(system, path)
    except BaseException:
        system.close()
        raise
    return system


@dataclass(frozen=True)
class Boot:
    """What a Linux starts from: a kernel, files by their paths, words for the kernel's command line, and a program that runs
    before Linux waits for another one, and does not touch the accelerator."""

    image: Path
    files: Mapping[str, bytes] = field(default_factory=dict)
    parameters: str = ""
    before: bytes = b""

    def start(self, board: str | profiles.Profile, coherent: bool) -> System:
        """Returns a system that waits for a program: booted, or from the checkpoint of one before the program `before`."""
        if self.before:
            system = booted(replace(self, before=b""), board, coherent)
            _give(system, MAILBOX_BEFORE, self.before)
            _wait(system)
            return system
        return _boot(start_kernel(self.image, initramfs(None, self.files), board, coherent, self.parameters))[0]


def booted_path(boot: Boot, board: str | profiles.Profile = profiles.DEFAULT_BOARD, coherent: bool = True) -> Path:
    """Returns the checkpoint beside the kernel that `booted` uses, which may be missing.

    A change of what Linux starts from, of the firmware, of the board or of the simulation makes another one.
    """
    firmware_parts, files = sbi(), initramfs(None, boot.files)
    with System(firmware_parts, board, coherent=coherent) as fresh:
        parts = [segment.data for segment in firmware_parts.segments]
        tree = device_tree(0, boot.parameters)
        key = checkpoint.key(fresh, boot.image.read_bytes(), tree, files, boot.before, *parts)
    return boot.image.parent / f"booted-{key}.checkpoint"


def keep_booted(boot: Boot, board: str | profiles.Profile = profiles.DEFAULT_BOARD, coherent: bool = True) -> Path:
    """Boots Linux and writes the checkpoint of `booted_path`, if it is missing. Returns its path."""
    path = booted_path(boot, board, coherent)
    if not path.is_file():
        with boot.start(board, coherent) as system:
            checkpoint.save(system, path)
    return path


def booted(boot: Boot, board: str | profiles.Profile = profiles.DEFAULT_BOARD, coherent: bool = True) -> System:
    """Returns a system whose Linux waits for a program: from a checkpoint, which the first call makes."""
    return restored(keep_booted(boot, board, coherent), board, coherent)
