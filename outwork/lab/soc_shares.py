# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where the cycles of a message go under Linux on the system on chip: by the address of each instruction that ends.

A point is run twice, with a few messages and with more. What the longer run has more in a function, divided by the messages
that it has more, is of one message, without start and end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from outwork.lab.soc_machine import Ended, Machine
from outwork.soc.program import Program
from outwork.soc.system import System

FEW: Final = 16  # messages at least
MANY: Final = 3  # times as many in the longer run

OTHER_KERNEL: Final = "other kernel"
CALLER: Final = "caller"
# What functions do, by their names: of a program or of the module, then of the kernel. The first that fits counts.
OWN: Final = (
    ("interrupt", r"owk_(queue_)?interrupt|owk_poll|owk_tasklet"),
    ("mapping", r"owk_(side_map|transfer_(un)?map|pieces|queue_map)|queue_map"),
    ("copies", r"mem(cpy|set|move)|explicit_bzero"),
    ("module", r"owk_"),
    (CALLER, r"ow_lab_"),
    ("driver", r"ow_|queue_"),
)
KERNEL: Final = (
    ("copies", r"_*mem(cpy|set|move)|scatterwalk|_*asm_copy|copy_(to|from)"),
    ("mapping", r"_*dma_|sg_|_*sg_|handle_mm|do_page_fault|.*_fault$|_*local_flush"),
    (
        "interrupt",
        r".*irq|plic|riscv_intc|note_interrupt|add_interrupt|fast_mix|_*tasklet|_*local_bh|handle_exception|ret_from_exc"
        r"|_save_context|_restore|resume_kernel|idle_cpu|wake_up_var|.*timer|.*tick|.*clock|update_process_times",
    ),
    (
        "scheduling",
        r"_*schedule|_*switch_to|.*wake|complete|wait_for|do_wait|_*wait|swake|enqueue|dequeue|pick_next|put_prev|set_next"
        r"|update_(curr|rq|load|min|cfs)|.*task|.*idle|check_preempt|finish_",
    ),
    ("system call", r"_*(se_)?sys_|handle_syscall|vfs_|ksys_|.*_syscall"),
    ("crypto API", r"crypto_|.*crypt"),
)
FIRMWARE: Final = "sbi"  # below the kernel, which sets the timer there
GROUPS: Final = (
    *("driver", "module", "crypto API", "mapping", "copies", "interrupt", "scheduling", "system call"),
    *(OTHER_KERNEL, CALLER),
)


def group_of(function: str, of_kernel: bool) -> str:
    """Returns what a function does."""
    for group, pattern in KERNEL if of_kernel else OWN:
        if re.match(pattern, function):
            return group
    return OTHER_KERNEL if of_kernel else CALLER


def grouped(cycles: Mapping[str, float], total: float) -> dict[str, float]:
    """Returns the cycles of each group. The caller's are what is left of the total: its functions also wait for the point, and
    run the loop once more with nothing to do."""
    found = dict.fromkeys(GROUPS, 0.0)
    for function, count in cycles.items():
        name, _, where = function.partition(" (")
        if where:  # else it is elsewhere
            below = where.startswith(FIRMWARE)
            found["interrupt" if below else group_of(name, where.startswith("vmlinux"))] += count
    others = sum(found.values()) - found[CALLER]
    found[CALLER] = max(0.0, total - others)
    return found


def difference(short: Mapping[str, int], long: Mapping[str, int], messages: int) -> dict[str, float]:
    """Returns the cycles of a message by function."""
    names: Iterable[str] = short.keys() | long.keys()
    return {name: max(0.0, (long.get(name, 0) - short.get(name, 0)) / messages) for name in names}


def profiled(machine: Machine, system: System, code: Iterable[Program]) -> tuple[Ended, Counter[str]]:
    """Runs a system to the end of its point. Returns how it ended, and the cycles by function of the code."""
    system.profile(*code, system.program)
    ended = machine.finish(system)
    return ended, Counter(dict(system.cycles_by_function()))
