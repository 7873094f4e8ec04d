# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What a message should give, for checks before timing: from the package `cryptography`, which has an OpenSSL of its own, for
ZUC and SNOW 3G from the plain C of software/radio, and else from the reference of the algorithm's family."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher as Context
from cryptography.hazmat.primitives.ciphers import algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.hmac import HMAC

from outwork.algorithms import CIPHERS
from outwork.algorithms.base import Algorithm
from outwork.algorithms.cipher import Cipher
from outwork.algorithms.combined import Combined
from outwork.algorithms.digest import Hash, Mac
from outwork.algorithms.radio import KEY_BYTES, Packet, RadioAlgorithm
from outwork.engines import software_hash
from outwork.radio import software as radio


def _context(cipher: Cipher, key: bytes, iv: bytes) -> Context[Any]:
    if cipher.block_bytes == 8:  # single DES is TDES with three equal keys
        return Context(TripleDES(key * (24 // len(key))), modes.CBC(iv) if iv else modes.ECB())
    makers: dict[str, Callable[[], modes.Mode]] = {
        "ecb": lambda: modes.ECB(),
        "cbc": lambda: modes.CBC(iv),
        "ctr": lambda: modes.CTR(iv),
        "xts": lambda: modes.XTS(iv),
    }
    return Context(algorithms.AES(key), makers[cipher.mode]())


def seal(algorithm: Algorithm, key: bytes, iv: bytes, data: bytes) -> tuple[bytes, bytes]:
    """Ciphertext (of a MAC or digest: nothing) and tag, MAC or digest (of a mode without one: nothing)."""
    if isinstance(algorithm, Combined):
        text = _seal(_alone(algorithm), key[: algorithm.single_key_bytes], iv, data)[0]
        return text, algorithm.tag(key, text)
    if isinstance(algorithm, Cipher):
        return (algorithm.reference.seal if algorithm.reference else partial(_seal, algorithm))(key, iv, data)
    if isinstance(algorithm, Hash | Mac):
        return b"", _digest(algorithm, key, data)
    if isinstance(algorithm, RadioAlgorithm):
        return _seal_packet(algorithm, key, iv, data)
    raise TypeError(f"{algorithm.name} is of an unknown family")


def open_unsealed(algorithm: Algorithm, key: bytes, iv: bytes, data: bytes) -> bytes:
    """Returns the plaintext of a ciphertext without checking its tag."""
    if isinstance(algorithm, Combined):
        return _open_unsealed(_alone(algorithm), key[: algorithm.single_key_bytes], iv, data)
    if isinstance(algorithm, Cipher):
        opened = algorithm.reference.open_unsealed if algorithm.reference else partial(_open_unsealed, algorithm)
        return opened(key, iv, data)
    if isinstance(algorithm, RadioAlgorithm) and not algorithm.is_mac:
        return _seal_packet(algorithm, key, iv, data)[0]
    raise TypeError(f"{algorithm.name} has no ciphertext")


def _alone(algorithm: Combined) -> Cipher:
    return CIPHERS[algorithm.cipher_name]


_HASHES: Final[dict[str, Callable[[], hashes.HashAlgorithm]]] = {
    "sha-1": hashes.SHA1,
    "sha-224": hashes.SHA224,
    "sha-256": hashes.SHA256,
    "sha-384": hashes.SHA384,
    "sha-512": hashes.SHA512,
    "sha-512-224": hashes.SHA512_224,
    "sha-512-256": hashes.SHA512_256,
    "sha3-224": hashes.SHA3_224,
    "sha3-256": hashes.SHA3_256,
    "sha3-384": hashes.SHA3_384,
    "sha3-512": hashes.SHA3_512,
    "shake128": lambda: hashes.SHAKE128(32),
    "shake256": lambda: hashes.SHAKE256(64),
}


def _digest(algorithm: Hash | Mac, key: bytes, data: bytes) -> bytes:
    if isinstance(algorithm, Hash) and algorithm.function.reference:
        return algorithm.function.reference(data)
    if isinstance(algorithm, Mac) and algorithm.is_kmac:
        return software_hash.kmac(algorithm, key, data, algorithm.tag_bytes_default)
    made = _HASHES[algorithm.function.name]()
    running = HMAC(key, made) if isinstance(algorithm, Mac) else hashes.Hash(made)
    running.update(data)
    return running.finalize()


def _seal_packet(algorithm: RadioAlgorithm, key: bytes, iv: bytes, data: bytes) -> tuple[bytes, bytes]:
    packet = Packet(int.from_bytes(iv, "big"), 0, 0, 8 * len(data))
    text = radio.encrypt(algorithm, key[:KEY_BYTES], packet, data) if algorithm.has_cipher else b""
    return text, radio.mac(algorithm, key[-KEY_BYTES:], packet, data) if algorithm.has_mac else b""


def _seal(cipher: Cipher, key: bytes, iv: bytes, data: bytes) -> tuple[bytes, bytes]:
    name = cipher.mode
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
    if cipher.mode == "gcm":  # its payload is in counter mode, which is its own inverse
        return _seal(cipher, key, iv, data)[0]
    if cipher.mode == "ccm":  # SP 800-38C, A.3: the payload begins with counter 1
        length_bytes = 15 - len(iv)
        counter = bytes((length_bytes - 1,)) + iv + (1).to_bytes(length_bytes, "big")
        return Context(algorithms.AES(key), modes.CTR(counter)).decryptor().update(data)
    decryptor = _context(cipher, key, iv).decryptor()
    return decryptor.update(data) + decryptor.finalize()
