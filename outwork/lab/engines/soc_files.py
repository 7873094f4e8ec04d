# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Whole files on the system on chip, in processes under Linux: read from a file system in memory, ciphered, and written
there."""

from functools import partial
from typing import Final

from outwork import __version__
from outwork.device.profiles import Environment, Profile
from outwork.lab import soc_file
from outwork.lab.engines.base import Candidate, Work
from outwork.lab.engines.soc import ADAPTERS, IN_PROCESSES, MBEDTLS_RELEASE, SocEngine, why_missing
from outwork.lab.records import Point
from outwork.lab.soc_file import SocFileWork
from outwork.lab.soc_point import Device

FLAGS: Final = ("-DPOINT_WORK=point_measure_file",)


class SocFileEngine(SocEngine):
    def __init__(self, name: str, environment: Environment, profile: Profile | None) -> None:
        super().__init__(name, environment, profile, FLAGS)
        self.environment = f"file, {environment}"

    def refuses(self, point: Point) -> str:
        return self.rules_out(point) or soc_file.why_not(self.machine, point)

    def rules_out(self, point: Point) -> str:
        return soc_file.refuses(self.machine, point)

    def make_ready(self, point: Point) -> None:
        self.machine.start()

    def prepare(self, point: Point) -> Work:
        return SocFileWork(self.machine, point, self._adapter.device is Device.RINGS)


def candidates() -> list[Candidate]:
    rows = (
        ("software", "mbedtls", f"Mbed TLS {MBEDTLS_RELEASE}, -O2", False, "reads, ciphers and writes in turn"),
        ("cpu", "zkn", f"outwork {__version__}, Zkne, Zbkb, Zbkc", True, "reads, encrypts and writes in turn"),
        (
            "accelerator",
            "outwork",
            f"outwork {__version__}, simulated from its RTL",
            True,
            "reads and writes meanwhile",
        ),
    )
    return [
        Candidate(
            engine=engine,
            implementation=f"{name}-files",
            library=library,
            constant_time=constant_time,
            open=partial(SocFileEngine, name, environment),
            note=f"whole files in memory under Linux, from open to close; {note}",
            missing=why_missing(ADAPTERS[name].sources, environment),
            has_board=True,
            answers_to_family=False,
            environment=environment,
        )
        for environment in IN_PROCESSES
        for engine, name, library, constant_time, note in rows
    ]
