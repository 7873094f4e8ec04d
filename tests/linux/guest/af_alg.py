# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""For the guest: AF_ALG by the names of drivers, compared with the kernel's own code: af_alg.py ROUNDS.

Random requests, and a vector of the standard for each kind. The last line has how many were compared and differ, as JSON.
"""

import json
import random
import socket
import sys
from typing import Final

# Type, what the device's driver and the kernel's own code are called, bytes of key, IV and tag, unit of the length.
ALGORITHMS: Final = (
    ("skcipher", "cbc-aes-outwork", "cbc(aes-generic)", 32, 16, 0, 16),
    ("skcipher", "ctr-aes-outwork", "ctr(aes-generic)", 16, 16, 0, 1),
    ("skcipher", "xts-aes-outwork", "xts(ecb(aes-generic))", 64, 16, 0, 16),
    ("aead", "gcm-aes-outwork", "gcm_base(ctr(aes-generic),ghash-generic)", 32, 12, 16, 1),
    ("hash", "sha256-outwork", "sha256-generic", 0, 0, 0, 1),
    ("hash", "hmac-sha512-outwork", "hmac(sha512-generic)", 64, 0, 0, 1),
)
LARGEST: Final = 4096
AAD_BYTES: Final = 20
# FIPS 180-4's example "abc"; SP 800-38A, F.2.5; test case 14 of the GCM specification, without AAD.
ABC: Final = bytes.fromhex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
CBC: Final = (
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
    "000102030405060708090a0b0c0d0e0f",
    "6bc1bee22e409f96e93d7e117393172a",
    "f58c4c04d6e5f1ba779eabfb5f7bfbd6",
)
GCM: Final = ("cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919")


def made(kind: str, name: str, key: bytes, tag: int = 0) -> socket.socket:
    sock = socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)
    sock.bind((kind, name))
    if key:
        sock.setsockopt(socket.SOL_ALG, socket.ALG_SET_KEY, key)
    if tag:
        sock.setsockopt(socket.SOL_ALG, socket.ALG_SET_AEAD_AUTHSIZE, None, tag)
    return sock


def digest(sock: socket.socket, data: bytes) -> bytes:
    operation, _ = sock.accept()
    with operation:
        operation.sendall(data)
        return operation.recv(64)


def crypt(sock: socket.socket, data: bytes, iv: bytes, aad: bytes, tag: int, decrypt: bool = False) -> bytes:
    """Returns the result without the AAD. Raises OSError if a tag is wrong."""
    operation, _ = sock.accept()
    with operation:
        word = {"op": socket.ALG_OP_DECRYPT if decrypt else socket.ALG_OP_ENCRYPT, "iv": iv}
        operation.sendmsg_afalg([aad + data], **word, **({"assoclen": len(aad)} if aad else {}))
        # One byte more would wait for the next request.
        return operation.recv(len(aad) + len(data) + (-tag if decrypt else tag))[len(aad) :]


def vectors() -> int:
    """Returns how many vectors of the standards come out wrong."""
    wrong = digest(made("hash", "sha256-outwork", b""), b"abc") != ABC
    key, iv, text, cipher = (bytes.fromhex(value) for value in CBC)
    wrong += crypt(made("skcipher", "cbc-aes-outwork", key), text, iv, b"", 0) != cipher
    sealed = crypt(made("aead", "gcm-aes-outwork", bytes(32), 16), bytes(16), bytes(12), b"", 16)
    return wrong + (sealed != bytes.fromhex("".join(GCM)))


def compare(draw: random.Random, rounds: int) -> dict[str, int]:
    found = {"compared": 0, "different": 0, "forged": 0}
    for kind, device, software, key_bytes, iv_bytes, tag, unit in ALGORITHMS:
        key = draw.randbytes(key_bytes)
        one, other = made(kind, device, key, tag), made(kind, software, key, tag)
        for _ in range(rounds):
            data = draw.randbytes(draw.randrange(1, LARGEST // unit) * unit)
            found["compared"] += 1
            if kind == "hash":
                found["different"] += digest(one, data) != digest(other, data)
                continue
            iv, aad = draw.randbytes(iv_bytes), draw.randbytes(AAD_BYTES if tag else 0)
            cipher = crypt(one, data, iv, aad, tag)
            same = cipher == crypt(other, data, iv, aad, tag) and crypt(one, cipher, iv, aad, tag, True) == data
            found["different"] += not same
            if tag:
                changed = bytes([cipher[0] ^ 1]) + cipher[1:]
                try:
                    crypt(one, changed, iv, aad, tag, True)
                    found["forged"] += 1
                except OSError:
                    pass
    return found


if __name__ == "__main__":
    print("result", json.dumps({"vectors_wrong": vectors(), **compare(random.Random(7), int(sys.argv[1]))}), flush=True)
