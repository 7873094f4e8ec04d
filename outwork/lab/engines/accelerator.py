# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's accelerator: the device of a simulated board, measured in its own counted cycles."""

from typing import Any, Final

from outwork import __version__
from outwork.algorithms import ALGORITHMS
from outwork.algorithms.base import Operation
from outwork.algorithms.pka import ED25519, PublicKey
from outwork.device import presets
from outwork.device.board import Board
from outwork.device.profiles import DEFAULT_BOARD, PARAMETERS, Profile, load
from outwork.errors import OutworkError
from outwork.lab.device_pka import DevicePkaWork
from outwork.lab.device_round import Round, jobs_of_a_round
from outwork.lab.engines.base import KEYS_IN_SLOTS, Candidate, LabEngine, Sample, Work, wants_inline_keys
from outwork.lab.records import KeyUse, Kind, Point
from outwork.paths import has_library
from outwork.pka.device import RING_LOG2

# Cycles per poll of an empty ring: few, so that the ring is refilled at once, as by a fast CPU.
RELAX_CYCLES: Final = 16
# The ring of public-key jobs is that of a thread's operations.
PKA_JOBS_MAX: Final = 1 << RING_LOG2
STAGES: Final = ("fetch", "wait", "prepare", "data", "tag", "write", "complete")


class DeviceWork(Work):
    """A point on a board of its own, started from reset."""

    def __init__(self, profile: Profile, point: Point) -> None:
        self._point = point
        self.messages = jobs_of_a_round(point)
        self._board = Board(profile, relax_cycles=RELAX_CYCLES)
        try:
            self._queue = self._board.queue(0, max(1, (point.jobs - 1).bit_length()))
            self._round = Round(self._board, self._queue, point, self.messages)
            self._round.run(self.messages, point.jobs, point.batch)  # prepares the keys
            self._round.check()
        except BaseException:
            self._board.close()
            raise
        self._totals = dict.fromkeys(STAGES, 0)
        self._jobs_done = 0

    def sample(self) -> Sample:
        before = self._queue.counters()
        cycles = self._round.run(self.messages, self._point.jobs, self._point.batch)
        after = self._queue.counters()
        done = after["jobs"] - before["jobs"]
        if done != self.messages:
            raise OutworkError(f"The device has counted {done} jobs, but {self.messages} were submitted.")
        self._jobs_done += done
        for name in STAGES:
            self._totals[name] += after[f"{name}_cycles"] - before[f"{name}_cycles"]
        if self._point.jobs == 1:
            return Sample(cycles, cycles)
        return Sample(cycles / self.messages, self._round.run(1, 1, 1))

    def stages(self) -> dict[str, float] | None:
        if not any(self._totals.values()):  # a build without these counters
            return None
        return {name: total / max(self._jobs_done, 1) for name, total in self._totals.items()}

    def close(self) -> None:
        self._board.close()


def area(profile: Profile) -> dict[str, int]:
    """Returns the LUTs of a board's device if they have been counted: those of a preset with its own data width."""
    preset = presets.load(profile.preset)
    if preset.luts is None or preset.data_width_bits != profile.data_width_bits:
        return {}
    return {"luts": preset.luts}


class Accelerator(LabEngine):
    kind = Kind.COUNTED
    unit = "cycles"
    environment = "simulated board"
    is_exact = True

    def __init__(self, profile: Profile | None) -> None:
        self._profile = load(DEFAULT_BOARD) if profile is None else profile
        self.board = self._profile.name
        with Board(self._profile) as board:
            has = board.capabilities
            self._jobs_max = 1 << has.ring_log2_max
            stages = board.capability("aes", "stages")
            self._build = {"aes_stages": stages, "streams": has.streams, "key_slots": has.key_slots}
            self._build |= area(self._profile)
            self._supported = {
                (opcode, inverse): board.supports(opcode, inverse)
                for opcode in sorted({algorithm.opcode for algorithm in ALGORITHMS.values()})
                for inverse in (False, True)
            }

    def refuses(self, point: Point) -> str:
        if isinstance(point.algorithm, PublicKey):
            return self._refuses_public_key(point)
        if not self._supported[point.algorithm.opcode, point.operation.is_inverse]:
            return f"the device of board '{self.board}' cannot {point.operation} with {point.algorithm}"
        if point.jobs > self._jobs_max:
            return f"the device's ring holds {self._jobs_max} jobs"
        if point.keys is KeyUse.KEPT:
            return "every job has its IV; measure new-iv instead"
        if wants_inline_keys(point):
            return KEYS_IN_SLOTS
        if point.keys is KeyUse.NEW_CONTEXT:
            return "a job needs no new context; measure new-key instead"
        return ""

    def _refuses_public_key(self, point: Point) -> str:
        assert isinstance(point.algorithm, PublicKey)
        if not self._supported[point.algorithm.opcode, False]:
            return f"the device of board '{self.board}' cannot {point.operation} with {point.algorithm}"
        if point.jobs > PKA_JOBS_MAX:
            return f"public-key operations are measured with up to {PKA_JOBS_MAX} in flight"
        if point.algorithm.k and point.jobs > 1:
            return "ML-KEM and ML-DSA are measured one operation at a time"
        if point.algorithm == ED25519 and point.operation is Operation.SIGN and point.jobs > 1:
            return "the jobs of an Ed25519 signature wait for each other; measure one operation at a time"
        return "" if point.keys is KeyUse.NEW_IV else "every operation has its key; measure new-iv instead"

    def prepare(self, point: Point) -> Work:
        if isinstance(point.algorithm, PublicKey):
            return DevicePkaWork(self._profile, point)
        return DeviceWork(self._profile, point)

    def clock_hz(self) -> int:
        return self._profile.clock_hz

    def parameters(self) -> dict[str, Any]:
        return {**self._profile.settings, **self._build}


def _open(profile: Profile | None) -> LabEngine:
    return Accelerator(profile)


def candidates() -> list[Candidate]:
    # Which boards are built is checked when a board is named.
    is_built = any(has_library(f"ow_board_{width}") for width in PARAMETERS["data_width"].choices)
    return [
        Candidate(
            engine="accelerator",
            implementation="outwork",
            library=f"outwork {__version__}, simulated from its RTL",
            constant_time=True,
            open=_open,
            missing="" if is_built else "no simulated board is built; run `make build` in the project",
            has_board=True,
        )
    ]
