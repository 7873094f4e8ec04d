# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The header of an Outwork file, and the keys derived from it and a password or key file."""

import hmac
import os
import struct
from dataclasses import dataclass
from typing import Final

from outwork.algorithms import CIPHERS
from outwork.algorithms.cipher import Cipher
from outwork.errors import NotAuthenticError, OutworkError
from outwork.files.kdf import HASH_BYTES, Kdf, KdfKind, hkdf_expand, hkdf_extract

MAGIC: Final = b"\x93OUTWORK"
VERSION: Final = 1
# magic, version, mode, key bytes, KDF, scrypt r, scrypt p, reserved, cost, chunk bytes, reserved, salt
FIXED: Final = struct.Struct("<8sHBBBBBBII8s32s")
SALT_BYTES: Final = 32
CHECK_BYTES: Final = 16
SIZE_BYTES: Final = FIXED.size + CHECK_BYTES + HASH_BYTES

CHUNK_BYTES: Final = 256 * 1024
CHUNK_BYTES_MIN: Final = 512
CHUNK_BYTES_MAX: Final = 16 * 1024 * 1024
NONCE_BYTES: Final = 16


@dataclass(frozen=True)
class FileKeys:
    """All secrets of a file, derived from one secret and the file's salt."""

    cipher_key: bytes
    mac_key: bytes  # encrypt-then-MAC, for modes without a tag of their own
    iv_key: bytes  # CBC: IV of each chunk
    nonce: bytes  # AEAD: the first bytes of every nonce; CTR: the first counter block


@dataclass(frozen=True)
class Header:
    cipher: Cipher
    kdf: Kdf
    chunk_bytes: int
    salt: bytes

    @classmethod
    def fresh(cls, cipher: Cipher, kdf: Kdf, chunk_bytes: int = CHUNK_BYTES) -> "Header":
        return cls(cipher, kdf, chunk_bytes, os.urandom(SALT_BYTES))

    def fixed(self) -> bytes:
        return FIXED.pack(
            MAGIC,
            VERSION,
            self.cipher.opcode,
            self.cipher.single_key_bytes,
            self.kdf.kind,
            self.kdf.block_size,
            self.kdf.parallel,
            0,
            self.kdf.cost,
            self.chunk_bytes,
            bytes(8),
            self.salt,
        )

    def _root(self, secret: bytes) -> bytes:
        return hkdf_extract(self.salt, self.kdf.derive(secret, self.salt, HASH_BYTES))

    def seal(self, secret: bytes) -> tuple[bytes, FileKeys]:
        """Returns the header's bytes and the file's keys."""
        root = self._root(secret)
        body = self.fixed() + hkdf_expand(root, b"outwork file 1 check", CHECK_BYTES)
        return body + self._mac(root, body), self._keys(root)

    def open(self, secret: bytes, data: bytes) -> FileKeys:
        """Returns the file's keys if `data` is this header under the right password or key; else raises an error."""
        root = self._root(secret)
        body, mac = data[:-HASH_BYTES], data[-HASH_BYTES:]
        check = hkdf_expand(root, b"outwork file 1 check", CHECK_BYTES)
        if not hmac.compare_digest(check, body[FIXED.size :]):
            what = "key" if self.kdf.kind is KdfKind.NONE else "password"
            raise NotAuthenticError(f"The {what} is wrong (or the first {SIZE_BYTES} bytes of the file are damaged).")
        if not hmac.compare_digest(self._mac(root, body), mac):
            raise NotAuthenticError("The password or key is right, but the file's header has been changed.")
        return self._keys(root)

    @staticmethod
    def _mac(root: bytes, body: bytes) -> bytes:
        return hmac.digest(hkdf_expand(root, b"outwork file 1 header", HASH_BYTES), body, "sha256")

    def _keys(self, root: bytes) -> FileKeys:
        """Derives the keys from the header too: another cipher or chunk size gives other keys."""
        fixed = self.fixed()
        return FileKeys(
            hkdf_expand(root, b"outwork file 1 cipher" + fixed, self.cipher.key_bytes),
            hkdf_expand(root, b"outwork file 1 mac" + fixed, HASH_BYTES),
            hkdf_expand(root, b"outwork file 1 iv" + fixed, HASH_BYTES),
            hkdf_expand(root, b"outwork file 1 nonce" + fixed, NONCE_BYTES),
        )


def parse(data: bytes, is_costly_allowed: bool = False) -> Header:
    """Parses the header at the start of a file. Raises an error if it is not valid, or if its key would take too much
    work."""
    if data[: len(MAGIC)] != MAGIC:
        if data.startswith(b"Salted__"):
            raise NotAuthenticError(
                "This file was made by `openssl enc`: decrypt it with --format openssl and --cipher."
            )
        raise NotAuthenticError(
            "This is not an Outwork file: it does not begin as one. Give a file that `outwork encrypt` has written."
        )
    if len(data) < SIZE_BYTES:
        raise NotAuthenticError("The file is truncated inside its header.")
    _, version, mode, key_bytes, kind, block, parallel, reserved, cost, chunk_bytes, reserved8, salt = FIXED.unpack(
        data[: FIXED.size]
    )
    if version != VERSION:
        raise OutworkError(f"The file has format version {version}; this program reads version {VERSION}.")
    found = [
        cipher
        for cipher in CIPHERS.values()
        if (cipher.opcode, cipher.single_key_bytes) == (mode, key_bytes) and not cipher.is_mac
    ]
    try:
        kdf = Kdf(KdfKind(kind), cost, block, parallel)
    except ValueError:
        kdf = None
    is_chunk_good = CHUNK_BYTES_MIN <= chunk_bytes <= CHUNK_BYTES_MAX and chunk_bytes % 16 == 0
    if not found or kdf is None or not is_chunk_good or reserved or any(reserved8):
        raise NotAuthenticError("The file's header is damaged: it contains values that no version of Outwork writes.")
    kdf.check(is_costly_allowed)
    return Header(found[0], kdf, chunk_bytes, salt)
