# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Boots Debian's own kernel in QEMU with the simulated board as a PCI function, and has the kernel test the module's algorithms:
`make qemu`."""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import uml_check

from outwork.errors import OutworkError
from outwork.paths import PROJECT
from outwork.soc import module

BUILD: Final = PROJECT / "build/qemu"
KERNEL: Final = BUILD / "vmlinuz"
RELEASE: Final = BUILD / "release"
QEMU: Final = "qemu-system-x86_64"
BOARD: Final = uml_check.PROGRAMS / "outwork_qemu"
MODULES: Final = uml_check.Build(BUILD)
MEMORY_MIB: Final = 512
# One thread for all CPUs: with several, two of them access the board at once, which QEMU's proxy takes for an error.
ACCELERATOR: Final = "tcg,thread=single"
# The host's files, and what the module falls back on or makes instances of: modules of Debian's kernel. The others are in it.
WANTED: Final = (
    "virtio_pci", "9pnet_virtio", "9p", "ecb", "ctr", "ghash-generic", "gcm", "ccm", "xts", "cmac", "authenc", "des_generic", "sha512_generic",
    "sha3_generic", "drbg", "jitterentropy_rng", "ecdh_generic", "libcurve25519-generic", "curve25519-generic", "crypto_user", "algif_skcipher",
)  # fmt: skip
# ECDSA is none of Debian's.
ALGORITHMS: Final = tuple(name for name in uml_check.ALGORITHMS if not name.startswith("ecdsa"))
# Mounts the host's files, which the guest cannot write to: as kernel_guest.STEPS does under User Mode Linux.
SHARE: Final = "run mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=262144,cache=loose host"


def is_complete() -> bool:
    files = (KERNEL, RELEASE, BOARD, uml_check.LOAD, *(BUILD / "module" / name for name in uml_check.MODULES))
    return all(path.is_file() for path in files)


def kernel_modules(wanted: Sequence[str] = WANTED) -> dict[str, bytes]:
    """Returns the files of modules of the kernel with all that they need, in the order in which they can be loaded."""
    folder = BUILD / "lib/modules" / RELEASE.read_text().strip()
    needs: dict[str, tuple[str, list[str]]] = {}
    for line in (folder / "modules.dep").read_text().splitlines():
        path, _, others = line.partition(":")
        needs[Path(path).stem.replace("-", "_")] = (path, others.split())
    found: dict[str, bytes] = {}
    for name in wanted:
        own, before = needs[name.replace("-", "_")]
        for each in (*reversed(before), own):
            found.setdefault(f"modules/{Path(each).name}", (folder / each).read_bytes())
    return found


def run(
    steps: Sequence[str],
    parameters: str = "",
    more: Mapping[str, bytes] | None = None,
    show: bool = False,
    cpus: int = 1,
) -> uml_check.Run:
    """Carries out steps (platform/uml/init), after the kernel's own modules were loaded. Raises OutworkError if it does not end."""
    if not is_complete():
        raise OutworkError(f"{KERNEL}, the modules or {BOARD} are missing: `make qemu` builds them.")
    start = time.monotonic()
    own = kernel_modules()
    files = {**own, **MODULES.files(), **(more or {})}
    steps = [*(f"load /{name}" for name in own), *steps]
    with tempfile.TemporaryDirectory(prefix="outwork-qemu-") as name:
        initramfs = Path(name) / "initramfs"
        initramfs.write_bytes(uml_check.initramfs(steps, files))
        proxies, tests = socket.socketpair(), socket.socketpair()
        theirs, ours = (proxies[0], tests[0]), (proxies[1], tests[1])
        command = [
            QEMU, "-M", "pc", "-accel", ACCELERATOR, "-cpu", "max", "-nodefaults", "-no-reboot", "-display", "none",
            "-object", f"memory-backend-memfd,id=memory,size={MEMORY_MIB}M,share=on", "-m", f"{MEMORY_MIB}M",
            "-smp", str(cpus),
            "-machine", "memory-backend=memory", "-serial", "stdio", "-kernel", str(KERNEL), "-initrd", str(initramfs),
            "-append", f"console=ttyS0 quiet panic=-1 {parameters}",
            "-device", f"x-pci-proxy-dev,id=board,addr=2,fd={theirs[0].fileno()}",
            "-chardev", f"socket,id=messages,fd={theirs[1].fileno()}", "-object", "qtest,id=test,chardev=messages,log=none",
            "-fsdev", "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap",
            "-device", "virtio-9p-pci,fsdev=host,mount_tag=host",
        ]  # fmt: skip
        numbers = [each.fileno() for each in ours]
        board = subprocess.Popen([BOARD, *map(str, numbers)], pass_fds=numbers, stdout=subprocess.PIPE, text=True)
        for each in ours:
            each.close()
        try:
            console = uml_check.console(command, Path(name), show, pass_files=[each.fileno() for each in theirs])
            for each in theirs:
                each.close()
            counted, _ = board.communicate(timeout=60)
        finally:
            board.kill()
            board.wait()
    if board.returncode != 0:
        raise OutworkError("The simulated board has failed: it says above how.")
    return uml_check.result(console, counted, time.monotonic() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    steps = [*uml_check.SELF_TESTS, f"show {module.STATISTICS}", "unload outwork"]
    done = run(steps, module.NO_TESTS, show=True)
    return uml_check.report(done, ALGORITHMS)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OutworkError as error:
        sys.exit(f"qemu_check: {error}")
