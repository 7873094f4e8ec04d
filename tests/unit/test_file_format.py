# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A second reader of the file format, written from docs/file-format.md alone, with other libraries."""

import hashlib
import hmac
import struct

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from streamed import seal, through

from outwork.algorithms import CIPHERS, FILE_CIPHERS, find_cipher
from outwork.engines.software import SoftwareEngine
from outwork.files.formats.container import ContainerEncoder
from outwork.files.formats.header import Header
from outwork.files.kdf import Kdf, KdfKind

MODES = {0x10: "ecb", 0x11: "cbc", 0x12: "ctr", 0x13: "gcm", 0x15: "xts", 0x16: "ccm"}


def expand(root: bytes, label: bytes, length: int) -> bytes:
    return HKDFExpand(SHA256(), length, label).derive(root)


def read(data: bytes, secret: bytes) -> bytes:
    fixed, check, mac = data[:64], data[64:80], data[80:112]
    magic, version, mode, key_bytes, kind, r, p, zero, cost, chunk_bytes, zeros, salt = struct.unpack(
        "<8sHBBBBBBII8s32s", fixed
    )
    assert (magic, version, zero, zeros) == (b"\x93OUTWORK", 1, 0, bytes(8))
    if kind == 1:
        secret = Scrypt(salt, 32, 1 << cost, r, p).derive(secret)
    elif kind == 2:
        secret = hashlib.pbkdf2_hmac("sha256", secret, salt, cost, 32)
    root = hmac.digest(salt, secret, "sha256")
    assert check == expand(root, b"outwork file 1 check", 16)
    assert mac == hmac.digest(expand(root, b"outwork file 1 header", 32), data[:80], "sha256")
    name = MODES[mode]
    key = expand(root, b"outwork file 1 cipher" + fixed, key_bytes * (2 if name == "xts" else 1))
    mac_key = expand(root, b"outwork file 1 mac" + fixed, 32)
    iv_key = expand(root, b"outwork file 1 iv" + fixed, 32)
    nonce = expand(root, b"outwork file 1 nonce" + fixed, 16)

    tag_bytes = 16 if name in ("gcm", "ccm") else 32
    body, step = data[112:], chunk_bytes + tag_bytes
    pieces = [body[start : start + step] for start in range(0, len(body), step)]
    out = b""
    for index, piece in enumerate(pieces):
        last = bytes((index == len(pieces) - 1,))
        text, tag = piece[:-tag_bytes], piece[-tag_bytes:]
        if name in ("gcm", "ccm"):
            aead = AESGCM(key) if name == "gcm" else AESCCM(key)
            out += aead.decrypt(nonce[:7] + index.to_bytes(4, "big") + last, piece, None)
            continue
        assert tag == hmac.digest(mac_key, index.to_bytes(8, "little") + last + text, "sha256")
        if name == "ctr":
            start = (int.from_bytes(nonce, "big") + index * chunk_bytes // 16) % (1 << 128)
            how: modes.Mode = modes.CTR(start.to_bytes(16, "big"))
        elif name == "cbc":
            how = modes.CBC(hmac.digest(iv_key, index.to_bytes(8, "little"), "sha256")[:16])
        elif name == "xts":
            how = modes.XTS(index.to_bytes(16, "little"))
        else:
            how = modes.ECB()
        opener = Cipher(algorithms.AES(key), how).decryptor()
        out += opener.update(text) + opener.finalize()
    return out if name in ("gcm", "ccm", "ctr") else out[: -out[-1]]


@pytest.mark.parametrize("name", [name for name in FILE_CIPHERS if CIPHERS[name].has_software])
def test_second_reader(name: str) -> None:
    with SoftwareEngine() as engine:
        for length in (0, 1, 511, 512, 2000):
            data = bytes(number * 7 & 0xFF for number in range(length))
            key = bytes(range(100, 100 + find_cipher(name).key_bytes))
            assert read(seal(engine, name, data, key), key) == data


@pytest.mark.parametrize("kdf", [Kdf(KdfKind.SCRYPT, 10, 8, 2), Kdf.pbkdf2(1234)])
def test_passwords(kdf: Kdf) -> None:
    data = b"words" * 1000
    with SoftwareEngine() as engine:
        header = Header.fresh(find_cipher("aes-256-gcm"), kdf, 1024)
        sealed = through(engine, lambda _: ContainerEncoder(engine, header, b"secret"), data)
    assert read(sealed, b"secret") == data
