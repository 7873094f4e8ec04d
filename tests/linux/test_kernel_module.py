# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel module: its binding, its compilation for the kernel of this machine, and Linux on the system on chip with it."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import kernel_check
import pytest

from outwork.paths import PROJECT, has_library
from outwork.soc import firmware, linux, module
from outwork.soc import program as programs
from outwork.soc.system import System

BINDINGS = PROJECT / "platform/linux/bindings"
HEADERS = sorted(Path("/lib/modules").glob("*/build/Makefile"))
KEPT = PROJECT / "build/linux/module-test"  # so that only the first run compiles everything

checks_trees = pytest.mark.skipif(
    shutil.which("dtc") is None or not (PROJECT / ".venv/bin/dt-validate").is_file(),
    reason="dtc or dtschema is not installed: scripts/setup.sh linux",
)


def runs_linux(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test that boots the module's kernel."""
    is_built = module.IMAGE.is_file() and module.MODULE.is_file()
    for mark in (
        pytest.mark.slow,
        pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc"),
        pytest.mark.skipif(not is_built, reason="kernel and module are not built: make linux"),
    ):
        test = mark(test)
    return test


def validate(tool: str, *arguments: str | Path) -> str:
    """Returns what a tool of dtschema complains about."""
    done = subprocess.run([PROJECT / ".venv/bin" / tool, *arguments], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@checks_trees
def test_the_binding_is_valid() -> None:
    assert validate("dt-doc-validate", BINDINGS / "crypto/outwork,outwork.yaml") == ""


@checks_trees
def test_the_system_on_chip_follows_the_binding(tmp_path: Path) -> None:
    tree, wrong = tmp_path / "soc.dtb", tmp_path / "wrong.dtb"
    tree.write_bytes(linux.device_tree(1000))
    assert validate("dt-validate", "-s", BINDINGS, "-l", "outwork", tree) == ""
    source = subprocess.run(["dtc", "-I", "dtb", "-O", "dts", tree], capture_output=True, check=True).stdout
    source = source.replace(b'compatible = "outwork,outwork";', b'compatible = "outwork,outwork";\nkeys = <1>;')
    subprocess.run(["dtc", "-I", "dts", "-O", "dtb", "-o", wrong], input=source, capture_output=True, check=True)
    assert "'keys'" in validate("dt-validate", "-s", BINDINGS, "-l", "outwork", wrong)


@pytest.mark.skipif(not HEADERS, reason="no kernel's headers are installed: linux-headers-amd64, for example")
def test_the_module_compiles_for_this_machine() -> None:
    """Without a warning, those of W=1 included."""
    done = subprocess.run(
        [PROJECT / "scripts/kernel_module.sh", KEPT, HEADERS[-1].parent, "W=1", "KCFLAGS=-Werror"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (KEPT / "outwork.ko").is_file()


def test_a_message_about_the_module_is_no_measurement() -> None:
    console = "step: load /outwork_bench.ko\noutwork_bench: loading out-of-tree module taints kernel.\n"
    assert kernel_check.points(module.Output(console, 0)) == []


@runs_linux
def test_every_algorithm_passes_the_kernels_self_test() -> None:
    """On the device: its own counter says so. Then the module is removed, which waits for nobody."""
    steps = [*module.SELF_TESTS, f"show {module.STATISTICS}", "unload outwork"]
    with module.start(steps, f"{module.NO_TESTS} cryptomgr.noextratests=1") as system:
        output = module.run(system, max_cycles=800_000_000)
    assert output.status == 0 and not output.faults, output.console
    assert output.self_tests == {f"{name}-outwork": "passed" for name in module.ALGORITHMS}
    counters = output.statistics(-1)
    assert counters["queue0_device_jobs"] > 1000
    # Every job that was refused or failed would be a fallback, an error, or a tag that is wrong on purpose.
    assert counters["queue0_finished"] == counters["queue0_submitted"] == counters["requests"]
    assert counters["errors"] == counters["fallbacks_device"] == counters["queue0_resets"] == 0
    assert counters["queue0_missed_interrupts"] == 0


def small_jobs(console: str) -> list[int]:
    """Returns the cycles of a 16-byte job alone, and of one of 32."""
    return [int(cycles) for cycles in re.findall(r"small jobs: alone (\d+) batched (\d+)", console)[0]]


def small_jobs_on_the_bare_machine(folder: Path) -> list[int]:
    sources = [module.QUEUE_TEST / name for name in ("bare_metal.c", "small_jobs.c")]
    firmware.build(folder / "bare.elf", sources)
    with System(programs.load(folder / "bare.elf")) as system:
        output = module.run(system, max_cycles=20_000_000)
    assert output.status == 0
    return small_jobs(output.console)


@runs_linux
def test_queues_of_processes(tmp_path: Path) -> None:
    """One at work, one killed in the middle of its jobs, one hostile: platform/linux/selftest. Then nothing is left."""
    program = {module.QUEUE_TEST_PROGRAM: module.queue_test()}
    steps = [*module.QUEUE_TEST_STEPS, f"show {module.STATISTICS}", "unload outwork"]
    with module.start(steps, module.NO_TESTS, more=program) as system:
        output = module.run(system, max_cycles=400_000_000)
    assert output.status == 0 and not output.faults, output.console
    assert "queue: passed" in output.console and "FAILED" not in output.console
    counters = output.statistics(-1)
    assert counters["processes_opened"] == counters["processes_closed"] == 5
    assert counters["processes_taken"] == counters["processes_stuck"] == 0
    # Without a system call, a process costs little more than the bare machine; and few accesses to registers.
    for cycles, bare in zip(small_jobs(output.console), small_jobs_on_the_bare_machine(tmp_path), strict=True):
        assert cycles < 1.5 * bare
    jobs, accesses = map(int, re.findall(r"small jobs: (\d+) in flight, (\d+) accesses", output.console)[0])
    assert jobs == 64 and accesses <= 0.1 * jobs
    # What a plug-in asks for is more than this kernel has in one piece.
    assert "a plug-in asks for 4751360 bytes, gets 4194304" in output.console
