# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM keys as DER (RFC 9935): PKCS#8 with the seed, the expanded key or both, and SubjectPublicKeyInfo."""

from __future__ import annotations

from dataclasses import dataclass, field

from outwork.errors import OutworkError, UsageError

# By k; the last number of the object identifier 2.16.840.1.101.3.4.4.
NAMES = {2: "ml-kem-512", 3: "ml-kem-768", 4: "ml-kem-1024"}
SEED_BYTES = 64
SEQUENCE, BIT_STRING, OCTET_STRING, INTEGER, OID, SEED = 0x30, 0x03, 0x04, 0x02, 0x06, 0x80
ARC = bytes.fromhex("608648016503040400")[:-1]


@dataclass(frozen=True)
class MlKemPublic:
    """An encapsulation key."""

    k: int
    data: bytes


@dataclass(frozen=True)
class MlKemPrivate:
    """A decapsulation key, and d, z that it was made of: one of the two may be empty. `made` is the public key of a new one
    that has no expanded form."""

    k: int
    seed: bytes = field(repr=False)
    expanded: bytes = field(repr=False)
    made: MlKemPublic | None = None

    @property
    def public(self) -> MlKemPublic:
        if self.expanded:
            return MlKemPublic(self.k, self.expanded[384 * self.k : -64])
        if self.made is None:
            raise UsageError("The file has only the seed of the key: give the public key.")
        return self.made


def ek_bytes(k: int) -> int:
    """Bytes of an encapsulation key (FIPS 203, table 3)."""
    return 384 * k + 32


def dk_bytes(k: int) -> int:
    """Bytes of a decapsulation key."""
    return 768 * k + 96


def ciphertext_bytes(k: int) -> int:
    return 1568 if k == 4 else 320 * k + 128


def check_ciphertext(k: int, ciphertext: bytes) -> None:
    if len(ciphertext) != ciphertext_bytes(k):
        raise UsageError(f"A ciphertext of {NAMES[k]} has {ciphertext_bytes(k)} bytes, not {len(ciphertext)}.")


def _tlv(tag: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    if len(body) < 128:
        return bytes((tag, len(body))) + body
    length = len(body).to_bytes((len(body).bit_length() + 7) // 8)
    return bytes((tag, 128 | len(length))) + length + body


def _algorithm(k: int) -> bytes:
    return _tlv(SEQUENCE, _tlv(OID, ARC + bytes((k - 1,))))


def write_private(key: MlKemPrivate) -> bytes:
    """Returns PKCS#8 with what the key has: with both as OpenSSL 3.5 writes it."""
    seed = _tlv(OCTET_STRING if key.expanded else SEED, key.seed) if key.seed else b""
    choice = seed + (_tlv(OCTET_STRING, key.expanded) if key.expanded else b"")
    if key.seed and key.expanded:
        choice = _tlv(SEQUENCE, choice)
    return _tlv(SEQUENCE, _tlv(INTEGER, b"\0"), _algorithm(key.k), _tlv(OCTET_STRING, choice))


def write_public(key: MlKemPublic) -> bytes:
    return _tlv(SEQUENCE, _algorithm(key.k), _tlv(BIT_STRING, b"\0", key.data))


class _Reader:
    """Reads DER, elements one after the other. Raises OutworkError where it is none."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def tag(self) -> int:
        return self._data[0] if self._data else -1

    def take(self, tag: int) -> bytes:
        """Returns the content of the next element."""
        data = self._data
        if len(data) < 2 or data[0] != tag:
            raise OutworkError("it is damaged")
        length, at = data[1], 2
        if length >= 128:
            at = 2 + length - 128
            length = int.from_bytes(data[2:at])
            if length < 128 or at > 4 or data[2] == 0:
                raise OutworkError("it is damaged")
        if len(data) < at + length:
            raise OutworkError("it is damaged")
        self._data = data[at + length :]
        return data[at : at + length]

    def end(self) -> None:
        if self._data:
            raise OutworkError("there is something behind it")


def _k_of(algorithm: bytes) -> int:
    """Returns the parameter set of an AlgorithmIdentifier; 0: of another algorithm."""
    reader = _Reader(algorithm)
    oid = reader.take(OID)
    if oid[:-1] != ARC or oid[-1] + 1 not in NAMES:
        return 0
    reader.end()
    return oid[-1] + 1


def _checked(data: bytes, wanted: int, what: str) -> bytes:
    if len(data) != wanted:
        raise OutworkError(f"the {what} has {len(data)} bytes, not {wanted}")
    return data


def read(der: bytes) -> MlKemPrivate | MlKemPublic | None:
    """Reads a key; None: it is no ML-KEM key. Raises OutworkError, with the reason, if it is a wrong one."""
    try:
        outer = _Reader(der)
        reader = _Reader(outer.take(SEQUENCE))
        is_private = reader.tag() == INTEGER
        version = reader.take(INTEGER) if is_private else b"\0"
        k = _k_of(reader.take(SEQUENCE))
    except OutworkError:
        return None
    if not k:
        return None
    outer.end()
    if version not in (b"\0", b"\1"):
        raise OutworkError("it is damaged")
    if is_private:
        return _private(k, reader.take(OCTET_STRING))
    bits = _checked(reader.take(BIT_STRING), ek_bytes(k) + 1, "public key")
    reader.end()
    if bits[0]:
        raise OutworkError("it is damaged")
    return MlKemPublic(k, bits[1:])


def _private(k: int, choice: bytes) -> MlKemPrivate:
    reader = _Reader(choice)
    seed = expanded = b""
    if reader.tag() == SEED:
        seed = _checked(reader.take(SEED), SEED_BYTES, "seed")
    elif reader.tag() == SEQUENCE:
        both = _Reader(reader.take(SEQUENCE))
        seed = _checked(both.take(OCTET_STRING), SEED_BYTES, "seed")
        expanded = _checked(both.take(OCTET_STRING), dk_bytes(k), "private key")
        both.end()
    else:
        expanded = _checked(reader.take(OCTET_STRING), dk_bytes(k), "private key")
    reader.end()
    return MlKemPrivate(k, seed, expanded)
