# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Reads what the ports of `outwork_axi` are in each cycle out of a waveform of the simulated board."""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Final

import pylibfst

from outwork.paths import PROJECT

MODULE: Final = "TOP.board.outwork_axi."
TIMES_PER_CYCLE: Final = 2  # of the waveform; at the first of them the values are those that the next edge takes


@cache
def outputs() -> frozenset[str]:
    """Returns the ports that the device drives."""
    text = (PROJECT / "rtl/outwork_axi.v").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^ *output +wire +(?:\[[^]]*\] +)?(\w+)", text, re.MULTILINE))


class Waveform:
    """The values of each port as numbers, from the first cycle of the file on."""

    def __init__(self, path: Path) -> None:
        opened = pylibfst.lib.fstReaderOpen(str(path).encode())
        if opened == pylibfst.ffi.NULL:
            raise ValueError(f"{path} is not a waveform in FST format")
        begin, end = pylibfst.lib.fstReaderGetStartTime(opened), pylibfst.lib.fstReaderGetEndTime(opened)
        _, signals = pylibfst.get_scopes_signals2(opened)
        names: dict[int, list[str]] = defaultdict(list)
        for full, signal in signals.by_name.items():
            name = full.split(" ")[0].removeprefix(MODULE)
            if full.startswith(MODULE) and "." not in name:
                names[signal.handle].append(name)
        changes: dict[str, list[tuple[int, int]]] = defaultdict(list)

        def take(_: object, time: int, handle: int, value: object) -> None:
            for name in names.get(handle, ()):
                changes[name].append((time, int(pylibfst.helpers.string(value), 2)))

        pylibfst.lib.fstReaderSetFacProcessMaskAll(opened)
        pylibfst.fstReaderIterBlocks(opened, take)
        pylibfst.lib.fstReaderClose(opened)
        self.ports = {name: _sampled(found, begin, end) for name, found in changes.items()}
        self.cycles = (end - begin + 1) // TIMES_PER_CYCLE

    def __getitem__(self, port: str) -> list[int]:
        return self.ports[port]

    def first(self, port: str, begin: int = 0) -> int:
        """Returns the first cycle from `begin` on in which a port is not 0."""
        return next(cycle for cycle in range(begin, self.cycles) if self.ports[port][cycle])


def _sampled(changes: list[tuple[int, int]], begin: int, end: int) -> list[int]:
    """Returns the value of each cycle from its changes, which are in order of time."""
    values: list[int] = []
    place, value = 0, 0
    for time in range(begin, end + 1, TIMES_PER_CYCLE):
        while place < len(changes) and changes[place][0] <= time:
            value = changes[place][1]
            place += 1
        values.append(value)
    return values
