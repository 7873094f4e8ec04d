# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Keys of ML-KEM and ML-DSA as DER, which RFC 9935 and RFC 9881 write alike: PKCS#8 with the seed, the expanded key or both,
and SubjectPublicKeyInfo."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from outwork.errors import OutworkError
from outwork.pka import der

#: 2.16.840.1.101.3.4: the algorithms of NIST.
NIST_ARC: Final = bytes.fromhex("60864801650304")


@dataclass(frozen=True)
class ParameterSet:
    """`k` is the device's number of the set, `oid` the end of its object identifier behind NIST_ARC."""

    name: str
    k: int
    oid: bytes
    seed_bytes: int
    public_bytes: int
    expanded_bytes: int


@dataclass(frozen=True)
class Parts:
    """What a key contains: `public`, or one or both of the two others."""

    set: ParameterSet
    public: bytes
    seed: bytes
    expanded: bytes


def _algorithm(chosen: ParameterSet) -> bytes:
    return der.element(der.SEQUENCE, der.element(der.OID, NIST_ARC + chosen.oid))


def write_private(chosen: ParameterSet, seed: bytes, expanded: bytes) -> bytes:
    """Returns PKCS#8 with what there is: with both as OpenSSL 3.5 writes it."""
    first = der.element(der.OCTET_STRING if expanded else der.CONTEXT_0, seed) if seed else b""
    choice = first + (der.element(der.OCTET_STRING, expanded) if expanded else b"")
    if seed and expanded:
        choice = der.element(der.SEQUENCE, choice)
    version, key = der.element(der.INTEGER, b"\0"), der.element(der.OCTET_STRING, choice)
    return der.element(der.SEQUENCE, version, _algorithm(chosen), key)


def write_public(chosen: ParameterSet, data: bytes) -> bytes:
    return der.element(der.SEQUENCE, _algorithm(chosen), der.element(der.BIT_STRING, b"\0", data))


def _set_of(algorithm: bytes, sets: Mapping[int, ParameterSet]) -> ParameterSet | None:
    """Returns the parameter set of an AlgorithmIdentifier; None: of another algorithm."""
    reader = der.Reader(algorithm)
    oid = reader.take(der.OID)
    for chosen in sets.values():
        if oid == NIST_ARC + chosen.oid:
            reader.end()
            return chosen
    return None


def _checked(data: bytes, wanted: int, what: str) -> bytes:
    if len(data) != wanted:
        raise OutworkError(f"the {what} has {len(data)} bytes, not {wanted}")
    return data


def read(data: bytes, sets: Mapping[int, ParameterSet]) -> Parts | None:
    """Reads a key; None: it is none of these sets. Raises OutworkError, with the reason, if it is a wrong one."""
    try:
        outer = der.Reader(data)
        reader = der.Reader(outer.take(der.SEQUENCE))
        is_private = reader.tag() == der.INTEGER
        version = reader.take(der.INTEGER) if is_private else b"\0"
        chosen = _set_of(reader.take(der.SEQUENCE), sets)
    except OutworkError:
        return None
    if chosen is None:
        return None
    outer.end()
    if version not in (b"\0", b"\1"):
        raise OutworkError("it is damaged")
    if is_private:
        return _private(chosen, reader.take(der.OCTET_STRING))
    bits = _checked(reader.take(der.BIT_STRING), chosen.public_bytes + 1, "public key")
    reader.end()
    if bits[0]:
        raise OutworkError("it is damaged")
    return Parts(chosen, bits[1:], b"", b"")


def _private(chosen: ParameterSet, choice: bytes) -> Parts:
    reader = der.Reader(choice)
    seed = expanded = b""
    if reader.tag() == der.CONTEXT_0:
        seed = _checked(reader.take(der.CONTEXT_0), chosen.seed_bytes, "seed")
    elif reader.tag() == der.SEQUENCE:
        both = der.Reader(reader.take(der.SEQUENCE))
        seed = _checked(both.take(der.OCTET_STRING), chosen.seed_bytes, "seed")
        expanded = _checked(both.take(der.OCTET_STRING), chosen.expanded_bytes, "private key")
        both.end()
    else:
        expanded = _checked(reader.take(der.OCTET_STRING), chosen.expanded_bytes, "private key")
    reader.end()
    return Parts(chosen, b"", seed, expanded)
