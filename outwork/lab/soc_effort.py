# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Estimates how long the simulation of a point on the system on chip takes (see effort.py), from the cycles that docs/soc.md
gives, rounded: software runs at one speed, and the accelerator's start and work at another."""

from typing import Final

from outwork.algorithms.base import Operation
from outwork.algorithms.cipher import Cipher, IvUse
from outwork.algorithms.digest import Hash
from outwork.algorithms.pka import PublicKey
from outwork.device.profiles import Environment, Profile
from outwork.errors import OutworkError
from outwork.lab.plan import Task
from outwork.lab.records import Point
from outwork.lab.soc_file import PIECE_BYTES
from outwork.lab.soc_machine import IN_LINUX
from outwork.lab.soc_pka import TURNS, warm_turns
from outwork.lab.soc_point import turns
from outwork.lab.soc_shares import MANY
from outwork.soc import linux, module

SECONDS_PER_CYCLE: Final = 0.8e-6
DEVICE_SECONDS_PER_CYCLE: Final = 2e-6  # while it works
MULTIPLYING_SECONDS_PER_CYCLE: Final = 1e-6  # software of public keys
WITH_MODULE: Final = (Environment.LINUX_QUEUE, Environment.LINUX_KERNEL)
# Seconds before a program looks at its point: the accelerator's driver wipes the key slots.
START_SECONDS: Final = 0.05
DEVICE_START_SECONDS: Final = 0.2
FREERTOS_START_SECONDS: Final = 0.2
LINUX_START_SECONDS: Final = 0.03
TEMPLATE_SECONDS: Final = 1.0  # in which the kernel puts its own code of a mode together
# Seconds once for an engine: its program is compiled; its Linux goes on from a checkpoint.
COMPILE_SECONDS: Final = 2.0
BOOT_SECONDS: Final = 1.0
MODULE_SECONDS: Final = 6.0  # and its module is bound to the device
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
DEVICE_CHAINED_BYTE_CYCLES: Final = 1.0
# Of whole files, beside the cipher's: reading and writing.
FILE_BYTE_CYCLES: Final = 20
DEVICE_FILE_BYTE_CYCLES: Final = 5
DEVICE_MESSAGE_CYCLES: Final = 1_500
KERNEL_MESSAGE_CYCLES: Final = 14_000  # of the crypto API
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


def is_parallel(point: Point) -> bool:
    """Returns whether blocks, of one message or of several in flight, are in the device's pipeline side by side."""
    algorithm = point.algorithm
    is_free = isinstance(algorithm, Cipher) and (
        not algorithm.is_chained or (algorithm.iv_use is IvUse.CHAINED and point.operation is Operation.DECRYPT)
    )
    return is_free or point.jobs > 1


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
    environment = task.candidate.environment
    is_device = task.candidate.implementation.startswith("outwork")
    before = {Environment.FREERTOS: FREERTOS_START_SECONDS, Environment.BARE_METAL: 0.0}
    own = DEVICE_START_SECONDS if is_device else START_SECONDS
    if environment is Environment.LINUX_KERNEL and not is_device and isinstance(task.point.algorithm, Cipher):
        own = TEMPLATE_SECONDS
    return before.get(environment, LINUX_START_SECONDS) + own


def seconds(task: Task) -> float:
    """Returns the time of one measurement: cycles are exact, so there are no rounds."""
    point, name = task.point, task.candidate.implementation
    is_device = name.startswith("outwork")
    speed = DEVICE_SECONDS_PER_CYCLE if is_device else SECONDS_PER_CYCLE
    if isinstance(point.algorithm, PublicKey):
        cycles = (warm_turns(point, is_device) + TURNS) * PKA_CYCLES[point.operation]
        work = cycles / PKA_FASTER * speed if is_device else cycles * MULTIPLYING_SECONDS_PER_CYCLE
        return start_seconds(task) + work
    runs, messages = 1, 0.0
    if name.endswith("-files"):
        messages = 1 + min(1.0, PIECE_BYTES / point.size_bytes)  # the first piece also warms the caches
    else:
        is_profiled = is_device and task.candidate.environment in WITH_MODULE
        warm, measured, alone = turns(point, is_profiled)
        messages = warm + measured + 2 * alone
        if is_profiled:
            messages, runs = 2 * messages + (MANY - 1) * measured, 2
    return runs * start_seconds(task) + messages * _message_cycles(task, is_device) * speed


def _message_cycles(task: Task, is_device: bool) -> float:
    point, name = task.point, task.candidate.implementation
    per_byte: float = next(
        (cycles for end, cycles in BYTE_CYCLES.items() if point.algorithm.name.endswith(end)), AES_BYTE_CYCLES
    )
    fixed = DEVICE_MESSAGE_CYCLES if is_device else MESSAGE_CYCLES
    if is_device:
        per_byte = DEVICE_BYTE_CYCLES if is_parallel(point) else DEVICE_CHAINED_BYTE_CYCLES
    elif name == "lite":
        per_byte = LITE_BYTE_CYCLES
    elif task.candidate.engine == "cpu":
        per_byte /= INSTRUCTIONS_FASTER
    if name.endswith("-files"):
        per_byte += DEVICE_FILE_BYTE_CYCLES if is_device else FILE_BYTE_CYCLES
    if task.candidate.environment is Environment.LINUX_KERNEL:
        fixed += KERNEL_MESSAGE_CYCLES
    least = point.algorithm.function.block_bytes if isinstance(point.algorithm, Hash) else 0
    return fixed + max(point.size_bytes, least) * per_byte
