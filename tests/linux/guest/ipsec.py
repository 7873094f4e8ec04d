# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""For the guest: datagrams by IPsec between network namespaces, compared at their other end: ipsec.py DATAGRAMS BYTES FLIGHT [COMMAND…].

A pair of namespaces for each cipher, all at once; datagrams of at most so many bytes, at most FLIGHT of each direction under way. With a command, which disturbs the device, datagrams are sent until it ends,
too. Then the ends of another pair, which have different keys, send to each other. The last line has what was sent and lost.
"""

import json
import os
import random
import select
import socket
import subprocess
import sys
import time
from collections import Counter
from ctypes import CDLL, get_errno
from pathlib import Path
from typing import Final

CLONE_NEWNET: Final = 0x40000000
PORT: Final = 4500
# With 1,438 bytes ESP fills a packet of Ethernet; 20,000 bytes take 14 packets.
SIZES: Final = (1, 16, 63, 200, 512, 1000, 1400, 1438, 4000, 20_000)
PATIENCE_SECONDS: Final = 5.0
STRANGERS: Final = 20  # datagrams that cannot be decrypted
CIPHERS: Final = {
    "gcm": "aead rfc4106(gcm(aes)) 0x{key} 128",
    "cbc": "auth-trunc hmac(sha256) 0x{key} 128 enc cbc(aes) 0x{key:.32}",
}
KEY_BYTES: Final = {"gcm": 36, "cbc": 32}
# More than requests in flight: those that the CPU does overtake those of the device.
REPLAY_WINDOW: Final = 4096  # the most that Linux has


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def socket_in(name: str, address: str) -> socket.socket:
    """A socket stays in the namespace in which it was made."""
    with Path("/run/netns", name).open() as file:
        if CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET) != 0:
            raise OSError(get_errno(), f"setns {name}")
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    made.bind((address, PORT))
    return made


class Direction:
    """Datagrams from one end of a pair to the other."""

    def __init__(self, source: socket.socket, sink: socket.socket, sizes: list[int], seed: int) -> None:
        self.source, self.sink, self.sizes = source, sink, sizes
        self.draw = random.Random(seed)
        self.sent = self.wrong = 0
        self.missing: Counter[bytes] = Counter()

    def send(self) -> None:
        data = self.draw.randbytes(self.sizes[self.sent % len(self.sizes)])
        self.source.sendto(data, self.sink.getsockname())
        self.missing[data] += 1
        self.sent += 1

    def receive(self) -> None:
        data = self.sink.recv(1 << 16)
        if self.missing[data]:
            self.missing[data] -= 1
        else:
            self.wrong += 1


class Pair:
    """Two namespaces with a cable, and IPsec on it in transport mode, in both directions."""

    def __init__(self, cipher: str, sizes: list[int], are_strangers: bool = False) -> None:
        self.cipher, self.are_strangers = cipher, are_strangers
        name = "strangers" if are_strangers else cipher
        ends = {f"{name}-left": "10.0.0.1", f"{name}-right": "10.0.0.2"}
        left, right = self.names = tuple(ends)
        ip("netns", "add", left)
        ip("netns", "add", right)
        ip("-n", left, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", right)
        for name, address in ends.items():
            ip("-n", name, "address", "add", f"{address}/24", "dev", "cable")
            ip("-n", name, "link", "set", "cable", "up")
            for source, sink in (list(ends.values()), list(ends.values())[::-1]):
                self._associate(name, source, sink, "out" if source == address else "in")
        sockets = [socket_in(*end) for end in ends.items()]
        self.directions = [Direction(*sockets, sizes, 1), Direction(*sockets[::-1], sizes, 2)]

    def _associate(self, name: str, source: str, sink: str, direction: str) -> None:
        owner = name if self.are_strangers else self.cipher
        key = random.Random(f"{owner} {source}").randbytes(KEY_BYTES[self.cipher]).hex()
        route = ("src", source, "dst", sink)
        way = (*route, "proto", "esp")
        cipher = CIPHERS[self.cipher].format(key=key).split()
        number = ("spi", f"0x{100 + int(source[-1])}", "mode", "transport")
        ip("-n", name, "xfrm", "state", "add", *way, *number, "replay-window", str(REPLAY_WINDOW), *cipher)
        ip("-n", name, "xfrm", "policy", "add", *route, "dir", direction, "tmpl", *way, "mode", "transport")

    def errors(self) -> dict[str, int]:
        """What IPsec has refused in both namespaces."""
        found: Counter[str] = Counter()
        for name in self.names:
            command = ["ip", "netns", "exec", name, "cat", "/proc/net/xfrm_stat"]
            lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
            found.update({line.split()[0]: int(line.split()[1]) for line in lines if line})
        return {name: count for name, count in found.items() if count}


def exchange(directions: list[Direction], datagrams: int, in_flight: int, command: list[str]) -> int:
    """Sends so many in each direction, and more until the command has ended. Returns the command's status."""
    disturbance = subprocess.Popen(command) if command else None
    waiting = {each.sink: each for each in directions}
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        is_over = disturbance is None or disturbance.poll() is not None
        for each in directions:
            while (each.sent < datagrams or not is_over) and each.missing.total() < in_flight:
                each.send()
        if is_over and not any(each.missing.total() for each in directions):
            break
        # What is lost must not stop the others: its place is taken when nothing has come for a while.
        ready, _, _ = select.select(list(waiting), [], [], 0.5)
        for sink in ready:
            waiting[sink].receive()
            deadline = time.monotonic() + PATIENCE_SECONDS
    return disturbance.wait() if disturbance else 0


def main() -> None:
    datagrams, most, in_flight = (int(word) for word in sys.argv[1:4])
    pairs = [Pair(cipher, [size for size in SIZES if size <= most]) for cipher in CIPHERS]
    status = exchange([each for pair in pairs for each in pair.directions], datagrams, in_flight, sys.argv[4:])
    strangers = Pair("gcm", [1000], are_strangers=True)
    for each in strangers.directions:
        for _ in range(STRANGERS):
            each.send()
    heard, _, _ = select.select([each.sink for each in strangers.directions], [], [], 1.0)
    result = {
        pair.cipher: {
            "sent": sum(each.sent for each in pair.directions),
            "lost": sum(each.missing.total() for each in pair.directions),
            "wrong": sum(each.wrong for each in pair.directions),
            "refused": pair.errors(),
        }
        for pair in pairs
    }
    print(
        "result",
        json.dumps({"status": status, "heard": len(heard), "strangers": strangers.errors(), **result}),
        flush=True,
    )


if __name__ == "__main__":
    os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    main()
