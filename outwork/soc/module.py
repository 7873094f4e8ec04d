# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel module on the system on chip: boots its kernel, carries out steps, reads what the guest prints."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from outwork.device import profiles
from outwork.errors import OutworkError
from outwork.paths import PROJECT
from outwork.soc import firmware, linux
from outwork.soc.system import System

IMAGE: Final = PROJECT / "build/linux/Image"
KERNEL_SYMBOLS: Final = IMAGE.parent / "vmlinux"
MODULE: Final = PROJECT / "build/linux/module/outwork.ko"
BENCH: Final = PROJECT / "build/linux/module/bench/outwork_bench.ko"
LAB: Final = PROJECT / "build/linux/module/lab/outwork_lab.ko"
LOADING: Final = PROJECT / "platform/soc/lab/linux_module.c"
COMPARE: Final = PROJECT / "build/linux/module/compare/outwork_compare.ko"
# AES with HMAC in one pass: `authenc(hmac(HASH),MODE)`, and what the driver's name has for the mode.
PAIR_HASHES: Final = ("sha1", "sha256", "sha384", "sha512")
PAIR_MODES: Final = {"cbc(aes)": "cbc-aes", "ctr(aes)": "ctr-aes", "rfc3686(ctr(aes))": "rfc3686-ctr-aes"}
ALGORITHMS: Final = (
    "ecb-aes", "cbc-aes", "ctr-aes", "xts-aes", "ecb-des3-ede", "cbc-des3-ede",
    "gcm-aes", "rfc4106-gcm-aes", "rfc4543-gcm-aes", "ccm-aes", "rfc4309-ccm-aes", "cmac-aes",
    *(f"authenc-hmac-{name}-{mode}" for name in PAIR_HASHES for mode in PAIR_MODES.values()),
    *(f"{mac}{name}" for mac in ("", "hmac-") for name in ("sha1", "sha224", "sha256", "sha384", "sha512")),
    *(f"sha3-{bits}" for bits in (224, 256, 384, 512)),
)  # fmt: skip
# The kernel's own code that the module falls back on. It is made before self-tests are turned on, with a kernel that starts
# with NO_TESTS: only the module's algorithms are tested then.
SOFTWARE: Final = ";".join(
    [f"{mode}(aes)" for mode in ("ecb", "cbc", "ctr", "xts", "gcm", "ccm")]
    + ["ecb(des3_ede)", "cbc(des3_ede)", "rfc4106(gcm(aes))", "rfc4543(gcm(aes))", "rfc4309(ccm(aes))", "cmac(aes)"]
    + [f"authenc(hmac({name}),{mode})" for name in PAIR_HASHES for mode in PAIR_MODES]
    + [f"hmac({name})" for name in ("sha1", "sha224", "sha256", "sha384", "sha512")]
)
NO_TESTS: Final = "cryptomgr.notests=1"
SELF_TESTS: Final = (
    f"load /outwork_bench.ko instantiate={SOFTWARE}",
    "write /sys/module/cryptomgr/parameters/notests N",
    "load /outwork.ko minimum_cipher=0 minimum_hash=0",
    "algorithms outwork",
)
STATISTICS: Final = "/debug/outwork/statistics"
# The self-test of queues that processes own, and where it is in the guest.
QUEUE_TEST: Final = PROJECT / "platform/linux/selftest"
QUEUE_TEST_PROGRAM: Final = "queue_test"
# What measures the crypto API from a process, and where it is in the guest.
AF_ALG: Final = PROJECT / "platform/soc/bench/af_alg.c"
AF_ALG_PROGRAM: Final = "af_alg"
# Loads the module, and runs the self-test of queues: `files` of start() has the program.
QUEUE_TEST_STEPS: Final = ("load /outwork.ko", "device outwork", f"run /{QUEUE_TEST_PROGRAM}")
# The device's name in sysfs.
DEVICE: Final = "10100000.outwork"
# Before every other step: where the kernel shows its counters and parameters.
MOUNTS: Final = ("mount proc /proc", "mount sysfs /sys", "mount debugfs /debug")
# Those of the kernel's own checks: KASAN, lockdep and DMA-API begin with the first two, kmemleak's with the third; then a check
# that ends itself.
KERNEL_FAULTS: Final = re.compile(
    r"BUG:|WARNING:|unreferenced object|(?:kmemleak|DMA-API): .*disabl|lockdep is turned off|"
    r"Kernel panic|Oops|alg: .*(?:fail|error)",
    re.IGNORECASE,
)


@dataclass
class Output:
    """What the guest printed, step by step."""

    console: str
    status: int
    steps: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        parts = re.split(r"^step: (?!done|failed)(.*)\r?$", self.console, flags=re.MULTILINE)
        self.steps = list(zip(parts[1::2], parts[2::2], strict=True))

    def of(self, step: str) -> list[str]:
        """Returns what was printed each time that a step was carried out."""
        return [text for name, text in self.steps if name == step]

    @property
    def faults(self) -> list[str]:
        """The kernel's complaints."""
        return [line for line in self.console.splitlines() if KERNEL_FAULTS.search(line)]

    @property
    def self_tests(self) -> dict[str, str]:
        """The result of the kernel's self-test of each algorithm, by the name of its driver."""
        return dict(re.findall(r"^algorithm (\S+) selftest: (\S+)", self.console, flags=re.MULTILINE))

    def statistics(self, time: int) -> dict[str, int]:
        """The module's counters, as shown the first time (0), the second, and so on; the last time is -1."""
        text = self.of(f"show {STATISTICS}")[time]
        return {name: int(value) for name, value in re.findall(r"^(\w+) (\d+)\r?$", text, flags=re.MULTILINE)}


def check_built(*paths: Path) -> None:
    """Raises OutworkError if one of these is missing."""
    for path in paths:
        if not path.is_file():
            raise OutworkError(f"{path} is missing: `make linux` builds it.")


def _program(source: Path) -> bytes:
    """Returns a program for the guest that does everything by the functions of guest.h."""
    with tempfile.TemporaryDirectory(prefix="outwork-soc-") as name:
        program = Path(name) / source.stem
        linux.compile_freestanding(program, [source, firmware.LINUX / "guest.c"], ["-s", f"-I{firmware.LINUX}"])
        return program.read_bytes()


def _process(name: str, sources: Sequence[Path], includes: Sequence[Path] = ()) -> bytes:
    """Returns a program for the guest, without a C library. Raises OutworkError if it cannot be compiled."""
    firmware.check_compiler()
    posix = firmware.LINUX / "process"
    common = (*(posix / each for each in ("posix.c", "start.c")), firmware.SYSTEM / "string.c")
    with tempfile.TemporaryDirectory(prefix="outwork-soc-") as folder:
        program = Path(folder) / name
        command: list[str | Path] = [
            firmware.COMPILER, *firmware.TARGET, *firmware.COMPILING, "-O2", *firmware.FREESTANDING, "-nostdlib", "-static",
            "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments", "-s", f"-I{firmware.posix_headers()}", f"-I{posix}",
            *(f"-I{each}" for each in includes), *sources, *common, "-lgcc", "-o", program,
        ]  # fmt: skip
        if subprocess.run(command, check=False).returncode != 0:
            raise OutworkError(f"The program {name} was not built: the compiler rejected its sources.")
        return program.read_bytes()


def queue_test() -> bytes:
    """Returns the program that tests queues of /dev/outwork. Raises OutworkError if it cannot be compiled."""
    own = ("queue_test.c", "queue_keys.c", "queue_trouble.c", "queue_unbind.c", "small_jobs.c")
    sources = [
        *(QUEUE_TEST / source for source in own),
        PROJECT / "platform/linux/src/queue.c",
        *sorted(PROJECT.glob("driver/src/*.c")),
    ]
    includes = (QUEUE_TEST, PROJECT / "platform/linux/include", PROJECT / "driver/include")
    return _process(QUEUE_TEST_PROGRAM, sources, includes)


def af_alg() -> bytes:
    """Returns the program that measures AF_ALG. Raises OutworkError if it cannot be compiled."""
    return _process(AF_ALG_PROGRAM, [AF_ALG])


def start(
    steps: Sequence[str],
    parameters: str = "",
    board: str | profiles.Profile = profiles.DEFAULT_BOARD,
    more: Mapping[str, bytes] | None = None,
    build: Path = IMAGE.parent,
) -> System:
    """Returns a system at reset that will carry out steps (platform/soc/linux/steps.c), and the end.

    `parameters` are for the kernel's command line. The file system has outwork.ko and outwork_bench.ko. `build` has the kernel
    and the modules for it.
    """
    image, own, bench = (build / path.relative_to(IMAGE.parent) for path in (IMAGE, MODULE, BENCH))
    check_built(image, own, bench)
    files = {
        "steps": "".join(f"{step}\n" for step in (*MOUNTS, *steps)).encode(),
        own.name: own.read_bytes(),
        bench.name: bench.read_bytes(),
        **(more or {}),
    }
    return linux.start_kernel(
        image, linux.initramfs(_program(firmware.LINUX / "steps.c"), files), board, parameters=parameters
    )


def boot(has_module: bool) -> linux.Boot:
    """Returns what the lab's Linux starts from: its module, if wanted, is loaded and not bound to the device yet. Modules that are
    built are in the file system. Raises OutworkError if anything is missing."""
    check_built(IMAGE, *((MODULE, LAB) if has_module else ()))
    modules = {path.name: path.read_bytes() for path in (MODULE, LAB) if path.is_file()}
    return linux.Boot(IMAGE, modules, NO_TESTS, _program(LOADING) if has_module else b"")


def run(system: System, max_cycles: int, show: Callable[[str], object] = lambda text: None) -> Output:
    """Runs to the end. Raises OutworkError if it does not come within `max_cycles`, or the bus saw an error."""
    console = ""
    while not system.finished:
        text = system.run().decode(errors="replace")
        show(text)
        console += text
        if system.statistics.cycles > max_cycles:
            raise OutworkError(f"The guest has not ended after {max_cycles:,} cycles:\n{console[-2000:]}")
    if system.protocol_error:
        raise OutworkError(f"The accelerator has broken a rule of AXI: {system.protocol_error}.")
    return Output(console.replace("\r", ""), system.status)
