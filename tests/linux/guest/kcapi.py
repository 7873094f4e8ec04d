# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""For the guest: libkcapi's commands kcapi-enc and kcapi-dgst, compared with OpenSSL: kcapi.py ROUNDS.

By the names that every program uses, so that the kernel chooses the driver. The last line has how many files were compared,
and how many are wrong, as JSON.
"""

import hashlib
import hmac
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM
from cryptography.hazmat.primitives.cmac import CMAC
from seed import seed

FOLDER: Final = Path("/run/kcapi")
LARGEST: Final = 60_000  # kcapi-enc gives an AEAD 16 pages at once
AAD_BYTES: Final = 20
# Bytes of the key, and the unit of the length: a shorter block would be padded.
CIPHERS: Final = {"ecb(aes)": (16, 16), "cbc(aes)": (32, 16), "ctr(aes)": (24, 1), "xts(aes)": (32, 16)}
AEADS: Final = {"gcm(aes)": 32, "ccm(aes)": 16}
HASHES: Final = ("sha1", "sha256", "sha384", "sha512", "sha3-256")
KEYED: Final = {"hmac(sha1)": 20, "hmac(sha256)": 32, "hmac(sha512)": 32, "cmac(aes)": 16}


def run(command: str, key: bytes, *words: str) -> int:
    """Runs a command whose key comes from a pipe. Returns its status."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(key)
    keyed = ("--keyfd", str(reader)) if key else ()
    status = subprocess.run(
        [command, *words, *keyed], pass_fds=[reader], check=False, stderr=subprocess.DEVNULL
    ).returncode
    os.close(reader)
    return status


def encrypt(name: str, key: bytes, data: bytes, *words: str) -> bytes:
    """Returns what kcapi-enc makes of a file: nothing, if it fails."""
    plain, made = FOLDER / "plain", FOLDER / "made"
    made.unlink(missing_ok=True)
    plain.write_bytes(data)
    status = run("kcapi-enc", key, "-c", name, "-i", str(plain), "-o", str(made), "--nounpad", *words)
    return made.read_bytes() if status == 0 else b""


def digest(name: str, key: bytes, data: bytes) -> bytes:
    plain, made = FOLDER / "plain", FOLDER / "digest"
    made.unlink(missing_ok=True)
    plain.write_bytes(data)
    status = run("kcapi-dgst", key, "-c", name, "-i", str(plain), "-o", str(made))
    return made.read_bytes() if status == 0 else b""


def in_openssl(name: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    mode = {"ecb": modes.ECB(), "cbc": modes.CBC(iv), "ctr": modes.CTR(iv), "xts": modes.XTS(iv)}[name[:3]]
    encryptor = Cipher(algorithms.AES(key), mode).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def ciphers(draw: random.Random, length: int, found: Counter[str]) -> None:
    for name, (key_bytes, unit) in CIPHERS.items():
        key, iv, data = draw.randbytes(key_bytes), draw.randbytes(16), draw.randbytes(length // unit * unit)
        words = () if name == "ecb(aes)" else ("--iv", iv.hex())
        cipher = in_openssl(name, key, iv, data)
        found["right" if encrypt(name, key, data, *words) == cipher else f"{name} wrong"] += 1
        found["right" if encrypt(name, key, cipher, "-d", *words) == data else f"{name} opened wrong"] += 1


def aeads(draw: random.Random, length: int, found: Counter[str]) -> None:
    """kcapi-enc puts the AAD before what it makes."""
    for name, key_bytes in AEADS.items():
        key, nonce, data, aad = (draw.randbytes(count) for count in (key_bytes, 12, length, AAD_BYTES))
        sealed = (AESGCM(key) if name == "gcm(aes)" else AESCCM(key)).encrypt(nonce, data, aad)
        cipher, tag = sealed[:-16], sealed[-16:]
        words = ("--iv" if name == "gcm(aes)" else "--ccm-nonce", nonce.hex(), "--aad", aad.hex())
        made = encrypt(name, key, data, *words, "--taglen", "16")
        found["right" if made == aad + sealed else f"{name} wrong"] += 1
        opened = encrypt(name, key, cipher, "-d", *words, "--tag", tag.hex())
        found["right" if opened == aad + data else f"{name} opened wrong"] += 1
        forged = bytes([tag[0] ^ 1]) + tag[1:]
        refused = encrypt(name, key, cipher, "-d", *words, "--tag", forged.hex()) == b""
        found["right" if refused else f"{name} forged"] += 1


def digests(draw: random.Random, length: int, found: Counter[str]) -> None:
    data = draw.randbytes(length)
    for name in HASHES:
        wanted = hashlib.new(name.replace("sha3-", "sha3_"), data).digest()
        found["right" if digest(name, b"", data) == wanted else f"{name} wrong"] += 1
    for name, key_bytes in KEYED.items():
        key = draw.randbytes(key_bytes)
        if name == "cmac(aes)":
            mac = CMAC(algorithms.AES(key))
            mac.update(data)
            wanted = mac.finalize()
        else:
            wanted = hmac.digest(key, data, name[5:-1])
        found["right" if digest(name, key, data) == wanted else f"{name} wrong"] += 1


def main() -> None:
    seed()
    FOLDER.mkdir()
    draw, found = random.Random(19), Counter[str]()
    for _ in range(int(sys.argv[1])):
        length = draw.randrange(1000, LARGEST)
        ciphers(draw, length, found)
        aeads(draw, length, found)
        digests(draw, length, found)
    print("result", json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
