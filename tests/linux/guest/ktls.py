# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""For the guest: TLS 1.3 in the kernel over loopback, records compared with OpenSSL's: ktls.py BYTES.

AES-GCM with keys of 128 and 256 bits: by the kernel at both ends, and by OpenSSL at one of them. The last line has what differs,
as JSON.
"""

import json
import random
import socket
import struct
import subprocess
import sys
import threading
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

TCP_ULP: Final = 31
SOL_TLS: Final = 282
TLS_TX, TLS_RX = 1, 2
VERSION: Final = 0x0304
CIPHERS: Final = {16: 51, 32: 52}  # bytes of the key, and the kernel's number
APPLICATION_DATA: Final = 23
TAG_BYTES: Final = 16
RECORD_BYTES: Final = 16384


class Secret:
    """Key and IV of a direction."""

    def __init__(self, draw: random.Random, key_bytes: int) -> None:
        self.key, self.iv = draw.randbytes(key_bytes), draw.randbytes(12)

    def give(self, sock: socket.socket, direction: int) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, TCP_ULP, b"tls")
        head = struct.pack("HH", VERSION, CIPHERS[len(self.key)])
        sock.setsockopt(SOL_TLS, direction, head + self.iv[4:] + self.key + self.iv[:4] + bytes(8))

    def nonce(self, number: int) -> bytes:
        return (int.from_bytes(self.iv, "big") ^ number).to_bytes(12, "big")

    def seal(self, data: bytes) -> bytes:
        made = b""
        for number, begin in enumerate(range(0, len(data), RECORD_BYTES)):
            inner = data[begin : begin + RECORD_BYTES] + bytes([APPLICATION_DATA])
            header = struct.pack(">BHH", APPLICATION_DATA, 0x0303, len(inner) + TAG_BYTES)
            made += header + AESGCM(self.key).encrypt(self.nonce(number), inner, header)
        return made

    def open(self, records: bytes) -> bytes:
        data, number = b"", 0
        while records:
            end = 5 + int.from_bytes(records[3:5], "big")
            inner = AESGCM(self.key).decrypt(self.nonce(number), records[5:end], records[:5])
            assert inner[-1] == APPLICATION_DATA
            data, records, number = data + inner[:-1], records[end:], number + 1
        return data


def connection() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        return client, server.accept()[0]


def pass_on(secret: Secret, data: bytes, kernel_seals: bool, kernel_opens: bool) -> bytes:
    """Returns what arrives."""
    source, sink = connection()
    with source, sink:
        if kernel_seals:
            secret.give(source, TLS_TX)
        if kernel_opens:
            secret.give(sink, TLS_RX)

        def send() -> None:
            source.sendall(data if kernel_seals else secret.seal(data))
            source.shutdown(socket.SHUT_WR)

        sender = threading.Thread(target=send)
        sender.start()
        arrived = b"".join(iter(lambda: sink.recv(65536), b""))
        sender.join()
    return arrived if kernel_opens else secret.open(arrived)


def main(size: int) -> dict[str, int]:
    subprocess.run(["/sbin/ip", "link", "set", "lo", "up"], check=True)
    draw = random.Random(13)
    found = {"passed": 0, "different": 0, "bytes": 0}
    for key_bytes in CIPHERS:
        for kernel_seals, kernel_opens in ((True, True), (True, False), (False, True)):
            data = draw.randbytes(size)
            same = pass_on(Secret(draw, key_bytes), data, kernel_seals, kernel_opens) == data
            found["passed" if same else "different"] += 1
            found["bytes"] += size * (kernel_seals + kernel_opens)
    return found


if __name__ == "__main__":
    print("result", json.dumps(main(int(sys.argv[1]))), flush=True)
