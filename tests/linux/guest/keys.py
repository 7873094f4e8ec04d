# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""For the guest: public keys in the kernel's keyrings, compared with OpenSSL: keys.py ROUNDS [COMMAND…].

Signs, verifies, encrypts and decrypts with RSA keys of the kernel, verifies ECDSA and certificates. Goes on until the command
has ended, which disturbs the device. The last line has how much was right and wrong, as JSON.
"""

import ctypes
import datetime
import hashlib
import itertools
import json
import random
import struct
import subprocess
import sys
from collections import Counter
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from seed import seed

ADD_KEY, KEYCTL = 248, 250  # system calls of x86-64
PROCESS_KEYRING = -2
UNLINK, ENCRYPT, DECRYPT, SIGN, VERIFY = 9, 25, 26, 27, 28
RSA_BITS: Final = (1024, 2048)
CURVES: Final = (ec.SECP256R1(), ec.SECP384R1())
PKCS1: Final = "enc=pkcs1 hash=sha256"
X962: Final = "enc=x962 hash=sha256"
NUMBERS: Final = itertools.count()
SYSTEM: Final = ctypes.CDLL(None, use_errno=True).syscall


def call(*words: int | bytes | ctypes.Array[ctypes.c_char]) -> int:
    result: int = SYSTEM(*words)
    if result < 0:
        raise OSError(ctypes.get_errno(), "system call")
    return result


def add_key(payload: bytes) -> int:
    """Gives the kernel a private key (PKCS #8) or a certificate, both in DER. Returns the key's number."""
    name = f"outwork {next(NUMBERS)}".encode()
    return call(ADD_KEY, b"asymmetric", name, payload, len(payload), PROCESS_KEYRING)


def operate(what: int, key: int, words: str, data: bytes, room: int) -> bytes:
    out = ctypes.create_string_buffer(room)
    parameters = struct.pack("iII28x", key, len(data), room)
    length = call(KEYCTL, what, parameters, words.encode(), data, out)
    return out.raw[:length]


def verify(key: int, words: str, digest: bytes, signature: bytes) -> bool:
    parameters = struct.pack("iII28x", key, len(digest), len(signature))
    try:
        call(KEYCTL, VERIFY, parameters, words.encode(), digest, signature)
    except OSError:
        return False
    return True


def spoil(data: bytes, draw: random.Random) -> bytes:
    """Changes a bit of the last 20 bytes: of a certificate, and of a signature of ECDSA, these are its last number."""
    changed = bytearray(data)
    changed[draw.randrange(len(data) - 20, len(data))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def certificate(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> bytes:
    """A certificate that signs itself."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "outwork")])
    begin = datetime.datetime(2026, 1, 1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, begin, begin + datetime.timedelta(days=9999))
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def is_signature(key: rsa.RSAPrivateKey, signature: bytes, digest: bytes) -> bool:
    try:
        key.public_key().verify(signature, digest, padding.PKCS1v15(), utils.Prehashed(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


class Keys:
    """Keys of OpenSSL's, which the kernel has too."""

    def __init__(self) -> None:
        self.rsa = [rsa.generate_private_key(65537, bits) for bits in RSA_BITS]
        self.curves = [ec.generate_private_key(curve) for curve in CURVES]
        pkcs8 = (serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        self.private = [add_key(key.private_bytes(*pkcs8)) for key in self.rsa]
        self.certified = [add_key(certificate(key)) for key in self.curves]

    def round(self, draw: random.Random, found: Counter[str]) -> None:
        digest = hashlib.sha256(draw.randbytes(20)).digest()
        for key, number in zip(self.rsa, self.private, strict=True):
            room, text = key.key_size // 8, draw.randbytes(30)
            signature = operate(SIGN, number, PKCS1, digest, room)
            found["signed" if is_signature(key, signature, digest) else "wrong"] += 1
            found["verified" if verify(number, PKCS1, digest, signature) else "wrong"] += 1
            found["forged"] += verify(number, PKCS1, digest, spoil(signature, draw))
            sealed = operate(ENCRYPT, number, "enc=pkcs1", text, room)
            found["sealed" if key.decrypt(sealed, padding.PKCS1v15()) == text else "wrong"] += 1
            sealed = key.public_key().encrypt(text, padding.PKCS1v15())
            found["opened" if operate(DECRYPT, number, "enc=pkcs1", sealed, room) == text else "wrong"] += 1
        for curve, number in zip(self.curves, self.certified, strict=True):
            signature = curve.sign(digest, ec.ECDSA(utils.Prehashed(hashes.SHA256())))
            found["verified" if verify(number, X962, digest, signature) else "wrong"] += 1
            found["forged"] += verify(number, X962, digest, spoil(signature, draw))
            found["forged"] += verify(number, X962, spoil(digest, draw), signature)
        for good in (self.rsa[0], *self.curves):
            found["certificates"] += 1
            call(KEYCTL, UNLINK, add_key(certificate(good)), PROCESS_KEYRING)
            try:
                add_key(spoil(certificate(good), draw))
                found["forged"] += 1
            except OSError:
                pass


def main() -> None:
    seed()
    draw, found = random.Random(19), Counter({"wrong": 0, "forged": 0})
    keys = Keys()
    disturbance = subprocess.Popen(sys.argv[2:]) if len(sys.argv) > 2 else None
    rounds = 0
    while rounds < int(sys.argv[1]) or (disturbance and disturbance.poll() is None):
        keys.round(draw, found)
        rounds += 1
    status = disturbance.wait() if disturbance else 0
    print("result", json.dumps({"status": status, "rounds": rounds, **found}), flush=True)


if __name__ == "__main__":
    main()
