# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What a message should give, from the package `cryptography`, which has an OpenSSL of its own: for checks before timing."""

from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher as Context
from cryptography.hazmat.primitives.ciphers import algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.cmac import CMAC

from outwork.algorithms import Algorithm
from outwork.ciphers import Cipher


def _context(cipher: Cipher, key: bytes, iv: bytes) -> Context[Any]:
    makers: dict[str, Callable[[], modes.Mode]] = {
        "ecb": lambda: modes.ECB(),
        "cbc": lambda: modes.CBC(iv),
        "ctr": lambda: modes.CTR(iv),
        "xts": lambda: modes.XTS(iv),
    }
    return Context(algorithms.AES(key), makers[cipher.mode.name]())


def seal(algorithm: Algorithm, key: bytes, iv: bytes, data: bytes) -> tuple[bytes, bytes]:
    """Ciphertext (of a MAC or digest: nothing) and tag, MAC or digest (of a mode without one: nothing)."""
    if isinstance(algorithm, Cipher):
        return _seal(algorithm, key, iv, data)
    raise TypeError(f"{algorithm.name} is of an unknown family")


def open_unsealed(algorithm: Algorithm, key: bytes, iv: bytes, data: bytes) -> bytes:
    """The plaintext of any ciphertext, whatever its tag."""
    if isinstance(algorithm, Cipher):
        return _open_unsealed(algorithm, key, iv, data)
    raise TypeError(f"{algorithm.name} has no ciphertext")


def _seal(cipher: Cipher, key: bytes, iv: bytes, data: bytes) -> tuple[bytes, bytes]:
    name = cipher.mode.name
    tag_bytes = cipher.tag_bytes_default
    if name == "cmac":
        mac = CMAC(algorithms.AES(key))
        mac.update(data)
        return b"", mac.finalize()[:tag_bytes]
    if name == "ccm":
        sealed = AESCCM(key, tag_bytes).encrypt(iv, data, None)
        return sealed[: len(data)], sealed[len(data) :]
    if name in ("gcm", "gmac"):
        sealer = Context(algorithms.AES(key), modes.GCM(iv)).encryptor()
        if name == "gmac":
            sealer.authenticate_additional_data(data)
        text = b"" if name == "gmac" else sealer.update(data)
        text += sealer.finalize()
        return text, sealer.tag[:tag_bytes]
    encryptor = _context(cipher, key, iv).encryptor()
    return encryptor.update(data) + encryptor.finalize(), b""


def _open_unsealed(cipher: Cipher, key: bytes, iv: bytes, data: bytes) -> bytes:
    if cipher.mode.name == "gcm":  # its payload is a counter mode, its own inverse
        return _seal(cipher, key, iv, data)[0]
    if cipher.mode.name == "ccm":  # SP 800-38C, A.3: the payload begins with counter 1
        length_bytes = 15 - len(iv)
        counter = bytes((length_bytes - 1,)) + iv + (1).to_bytes(length_bytes, "big")
        return Context(algorithms.AES(key), modes.CTR(counter)).decryptor().update(data)
    decryptor = _context(cipher, key, iv).decryptor()
    return decryptor.update(data) + decryptor.finalize()
