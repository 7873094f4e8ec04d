# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Boots Debian's own kernel in QEMU with the simulated board as a PCI function, and has the kernel test the module's algorithms:
`make qemu`."""

from __future__ import annotations

import argparse
import lzma
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uml_check

from outwork.errors import OutworkError
from outwork.paths import PROJECT
from outwork.soc import module

QEMU: Final = "qemu-system-x86_64"
BOARD: Final = uml_check.PROGRAMS / "outwork_qemu"
MEMORY_MIB: Final = 512
# One thread for all CPUs: with several, two of them access the board at once, which QEMU's proxy takes for an error.
ACCELERATOR: Final = "tcg,thread=single"
# The host's files, and what the module falls back on or makes instances of: modules of Debian's kernel. The others are in it.
WANTED: Final = (
    "virtio_pci", "9pnet_virtio", "9p", "ecb", "ctr", "ghash-generic", "gcm", "ccm", "xts", "cmac", "authenc", "des_generic", "sha512_generic",
    "sha3_generic", "drbg", "jitterentropy_rng", "ecdh_generic", "libcurve25519-generic", "curve25519-generic", "crypto_user", "algif_skcipher",
)  # fmt: skip
# Mounts the host's files, which the guest cannot write to: as kernel_guest.STEPS does under User Mode Linux.
SHARE: Final = "run mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=262144,cache=loose host"


@dataclass(frozen=True)
class Build(uml_check.Build):
    """A kernel of Debian's with the module that was compiled for it: scripts/qemu.sh."""

    @property
    def kernel(self) -> Path:
        return self.folder / "vmlinuz"

    @property
    def release(self) -> str:
        return (self.folder / "release").read_text().strip()

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Those that the module registers there. Debian 12's own kernel has no ECDSA."""
        has_ecdsa = any("ecdsa_generic" in names for names in (self._needs(), self._inside()))
        return tuple(name for name in uml_check.ALGORITHMS if has_ecdsa or not name.startswith("ecdsa"))

    @property
    def is_complete(self) -> bool:
        own = (self.folder / "module" / name for name in uml_check.MODULES)
        return all(path.is_file() for path in (self.kernel, self.folder / "release", BOARD, uml_check.LOAD, *own))

    def kernel_modules(self, wanted: Sequence[str] = WANTED) -> dict[str, bytes]:
        """Returns the files of modules of the kernel with all that they need, in the order in which they can be loaded. Those that
        are part of the kernel are left out."""
        needs, inside = self._needs(), self._inside()
        found: dict[str, bytes] = {}
        for name in map(_name, wanted):
            if name in inside:
                continue
            own, before = needs[name]
            for each in (*reversed(before), own):
                found.setdefault(f"modules/{Path(each).name.removesuffix('.xz')}", _content(self._modules / each))
        return found

    @property
    def _modules(self) -> Path:
        return self.folder / "lib/modules" / self.release

    def _needs(self) -> dict[str, tuple[str, list[str]]]:
        """Returns the path of each module of the kernel, and those that it needs, by its name."""
        found: dict[str, tuple[str, list[str]]] = {}
        for line in (self._modules / "modules.dep").read_text().splitlines():
            path, _, others = line.partition(":")
            found[_name(path)] = (path, others.split())
        return found

    def _inside(self) -> set[str]:
        """Returns the names of modules that are part of the kernel."""
        return {_name(path) for path in (self._modules / "modules.builtin").read_text().split()}


DEBIAN: Final = Build(PROJECT / "build/qemu")
NEWER: Final = Build(PROJECT / "build/qemu-6.12")


def _name(path: str) -> str:
    """A module's name, of which the file's may have other dashes."""
    return Path(path).name.partition(".")[0].replace("-", "_")


def _content(path: Path) -> bytes:
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix == ".xz" else data


def run(
    steps: Sequence[str],
    parameters: str = "",
    more: Mapping[str, bytes] | None = None,
    show: bool = False,
    cpus: int = 1,
    build: Build = DEBIAN,
) -> uml_check.Run:
    """Carries out steps (platform/uml/init), after the kernel's own modules were loaded. Raises OutworkError if it does not end."""
    if not build.is_complete:
        raise OutworkError(f"{build.kernel}, the modules or {BOARD} are missing: `make qemu` builds them.")
    start = time.monotonic()
    own = build.kernel_modules()
    files = {**own, **build.files(), **(more or {})}
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
            "-machine", "memory-backend=memory", "-serial", "stdio", "-kernel", str(build.kernel), "-initrd", str(initramfs),
            "-append", f"console=ttyS0 quiet panic=-1 no_timer_check {parameters}",
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
    parser.add_argument("--newer", action="store_true", help="with Linux 6.12: scripts/qemu.sh 6.12")
    build = NEWER if parser.parse_args().newer else DEBIAN
    steps = [*uml_check.SELF_TESTS, f"show {module.STATISTICS}", "unload outwork"]
    done = run(steps, module.NO_TESTS, show=True, build=build)
    return uml_check.report(done, build.algorithms)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OutworkError as error:
        sys.exit(f"qemu_check: {error}")
