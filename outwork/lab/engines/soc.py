# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's engines on the system on chip: software, the CPU's crypto instructions and the accelerator, in cycles of one
clock, on the bare machine, under FreeRTOS and under Linux."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from outwork import __version__
from outwork.algorithms.pka import PublicKey
from outwork.device.profiles import Environment, Profile
from outwork.errors import OutworkError
from outwork.lab.engines.base import Candidate, LabEngine, Work
from outwork.lab.records import KeyUse, Kind, Point
from outwork.lab.soc_machine import Machine
from outwork.lab.soc_point import Device, SocWork, refuses, why_not
from outwork.paths import PACKAGE, PROJECT
from outwork.soc import firmware, libraries, linux

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
ENVIRONMENTS: Final = {
    Environment.BARE_METAL: "bare_metal.c",
    Environment.FREERTOS: "freertos.c",
    Environment.LINUX: "linux.c",
}


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


ADAPTERS: Final = {
    "mbedtls": Adapter(
        (NATIVE / "mbedtls.c", *(MBEDTLS / f"library/{name}.c" for name in MBEDTLS_FILES)),
        (f"-I{MBEDTLS}/include", f"-I{MBEDTLS}/library", '-DMBEDTLS_CONFIG_FILE="lab_mbedtls.h"'),
    ),
    "radio": Adapter((NATIVE / "radio.c", *sorted((RADIO / "src").glob("*.c"))), (f"-I{RADIO}/include",)),
    "psa": _psa("always", Device.RINGS),
    "psa-software": _psa("never"),
    "zkn": Adapter((LAB / "zkn.c", BENCH / "gcm_zkn.c", BENCH / "aes_zkn.c"), (f"-I{BENCH}",)),
    "outwork": Adapter((LAB / "outwork.c",), device=Device.RINGS),
    "lite": Adapter((LAB / "lite.c",), device=Device.LITE),
}
# Not under Linux, whose programs would use OpenSSL, and where the driver of Outwork lite has no mapping of its registers.
ONLY_FIRMWARE: Final = ("psa", "psa-software", "lite")


class SocEngine(LabEngine):
    kind = Kind.COUNTED
    unit = "cycles"
    is_exact = True

    def __init__(
        self, name: str, environment: Environment, profile: Profile | None, program: str | None = None
    ) -> None:
        """`program`: the source with `main`; default: the environment's, for messages in memory."""
        if profile is None:
            raise OutworkError("An engine on the system on chip needs a board.")
        self.environment = environment.value
        self.board = profile.name
        self._profile = profile
        self._adapter = ADAPTERS[name]
        self._refusals: dict[tuple[object, ...], str] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="outwork-soc-")
        elf = Path(self._folder.name) / f"{name}.elf"
        self.machine = Machine(elf, profile, environment)
        sources = [
            LAB / "point.c",
            LAB / (program or ENVIRONMENTS[environment]),
            NATIVE / "loop.c",
            *self._adapter.sources,
        ]
        flags = [f"-I{LAB}", f"-I{NATIVE}", f"-I{firmware.LINUX}", '-DOW_LAB_COMPILED="-O2"', *self._adapter.flags]
        try:
            firmware.build(
                elf,
                sources,
                flags=flags,
                freertos=environment is Environment.FREERTOS,
                linux=environment is Environment.LINUX,
            )
        except BaseException:
            self.close()
            raise

    def refuses(self, point: Point) -> str:
        if isinstance(point.algorithm, PublicKey):
            return "operations on public keys are not measured on the system on chip"
        if self._adapter.device is Device.LITE and point.keys is KeyUse.ROTATE:
            return "it holds one key"
        setting = (point.algorithm, point.operation, point.size_bytes, point.keys)
        if setting not in self._refusals:
            self._refusals[setting] = why_not(self.machine, point)
        if self._refusals[setting]:
            return self._refusals[setting]
        return (
            "it processes one message per call"
            if point.jobs > 1 and self._adapter.device is not Device.RINGS
            else refuses(self.machine, point)
        )

    def prepare(self, point: Point) -> Work:
        return SocWork(self.machine, point, self._adapter.device)

    def clock_hz(self) -> int:
        return self._profile.clock_hz

    def parameters(self) -> dict[str, Any]:
        return dict(self._profile.parameters)

    def close(self) -> None:
        self.machine.close()
        self._folder.cleanup()


def why_missing(sources: tuple[Path, ...], environment: Environment) -> str:
    if not LAB.is_dir():
        return "its programs are in the project's tree, of which this installation has only the commands"
    if shutil.which(firmware.COMPILER) is None:
        return f"{firmware.COMPILER} is not installed; `scripts/setup.sh soc` installs it"
    if environment is Environment.FREERTOS and not firmware.KERNEL.is_dir():
        return "FreeRTOS is missing; `scripts/freertos.sh` fetches it"
    if environment is Environment.LINUX and not linux.IMAGE.is_file():
        return "the kernel is not built; `make soc-linux` builds it"
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
        if environment is not Environment.LINUX or name not in ONLY_FIRMWARE
    ]
