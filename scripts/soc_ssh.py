# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures ssh and sshd under Linux on the system on chip, with OpenSSL's own code and with the provider on queues of the processes.

A file goes from sshd to ssh, both in the same guest, whose one CPU does the work of both. Checks that it arrives whole and the
device's count of jobs, and prints the tables of docs/linux-kernel.md; --write writes them there.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import marked_part
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from outwork.errors import OutworkError
from outwork.lab.samples import sample_text
from outwork.paths import PROJECT
from outwork.soc import module
from outwork.soc import program as programs
from outwork.soc.system import System

KERNEL: Final = PROJECT / "build/linux-ssh"
FOLDER: Final = PROJECT / "build/soc/openssh"
PAGE: Final = PROJECT / "docs/linux-kernel.md"
PART = "ssh"
FILE_BYTES: Final = 131_072
PACKET_BYTES: Final = 1 << 15  # of a file in a packet of OpenSSH, at most
BYTES_A_CYCLE: Final = 16  # of the device, at most
QUEUES: Final = (
    3  # for processes: ssh's, that of sshd's privileged half, and of the other one, which ends after the handshake
)
STEP_CYCLES: Final = 20_000
MAX_CYCLES: Final = 8_000_000_000
CIPHERS: Final = ("aes128-ctr", "aes256-gcm@openssh.com")
# Of a cipher that does not authenticate; the one that OpenSSH prefers.
MAC: Final = "umac-64-etm@openssh.com"
# Variables of both ends.
WAYS: Final[Mapping[str, tuple[str, ...]]] = {"software": (), "provider": ("OPENSSL_CONF=/openssl.cnf",)}
CLOCK_MHZ: Final = 100
# Functions of ssh and sshd by what they do, those that take cycles here: columns of the table.
PARTS: Final[Mapping[str, re.Pattern[str]]] = {
    "cipher and MAC": re.compile(
        r"AES_|aes_|rv32i_|CRYPTO_(gcm|ctr)128|gcm_|ossl_(aes|gcm)|chacha|ChaCha|poly1305|umac|poly|nh_|get_u32_le"
    ),
    "copying, wiping": re.compile(r"mem(cpy|move|set)$|explicit_bzero|OPENSSL_cleanse"),
}
REST: Final = "rest of ssh and sshd"
KERNEL_PART: Final = "kernel"
CONFIGURATION: Final = b"""openssl_conf = all
[all]
providers = providers
alg_section = properties
[providers]
default = default_section
outwork = outwork_section
[default_section]
activate = 1
[outwork_section]
activate = 1
platform = linux
policy = always
[properties]
default_properties = ?outwork.offload=yes
"""
SSH: Final = b"""BatchMode yes
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
KexAlgorithms curve25519-sha256
HostKeyAlgorithms ssh-ed25519
ProxyCommand /sshd -i -e -f /sshd_config
"""
# Root has no password: what is measured is the file, not the way to it.
SSHD: Final = b"""HostKey /host_key
Subsystem sftp internal-sftp
LogLevel ERROR
PermitRootLogin yes
PermitEmptyPasswords yes
StrictModes no
PidFile none
LoginGraceTime 0
"""
USERS: Final = b"root::0:0::/:/sh\nsshd:x:1:1::/empty:/sh\n"


@dataclass(frozen=True)
class Session:
    """A file by ssh: a cipher and whose AES."""

    cipher: str
    way: str

    @property
    def step(self) -> str:
        variables = ("SHELL=/sh", "HOME=/", *WAYS[self.way])
        ssh = ("/ssh", "-n", "-F", "/ssh_config", "-c", self.cipher, "-m", MAC, "root@guest", "send", "/plain")
        return " ".join(("run", *variables, "/transfer", "/plain", *ssh))


SESSIONS: Final = tuple(Session(cipher, way) for cipher in CIPHERS for way in WAYS)


@dataclass(frozen=True)
class Transfer:
    """What a session's file took, from the start of the command at the server to its last byte at the client."""

    session: Session
    size_bytes: int
    cycles: int
    functions: Counter[str]  # cycles by function
    device_cycles: int  # in which the device was not at rest
    jobs: int  # of the device, in queues of processes, in the whole session
    session_cycles: int

    @property
    def cycles_per_byte(self) -> float:
        return self.cycles / self.size_bytes


def host_key() -> bytes:
    """Returns always the same key: no secret."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )


def files(size_bytes: int) -> dict[str, bytes]:
    built = {name: FOLDER / name for name in ("ssh", "sshd", "scp", "prepare", "transfer", "same", "shell")}
    for path in (KERNEL / "Image", *built.values()):
        if not path.is_file():
            raise OutworkError(f"{path} is missing: `make soc-ssh` builds it.")
    found = {name: programs.without_symbols(path.read_bytes()) for name, path in built.items()}
    found["sh"] = found.pop("shell")
    return {
        **found, "plain": sample_text(size_bytes), "host_key": host_key(), "ssh_config": SSH, "sshd_config": SSHD,
        "etc/passwd": USERS, "openssl.cnf": CONFIGURATION,
    }  # fmt: skip


@dataclass(frozen=True)
class Place:
    """Where a transfer begins or ends."""

    line: str  # that the guest has printed
    functions: Counter[str]  # cycles until then
    device_cycles: int


class Watch:
    """Runs a guest, and looks at the profile where a transfer begins and ends."""

    def __init__(self, system: System) -> None:
        self.system, self.console = system, ""
        self.at: list[Place] = []
        own = [programs.load(FOLDER / name) for name in ("ssh", "sshd")]
        system.profile(*own, programs.load(KERNEL / "vmlinux"), system.program)

    def run(self) -> module.Output:
        """Raises OutworkError if the guest does not come to its end."""
        seen = 0
        while not self.system.finished:
            self.console += self.system.run(STEP_CYCLES).decode(errors="replace").replace("\r", "")
            *lines, rest = self.console[seen:].split("\n")
            seen = len(self.console) - len(rest)
            for line in lines:
                print(line, file=sys.stderr, flush=True)
                if line.startswith(("transfer: begin", "transfer: end")):
                    functions = Counter(dict(self.system.cycles_by_function()))
                    self.at.append(Place(line, functions, self.system.statistics.device_cycles))
            if self.system.statistics.cycles > MAX_CYCLES:
                raise OutworkError(f"The guest has not ended after {MAX_CYCLES:,} cycles:\n{self.console[-2000:]}")
        if self.system.protocol_error:
            raise OutworkError(f"The accelerator has broken a rule of AXI: {self.system.protocol_error}.")
        return module.Output(self.console, self.system.status)


SHOW: Final = f"show {module.STATISTICS}"


def carry_out(steps: Sequence[str], size_bytes: int) -> tuple[module.Output, list[Place]]:
    """Has a guest with the kernel module carry out steps, and returns what it printed. Raises OutworkError if one fails."""
    first = (f"load /outwork.ko process_queues={QUEUES}", "device outwork", "run /prepare", SHOW)
    # The other file system for a start from memory, tmpfs, takes half of what is free, which is too little.
    parameters = f"{module.NO_TESTS} rootfstype=ramfs"
    with module.start((*first, *steps), parameters, more=files(size_bytes), build=KERNEL) as system:
        watch = Watch(system)
        output = watch.run()
    if output.status != 0 or output.faults:
        raise OutworkError(f"The guest has ended with {output.status}, and complained: {output.faults}")
    return output, watch.at


def measure(sessions: Sequence[Session], size_bytes: int) -> list[Transfer]:
    """Carries out sessions one after the other in one guest. Raises OutworkError if one fails, or the work was done elsewhere."""
    steps = [step for session in sessions for step in (session.step, SHOW)]
    return transfers(sessions, *carry_out(steps, size_bytes))


def copy_there_and_back(cipher: str, size_bytes: int) -> list[int]:
    """Copies a file to the server by scp, and back, with the provider at both ends. Returns the device's jobs for each copy.

    Raises OutworkError if a copy differs, or a queue was kept.
    """
    scp = " ".join(
        (
            "run",
            "SHELL=/sh",
            "HOME=/",
            *WAYS["provider"],
            "/scp",
            "-S",
            "/ssh",
            "-F",
            "/ssh_config",
            "-c",
            cipher,
            "-o",
            f"MACs={MAC}",
        )
    )
    compare = "run /same /plain"
    output, _ = carry_out(
        (
            f"{scp} /plain root@guest:/there",
            f"{compare} /there",
            SHOW,
            f"{scp} root@guest:/there /back",
            f"{compare} /back",
            SHOW,
        ),
        size_bytes,
    )
    for copy in ("/there", "/back"):
        if f"same: {size_bytes} bytes" not in output.of(f"{compare} {copy}")[0]:
            raise OutworkError(f"{copy} has not arrived whole.")
    counted = [output.statistics(number) for number in range(3)]
    if any(after["processes_opened"] != after["processes_closed"] for after in counted):
        raise OutworkError("A process has kept its queue.")
    return [after["processes_jobs"] - before["processes_jobs"] for before, after in pairwise(counted)]


def transfers(sessions: Sequence[Session], output: module.Output, at: Sequence[Place]) -> list[Transfer]:
    """Returns what each session took. Raises OutworkError if a file has not arrived whole, or the work was done elsewhere."""
    found = []
    for number, (session, begin, end) in enumerate(zip(sessions, at[::2], at[1::2], strict=True)):
        text = output.of(session.step)[sessions[:number].count(session)]
        took = re.search(r"done in (\d+) cycles", text)
        if "transfer: whole" not in text or took is None:
            raise OutworkError(f"The file has not arrived whole: {session}\n{text}")
        (_, first), (size_bytes, last) = numbers(begin.line), numbers(end.line)
        before, after = output.statistics(number), output.statistics(number + 1)
        if after["processes_opened"] != after["processes_closed"]:
            raise OutworkError(f"A process has kept its queue: {session}")
        found.append(
            Transfer(
                session,
                size_bytes,
                cycles=(last - first) % 2**32,
                functions=end.functions - begin.functions,
                device_cycles=end.device_cycles - begin.device_cycles,
                jobs=after["processes_jobs"] - before["processes_jobs"],
                session_cycles=int(took[1]),
            )
        )
        check_jobs(found[-1])
    return found


def numbers(line: str) -> tuple[int, int]:
    """Returns the bytes and the cycle of a line of transfer.h."""
    found = re.fullmatch(r"transfer: \w+, (\d+) bytes, cycle (\d+)", line)
    if found is None:
        raise OutworkError(f"The guest says: {line}")
    return int(found[1]), int(found[2])


def check_jobs(done: Transfer) -> None:
    """Raises OutworkError if the work was done elsewhere: with the provider each packet is a job at either end.

    There are other jobs too, of the handshake. So the device has to be at work for as long as the file takes it at least.
    """
    uses = done.session.way == "provider"
    jobs, cycles = (2 * done.size_bytes // PACKET_BYTES, 2 * done.size_bytes // BYTES_A_CYCLE) if uses else (0, 0)
    if done.jobs < jobs or (not uses and done.jobs):
        raise OutworkError(
            f"The device has counted {done.jobs} jobs, not {jobs}{' or more' if uses else ''}: {done.session}"
        )
    if done.device_cycles < cycles:
        raise OutworkError(
            f"The device was at work for {done.device_cycles} cycles, not {cycles} or more: {done.session}"
        )


def part(function: str) -> str:
    """Returns what a function is for, of the columns of the table."""
    name, _, program = function.partition(" (")
    if program not in ("ssh)", "sshd)"):
        return KERNEL_PART  # and what little the two programs at the ends of the file take
    return next((column for column, pattern in PARTS.items() if pattern.match(name)), REST)


def shares(functions: Counter[str]) -> dict[str, float]:
    """Returns each column's share of the cycles."""
    found = dict.fromkeys((*PARTS, REST, KERNEL_PART), 0.0)
    for function, cycles in functions.items():
        found[part(function)] += cycles / functions.total()
    return found


def of_server(functions: Counter[str]) -> float:
    """Returns the share of sshd, with half of the kernel's cycles."""
    own = sum(cycles for function, cycles in functions.items() if function.endswith(" (sshd)"))
    kernel = sum(cycles for function, cycles in functions.items() if part(function) == KERNEL_PART)
    return (own + kernel / 2) / functions.total()


def table(found: Sequence[Transfer]) -> str:
    lines = [
        f"| cipher | AES | cycles a byte | bytes a cycle | MB/s | sshd alone, MB/s | jobs of the session | {' | '.join((*PARTS, REST, KERNEL_PART))} |",
        f"|---|---|{'--:|' * (7 + len(PARTS))}",
    ]
    for each in found:
        rate = 1 / each.cycles_per_byte
        cells = [
            f"`{each.session.cipher}`", each.session.way, f"{each.cycles_per_byte:,.0f}", f"{rate:.4f}", f"{rate * CLOCK_MHZ:.2f}",
            f"{rate * CLOCK_MHZ / of_server(each.functions):.2f}", f"{each.jobs:,}",
            *(f"{100 * share:.0f} %" for share in shares(each.functions).values()),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def tables() -> str:
    return table(measure(SESSIONS, FILE_BYTES))


if __name__ == "__main__":
    sys.exit(marked_part.main(__doc__, "soc-ssh", PAGE, PART, tables))
