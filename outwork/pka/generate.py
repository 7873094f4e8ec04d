# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes new keys by name: rsa-BITS, a curve, x25519, ed25519, ml-kem-512, -768, -1024, or ml-dsa-44, -65, -87."""

import re

from cryptography.hazmat.primitives.asymmetric import rsa

from outwork.errors import OutworkError, UsageError, unknown_name
from outwork.pka import keys, mldsa_keys, mlkem_keys
from outwork.pka.base import Worker
from outwork.pka.keys import ED25519, RSA_BITS_MAX, X25519, Private, RsaPrivate
from outwork.pka.schemes import CURVES

RSA_BITS_MIN = 1024
RSA_BITS_STEP = 32
RSA_EXPONENT = 65537
# Of all keys but RSA's.
NAMES = (*CURVES, X25519, ED25519, *mlkem_keys.NAMES.values(), *mldsa_keys.NAMES.values())


def generate(worker: Worker, name: str) -> Private:
    """Returns a new key. The worker makes keys on curves. `cryptography` makes RSA's primes, and the worker checks the
    key."""
    if name == X25519:
        return worker.x25519_generate()
    if name == ED25519:
        return worker.ed25519_generate()
    for k, set_name in mlkem_keys.NAMES.items():
        if name == set_name:
            return worker.mlkem_generate(k)
    for k, set_name in mldsa_keys.NAMES.items():
        if name == set_name:
            return worker.mldsa_generate(k)
    if name in CURVES:
        return worker.curve_generate(CURVES[name])
    found = re.fullmatch(r"rsa-([0-9]{1,6})", name)
    if found is None:
        raise unknown_name("key", name, NAMES, ", and rsa-BITS such as rsa-2048")
    bits = int(found[1])
    if not RSA_BITS_MIN <= bits <= RSA_BITS_MAX or bits % RSA_BITS_STEP:
        raise UsageError(
            f"RSA keys have {RSA_BITS_MIN} to {RSA_BITS_MAX} bits, a multiple of {RSA_BITS_STEP}; not {bits}."
        )
    key = keys.from_private(rsa.generate_private_key(RSA_EXPONENT, bits))
    assert isinstance(key, RsaPrivate)
    if not worker.rsa_check(key):
        raise OutworkError(
            "The new key failed its check: the engine has made an error. Try again, and please report it."
        )
    return key
