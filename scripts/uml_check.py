# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Boots User Mode Linux with the simulated board as a PCI function, and has the kernel test the module's algorithms: `make uml`."""

from __future__ import annotations

import argparse
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from outwork.errors import OutworkError
from outwork.paths import PROJECT
from outwork.soc import linux, module

BUILD: Final = PROJECT / "build/uml"
PLATFORM: Final = PROJECT / "platform/uml"
BUSYBOX: Final = Path("/bin/busybox")
MODULES: Final = (
    "outwork.ko", "bench/outwork_bench.ko", "compare/outwork_agree.ko", "compare/outwork_compare.ko",
    "faults/outwork_faults.ko",
)  # fmt: skip
# Of platform/pci/pci.h: no driver claims these numbers, so it has to be told.
PCI_NUMBERS: Final = "1234 6f77"
DRIVER: Final = "/sys/bus/pci/drivers/outwork"
FUNCTION: Final = "0000:00:00.0"
BIND: Final = f"write {DRIVER}/new_id {PCI_NUMBERS}"
# Those of public keys: this kernel has code of its own for them, that of the system on chip has not.
PUBLIC_KEYS: Final = (
    "rsa", "ecdsa-nist-p256", "ecdsa-nist-p384", "ecdh-nist-p256", "ecdh-nist-p384", "curve25519",
)  # fmt: skip
# Under keys that are in the device only: this kernel has keyrings, that of the system on chip has not. No vector knows such a key,
# so that these pass as they are.
PROTECTED: Final = ("ecb-paes", "cbc-paes", "ctr-paes", "xts-paes")
ALGORITHMS: Final = (*module.ALGORITHMS, *PUBLIC_KEYS, *PROTECTED)
# In the guest's time the simulated board is slow, the more so beside other programs.
SLOW: Final = "timeout_factor=20"
SELF_TESTS: Final = (*module.SELF_TESTS[:-2], f"{module.SELF_TESTS[-2]} {SLOW}", BIND, module.SELF_TESTS[-1])
PROGRAMS: Final = PROJECT / "build/release/bin"
BOARD: Final = PROGRAMS / "outwork_pci"
# For the guest: loads a module, makes an encrypted disk.
LOAD: Final = PROGRAMS / "uml_load"
DM_CRYPT: Final = PROGRAMS / "uml_dm_crypt"
MEMORY_MIB: Final = 256
# What ends a run that does not end by itself; it has no other meaning.
LIMIT_SECONDS: Final = 1800
# More for each random request, of all algorithms together: they took three.
RANDOM_SECONDS: Final = 10


@dataclass
class Run:
    """What the guest printed, and what the board has counted."""

    output: module.Output
    board: dict[str, int]
    seconds: float


@dataclass(frozen=True)
class Build:
    """A kernel with the module that was compiled for it."""

    folder: Path

    @property
    def kernel(self) -> Path:
        return self.folder / "linux"

    @property
    def is_complete(self) -> bool:
        module_files = (self.folder / "module" / name for name in MODULES)
        return all(path.is_file() for path in (self.kernel, *module_files, BOARD, LOAD, DM_CRYPT))

    def files(self) -> dict[str, bytes]:
        return {Path(name).name: (self.folder / "module" / name).read_bytes() for name in MODULES}


PLAIN: Final = Build(BUILD)
DEBUG: Final = Build(BUILD / "debug")
# Shows memory that nothing refers to any more. An object counts from the age of 5 seconds, if it has not changed between
# two looks.
LEAKS: Final = ("run sleep 6", *2 * ("write /debug/kmemleak scan",), "show /debug/kmemleak")


def initramfs(steps: Sequence[str], files: Mapping[str, bytes]) -> bytes:
    """Returns the first file system: the shell, and what it carries out."""
    lines = "".join(f"{step}\n" for step in (*module.MOUNTS, *steps))
    folders = {str(Path(name).parent) for name in files} - {"."}
    return b"".join(
        [
            *(linux.entry(folder, linux.FOLDER) for folder in sorted({"dev", "proc", "bin", *folders})),
            linux.entry("dev/console", linux.CHARACTER_DEVICE, device=(5, 1)),
            linux.entry("dev/null", linux.CHARACTER_DEVICE, device=(1, 3)),
            linux.entry("bin/busybox", linux.PROGRAM, BUSYBOX.read_bytes()),
            linux.entry("load", linux.PROGRAM, LOAD.read_bytes()),
            linux.entry("init", linux.PROGRAM, (PLATFORM / "init").read_bytes()),
            linux.entry("steps", linux.DATA, lines.encode()),
            *(
                linux.entry(name, linux.PROGRAM if linux.is_program(data) else linux.DATA, data)
                for name, data in files.items()
            ),
            linux.entry("TRAILER!!!", 0),
        ]
    )


def run(
    steps: Sequence[str],
    parameters: str = "",
    build: Build = PLAIN,
    more: Mapping[str, bytes] | None = None,
    show: bool = False,
    pull: str | None = None,
    more_seconds: float = 0,
) -> Run:
    """Carries out steps (platform/uml/init). `parameters` are for the kernel's command line. Raises OutworkError if it has not
    ended after LIMIT_SECONDS and `more_seconds`.

    When the guest has printed the line `pull`, the board kills itself with the next job (platform/uml/device.c): the device is gone, and
    so is what it has counted.
    """
    if not build.is_complete:
        raise OutworkError(f"{build.kernel}, its modules or {BOARD} are missing: `make uml` builds them.")
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="outwork-uml-") as name:
        folder = Path(name)
        socket, files = folder / "board", folder / "initramfs"
        files.write_bytes(initramfs(steps, {**build.files(), **(more or {})}))
        command = [
            str(build.kernel), f"mem={MEMORY_MIB}M", f"initrd={files}", f"virtio_uml.device={socket}:1234",
            "con0=fd:0,fd:1", "con=null", "ssl=null", "panic=-1", *parameters.split(),
        ]  # fmt: skip
        board = subprocess.Popen([BOARD, socket], stdout=subprocess.PIPE, text=True)
        try:
            if not board.stdout or board.stdout.readline() != "ready\n":
                raise OutworkError("The simulated board does not start: it says above why.")
            console_text = console(
                command, folder, show, lambda line: board.send_signal(signal.SIGUSR1) if line.strip() == pull else None,
                more_seconds=more_seconds,
            )  # fmt: skip
            counted, _ = board.communicate(timeout=60)
        finally:
            board.kill()
            board.wait()
    if board.returncode != (0 if pull is None else -signal.SIGKILL):
        raise OutworkError("The simulated board has failed: it says above how.")
    return result(console_text, counted, time.monotonic() - start)


def result(console_text: str, counted: str, seconds: float) -> Run:
    """What a run has given: what the guest printed, and what the board printed at its end."""
    status = re.search(r"^init: status (\d+)$", console_text, flags=re.MULTILINE)
    output = module.Output(console_text, int(status[1]) if status else 255)
    return Run(output, {key: int(value) for key, value in re.findall(r"(\w+) (\d+)", counted)}, seconds)


def console(
    command: list[str],
    folder: Path,
    show: bool,
    watch: Callable[[str], object] = lambda line: None,
    pass_files: Sequence[int] = (),
    more_seconds: float = 0,
) -> str:
    """Runs the kernel, which keeps files in its home folder, to its end. `watch` gets each line. Returns what it printed."""
    printed = ""
    kernel = subprocess.Popen(
        command, cwd=folder, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", pass_fds=pass_files,
    )  # fmt: skip
    # A kernel that hangs prints nothing, so what ends it does not wait for a line.
    late = threading.Event()

    def end() -> None:
        late.set()
        kernel.kill()

    limit = LIMIT_SECONDS + more_seconds
    timer = threading.Timer(limit, end)
    timer.start()
    try:
        assert kernel.stdout is not None
        for line in kernel.stdout:
            printed += line.replace("\r", "")
            watch(line)
            if show:
                print(line, end="", flush=True)
        kernel.wait()
    finally:
        timer.cancel()
        kernel.kill()
    if late.is_set():
        raise OutworkError(f"The kernel has not ended after {limit} seconds:\n{printed[-2000:]}")
    return printed


def report(done: Run, algorithms: Sequence[str]) -> int:
    """Prints the outcome of self-tests. Returns 0 if these algorithms have passed, all on the device."""
    passed = sum(result == "passed" for result in done.output.self_tests.values())
    counters = done.output.statistics(-1)
    jobs = sum(counters[name] for name in counters if name.endswith("_device_jobs"))
    print(
        f"{passed} of {len(algorithms)} algorithms passed their self-tests; the device counted {jobs:,} jobs in "
        f"{done.board['cycles']:,} cycles; {done.seconds:.0f} seconds"
    )
    print(f"the board: {done.board}")
    for fault in done.output.faults:
        print(f"the kernel complained: {fault}")
    good = passed == len(algorithms) and not done.output.faults and done.output.status == 0
    return 0 if good and jobs > 0 and counters["errors"] == counters["fallbacks_device"] == 0 else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--debug", action="store_true", help="with the kernel that checks memory, locks and DMA")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="with N random requests in each self-test")
    arguments = parser.parse_args()
    extra = f"cryptomgr.fuzz_iterations={arguments.random}" if arguments.random else "cryptomgr.noextratests=1"
    steps = [*SELF_TESTS, f"show {module.STATISTICS}", "unload outwork", *(LEAKS if arguments.debug else ())]
    build = DEBUG if arguments.debug else PLAIN
    done = run(steps, f"{module.NO_TESTS} {extra}", build, show=True, more_seconds=arguments.random * RANDOM_SECONDS)
    return report(done, ALGORITHMS)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OutworkError as error:
        sys.exit(f"uml_check: {error}")
