# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's engines on the system on chip: software, the CPU's crypto instructions and the accelerator, in cycles of one
clock, on the bare machine, under FreeRTOS and in processes under Linux."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from outwork import __version__
from outwork.algorithms.pka import PublicKey
from outwork.device.profiles import Environment, Profile
from outwork.errors import OutworkError
from outwork.lab import soc_pka
from outwork.lab.engines.base import KEYS_IN_SLOTS, Candidate, LabEngine, Work, wants_inline_keys
from outwork.lab.records import KeyUse, Kind, Point
from outwork.lab.soc_machine import Machine
from outwork.lab.soc_pka import SocPkaWork
from outwork.lab.soc_point import Device, SocWork, refuses, why_not
from outwork.paths import PACKAGE, PROJECT
from outwork.soc import firmware, libraries, module

LAB: Final = PROJECT / "platform/soc/lab"
BENCH: Final = PROJECT / "platform/soc/bench"
NATIVE: Final = PACKAGE / "lab/native"
RADIO: Final = PROJECT / "software/radio"
MBEDTLS_RELEASE: Final = "3.6.5"
MBEDTLS: Final = PROJECT / ".venv/mbedtls" / MBEDTLS_RELEASE
MBEDTLS_FILES: Final = (
    "aes", "block_cipher", "ccm", "cipher", "cipher_wrap", "cmac", "constant_time", "gcm", "md", "platform",
    "platform_util", "sha1", "sha256", "sha3", "sha512", "version",
)  # fmt: skip
MBEDTLS_PKA_FILES: Final = (
    "asn1parse", "asn1write", "bignum", "bignum_core", "constant_time", "ecdh", "ecdsa", "ecp", "ecp_curves", "md", "oid",
    "platform", "platform_util", "rsa", "rsa_alt_helpers", "sha256", "version",
)  # fmt: skip
ENVIRONMENTS: Final = {
    Environment.BARE_METAL: "bare_metal.c",
    Environment.FREERTOS: "freertos.c",
    Environment.LINUX: "linux.c",
    Environment.LINUX_QUEUE: "linux_queue.c",
}
IN_PROCESSES: Final = (Environment.LINUX, Environment.LINUX_QUEUE)


@dataclass(frozen=True)
class Adapter:
    """The sources of an implementation, and the compiler's options for them."""

    sources: tuple[Path, ...]
    flags: tuple[str, ...] = ()
    device: Device = Device.NONE


def _psa(policy: str, device: Device = Device.NONE) -> Adapter:
    """Mbed TLS through PSA: its software, or the accelerator by the project's driver."""
    library = libraries.psa()
    flags = (*library.flags, f'-DPOINT_POLICY="{policy}"')
    return Adapter((LAB / "psa.c", *library.sources), flags, device)


def _mbedtls(adapter: Path, files: tuple[str, ...], config: str) -> Adapter:
    flags = (f"-I{MBEDTLS}/include", f"-I{MBEDTLS}/library", f'-DMBEDTLS_CONFIG_FILE="{config}"')
    return Adapter((adapter, *(MBEDTLS / f"library/{name}.c" for name in files)), flags)


ADAPTERS: Final = {
    "mbedtls": _mbedtls(NATIVE / "mbedtls.c", MBEDTLS_FILES, "lab_mbedtls.h"),
    "radio": Adapter((NATIVE / "radio.c", *sorted((RADIO / "src").glob("*.c"))), (f"-I{RADIO}/include",)),
    "psa": _psa("always", Device.RINGS),
    "psa-software": _psa("never"),
    "zkn": Adapter((LAB / "zkn.c", BENCH / "gcm_zkn.c", BENCH / "aes_zkn.c"), (f"-I{BENCH}",)),
    "outwork": Adapter((LAB / "outwork.c",), device=Device.RINGS),
    "lite": Adapter((LAB / "lite.c",), device=Device.LITE),
}
# Of the same implementations, for operations on public keys.
PKA_ADAPTERS: Final = {
    "mbedtls": _mbedtls(LAB / "mbedtls_pka.c", MBEDTLS_PKA_FILES, "lab_mbedtls_pka.h"),
    "outwork": Adapter((LAB / "outwork_pka.c",), device=Device.RINGS),
}
# Not under Linux, whose programs would use OpenSSL, and where the driver of Outwork lite has no mapping of its registers.
ONLY_FIRMWARE: Final = ("psa", "psa-software", "lite")


class SocEngine(LabEngine):
    kind = Kind.COUNTED
    unit = "cycles"
    is_exact = True

    def __init__(self, name: str, environment: Environment, profile: Profile | None, flags: Sequence[str] = ()) -> None:
        """`flags`: further options of the compiler."""
        if profile is None:
            raise OutworkError("An engine on the system on chip needs a board.")
        self.environment = environment.value
        self.board = profile.name
        self._name, self._profile, self._environment, self._flags = name, profile, environment, flags
        self._adapter = ADAPTERS[name]
        self._refusals: dict[tuple[object, ...], str] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="outwork-soc-")
        self._of_public_keys: Machine | None = None
        try:
            self.machine = self._machine(name, self._adapter)
        except BaseException:
            self._folder.cleanup()
            raise

    def _machine(self, name: str, adapter: Adapter) -> Machine:
        """Builds the program of an adapter."""
        elf = Path(self._folder.name) / f"{name}.elf"
        is_process = self._environment is Environment.LINUX_QUEUE
        common = ["point.c", "heap.c", ENVIRONMENTS[self._environment], *([] if is_process else ["owned.c"])]
        if self._environment in IN_PROCESSES:
            common.append("files.c")
        sources = [*(LAB / each for each in common), NATIVE / "loop.c", *adapter.sources]
        flags = [f"-I{LAB}", f"-I{NATIVE}", f"-I{firmware.LINUX}", '-DOW_LAB_COMPILED="-O2"', *adapter.flags]
        firmware.build(
            elf,
            sources,
            flags=[*flags, *self._flags],
            freertos=self._environment is Environment.FREERTOS,
            linux=self._environment is Environment.LINUX,
            process=is_process,
        )
        return Machine(elf, self._profile, self._environment)

    @property
    def public_keys(self) -> Machine:
        """The program for operations on public keys, which is built when the first one is asked for."""
        if self._of_public_keys is None:
            name = self._name
            self._of_public_keys = self._machine(f"{name}-pka", PKA_ADAPTERS[name])
        return self._of_public_keys

    def refuses(self, point: Point) -> str:
        if isinstance(point.algorithm, PublicKey) or self._keys_refused(point):
            return self.rules_out(point)
        setting = (point.algorithm, point.operation, point.size_bytes, point.keys)
        if setting not in self._refusals:
            self._refusals[setting] = why_not(self.machine, point)
        return self._refusals[setting] or self.rules_out(point)

    def rules_out(self, point: Point) -> str:
        if isinstance(point.algorithm, PublicKey):
            return soc_pka.refuses(point) if self._name in PKA_ADAPTERS else "it has no public keys"
        if why := self._keys_refused(point):
            return why
        if point.jobs > 1 and self._adapter.device is not Device.RINGS:
            return "it processes one message per call"
        return refuses(self.machine, point)

    def _keys_refused(self, point: Point) -> str:
        if self._adapter.device is Device.LITE and point.keys is KeyUse.ROTATE:
            return "it holds one key"
        return KEYS_IN_SLOTS if self._adapter.device is Device.RINGS and wants_inline_keys(point) else ""

    def keep_boot(self) -> None:
        self.machine.keep_boot()

    def make_ready(self, point: Point) -> None:
        if isinstance(point.algorithm, PublicKey):
            self.public_keys.start()
            return
        self.machine.start()
        if self._adapter.device is Device.RINGS and self.machine.has_module:
            self.machine.code()

    def prepare(self, point: Point) -> Work:
        if isinstance(point.algorithm, PublicKey):
            return SocPkaWork(self.public_keys, point, self._adapter.device is Device.RINGS)
        return SocWork(self.machine, point, self._adapter.device)

    def clock_hz(self) -> int:
        return self._profile.clock_hz

    def parameters(self) -> dict[str, Any]:
        return dict(self._profile.settings)

    def close(self) -> None:
        self.machine.close()
        if self._of_public_keys is not None:
            self._of_public_keys.close()
        self._folder.cleanup()


def why_no_kernel(environment: Environment) -> str:
    """Returns which kernel an environment lacks; empty: none."""
    modules = (module.MODULE, module.LAB)
    needed = {
        Environment.LINUX: (module.IMAGE,),
        Environment.LINUX_QUEUE: (module.IMAGE, *modules),
        Environment.LINUX_KERNEL: (module.IMAGE, *modules),
    }
    has_all = all(path.is_file() for path in needed.get(environment, ()))
    return "" if has_all else "kernel and module are not built; `make linux` builds them"


def why_missing(sources: tuple[Path, ...], environment: Environment) -> str:
    if not LAB.is_dir():
        return "its programs are in the project's tree, of which this installation has only the commands"
    if shutil.which(firmware.COMPILER) is None:
        return f"{firmware.COMPILER} is not installed; `scripts/setup.sh soc` installs it"
    if environment is Environment.FREERTOS and not firmware.KERNEL.is_dir():
        return "FreeRTOS is missing; `scripts/freertos.sh` fetches it"
    if why := why_no_kernel(environment):
        return why
    if not all(source.is_file() for source in sources):
        return f"Mbed TLS is missing; `scripts/mbedtls.sh {MBEDTLS_RELEASE}` fetches it"
    return ""


def candidates() -> list[Candidate]:
    rows = (
        (
            "software",
            "mbedtls",
            f"Mbed TLS {MBEDTLS_RELEASE}, -O2",
            False,
            "AES by tables, large tables of GHASH",
            True,
        ),
        ("software", "radio", "outwork, plain C, -O2", False, "ZUC and SNOW 3G by tables in plain C", False),
        ("cpu", "zkn", f"outwork {__version__}, Zkne, Zbkb, Zbkc", True, "AES without decryption of CBC and ECB", True),
        ("accelerator", "outwork", f"outwork {__version__}, simulated from its RTL", True, "", True),
        (
            "accelerator",
            "lite",
            f"Outwork lite {__version__}, simulated from its RTL",
            True,
            "AES through registers, without DMA",
            False,
        ),
        ("software", "psa-software", f"Mbed TLS {MBEDTLS_RELEASE} through PSA, -O2", False, "calls of PSA", False),
        ("accelerator", "psa", f"outwork {__version__}, by Mbed TLS {MBEDTLS_RELEASE} through PSA", True, "", False),
    )
    return [
        Candidate(
            engine=engine,
            implementation=name,
            library=library,
            constant_time=constant_time,
            open=partial(SocEngine, name, environment),
            note=note,
            missing=why_missing(ADAPTERS[name].sources, environment),
            has_board=True,
            answers_to_family=answers,
            environment=environment,
        )
        for environment in ENVIRONMENTS
        for engine, name, library, constant_time, note, answers in rows
        if environment not in IN_PROCESSES or name not in ONLY_FIRMWARE
    ]
