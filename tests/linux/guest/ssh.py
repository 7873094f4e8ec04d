# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""For the guest: files by ssh and scp, compared when they have arrived: ssh.py LINK CLIENT SERVER BYTES CIPHER…

LINK is `loopback`, or `ipsec`: two network namespaces with IPsec between them, ssh on one side and sshd on the other.
CLIENT and SERVER are configurations of OpenSSL for them; `-` for the machine's own. The last line has for each cipher what arrived whole, the
seconds, and what the kernel module has counted, as JSON.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import ipsec
from seed import seed

FOLDER: Final = Path("/run/ssh")
STATISTICS: Final = Path("/sys/kernel/debug/outwork/statistics")
PORT: Final = 2222
PATIENCE_SECONDS: Final = 60.0
PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"
SERVER: Final = (
    f"HostKey={FOLDER}/host_key", f"AuthorizedKeysFile={FOLDER}/user_key.pub", "StrictModes=no", "UsePAM=no", "PidFile=none",
    "Subsystem=sftp internal-sftp", "Ciphers=+aes128-cbc,aes256-cbc", f"Port={PORT}",
)  # fmt: skip
CLIENT: Final = (
    "BatchMode=yes", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR",
    f"IdentityFile={FOLDER}/user_key",
)  # fmt: skip


def options(values: tuple[str, ...]) -> list[str]:
    return [word for value in values for word in ("-o", value)]


def counters(most: int = 0) -> dict[str, int]:
    """What the module counts, with all queues of processes that have ended: no more than `most` are in use."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        lines = STATISTICS.read_text().splitlines()
        found = {name: int(value) for name, value in (line.split() for line in lines)}
        if found["processes_taken"] <= most:
            return found
        time.sleep(0.1)
    raise TimeoutError(f"processes have kept their queues: {found}")


class Link:
    """Where the server is, and what is put before the command of each end."""

    def __init__(self, kind: str) -> None:
        self.address, self.server, self.client = "127.0.0.1", [], []
        if kind == "loopback":
            ipsec.ip("link", "set", "lo", "up")
            return
        # Without sockets of its own: only the namespaces, the cable, and IPsec.
        left, right = ipsec.Pair("gcm", [1]).names
        self.address = "10.0.0.1"
        self.server, self.client = (["ip", "netns", "exec", name] for name in (left, right))


@contextmanager
def sshd(link: Link, environment: dict[str, str]) -> Iterator[None]:
    Path("/run/sshd").mkdir(exist_ok=True)
    words = [*link.server, "/usr/sbin/sshd", "-D", "-e", "-f", "/dev/null", *options(SERVER)]
    server = subprocess.Popen(words, env=environment)
    try:
        wait_for(link)
        yield
    finally:
        server.terminate()
        server.wait()


def wait_for(link: Link) -> None:
    """Until the server listens."""
    words = [
        *link.client,
        sys.executable,
        "-c",
        f"import socket; socket.create_connection(('{link.address}', {PORT}), 5)",
    ]
    deadline = time.monotonic() + PATIENCE_SECONDS
    while subprocess.run(words, check=False, stderr=subprocess.DEVNULL).returncode != 0:
        if time.monotonic() > deadline:
            raise TimeoutError("sshd does not listen")
        time.sleep(0.1)


def environment_of(configuration: str) -> dict[str, str]:
    own = {} if configuration == "-" else {"OPENSSL_CONF": configuration}
    return {"PATH": PATH, "HOME": "/root", **own}


def transfer(link: Link, environment: dict[str, str], cipher: str, plain: Path) -> int:
    """Fetches a file by ssh, and sends and fetches it by scp. Returns how many have arrived whole."""
    there, back, again = (FOLDER / name for name in ("there", "back", "again"))
    for path in (there, back, again):
        path.unlink(missing_ok=True)
    words = ["-F", "/dev/null", *options(CLIENT), "-c", cipher]
    remote = f"root@{link.address}"

    def run(*command: str) -> bytes:
        return subprocess.run(
            [*link.client, *command], env=environment, check=True, stdout=subprocess.PIPE, timeout=600
        ).stdout

    back.write_bytes(run("ssh", *words, "-p", str(PORT), remote, f"cat {plain}"))
    run("scp", *words, "-P", str(PORT), str(plain), f"{remote}:{there}")
    run("scp", *words, "-P", str(PORT), f"{remote}:{there}", str(again))
    return sum(path.read_bytes() == plain.read_bytes() for path in (there, back, again))


def main() -> None:
    kind, client, server, length, *ciphers = sys.argv[1:]
    seed()
    FOLDER.mkdir(mode=0o700)
    plain = FOLDER / "plain"
    plain.write_bytes(random.Random(19).randbytes(int(length)))
    for name in ("host_key", "user_key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(FOLDER / name)], check=True)
    link, result = Link(kind), {}
    with sshd(link, environment_of(server)):
        own = counters(sys.maxsize)["processes_taken"]  # sshd's, which it has as long as it runs
        for cipher in ciphers:
            before, begin = counters(own), time.monotonic()
            whole = transfer(link, environment_of(client), cipher, plain)
            seconds, after = time.monotonic() - begin, counters(own)
            counted = {name: after[name] - before.get(name, 0) for name in after}
            result[cipher] = {"whole": whole, "seconds": round(seconds, 2), "counters": counted}
    print("result", json.dumps(result), flush=True)


if __name__ == "__main__":
    os.environ["PATH"] = PATH
    main()
