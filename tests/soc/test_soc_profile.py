# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Cycles by function on the system on chip: each cycle since the profile's beginning belongs to one function, once."""

from pathlib import Path

import pytest

from outwork.errors import OutworkError
from outwork.paths import has_library
from outwork.soc import firmware
from outwork.soc import program as programs
from outwork.soc.program import Program
from outwork.soc.system import System

pytestmark = pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc")
ENDLESS = """
__attribute__((noinline)) void wait_for_nothing(void) {
  for (;;) __asm__ volatile("");
}
int main(void) {
  wait_for_nothing();
  return 0;
}
"""
# Sleeps until the timer's interrupt, 100,000 cycles.
SLEEPER = """
#include "soc.h"
#include "soc_map.h"
#define CLINT(offset) (*(volatile uint32_t *)(SOC_CLINT_BASE + (offset)))
__attribute__((noinline)) static void sleep_long(void) {
  CLINT(0x4004) = 0;
  CLINT(0x4000) = CLINT(0xbff8) + 100000u;
  __asm__ volatile("csrw mie, %0" ::"r"(1u << 7));
  __asm__ volatile("wfi");
}
int main(void) {
  sleep_long();
  return 0;
}
"""
ASLEEP_CYCLES = 60_000


def build(folder: Path, text: str) -> Program:
    source = folder / "program.c"
    source.write_text(text, encoding="utf-8")
    firmware.build(folder / "program.elf", [source])
    return programs.load(folder / "program.elf")


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return build(tmp_path_factory.mktemp("endless"), ENDLESS)


@pytest.fixture(scope="module")
def sleeper(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return build(tmp_path_factory.mktemp("sleeper"), SLEEPER)


def test_it_names_where_time_goes(endless: Program) -> None:
    with System(endless) as system:
        system.profile(endless)
        system.run(20_000)
        (name, cycles), *_ = system.cycles_by_function()
    assert name == "wait_for_nothing" and 15_000 < cycles <= 20_000


def test_what_was_before_its_beginning_is_not_in_it(sleeper: Program) -> None:
    """The instruction that ends a sleep has the cycles since the profile's beginning, not all of the sleep."""
    with System(sleeper) as system:
        system.run(ASLEEP_CYCLES)
        system.profile(sleeper)
        while not system.finished:
            system.run()
        functions, cycles = dict(system.cycles_by_function()), system.statistics.cycles - ASLEEP_CYCLES
    assert 30_000 < functions["sleep_long"] < cycles < 50_000
    assert sum(functions.values()) == cycles and min(functions.values()) > 0


def test_what_was_before_a_checkpoint_is_not_in_it(sleeper: Program) -> None:
    with System(sleeper) as system:
        system.run(ASLEEP_CYCLES)
        state = system.save()
    with System(sleeper) as system:
        system.profile(sleeper)
        system.restore(state)
        while not system.finished:
            system.run()
        functions, cycles = dict(system.cycles_by_function()), system.statistics.cycles - ASLEEP_CYCLES
    assert sum(functions.values()) == cycles and functions["sleep_long"] < cycles < 50_000


def test_a_cycle_is_counted_once(endless: Program) -> None:
    """Code that two programs share belongs to the first of them."""
    with System(endless) as system:
        system.profile(endless, endless)
        system.run(20_000)
        functions, cycles = dict(system.cycles_by_function()), system.statistics.cycles
    assert sum(functions.values()) == cycles and min(functions.values()) > 0


def test_a_system_that_is_closed_has_no_cycles(endless: Program) -> None:
    """It says so: its memory has been given back, and would give any number."""
    with System(endless) as system:
        system.profile(endless)
        system.run(1000)
    with pytest.raises(OutworkError, match="is closed"):
        system.cycles_by_function()
