# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ssh and sshd under Linux on the system on chip, with the provider on queues of the processes."""

import dataclasses
import subprocess
from collections import Counter
from pathlib import Path

import pytest
import soc_ssh as ssh

from outwork.errors import OutworkError
from outwork.paths import has_library
from outwork.soc import module

runs = pytest.mark.skipif(
    not (has_library("ow_soc_128") and (ssh.KERNEL / "Image").is_file() and (ssh.FOLDER / "sshd").is_file()),
    reason="ssh for the system on chip is not built: make soc-ssh",
)
SESSION = ssh.Session("aes128-ctr", "provider")
BEGIN = Counter({"AES_encrypt (ssh)": 10})
END = Counter({"AES_encrypt (ssh)": 110, "memcpy (sshd)": 60, "copy (vmlinux)": 30})
AT = (
    ssh.Place("transfer: begin, 0 bytes, cycle 4294967196", BEGIN, 1000),
    ssh.Place("transfer: end, 65536 bytes, cycle 100", END, 9192),
)


def output(jobs: int = 4, whole: str = "transfer: whole\n", closed: int = 2) -> module.Output:
    """What a guest prints that has carried out the session."""

    def show(number: int, opened: int, closed: int) -> str:
        counters = f"processes_jobs {number}\nprocesses_opened {opened}\nprocesses_closed {closed}\n"
        return f"step: show {module.STATISTICS}\n{counters}step: done in 5 cycles\n"

    text = f"{show(7, 0, 0)}step: {SESSION.step}\n{whole}step: done in 900 cycles\n{show(7 + jobs, 2, closed)}"
    return module.Output(text, 0)


def test_a_transfer_is_what_lies_between_its_begin_and_its_end() -> None:
    """Cycles are counted modulo 2^32, the device's jobs over the session."""
    (found,) = ssh.transfers([SESSION], output(), AT)
    assert (found.size_bytes, found.cycles, found.jobs, found.session_cycles) == (65_536, 200, 4, 900)
    assert found.functions == Counter({"AES_encrypt (ssh)": 100, "memcpy (sshd)": 60, "copy (vmlinux)": 30})


def test_who_did_the_work_is_checked() -> None:
    with pytest.raises(OutworkError, match="has counted 3 jobs, not 4 or more"):
        ssh.transfers([SESSION], output(jobs=3), AT)
    with pytest.raises(OutworkError, match="was at work for 8191 cycles, not 8192"):
        ssh.transfers([SESSION], output(), (AT[0], dataclasses.replace(AT[1], device_cycles=9191)))
    software = dataclasses.replace(
        ssh.transfers([SESSION], output(), AT)[0], session=ssh.Session("aes128-ctr", "software")
    )
    with pytest.raises(OutworkError, match="has counted 4 jobs, not 0"):
        ssh.check_jobs(software)
    with pytest.raises(OutworkError, match="has kept its queue"):
        ssh.transfers([SESSION], output(closed=1), AT)


def test_files_are_compared(tmp_path: Path) -> None:
    """What the guest compares files with: equal, different, one longer, and one that cannot be read."""
    source = Path(__file__).parents[2] / "platform/soc/openssh/same.c"
    subprocess.run(["cc", source, "-o", tmp_path / "same"], check=True)
    for name, text in (("one", "abc"), ("other", "axc"), ("longer", "abcd"), ("copy", "abc")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    for name, status, message in (
        ("copy", 0, "same: 3 bytes\n"),
        ("other", 1, "same: one and other differ at byte 1\n"),
        ("longer", 1, "same: one and longer differ at byte 3\n"),
        ("folder", 1, "folder: Is a directory\n"),
        ("absent", 1, "absent: No such file or directory\n"),
    ):
        done = subprocess.run(
            ["./same", "one", name], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert (done.returncode, done.stdout) == (status, message)


def test_a_damaged_file_is_an_error() -> None:
    with pytest.raises(OutworkError, match="not arrived whole"):
        ssh.transfers([SESSION], output(whole=""), AT)


def test_a_table_has_the_shares_of_the_cycles() -> None:
    """Of ssh and sshd by what their functions do; whatever is in no program whose functions are known is the kernel's."""
    (found,) = ssh.transfers([SESSION], output(), AT)
    assert ssh.shares(found.functions) == pytest.approx(
        {"cipher and MAC": 100 / 190, "copying, wiping": 60 / 190, ssh.REST: 0, ssh.KERNEL_PART: 30 / 190}
    )
    assert ssh.of_server(found.functions) == pytest.approx(75 / 190)
    row = ssh.table([found]).splitlines()[-1]
    assert row.startswith("| `aes128-ctr` | provider | 0 | 327.6800 | 32768.00 |") and row.endswith(
        "| 53 % | 32 % | 0 % | 16 % |"
    )


@runs
@pytest.mark.slow
def test_ssh_on_queues_of_the_processes() -> None:
    """A file arrives whole, with jobs of the device at both ends, and in half of software's cycles."""
    software, provider = ssh.measure([ssh.Session("aes128-ctr", way) for way in ssh.WAYS], 65_536)
    assert software.jobs == 0 < provider.jobs
    assert provider.cycles < software.cycles / 2


@runs
@pytest.mark.slow
def test_scp_on_queues_of_the_processes() -> None:
    """A file comes back as it went, and each of its packets was a job at either end, in both directions."""
    size_bytes = 65_536
    for jobs in ssh.copy_there_and_back("aes256-gcm@openssh.com", size_bytes):
        assert jobs >= 2 * size_bytes // ssh.PACKET_BYTES
