# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Estimates how long a point takes to measure, for the time left on the progress bar.

Only ratios within a kind matter: the run learns how long each kind takes (outwork/pace.py). They were measured on one
machine. Their error is up to a factor of five, while points differ by a factor of ten thousand.
"""

from collections.abc import Iterable
from typing import Final

from outwork.algorithms.base import Operation
from outwork.algorithms.pka import PublicKey
from outwork.device.profiles import Environment
from outwork.lab import soc_effort
from outwork.lab.cpu_work import ROUND_NANOSECONDS
from outwork.lab.device_pka import ML_DSA_SIGNATURES
from outwork.lab.device_round import jobs_of_a_round
from outwork.lab.engines.base import EXACT_ROUNDS
from outwork.lab.engines.files import passes
from outwork.lab.plan import Task
from outwork.lab.records import Point

FIXED_SECONDS: Final = 0.02  # memory, keys, check of the result
HOST_OPENING_SECONDS: Final = 0.05
FILE_SECONDS: Final = 0.3  # one process per pass
CPU_SECONDS_PER_BYTE: Final = 0.7e-9  # with crypto instructions
SOFTWARE_SECONDS_PER_BYTE: Final = 7e-9
# Of the simulation. A message whose blocks depend on each other keeps the device, and so the simulation, busy for
# longer.
MESSAGE_SECONDS: Final = 65e-6
SECONDS_PER_BYTE: Final = 0.25e-6
CHAINED_SECONDS_PER_BYTE: Final = 2e-6
PKA_SECONDS_PER_CYCLE: Final = 4e-6
WIDE_BITS: Final = 128  # of the bus for which SECONDS_PER_BYTE is


def of(task: Task, rounds: int) -> tuple[str, float]:
    """Returns the kind of work and the seconds that it is expected to take."""
    return kind(task), seconds(task, rounds)


def kind(task: Task) -> str:
    """Names what is at work, the engine, and the algorithm: the estimates of such points are wrong by the same factor
    (outwork/pace.py)."""
    candidate, environment = task.candidate, task.candidate.environment
    engine = f"{candidate.name}{'' if environment is Environment.HOST else f' {environment}'}"
    return f"{_work(task)} | {engine} | {task.point.algorithm} {task.point.operation}"


def _work(task: Task) -> str:
    """Names what is at work. How fast it is depends on the machine and the build."""
    if task.candidate.environment is not Environment.HOST:
        return "system on chip"
    return "simulated board" if task.candidate.has_board else "this CPU"


def preparing(tasks: Iterable[Task], asks: bool, boots: bool) -> list[tuple[str, float]]:
    """Returns for each task what it takes to open its engine here, if it is the first one; if that `boots`, to make the
    checkpoint of a booted Linux; and, if it `asks`, to find out whether it can measure it."""
    found: list[tuple[str, float]] = []
    booted: set[tuple[object, ...]] = set()
    opened: set[tuple[object, ...]] = set()
    asked: set[tuple[object, ...]] = set()
    for task in tasks:
        candidate, point = task.candidate, task.point
        engine = (candidate.place, task.profile and task.profile.name)
        question = (*engine, point.algorithm, point.operation, point.size_bytes, point.keys)
        is_host = candidate.environment is Environment.HOST
        seconds, what = 0.0, f"preparing {candidate.environment}"
        if engine not in opened:
            seconds += HOST_OPENING_SECONDS if is_host else soc_effort.COMPILE_SECONDS
            if boots and (boot_seconds := _boots(task, booted)):
                what = "booting"
                seconds += boot_seconds
            seconds += soc_effort.booting_seconds(candidate.environment) if asks else 0.0
        if asks and question not in asked and not is_host:
            seconds += soc_effort.start_seconds(task)
        found.append((f"{_work(task)} | {what}", seconds))
        opened.add(engine)
        asked.add(question)
    return found


def _boots(task: Task, booted: set[tuple[object, ...]]) -> float:
    """Returns what it takes to boot what the task needs of Linux, is not in `booted` and was not kept, and adds it there."""
    profile = task.profile
    if profile is None:
        return 0.0
    seconds = 0.0
    for has_module in soc_effort.boots(task.candidate.environment):
        where = (has_module, *sorted(profile.parameters.items()))
        if where not in booted:
            booted.add(where)
            seconds += soc_effort.checkpoint_seconds(has_module, profile)
    return seconds


def place(task: Task) -> tuple[str, ...] | None:
    """Returns what takes a worker long to start: an engine on the system on chip; None: nothing."""
    candidate, profile = task.candidate, task.profile
    if candidate.environment is Environment.HOST or profile is None:
        return None
    program = "public keys" if isinstance(task.point.algorithm, PublicKey) else "messages"
    return (*candidate.place, profile.name, program)


def starting(tasks: Iterable[Task]) -> dict[tuple[str, ...], tuple[str, float]]:
    """Returns what it takes workers to start engines, by their places."""
    found: dict[tuple[str, ...], tuple[str, float]] = {}
    for task in tasks:
        environment, where = task.candidate.environment, place(task)
        if where is not None:
            found[where] = (f"{_work(task)} | starting {environment}", soc_effort.booting_seconds(environment))
    return found


def seconds(task: Task, rounds: int) -> float:
    point = task.point
    if task.candidate.environment is not Environment.HOST:
        return soc_effort.seconds(task)
    if isinstance(point.algorithm, PublicKey):
        work = _public_key(point, point.algorithm, task.candidate.has_board, rounds)
    elif task.candidate.implementation.endswith("-files"):
        has_board = task.candidate.has_board
        once = FILE_SECONDS + (point.size_bytes * _file_byte_seconds(task) if has_board else 0)
        work = passes(point, rounds, has_board) * once
    elif task.candidate.has_board:
        messages = jobs_of_a_round(point)
        work = _runs(rounds) * messages * (MESSAGE_SECONDS + point.size_bytes * _simulated_per_byte(point))
    else:
        per_byte = CPU_SECONDS_PER_BYTE if task.candidate.engine == "cpu" else SOFTWARE_SECONDS_PER_BYTE
        once = max(ROUND_NANOSECONDS * 1e-9, point.jobs * point.size_bytes * per_byte)
        work = (1 + rounds) * once
    return FIXED_SECONDS + work


def _runs(rounds: int) -> int:
    """Returns the number of runs on the simulated device: one to prepare, and the samples, which repeat exactly."""
    return 1 + min(rounds, EXACT_ROUNDS)


def _simulated_per_byte(point: Point) -> float:
    return SECONDS_PER_BYTE if soc_effort.is_parallel(point) else CHAINED_SECONDS_PER_BYTE


def _file_byte_seconds(task: Task) -> float:
    """Returns what a byte of a file takes: a narrow bus carries it in more cycles."""
    assert task.profile is not None
    narrow = WIDE_BITS / task.profile.data_width_bits
    return max(_simulated_per_byte(task.point), SECONDS_PER_BYTE * narrow)


def _public_key(point: Point, algorithm: PublicKey, on_device: bool, rounds: int) -> float:
    """Returns the cycles given in the README of rtl/pka and rtl/lattice. For RSA, a key is generated for each point."""
    cycles: float
    search: float
    if algorithm.is_ml_dsa:
        setting_up = 1.0
        cycles = 1_300 * algorithm.k * (4 * ML_DSA_SIGNATURES if point.operation is Operation.SIGN else 1)
        search = 0.0
    elif algorithm.k:
        setting_up = 2.0
        cycles = 1_200 * algorithm.k
        search = 0.0
    elif algorithm.curve:
        setting_up = 3.0  # the device also makes key pairs, and signatures to verify
        cycles = 60_000 * (algorithm.key_bits / 256) ** 2.2 * (1 if point.operation is Operation.SIGN else 1.9)
        search = 0.0
    else:
        setting_up = 0.0
        cycles = 362_000 * (algorithm.key_bits / 2048) ** 2.6 * (1 if point.operation is Operation.PRIVATE else 0.05)
        search = 0.15 * (algorithm.key_bits / 2048) ** 4
    if on_device:
        return search + (setting_up + _runs(rounds)) * cycles * PKA_SECONDS_PER_CYCLE
    return search + (1 + rounds) * 0.005
