# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel module: its binding, its compilation for the kernel of this machine, and Linux on the system on chip with it."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import kernel_af_alg
import kernel_check
import pytest

from outwork import __version__
from outwork.paths import PROJECT, has_library
from outwork.soc import firmware, linux, module
from outwork.soc import program as programs
from outwork.soc.system import System

BINDINGS = PROJECT / "platform/linux/bindings"
HEADERS = sorted(Path("/lib/modules").glob("*/build/Makefile"))
SOURCES = sorted((PROJECT / "build/soc/linux").glob("sources-*"))
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
@pytest.mark.parametrize(
    "headers",
    [*HEADERS[-1:], *(pytest.param(older, marks=pytest.mark.slow) for older in HEADERS[:-1])],
    ids=lambda path: path.parent.parent.name,
)
def test_the_module_compiles_for_this_machine(headers: Path) -> None:
    """Without a warning, those of W=1 and of sparse included."""
    folder = KEPT / headers.parent.parent.name
    sparse = ("C=2",) if shutil.which("sparse") else ()
    done = subprocess.run(
        [PROJECT / "scripts/kernel_module.sh", folder, headers.parent, "W=1", "KCFLAGS=-Werror", *sparse],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning:" not in done.stderr and "error:" not in done.stderr, done.stderr
    assert not sparse or "CHECK" in done.stdout
    assert (folder / "outwork.ko").is_file()


@pytest.mark.slow
@pytest.mark.skipif(not HEADERS or shutil.which("dkms") is None, reason="kernel's headers or dkms are not installed")
def test_dkms_builds_the_module(tmp_path: Path) -> None:
    """From the folder that scripts/kernel_sources.sh writes."""
    kernel = HEADERS[-1].parent.parent.name
    source, tree = tmp_path / f"src/outwork-{__version__}", tmp_path / "tree"
    subprocess.run([PROJECT / "scripts/kernel_sources.sh", source], check=True)
    tree.mkdir()
    done = subprocess.run(
        [
            "dkms",
            "build",
            "-m",
            "outwork",
            "-v",
            __version__,
            "-k",
            kernel,
            "--dkmstree",
            tree,
            "--sourcetree",
            tmp_path / "src",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    built = list(tree.glob(f"outwork/{__version__}/{kernel}/*/module/outwork.ko*"))
    assert len(built) == 1


@pytest.mark.slow
@pytest.mark.skipif(
    not SOURCES or not any(shutil.which(f"ld.lld{version}") for version in ("", "-14", "-19")),
    reason="the kernel's sources are not unpacked (make linux), or lld is not installed",
)
@pytest.mark.parametrize("architecture", ["arm", "arm64"])
def test_the_module_compiles_for_several_cpus(architecture: str) -> None:
    """With preemption and suspend, without a warning."""
    done = subprocess.run(
        [PROJECT / "scripts/kernel_cross.sh", architecture], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (PROJECT / "build/linux" / architecture / "module/outwork.ko").is_file()


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


def comparisons() -> dict[str, str]:
    """Steps that compare AES with HMAC on the device with the kernel's own code, by driver."""
    steps = {}
    for number, name in enumerate(module.PAIR_HASHES):
        for mode, short in module.PAIR_MODES.items():
            driver = f"authenc-hmac-{name}-{short}-outwork"
            software = f"authenc(hmac({name}-generic),{mode.replace('aes', 'aes-generic')})"
            key = (16, 24, 32)[number % 3] + (4 if "rfc3686" in mode else 0)
            steps[driver] = (
                f"load /{module.COMPARE.name} driver={driver} software={software} key={key} mac={8 + 16 * number}"
            )
    return steps


@runs_linux
def test_aes_with_hmac_is_as_in_software() -> None:
    """The kernel has no self-test of most of them. The device has done every request, and ended no more than it counts."""
    show = f"show {module.STATISTICS}"
    steps = ["load /outwork.ko minimum_cipher=0", show]
    for step in comparisons().values():
        steps += [step, show]
    with module.start(
        [*steps, "unload outwork"], module.NO_TESTS, more={module.COMPARE.name: module.COMPARE.read_bytes()}
    ) as system:
        output = module.run(system, max_cycles=800_000_000)
    assert output.status == 0 and not output.faults, output.console
    found = re.findall(r"compare: (\S+) right (\d+) wrong (\d+) status (-?\d+)", output.console)
    assert found == [(driver, "20", "0", "0") for driver in comparisons()], output.console
    for number in range(len(found)):
        before, after = output.statistics(number), output.statistics(number + 1)
        counted = {name: after[name] - before[name] for name in after}
        # Encrypted, decrypted; and spoiled, which the device counts as no job that ended well.
        assert counted["queue0_device_jobs"] == 40
        assert counted["requests"] == counted["queue0_finished"] == 60
        assert counted["errors"] == counted["fallbacks_device"] == counted["fallbacks_key"] == 0


@runs_linux
def test_queues_of_a_device_that_is_unbound() -> None:
    """Processes lose registers and memory at once, and nothing of theirs is left when the device is bound again."""
    steps = [
        *module.QUEUE_TEST_STEPS[:2],
        f"run /{module.QUEUE_TEST_PROGRAM} {module.DEVICE}",
        f"show {module.STATISTICS}",
        "unload outwork",
    ]
    with module.start(steps, module.NO_TESTS, more={module.QUEUE_TEST_PROGRAM: module.queue_test()}) as system:
        output = module.run(system, max_cycles=400_000_000)
    assert output.status == 0 and not output.faults, output.console
    assert "queue: passed" in output.console and "FAILED" not in output.console
    counters = output.statistics(-1)
    assert counters["processes_opened"] == counters["processes_closed"] == 1  # since it was bound again
    assert counters["processes_taken"] == counters["processes_stuck"] == 0
    assert counters["processes_jobs"] > 0


@runs_linux
def test_af_alg_costs_more_than_the_kernel_pays() -> None:
    """The results are those of the kernel's own code, and every request is a job of the device: measure() sees to both."""
    rows = kernel_af_alg.measure()
    assert [(row.size, row.depth) for row in rows] == list(kernel_af_alg.POINTS)
    assert all(row.process > row.kernel for row in rows)
    assert all(row.software > row.process for row in rows if row.software is not None and row.size == 4096)


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
    assert "a job made a key for a slot" in output.console
