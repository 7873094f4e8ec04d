# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""For the guest: keys that never leave the device, by a keyring, AF_ALG and dm-crypt: protected.py DM_CRYPT PCI_DRIVER FUNCTION.

The last line has what was found, as JSON; errors are the names of their numbers.
"""

import ctypes
import errno
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from keys import ADD_KEY, KEYCTL, PROCESS_KEYRING, UNLINK, call
from seed import seed

UPDATE, REVOKE, READ, SET_TIMEOUT = 2, 3, 11, 15
TOKEN_BYTES: Final = 32
STATISTICS: Final = Path("/sys/kernel/debug/outwork/statistics")
DISK_BYTES: Final = 1 << 18
SECTOR_BYTES: Final = 512
MODES: Final[dict[str, Any]] = {"ecb": modes.ECB, "cbc": modes.CBC, "ctr": modes.CTR, "xts": modes.XTS}
SIZES: Final = (16, 48, 512, 4096, 32768)
NOT_KEYS: Final = (
    b"",
    b"new",
    b"new 31",
    b"new 64",
    b"new 48 xts",
    b"load ",
    b"load " + bytes(15),
    b"load xts " + bytes(64),
    bytes(32),
)


def counter(name: str) -> int:
    return int(dict(line.split() for line in STATISTICS.read_text().splitlines())[name])


def add(name: str, payload: bytes) -> int:
    return call(ADD_KEY, b"outwork", name.encode(), payload, len(payload), PROCESS_KEYRING)


def read(key: int) -> bytes:
    """The token of a key."""
    room = ctypes.create_string_buffer(2 * TOKEN_BYTES)
    length = call(KEYCTL, READ, key, room, len(room))
    return room.raw[:length]


def error(attempt: Callable[[], Any]) -> str:
    """Returns the name of the error that something ends with."""
    try:
        attempt()
    except OSError as failed:
        return errno.errorcode[failed.errno or 0]
    return "none"


def wait_for(condition: Callable[[], bool]) -> bool:
    """The kernel destroys keys in its own time."""
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return False


def bound(name: str, token: bytes) -> socket.socket:
    sock = socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)
    sock.bind(("skcipher", name))
    sock.setsockopt(socket.SOL_ALG, socket.ALG_SET_KEY, token)
    return sock


def crypt(sock: socket.socket, data: bytes, iv: bytes, decrypt: bool = False) -> bytes:
    operation, _ = sock.accept()
    with operation:
        word: dict[str, Any] = {"iv": iv} if iv else {}
        operation.sendmsg_afalg([data], op=socket.ALG_OP_DECRYPT if decrypt else socket.ALG_OP_ENCRYPT, **word)
        result = b""
        while len(result) < len(data):
            result += operation.recv(len(data) - len(result))
        return result


def sealed(mode: Any, key: bytes, data: bytes) -> bytes:
    context: Any = Cipher(algorithms.AES(key), mode).encryptor()
    return bytes(context.update(data) + context.finalize())


def compare(draw: random.Random) -> dict[str, int]:
    """All modes and lengths of keys with OpenSSL."""
    found = {"compared": 0, "different": 0}
    for name in MODES:
        for key_bytes in (32, 64) if name == "xts" else (16, 24, 32):
            key, iv = draw.randbytes(key_bytes), b"" if name == "ecb" else draw.randbytes(16)
            number = add(name, (b"load xts " if name == "xts" else b"load ") + key)
            mode = MODES[name](*([iv] if iv else []))
            with bound(f"{name}(paes)", read(number)) as sock:
                for size in SIZES:
                    data = draw.randbytes(size)
                    result = crypt(sock, data, iv)
                    found["compared"] += 1
                    found["different"] += result != sealed(mode, key, data) or crypt(sock, result, iv, True) != data
            call(KEYCTL, UNLINK, number, PROCESS_KEYRING)
    found["left"] = 0 if wait_for(lambda: counter("protected_keys") == 0) else counter("protected_keys")
    return found


def limits() -> dict[str, Any]:
    """How many keys there may be, and that one is gone when it has expired, is unlinked or replaced."""
    found: dict[str, Any] = {"not_keys": sorted({error(partial(add, "none", text)) for text in NOT_KEYS})}
    numbers: list[int] = []
    found["full"] = error(lambda: numbers.extend(add(f"key {place}", b"new 32") for place in range(100)))
    found["keys"] = counter("protected_keys")
    found["update"] = error(lambda: call(KEYCTL, UPDATE, numbers[0], b"new 32", 6))
    call(KEYCTL, SET_TIMEOUT, numbers[0], 1)
    found["expired"] = wait_for(lambda: counter("protected_keys") == found["keys"] - 1)
    found["expired_read"] = error(lambda: read(numbers[0])) in ("EKEYEXPIRED", "ENOKEY")
    before = read(numbers[1])
    numbers[0] = add("key 1", b"new 32")
    found["replaced"] = wait_for(lambda: error(lambda: bound("cbc(paes)", before)) == "ENOKEY")
    for number in (numbers[0], *numbers[2:]):
        call(KEYCTL, UNLINK, number, PROCESS_KEYRING)
    found["unlinked"] = wait_for(lambda: counter("protected_keys") == 0)
    return found


def drop_caches() -> None:
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")


def disk(draw: random.Random, program: str) -> dict[str, Any]:
    """dm-crypt: what is on the disk, what comes back, and that nothing does without the key."""
    key, plain = draw.randbytes(64), draw.randbytes(DISK_BYTES)
    number = add("disk", b"load xts " + key)
    token = read(number)
    found: dict[str, Any] = {"token": len(token), "token_has_key": any(key[i : i + 4] in token for i in range(61))}
    sectors = DISK_BYTES // SECTOR_BYTES
    subprocess.run([program, "disk", "/dev/ram0", str(sectors), "capi:xts(paes)-plain64", token.hex()], check=True)
    begin = counter("protected_jobs"), counter("queue0_device_jobs")
    with Path("/dev/dm-0").open("r+b", buffering=0) as file:
        for place in range(0, DISK_BYTES, 65536):
            file.write(plain[place : place + 65536])
        os.fsync(file.fileno())
    drop_caches()
    raw = Path("/dev/ram0").read_bytes()[:DISK_BYTES]
    expected = b"".join(
        sealed(modes.XTS(place.to_bytes(16, "little")), key, plain[place * SECTOR_BYTES : (place + 1) * SECTOR_BYTES])
        for place in range(sectors)
    )
    found["as_openssl"] = raw == expected
    found["back"] = Path("/dev/dm-0").read_bytes() == plain
    found["jobs"] = counter("protected_jobs") - begin[0] >= 2 * sectors <= counter("queue0_device_jobs") - begin[1]
    call(KEYCTL, REVOKE, number)
    drop_caches()
    jobs = counter("queue0_device_jobs")
    found["revoked_read"] = error(lambda: Path("/dev/dm-0").read_bytes())
    found["revoked_token"] = error(lambda: read(number))
    found["revoked_jobs"] = counter("queue0_device_jobs") - jobs
    found["revoked_keys"] = counter("protected_keys")
    found["revoked_use"] = error(lambda: bound("xts(paes)", token))
    return found


def rebind(driver: Path, function: str) -> dict[str, Any]:
    """Another key, while the device goes and comes."""
    number = add("gone", b"new 32")
    token = read(number)
    sock = bound("cbc(paes)", token)
    found: dict[str, Any] = {"before": error(lambda: crypt(sock, bytes(64), bytes(16)))}
    (driver / "unbind").write_text(function)
    found["absent"] = error(lambda: crypt(sock, bytes(64), bytes(16)))
    found["absent_add"] = error(lambda: add("other", b"new 32"))
    found["absent_read"] = error(lambda: read(number))
    (driver / "bind").write_text(function)
    found["again"] = error(lambda: crypt(sock, bytes(64), bytes(16)))
    found["again_use"] = error(lambda: bound("cbc(paes)", token))
    found["again_read"] = error(lambda: read(number))
    drop_caches()
    found["again_disk"] = error(lambda: Path("/dev/dm-0").read_bytes())
    other = add("new", b"new 32")
    found["new"] = error(lambda: crypt(bound("cbc(paes)", read(other)), bytes(64), bytes(16)))
    return found


def main() -> None:
    program, driver, function = sys.argv[1:]
    seed()
    draw = random.Random(23)
    found = {"compare": compare(draw), "limits": limits(), "disk": disk(draw, program)}
    found["rebind"] = rebind(Path(driver), function)
    print("result", json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
