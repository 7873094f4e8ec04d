# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel module under User Mode Linux, with the simulated board as a PCI function."""

import hashlib
import random
import re
import shutil
import subprocess
from pathlib import Path

import kernel_faults
import kernel_guest
import pytest
import uml_check
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from outwork.soc import module

SHOW = f"show {module.STATISTICS}"
LOAD = ("load /outwork.ko minimum_cipher=0", uml_check.BIND)
DISK_BYTES = 1 << 20
SECTOR_BYTES = 512
FILE_SYSTEM_BYTES = 8 << 20  # all of the disk in memory
NOW = "pull now"  # the line after which the board dies with its next job
PARTS = 8
PART_BYTES = 1 << 19
# For the guest: writes files to the disk in turn, and has the device taken away while three of them go there, after 300 of their
# requests; again, if it had none at that moment. What was under way then is not written over.
PULL = f"""#!/bin/sh
count() {{ awk -v name=$1 '$1 == name {{ print $2 }}' {module.STATISTICS}; }}
part=0
files() {{
  for _ in $(seq $1); do
    cp /plain /disk/part$part
    part=$(((part + 1) % {PARTS}))
  done
}}
# Fails if the files are on the disk before so many requests have come.
requests() {{
  until [ "$(count requests)" -gt $1 ]; do
    kill -0 $! 2>/dev/null || return
    sleep 0.02
  done
}}
unbind() {{
  echo {uml_check.FUNCTION} >{uml_check.DRIVER}/unbind
  [ "$(count withdrawn)" != 0 ] || echo {uml_check.FUNCTION} >{uml_check.DRIVER}/bind
}}
for try in $(seq 20); do
  files 3
  begin=$(count requests)
  sync &
  if requests $((begin + 300)); then
    case $1 in
    unbind) unbind ;;
    kill) echo {NOW} && sleep 0.3 ;;
    esac
  fi
  wait
  [ "$(count devices)" = 1 ] || break
done
files 3
sync
"""
# Of Linux itself, which sends commands to a board that has ended.
GONE = re.compile(r"WARNING: .* at arch/um/drivers/virt(io_uml|-pci)\.c:\d+ (vu_del_vqs|um_pci_send_cmd)\+")

pytestmark = pytest.mark.slow


def total(counters: dict[str, int], name: str) -> int:
    """The sum of a counter of each queue."""
    return sum(value for key, value in counters.items() if re.fullmatch(rf"queue\d+_{name}", key))


def test_every_algorithm_passes_the_kernels_self_test(uml_build: uml_check.Build) -> None:
    """With the random part, of 10 requests each. On the device, with messages as interrupts: its own counters say so."""
    leaks = uml_check.LEAKS if uml_build is uml_check.DEBUG else ()
    steps = [*uml_check.SELF_TESTS, SHOW, "unload outwork", *leaks]
    run = uml_check.run(steps, f"{module.NO_TESTS} cryptomgr.fuzz_iterations=10", uml_build)
    kernel_guest.check(run)
    assert run.output.self_tests == {f"{name}-outwork": "passed" for name in uml_check.ALGORITHMS}
    assert "extra crypto tests enabled" in run.output.console
    counters = run.output.statistics(-1)
    assert total(counters, "device_jobs") > 5_000
    assert total(counters, "finished") == total(counters, "submitted") == counters["requests"]
    assert counters["errors"] == counters["fallbacks_device"] == 0
    assert counters["operations"] > 20  # with public keys
    assert total(counters, "resets") == total(counters, "missed_interrupts") == 0
    # The handler reads nothing; and a message is sent for what the driver counts.
    assert run.board["messages"] >= total(counters, "interrupts") > 0
    assert run.board["outside"] == 0


def test_no_fault_of_the_device_makes_a_wrong_result(uml_build: uml_check.Build) -> None:
    run = uml_check.run(kernel_faults.fault_steps(LOAD), module.NO_TESTS, uml_build)
    kernel_faults.check_faults(run.output)
    assert run.board["outside"] > 0  # the bus errors


def test_the_device_is_unbound_under_load(uml_build: uml_check.Build) -> None:
    unbind = f"write {uml_check.DRIVER}/unbind {uml_check.FUNCTION}"
    run = uml_check.run(kernel_faults.unbind_steps(LOAD, unbind), module.NO_TESTS, uml_build)
    kernel_faults.check_unbind(run.output)


def in_openssl(key: bytes, data: bytes, decrypt: bool = False) -> bytes:
    """AES-XTS of sectors, of which each has its number as the tweak (plain64)."""
    result = bytearray()
    for number in range(len(data) // SECTOR_BYTES):
        cipher = Cipher(algorithms.AES(key), modes.XTS(number.to_bytes(16, "little")))
        context = cipher.decryptor() if decrypt else cipher.encryptor()
        result += context.update(data[number * SECTOR_BYTES : (number + 1) * SECTOR_BYTES])
    return bytes(result)


def test_an_encrypted_disk_is_as_openssl_writes_it(uml_build: uml_check.Build) -> None:
    """dm-crypt on a disk in memory: what is on the disk, and what is read back."""
    draw = random.Random(19)
    key, plain = draw.randbytes(64), draw.randbytes(DISK_BYTES)
    blocks = f"bs=65536 count={DISK_BYTES // 65536}"
    steps = [
        "mount devtmpfs /dev",
        *LOAD,
        f"run /{uml_check.DM_CRYPT.name} disk /dev/ram0 {DISK_BYTES // 512} capi:xts(aes)-plain64 {key.hex()}",
        f"run dd if=/plain of=/dev/dm-0 {blocks} conv=fsync",
        "write /proc/sys/vm/drop_caches 3",
        SHOW,
        f"run dd if=/dev/ram0 of=/cipher {blocks}",
        f"run dd if=/dev/dm-0 of=/back {blocks}",
        "run sha256sum /cipher /back",
        SHOW,
    ]
    more = {"plain": plain, uml_check.DM_CRYPT.name: uml_check.DM_CRYPT.read_bytes()}
    run = uml_check.run(steps, module.NO_TESTS, uml_build, more)
    kernel_guest.check(run)
    sums = {
        name: digest for digest, name in re.findall(r"^([0-9a-f]{64})  /(\w+)$", run.output.console, flags=re.MULTILINE)
    }
    assert sums["cipher"] == hashlib.sha256(in_openssl(key, plain)).hexdigest()
    assert sums["back"] == hashlib.sha256(plain).hexdigest()
    sectors = DISK_BYTES // SECTOR_BYTES
    written, both = (run.output.statistics(time) for time in (0, 1))
    # dm-crypt has more sectors than the ring has entries, and lets them wait: the device does them all.
    assert written["requests"] >= sectors and both["requests"] >= 2 * sectors
    assert both["fallbacks_ring"] == 0
    # The kernel that checks itself is often slower than the device, and fills no ring.
    assert both["backlogged"] > 0 or uml_build is uml_check.DEBUG
    assert both["errors"] == both["fallbacks_device"] == 0
    assert 100 < total(written, "device_jobs") < total(both, "device_jobs") == both["requests"]


@pytest.mark.skipif(shutil.which("debugfs") is None, reason="e2fsprogs is not installed")
@pytest.mark.parametrize("pull", ["unbind", "kill"])
def test_a_file_system_outlives_the_device(uml_build: uml_check.Build, tmp_path: Path, pull: str) -> None:
    """ext4 on dm-crypt: files written before, while and after the device is taken away; what is on the disk, by OpenSSL and fsck.

    The driver lets the device go, or the board kills itself with the next job, while files are written.
    """
    is_killed = pull == "kill"
    draw = random.Random(20)
    key, plain = draw.randbytes(64), draw.randbytes(PART_BYTES)
    image = tmp_path / "image"
    image.write_bytes(bytes(FILE_SYSTEM_BYTES))
    subprocess.run(["mke2fs", "-q", "-t", "ext4", image], check=True)
    steps = [
        "mount devtmpfs /dev",
        "mount hostfs /host",
        *LOAD,
        f"run /{uml_check.DM_CRYPT.name} disk /dev/ram0 {FILE_SYSTEM_BYTES // 512} capi:xts(aes)-plain64 {key.hex()}",
        "run dd if=/host/image of=/dev/dm-0 bs=65536 conv=fsync",
        "run mkdir /disk",
        "run mount -t ext4 /dev/dm-0 /disk",
        "run cp /plain /disk/before",
        "run sync",
        SHOW,
        f"run sh /pull {pull}",
        SHOW,
        "run cp /plain /disk/after",
        "run umount /disk",
        SHOW,
        "run dd if=/dev/ram0 of=/host/cipher bs=65536",
    ]
    more = {"plain": plain, "pull": PULL.encode(), uml_check.DM_CRYPT.name: uml_check.DM_CRYPT.read_bytes()}
    run = uml_check.run(steps, f"{module.NO_TESTS} hostfs={tmp_path}", uml_build, more, pull=NOW if is_killed else None)
    assert run.output.status == 0, run.output.console
    assert [fault for fault in run.output.faults if not (is_killed and GONE.search(fault))] == []
    image.write_bytes(in_openssl(key, (tmp_path / "cipher").read_bytes(), decrypt=True))
    checked = subprocess.run(["e2fsck", "-f", "-n", image], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for name in ("before", *(f"part{part}" for part in range(PARTS)), "after"):
        subprocess.run(["debugfs", "-R", f"dump /{name} {tmp_path / name}", image], check=True, capture_output=True)
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes() == plain
    parts = list(tmp_path.glob("part*"))
    assert parts and all(part.read_bytes() == plain for part in parts)
    before, pulled, after = (run.output.statistics(time) for time in range(3))
    sectors = PART_BYTES // SECTOR_BYTES
    assert before["requests"] > FILE_SYSTEM_BYTES // SECTOR_BYTES
    assert total(before, "device_jobs") == before["requests"] > 300
    assert pulled["requests"] > before["requests"] + 300
    assert after["fallbacks_absent"] >= pulled["fallbacks_absent"] + sectors
    assert pulled["devices"] == 0 and after["requests"] == pulled["requests"]
    assert after["errors"] == 0
    # The device had requests when it went. One that is let go ends them; after one that is gone, software does them.
    assert before["withdrawn"] == 0 < pulled["withdrawn"]
    assert after["fallbacks_device"] >= pulled["withdrawn"] if is_killed else after["fallbacks_device"] == 0
