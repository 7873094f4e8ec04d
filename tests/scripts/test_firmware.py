# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The firmware example links as its page says, its sizes are those of the page, and an emulated CPU comes as far as the device."""

import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import code_size
import marked_part
import pytest
from page_blocks import blocks

from outwork import spec
from outwork.paths import PROJECT

PAGE = (PROJECT / "docs/firmware.md").read_text(encoding="utf-8")
missing = [command for command in code_size.COMPILERS.values() if shutil.which(command.split()[0]) is None]
needs_compilers = pytest.mark.skipif(bool(missing), reason="needs the cross compilers that `make lint` installs")


def shown() -> list[str]:
    """Returns the commands of the page."""
    return blocks(PAGE, "sh").replace("\\\n", "").splitlines()


def test_the_page_shows_what_the_script_measures() -> None:
    links = [set(shlex.split(line)) for line in shown() if "gcc" in line]
    wanted = [set(shlex.split(code_size.command(name, "AES"))) for name in code_size.COMPILERS]
    assert [words - {"-o", "build/firmware_riscv32.elf", "build/firmware_arm.elf"} for words in links] == wanted


@needs_compilers
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "driver").symlink_to(PROJECT / "driver")
    subprocess.run(["bash", "-e", "-c", "\n".join(shown())], cwd=tmp_path, check=True)
    for name in ("riscv32", "arm"):
        assert (tmp_path / f"build/firmware_{name}.elf").is_file()


@needs_compilers
@pytest.mark.skipif(shutil.which("clang") is None, reason="needs clang")
def test_the_barrier_orders_registers_on_riscv() -> None:
    """Clang's own barrier orders memory alone: `fence rw, rw`. A fence of all kinds is printed without them."""
    headers = "/usr/lib/picolibc/riscv64-unknown-elf/include"
    options = f"--target=riscv32-unknown-elf -march=rv32imc -mabi=ilp32 -isystem {headers} -Idriver/include -Os -S -o -"
    done = subprocess.run(
        ["clang", *options.split(), "driver/examples/bare_metal.c"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.findall(r"^\s*(fence.*?)\s*$", done.stdout, re.MULTILINE) == ["fence"]


@pytest.mark.slow
@needs_compilers
def test_the_sizes_are_fresh() -> None:
    there = re.findall(r"([\d.]+) for ([\w-]+)", PAGE.split(marked_part.end(code_size.PART))[0].splitlines()[-1])
    if {name: number for number, name in there} != {name: code_size.version(name) for name in code_size.COMPILERS}:
        pytest.skip("the page's sizes are from other compilers")
    assert code_size.fresh(PAGE) == PAGE


# Machines with RAM where the accelerator's registers would be. The timer of the first one counts, the other has none.
MACHINES = {
    "RV32IMC": (
        ["qemu-system-riscv32", "-M", "virt", "-bios", "none"],
        0x8000_0000,
        0x8010_0000,
        0x8020_0000,
        0x0200_BFF8,
    ),
    "Cortex-M4": (["qemu-system-arm", "-M", "mps2-an386"], 0x0, 0x2000_0000, 0x2100_0000, 0x2101_0000),
}
NO_DEVICE, TIMEOUT = 15, 11  # ow_status


def main_result(processor: str, folder: Path, monkeypatch: pytest.MonkeyPatch, registers: dict[int, int]) -> int:
    """Runs the firmware for a machine, whose register window is plain memory with these words."""
    machine, flash, ram, window, timer = MACHINES[processor]
    script = folder / "link.ld"
    text = (PROJECT / "driver/examples/bare_metal/link.ld").read_text(encoding="utf-8")
    for old, new in (("0x00000000", flash), ("0x20000000", ram), ("0x40000000", window), ("0x40010000", timer)):
        text = text.replace(old, f"{new:#x} ")
    script.write_text(text, encoding="utf-8")
    monkeypatch.setattr(code_size, "LINK", f"-nostartfiles -T {script}")
    program = folder / "firmware.elf"
    code_size.link(processor, "AES", program)
    symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    address = re.search(r"^(\w+) \w main_result$", symbols, re.MULTILINE)
    assert address
    words = [f"loader,addr={window + offset:#x},data={value:#x},data-len=4" for offset, value in registers.items()]
    devices = [option for word in words for option in ("-device", word)]
    command = [*machine, "-display", "none", "-serial", "none", "-monitor", "stdio", "-kernel", program, *devices]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as emulator:
        assert emulator.stdin
        time.sleep(2)
        output, _ = emulator.communicate(f"xp /1wx 0x{address[1]}\nquit\n")
    found = re.search(rf"{address[1]}: (0x\w+)", output)
    assert found, output
    return int(found[1], 16)


@pytest.mark.slow
@needs_compilers
@pytest.mark.parametrize("processor", MACHINES)
def test_start_up_reaches_main(processor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which(MACHINES[processor][0][0]) is None:
        pytest.skip("needs an emulator (qemu-system-misc, qemu-system-arm)")
    assert main_result(processor, tmp_path, monkeypatch, {}) == NO_DEVICE


@pytest.mark.slow
@needs_compilers
def test_a_device_that_never_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ID is right and nothing else happens: the firmware's timer ends the wait."""
    if shutil.which("qemu-system-riscv32") is None:
        pytest.skip("needs an emulator (qemu-system-misc)")
    words = {
        spec.GLOBAL_ID_OFFSET: spec.GLOBAL_ID_RESET,
        spec.GLOBAL_VERSION_OFFSET: spec.GLOBAL_VERSION_RESET,
        spec.GLOBAL_SHELL_OFFSET: spec.QUEUE_COUNT,
        spec.GLOBAL_LIMITS_OFFSET: 8,
    }
    assert main_result("RV32IMC", tmp_path, monkeypatch, words) == TIMEOUT
