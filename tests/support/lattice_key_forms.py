# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the modules that read and write keys of ML-KEM and ML-DSA: what is written is read, and nothing else."""

from typing import Any

from outwork.errors import OutworkError
from outwork.pka import der
from outwork.pka.lattice_keys import NIST_ARC, ParameterSet


def reads(module: Any, der: bytes) -> Any:
    """What the module makes of it; None where it refuses, with a reason."""
    try:
        return module.read(der)
    except OutworkError as error:
        assert str(error)
        return None


def check_private(module: Any, key: Any) -> None:
    der = module.write_private(key)
    assert module.read(der) == key
    for wrong in (der + b"\0", *(der[:cut] for cut in (1, 5, 20, 30, len(der) - 1))):
        assert reads(module, wrong) is None
    # Every byte of the head counts.
    for at in range(min(len(der) - 64, 34)):
        assert reads(module, der[:at] + bytes([der[at] ^ 0x41]) + der[at + 1 :]) != key


def _pkcs8(chosen: ParameterSet, choice: bytes) -> bytes:
    algorithm = der.element(der.SEQUENCE, der.element(der.OID, NIST_ARC + chosen.oid))
    return der.element(der.SEQUENCE, der.element(der.INTEGER, b"\0"), algorithm, der.element(der.OCTET_STRING, choice))


def check_nothing_behind(module: Any, chosen: ParameterSet) -> None:
    """No part of a private key may be followed by another element."""
    seed, expanded = bytes(chosen.seed_bytes), bytes(chosen.expanded_bytes)
    octets = [der.element(der.OCTET_STRING, part) for part in (seed, expanded)]
    choices = der.element(der.CONTEXT_0, seed), octets[1], der.element(der.SEQUENCE, *octets)
    null = b"\5\0"
    for choice in choices:
        assert reads(module, _pkcs8(chosen, choice))
        assert reads(module, _pkcs8(chosen, choice + null)) is None
    assert reads(module, _pkcs8(chosen, der.element(der.SEQUENCE, *octets, null))) is None


def check_lengths(module: Any, chosen: ParameterSet, private: type, public: type) -> None:
    """Each part of a key has one length."""
    for difference in (-1, 1):
        seed, expanded = bytes(chosen.seed_bytes), bytes(chosen.expanded_bytes)
        short, long = bytes(chosen.seed_bytes + difference), bytes(chosen.expanded_bytes + difference)
        for parts in ((short, b""), (b"", long), (short, expanded), (seed, long)):
            assert reads(module, module.write_private(private(chosen.k, *parts))) is None
        data = bytes(chosen.public_bytes + difference)
        assert reads(module, module.write_public(public(chosen.k, data))) is None
