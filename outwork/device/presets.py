# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Presets: builds of the accelerator that have a name (rtl/presets.json), each with a simulated board of its own."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Final

from outwork.errors import unknown_name
from outwork.paths import presets_file

FULL: Final = "full"  # the defaults; its boards have any data width


@dataclass(frozen=True)
class Preset:
    """A build: its name, what it is for, every parameter of outwork_top, and macros of all files of the RTL."""

    name: str
    description: str
    parameters: dict[str, int]
    macros: dict[str, int]
    area: dict[str, float]  # as yosys counts it for the 7-series of Xilinx; empty if it has not been counted

    @property
    def data_width_bits(self) -> int:
        return self.parameters["DataWidth"]

    @property
    def settings(self) -> list[str]:
        """Returns parameters and macros as the scripts take them."""
        return [f"{name}={value}" for name, value in {**self.parameters, **self.macros}.items()]

    @property
    def luts(self) -> int | None:
        """Returns the LUTs of the whole device, those that serve as memory included."""
        return int(self.area["luts"] + self.area["memory_luts"]) if self.area else None

    def has_width(self, data_width_bits: int) -> bool:
        """Returns whether there is a simulated board of this width for the preset."""
        return self.name == FULL or data_width_bits == self.data_width_bits

    def library(self, data_width_bits: int) -> str:
        """Returns the name of the library of its simulated board."""
        return f"ow_board_{data_width_bits if self.name == FULL else self.name}"


@cache
def available() -> dict[str, Preset]:
    read = json.loads(presets_file().read_text(encoding="utf-8"))
    full = read[FULL]["parameters"]
    return {
        name: Preset(
            name,
            values["description"],
            {**full, **values["parameters"]},
            values.get("macros", {}),
            values.get("area", {}),
        )
        for name, values in read.items()
    }


def load(name: str) -> Preset:
    if name not in available():
        raise unknown_name("preset", name, available())
    return available()[name]
