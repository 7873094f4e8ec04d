# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Estimates how long the simulation of a point on the system on chip takes (see effort.py), from the cycles that docs/soc.md
gives, rounded: software runs at one speed, and the accelerator's start and work at another."""

from typing import Final

from outwork.algorithms.base import Operation
from outwork.algorithms.pka import PublicKey
from outwork.device.profiles import Environment, Profile
from outwork.errors import OutworkError
from outwork.lab.plan import Task
from outwork.lab.soc_machine import IN_LINUX
from outwork.lab.soc_pka import TURNS, warm_turns
from outwork.lab.soc_point import turns
from outwork.lab.soc_shares import MANY
from outwork.soc import linux, module

SECONDS_PER_CYCLE: Final = 0.8e-6
DEVICE_SECONDS_PER_CYCLE: Final = 2e-6  # while it works
WITH_MODULE: Final = (Environment.LINUX_QUEUE, Environment.LINUX_KERNEL)
# Seconds before a program looks at its point: the accelerator's driver wipes the key slots.
START_SECONDS: Final = 0.05
DEVICE_START_SECONDS: Final = 0.4
LINUX_START_SECONDS: Final = 0.3
# Seconds once for an engine: its program is compiled; a Linux is booted.
COMPILE_SECONDS: Final = 2.0
BOOT_SECONDS: Final = 3.0
MODULE_SECONDS: Final = 6.0  # from a checkpoint: its module is bound to the device
# Seconds once for all engines: the checkpoint is made, of a Linux without its module, and from there with it.
CHECKPOINT_SECONDS: Final = 15.0

# Software's cycles for a byte, by the end of the algorithm's name; else those of AES in other modes.
BYTE_CYCLES: Final = {
    "gcm": 290,
    "ccm": 190,
    "sha-1": 45,
    "sha-256": 80,
    "sha-512": 140,
    "sha3-384": 540,
    "eia3": 205,
    "eea3": 60,
}
AES_BYTE_CYCLES: Final = 95
MESSAGE_CYCLES: Final = 8_000
INSTRUCTIONS_FASTER: Final = 6
LITE_BYTE_CYCLES: Final = 11
DEVICE_BYTE_CYCLES: Final = 0.5
DEVICE_MESSAGE_CYCLES: Final = 1_500
KERNEL_MESSAGE_CYCLES: Final = 12_000  # of the crypto API, or of a system call for each message
PKA_CYCLES: Final = {
    Operation.PRIVATE: 120e6,
    Operation.PUBLIC: 4e6,
    Operation.SIGN: 7e6,
    Operation.VERIFY: 25e6,
    Operation.DERIVE: 16e6,
}
PKA_FASTER: Final = 200


def booting_seconds(environment: Environment) -> float:
    """Returns what it takes to start the system until an engine's program waits for a point."""
    return MODULE_SECONDS if environment in WITH_MODULE else BOOT_SECONDS if environment in IN_LINUX else 0.0


def boots(environment: Environment) -> tuple[bool, ...]:
    """Returns which Linux has to be booted for an engine, in this order: without the kernel module, and with it."""
    return (False, True) if environment in WITH_MODULE else (False,) if environment in IN_LINUX else ()


def checkpoint_seconds(has_module: bool, profile: Profile) -> float:
    """Returns what it takes to make the checkpoint of a booted Linux, if there is none yet."""
    try:
        is_kept = linux.booted_path(module.boot(has_module), profile).is_file()
    except OutworkError:  # nothing is built that could have made it
        is_kept = False
    return 0.0 if is_kept else CHECKPOINT_SECONDS


def start_seconds(task: Task) -> float:
    """Returns what each run of an engine's program takes before its point, which is also what asking takes whether it
    can measure a point."""
    is_device = task.candidate.implementation.startswith("outwork")
    linux = LINUX_START_SECONDS if task.candidate.environment in IN_LINUX else 0
    return linux + (DEVICE_START_SECONDS if is_device else START_SECONDS)


def seconds(task: Task) -> float:
    """Returns the time of one measurement: cycles are exact, so there are no rounds."""
    point, name = task.point, task.candidate.implementation
    is_device = name.startswith("outwork")
    speed = DEVICE_SECONDS_PER_CYCLE if is_device else SECONDS_PER_CYCLE
    if isinstance(point.algorithm, PublicKey):
        cycles = (warm_turns(point, is_device) + TURNS) * PKA_CYCLES[point.operation]
        return start_seconds(task) + cycles / (PKA_FASTER if is_device else 1) * speed
    with_module = task.candidate.environment in WITH_MODULE
    if name.endswith("-files"):
        messages, runs = 1, 1
    else:
        is_profiled = is_device and with_module
        warm, measured, alone = turns(point, is_profiled)
        messages, runs = warm + measured + 2 * alone, 1
        if is_profiled:
            messages, runs = 2 * messages + (MANY - 1) * measured, 2
    return runs * start_seconds(task) + messages * _message_cycles(task, is_device, with_module) * speed


def _message_cycles(task: Task, is_device: bool, with_module: bool) -> float:
    point, name = task.point, task.candidate.implementation
    per_byte: float = next(
        (cycles for end, cycles in BYTE_CYCLES.items() if point.algorithm.name.endswith(end)), AES_BYTE_CYCLES
    )
    fixed = MESSAGE_CYCLES + KERNEL_MESSAGE_CYCLES * with_module
    if is_device:
        per_byte, fixed = DEVICE_BYTE_CYCLES, DEVICE_MESSAGE_CYCLES + KERNEL_MESSAGE_CYCLES * with_module
    elif name == "lite":
        per_byte = LITE_BYTE_CYCLES
    elif task.candidate.engine == "cpu":
        per_byte /= INSTRUCTIONS_FASTER
    return fixed + point.size_bytes * per_byte
