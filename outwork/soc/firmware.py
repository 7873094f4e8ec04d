# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles a program for the system on chip, bare metal or under Linux, with start-up code, the driver and the C library."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from outwork.algorithms import c_answers
from outwork.errors import OutworkError, UsageError
from outwork.paths import PROJECT
from outwork.soc import memory_map, objects

COMPILER: Final = "riscv64-unknown-elf-gcc"
SYSTEM: Final = PROJECT / "platform/soc/firmware"
SELFTEST: Final = PROJECT / "platform/selftest"
LINUX: Final = PROJECT / "platform/soc/linux"
LINUX_QUEUE: Final = PROJECT / "platform/linux"
TASKS: Final = PROJECT / "platform/soc/freertos"
KERNEL: Final = PROJECT / ".venv/freertos/V11.2.0"
KERNEL_PORT: Final = KERNEL / "portable/GCC/RISC-V"
KERNEL_CHIP: Final = KERNEL_PORT / "chip_specific_extensions/RISCV_MTIME_CLINT_no_extensions"
# -misa-spec=2.2: the CSR instructions belong to rv32imac, the name of the C library's folder.
TARGET: Final = ("-march=rv32imac", "-misa-spec=2.2", "-mabi=ilp32", "-mcmodel=medany")
PAGE_BYTES: Final = 4096
CACHE_LINE_BYTES: Final = 64
POSIX_HEADERS: Final = (
    "errno.h", "fcntl.h", "poll.h", "string.h", "time.h", "unistd.h", "sys/eventfd.h", "sys/ioctl.h", "sys/mman.h",
    "sys/random.h",
)  # fmt: skip
# Without a C library, but with the compiler's own memcpy() of a few bytes: calls take longer, and there are many in a job.
FREESTANDING: Final = ("-ffreestanding", "-fbuiltin")
COMPILING: Final = ("-std=gnu11", "-Wall", "-Wextra", "-ffunction-sections", "-fdata-sections", "-g")
LIBRARY: Final = "--specs=picolibc.specs"
LINKING: Final = (LIBRARY, "-nostartfiles", "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments")


def check_compiler() -> None:
    """Raises UsageError or OutworkError if no program can be built here."""
    if not SYSTEM.is_dir():
        raise UsageError("Programs are built in the project's tree, of which this installation has only the commands.")
    if shutil.which(COMPILER) is None:
        raise OutworkError(f"{COMPILER} is not installed: `scripts/setup.sh soc` installs it.")


def kernel() -> tuple[list[Path], list[Path]]:
    """Returns the sources of FreeRTOS with its port, and the folders of their headers."""
    if not KERNEL.is_dir():
        raise OutworkError("FreeRTOS is missing: `scripts/freertos.sh` fetches it.")
    names = ("tasks.c", "list.c", "queue.c", "portable/GCC/RISC-V/port.c", "portable/GCC/RISC-V/portASM.S")
    return (
        [TASKS / "soc_freertos.c", *(KERNEL / name for name in names)],
        [TASKS, KERNEL / "include", KERNEL_PORT, KERNEL_CHIP],
    )


def posix_headers() -> Path:
    """Returns the folder of the headers of Linux that platform/linux includes: each is platform/soc/linux/process/posix.h."""
    return objects.headers(dict.fromkeys(POSIX_HEADERS, '#include "posix.h"\n'))


def _environment(linux: bool, process: bool) -> tuple[Path, ...]:
    """Returns the sources that a program starts and ends with, its console among them."""
    if process:
        return LINUX / "process_start.S", LINUX / "console.c", LINUX / "guest.c"
    if linux:
        return LINUX / "program_start.S", LINUX / "program.c", LINUX / "console.c"
    return SYSTEM / "start.S", SYSTEM / "machine.c"


def _process_parts(includes: Sequence[Path], level: str) -> list[objects.Part]:
    """What a process needs for a queue of its own. Compiled apart from the rest, which has the headers of picolibc, and with a
    name of its own for what picolibc calls errno."""
    command = [
        COMPILER, *TARGET, *COMPILING, f"-O{level}", *FREESTANDING, "-Derrno=process_errno", f"-I{posix_headers()}",
        f"-I{LINUX / 'process'}", f"-I{LINUX_QUEUE / 'include'}", *(f"-I{each}" for each in includes),
    ]  # fmt: skip
    return [(source, command) for source in (LINUX_QUEUE / "src/queue.c", LINUX / "process/posix.c")]


def build(
    output: Path,
    sources: Sequence[Path],
    level: str = "2",
    flags: Sequence[str] = (),
    freertos: bool = False,
    linux: bool = False,
    process: bool = False,
) -> None:
    """Writes the program `output`. What the compiler says goes to the standard error. The options `flags` are for `sources` and
    for linking.

    `linux`: a program that maps the device through /dev/mem; `process`: one that does not, and has the functions of
    platform/linux instead.

    Raises UsageError if a source is missing, OutworkError if there is no compiler or kernel, or if the compiler rejects
    a source; then there is no file.
    """
    check_compiler()
    for source in sources:
        if source.is_dir():
            raise UsageError(f"{source} is a folder; give a C file.")
        if not source.is_file():
            raise UsageError(f"{source} cannot be read: there is no such file.")
    begin, length = memory_map.PROCESS if process else memory_map.program_memory(linux)
    on_linux = linux or process
    constants = {"ProgramBase": begin, "ProgramBytes": length}
    symbols = {"ram_begin": begin, "ram_bytes": length, "data_boundary": PAGE_BYTES if on_linux else CACHE_LINE_BYTES}
    own = [
        *_environment(linux, process),
        SYSTEM / "soc.c",
        SYSTEM / "string.c",
        SELFTEST / "selftest.c",
        *sorted(PROJECT.glob("driver/src/*.c")),
        PROJECT / "driver/lite/src/lite.c",
    ]
    more, folders = kernel() if freertos else ([], [])
    quiet = ["-Wno-int-to-pointer-cast"] if freertos else []  # in the kernel's port
    generated = objects.headers(
        {"soc_map.h": memory_map.header(constants), "known_answers.h": c_answers.initialisers()}
    )
    includes = [generated, SYSTEM, SELFTEST, PROJECT / "driver/include", PROJECT / "driver/lite/include", *folders]
    last = _process_parts(includes, level) if process else []
    if process:
        includes.append(LINUX_QUEUE / "include")
    command = [COMPILER, *TARGET, *COMPILING, LIBRARY, f"-O{level}", *(f"-I{each}" for each in includes), *quiet]
    parts = [(source, command) for source in (*own, *more)]
    parts += [(source.resolve(), [*command, *flags]) for source in sources]
    with tempfile.TemporaryDirectory(prefix="outwork-soc-") as name, objects.compiled([*parts, *last]) as made:
        program = Path(name) / "program.elf"
        linking: list[str | Path] = [
            COMPILER, *TARGET, *flags, *LINKING, *(f"-Wl,--defsym={key}={value:#x}" for key, value in symbols.items()),
            "-T", SYSTEM / "link.ld", *(made or []), "-o", program,
        ]  # fmt: skip
        if made is None or subprocess.run(linking, check=False).returncode != 0:
            raise OutworkError(f"{output} was not written: the compiler rejected the program.")
        try:
            shutil.move(program, output)
        except OSError as error:
            raise UsageError(f"{output} cannot be written: {error.strerror}.") from error
