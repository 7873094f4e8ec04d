# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's engines in the kernel of Linux on the system on chip: requests of its crypto API, to its own portable code and to
the accelerator by the kernel module, in cycles of one clock.

A module measures (platform/linux/kernel/lab), with the lab's loop; it is told the kind of the algorithm and its driver's name.
"""

from __future__ import annotations

import struct
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from outwork import __version__
from outwork.algorithms.base import Algorithm, Operation
from outwork.algorithms.pka import PublicKey
from outwork.device.profiles import Environment, Profile
from outwork.errors import OutworkError
from outwork.lab.engines.base import Candidate, LabEngine, Work
from outwork.lab.engines.soc import LAB, why_missing
from outwork.lab.records import KeyUse, Kind, Point
from outwork.lab.soc_machine import Machine
from outwork.lab.soc_point import Device, SocWork, refuses, why_not
from outwork.soc import firmware, linux

KERNEL: Final = "kernel"  # the name of its own code among the lab's implementations
NAME: Final = struct.Struct("<16s112s")  # of struct lab_point
HASHES: Final = ("sha-1", "sha-224", "sha-256", "sha-384", "sha-512", "sha3-224", "sha3-256", "sha3-384", "sha3-512")
KEYS_IN_FLIGHT: Final = 16  # contexts of a point


class Names(NamedTuple):
    """An algorithm in the crypto API: its kind, its own code's driver and that of the accelerator."""

    kind: str
    software: str
    accelerator: str


def _names() -> dict[str, Names]:
    """Returns what the module can measure, by the lab's names, without the bits of an AES key."""
    found = {f"aes-{mode}": Names("skcipher", f"{mode}(aes-generic)", f"{mode}-aes-outwork") for mode in ("cbc", "ctr")}
    found["aes-ecb"] = Names("skcipher", "ecb(aes-generic)", "ecb-aes-outwork")
    found["aes-xts"] = Names("skcipher", "xts(ecb(aes-generic))", "xts-aes-outwork")
    found["aes-gcm"] = Names("aead", "gcm_base(ctr(aes-generic),ghash-generic)", "gcm-aes-outwork")
    found["aes-cmac"] = Names("hash", "cmac(aes-generic)", "cmac-aes-outwork")
    for name in HASHES:
        driver = name if name.startswith("sha3") else name.replace("-", "")
        found[name] = Names("hash", f"{driver}-generic", f"{driver}-outwork")
        if not name.startswith("sha3"):
            found[f"hmac-{name}"] = Names("hash", f"hmac({driver}-generic)", f"hmac-{driver}-outwork")
    return found


NAMES: Final = _names()


def names_of(algorithm: Algorithm) -> Names | None:
    """Returns what the crypto API calls an algorithm; None: it is not measured there."""
    first, _, rest = algorithm.name.partition("-")
    name = f"aes-{rest.partition('-')[2]}" if first == "aes" else algorithm.name
    return NAMES.get(name)


class KernelEngine(LabEngine):
    kind = Kind.COUNTED
    unit = "cycles"
    is_exact = True
    environment = Environment.LINUX_KERNEL.value

    def __init__(self, is_device: bool, profile: Profile | None) -> None:
        if profile is None:
            raise OutworkError("An engine on the system on chip needs a board.")
        self.board, self._profile, self._is_device = profile.name, profile, is_device
        self._refusals: dict[tuple[object, ...], str] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="outwork-soc-")
        program = Path(self._folder.name) / "linux_kernel"
        try:
            sources = [LAB / "linux_kernel.c", firmware.LINUX / "guest.c"]
            linux.compile_freestanding(program, sources, [f"-I{firmware.LINUX}"])
            self.machine = Machine(program, profile, Environment.LINUX_KERNEL)
        except BaseException:
            self._folder.cleanup()
            raise

    def _name(self, algorithm: Algorithm) -> bytes:
        names = names_of(algorithm)
        if names is None:
            raise OutworkError(f"{algorithm} is not measured in the kernel.")
        driver = names.accelerator if self._is_device else names.software
        return NAME.pack(names.kind.encode(), driver.encode())

    def refuses(self, point: Point) -> str:
        if why := self.rules_out(point):
            return why
        setting = (point.algorithm, point.operation, point.keys)
        if setting not in self._refusals:
            self._refusals[setting] = why_not(self.machine, point, self._name(point.algorithm))
        return self._refusals[setting]

    def rules_out(self, point: Point) -> str:
        if isinstance(point.algorithm, PublicKey):
            return "the kernel's crypto API has no public keys of the accelerator"
        if names_of(point.algorithm) is None:
            return "it is not measured in the kernel's crypto API"
        if point.operation is Operation.VERIFY:
            return "the kernel computes MACs and leaves it to the caller to compare them"
        if point.jobs > 1 and not self._is_device:
            return "it processes one message per call"
        if point.keys is KeyUse.NEW_KEY and point.jobs > KEYS_IN_FLIGHT:
            return f"at most {KEYS_IN_FLIGHT} messages with a new key each can be in flight"
        return refuses(self.machine, point)

    def keep_boot(self) -> None:
        self.machine.keep_boot()

    def make_ready(self, point: Point) -> None:
        self.machine.start()
        if self._is_device:
            self.machine.code()

    def prepare(self, point: Point) -> Work:
        device = Device.RINGS if self._is_device else Device.NONE
        return SocWork(self.machine, point, device, self._name(point.algorithm))

    def clock_hz(self) -> int:
        return self._profile.clock_hz

    def parameters(self) -> dict[str, Any]:
        return dict(self._profile.settings)

    def close(self) -> None:
        self.machine.close()
        self._folder.cleanup()


def candidates() -> list[Candidate]:
    missing = why_missing((), Environment.LINUX_KERNEL)
    no_instructions = "Linux 6.1 has no code with the CPU's crypto instructions"
    rows = (
        ("software", KERNEL, "Linux 6.1, its portable code", False, "AES by tables", missing),
        ("cpu", KERNEL, "Linux 6.1", None, "", missing or no_instructions),
        ("accelerator", "outwork", f"outwork {__version__}, by the kernel module", True, "", missing),
    )
    return [
        Candidate(
            engine=engine,
            implementation=name,
            library=library,
            constant_time=constant_time,
            open=partial(KernelEngine, engine == "accelerator"),
            note=f"requests of the kernel's crypto API; {note}" if note else "requests of the kernel's crypto API",
            missing=why,
            has_board=True,
            environment=Environment.LINUX_KERNEL,
        )
        for engine, name, library, constant_time, note, why in rows
    ]
