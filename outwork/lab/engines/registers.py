# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Models a design without DMA: a CPU that moves every block through registers, one at a time, as ZYBO 2014 did.

Outwork has no such core. The model makes the accesses that one needs on this device's AXI4-Lite port, to a register that
ignores them, and counts their cycles; the core's own time is the published one. CPU time between accesses is not
included, so a real system is slower. Such records have the kind `modelled`.
"""

from typing import Any, Final

from outwork.device.board import Board
from outwork.device.profiles import DEFAULT_BOARD, Profile, load
from outwork.lab.engines import accelerator
from outwork.lab.engines.base import Candidate, LabEngine, Sample, Work
from outwork.lab.records import KeyUse, Kind, Point
from outwork.spec import GLOBAL_ID_OFFSET, Opcode

# For each block: write four words and the start command; then read the status once and four words. The CPU does the
# chaining.
WRITES_PER_BLOCK: Final = 5
READS_PER_BLOCK: Final = 5
CORE_CYCLES_PER_BLOCK: Final = 14  # ZYBO 2014, "AES core"
BLOCK_BYTES: Final = 16
BLOCKS_MEASURED_MAX: Final = 64  # every block takes the same cycles


class RegisterWork(Work):
    messages = 1

    def __init__(self, profile: Profile, point: Point) -> None:
        self._blocks = point.size_bytes // BLOCK_BYTES
        self._board = Board(profile)

    def sample(self) -> Sample:
        platform, measured = self._board.platform, min(self._blocks, BLOCKS_MEASURED_MAX)
        begin = self._board.cycles
        for _ in range(measured):
            for _ in range(WRITES_PER_BLOCK):
                platform.write32(platform.context, GLOBAL_ID_OFFSET, 0)
            for _ in range(READS_PER_BLOCK):
                platform.read32(platform.context, GLOBAL_ID_OFFSET)
        accesses = (self._board.cycles - begin) / measured
        cost = self._blocks * (accesses + CORE_CYCLES_PER_BLOCK)
        return Sample(cost, cost)

    def close(self) -> None:
        self._board.close()


class Registers(LabEngine):
    kind = Kind.MODELLED
    unit = "cycles"
    environment = "simulated board"
    is_exact = True

    def __init__(self, profile: Profile | None) -> None:
        self._profile = profile or load(DEFAULT_BOARD)
        self.board = self._profile.name

    def refuses(self, point: Point) -> str:
        if point.algorithm.opcode not in (Opcode.AES_ECB, Opcode.AES_CBC):
            return "the model has only ECB and CBC of AES"
        if (point.jobs, point.batch, point.keys) != (1, 1, KeyUse.NEW_IV):
            return "a register interface holds one block at a time"
        return ""

    def prepare(self, point: Point) -> Work:
        return RegisterWork(self._profile, point)

    def clock_hz(self) -> int:
        return self._profile.clock_hz

    def parameters(self) -> dict[str, Any]:
        return {
            **self._profile.settings,
            "writes_per_block": WRITES_PER_BLOCK,
            "reads_per_block": READS_PER_BLOCK,
            "core_cycles_per_block": CORE_CYCLES_PER_BLOCK,
        }


def candidates() -> list[Candidate]:
    return [
        Candidate(
            engine="accelerator",
            implementation="registers",
            library="a model: accesses counted on the simulated bus, a core as published",
            constant_time=None,
            open=Registers,
            note="one block at a time through registers, without DMA; the CPU's own time is left out",
            missing=accelerator.candidates()[0].missing,
            has_board=True,
            answers_to_family=False,
        )
    ]
