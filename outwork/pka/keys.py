# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Keys as numbers, and as PEM or DER (PKCS#1, PKCS#8, SEC 1, SubjectPublicKeyInfo), which `cryptography` reads and writes."""

import base64
import binascii
import re
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mlkem, rsa, x25519

from outwork.errors import NotAuthenticError, OutworkError, UsageError
from outwork.pka import mldsa_keys, mlkem_keys
from outwork.pka.mldsa_keys import MlDsaPrivate, MlDsaPublic
from outwork.pka.mlkem_keys import MlKemPrivate, MlKemPublic
from outwork.pka.schemes import CURVES, Curve

RSA_BITS_MAX = 4096


@dataclass(frozen=True)
class RsaPublic:
    n: int
    e: int

    @property
    def bytes(self) -> int:
        return (self.n.bit_length() + 7) // 8


@dataclass(frozen=True)
class RsaPrivate:
    """The second representation of RFC 8017 3.2, and d, which only software uses."""

    public: RsaPublic
    p: int = field(repr=False)
    q: int = field(repr=False)
    dp: int = field(repr=False)
    dq: int = field(repr=False)
    qinv: int = field(repr=False)
    d: int = field(repr=False)


@dataclass(frozen=True)
class CurvePublic:
    curve: Curve
    x: int
    y: int

    @property
    def point(self) -> bytes:
        """x, y."""
        return self.x.to_bytes(self.curve.bytes) + self.y.to_bytes(self.curve.bytes)


@dataclass(frozen=True)
class CurvePrivate:
    curve: Curve
    d: int = field(repr=False)
    public: CurvePublic


@dataclass(frozen=True)
class X25519Public:
    """The string of 32 bytes (RFC 7748 6.1)."""

    data: bytes


@dataclass(frozen=True)
class X25519Private:
    data: bytes = field(repr=False)
    public: X25519Public


@dataclass(frozen=True)
class Ed25519Public:
    """The encoded point (RFC 8032 5.1.5)."""

    data: bytes


@dataclass(frozen=True)
class Ed25519Private:
    seed: bytes = field(repr=False)
    public: Ed25519Public


Public = RsaPublic | CurvePublic | X25519Public | Ed25519Public | MlKemPublic | MlDsaPublic
Private = RsaPrivate | CurvePrivate | X25519Private | Ed25519Private | MlKemPrivate | MlDsaPrivate
MlKemPublicObject = mlkem.MLKEM768PublicKey | mlkem.MLKEM1024PublicKey
MlKemPrivateObject = mlkem.MLKEM768PrivateKey | mlkem.MLKEM1024PrivateKey
PublicObject = (
    rsa.RSAPublicKey
    | ec.EllipticCurvePublicKey
    | x25519.X25519PublicKey
    | ed25519.Ed25519PublicKey
    | MlKemPublicObject
    | mldsa_keys.PublicObject
)
PrivateObject = (
    rsa.RSAPrivateKey
    | ec.EllipticCurvePrivateKey
    | x25519.X25519PrivateKey
    | ed25519.Ed25519PrivateKey
    | MlKemPrivateObject
    | mldsa_keys.PrivateObject
)
X25519: Final = "x25519"
ED25519: Final = "ed25519"
SMALL_ORDER: Final = "The other's key is none: the secret would be zero, whatever the private key (RFC 7748 6.1)."
NOT_OURS: Final = (
    "The key is neither an RSA key, nor one on an elliptic curve, nor one for X25519, Ed25519, ML-KEM or ML-DSA."
)
NO_SOFTWARE: Final = "The software has no ML-KEM-512; leave --engine out to use the accelerator."
NO_SEED: Final = "The software needs the seed of an ML-KEM key, and this one has none; leave --engine out."
NO_ENCRYPTION: Final = (
    "Of ML-KEM-768, ML-KEM-1024 and ML-DSA only keys with a seed can be encrypted, and no key of ML-KEM-512: leave "
    "--password-file out."
)


def public_of(key: Private | Public) -> Public:
    return key.public if isinstance(key, Private) else key


def name_of(key: Private | Public) -> str:
    """Returns `rsa-2048`, `p-256` and so on."""
    if isinstance(key, MlKemPrivate | MlKemPublic):
        return mlkem_keys.NAMES[key.k]
    if isinstance(key, MlDsaPrivate | MlDsaPublic):
        return mldsa_keys.NAMES[key.k]
    public = public_of(key)
    assert not isinstance(public, MlKemPublic | MlDsaPublic)
    if isinstance(public, X25519Public):
        return X25519
    if isinstance(public, Ed25519Public):
        return ED25519
    return f"rsa-{public.n.bit_length()}" if isinstance(public, RsaPublic) else public.curve.name


def _curve(algorithm: ec.EllipticCurve) -> Curve:
    for curve in CURVES.values():
        if curve.algorithm.name == algorithm.name:
            return curve
    raise UsageError(f"The key is on the curve {algorithm.name}. There are: {', '.join(CURVES)}.")


def _curve_public(numbers: ec.EllipticCurvePublicNumbers) -> CurvePublic:
    return CurvePublic(_curve(numbers.curve), numbers.x, numbers.y)


def _rsa_public(numbers: rsa.RSAPublicNumbers) -> RsaPublic:
    if numbers.n.bit_length() > RSA_BITS_MAX:
        raise UsageError(f"The key has {numbers.n.bit_length()} bits; at most {RSA_BITS_MAX} are possible.")
    return RsaPublic(numbers.n, numbers.e)


def _from_public(key: object) -> Public:
    if isinstance(key, rsa.RSAPublicKey):
        return _rsa_public(key.public_numbers())
    if isinstance(key, ec.EllipticCurvePublicKey):
        return _curve_public(key.public_numbers())
    if isinstance(key, x25519.X25519PublicKey):
        return X25519Public(key.public_bytes_raw())
    if isinstance(key, ed25519.Ed25519PublicKey):
        return Ed25519Public(key.public_bytes_raw())
    if isinstance(key, MlKemPublicObject):
        return MlKemPublic(3 if isinstance(key, mlkem.MLKEM768PublicKey) else 4, key.public_bytes_raw())
    found = mldsa_keys.from_object(key)
    if isinstance(found, MlDsaPublic):
        return found
    raise UsageError(NOT_OURS)


def from_private(key: object) -> Private:
    """Converts a key of `cryptography` to numbers."""
    if isinstance(key, rsa.RSAPrivateKey):
        numbers = key.private_numbers()
        return RsaPrivate(
            _rsa_public(numbers.public_numbers),
            numbers.p,
            numbers.q,
            numbers.dmp1,
            numbers.dmq1,
            numbers.iqmp,
            numbers.d,
        )
    if isinstance(key, ec.EllipticCurvePrivateKey):
        public = _curve_public(key.public_key().public_numbers())
        return CurvePrivate(public.curve, key.private_numbers().private_value, public)
    if isinstance(key, x25519.X25519PrivateKey):
        return X25519Private(key.private_bytes_raw(), X25519Public(key.public_key().public_bytes_raw()))
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return Ed25519Private(key.private_bytes_raw(), Ed25519Public(key.public_key().public_bytes_raw()))
    if isinstance(key, MlKemPrivateObject):
        return MlKemPrivate(3 if isinstance(key, mlkem.MLKEM768PrivateKey) else 4, key.private_bytes_raw(), b"")
    found = mldsa_keys.from_object(key)
    if isinstance(found, MlDsaPrivate):
        return found
    raise UsageError(NOT_OURS)


def to_public(key: Public) -> PublicObject:
    """Returns a key of `cryptography`."""
    if isinstance(key, X25519Public):
        return x25519.X25519PublicKey.from_public_bytes(key.data)
    if isinstance(key, Ed25519Public):
        return ed25519.Ed25519PublicKey.from_public_bytes(key.data)
    if isinstance(key, MlKemPublic):
        return mlkem_public(key)
    if isinstance(key, MlDsaPublic):
        return mldsa_keys.to_public(key)
    if isinstance(key, RsaPublic):
        return rsa.RSAPublicNumbers(key.e, key.n).public_key()
    return ec.EllipticCurvePublicNumbers(key.x, key.y, key.curve.algorithm).public_key()


def to_private(key: Private) -> PrivateObject:
    """Returns a key of `cryptography`."""
    if isinstance(key, X25519Private):
        return x25519.X25519PrivateKey.from_private_bytes(key.data)
    if isinstance(key, Ed25519Private):
        return ed25519.Ed25519PrivateKey.from_private_bytes(key.seed)
    if isinstance(key, MlKemPrivate):
        return mlkem_private(key)
    if isinstance(key, MlDsaPrivate):
        return mldsa_keys.to_private(key)
    if isinstance(key, RsaPrivate):
        public = rsa.RSAPublicNumbers(key.public.e, key.public.n)
        return rsa.RSAPrivateNumbers(key.p, key.q, key.d, key.dp, key.dq, key.qinv, public).private_key()
    point = ec.EllipticCurvePublicNumbers(key.public.x, key.public.y, key.curve.algorithm)
    return ec.EllipticCurvePrivateNumbers(key.d, point).private_key()


def mlkem_public(key: MlKemPublic) -> MlKemPublicObject:
    """Returns a key of `cryptography`, which has no ML-KEM-512."""
    if key.k not in (3, 4):
        raise UsageError(NO_SOFTWARE)
    found = mlkem.MLKEM768PublicKey if key.k == 3 else mlkem.MLKEM1024PublicKey
    try:
        return found.from_public_bytes(key.data)
    except ValueError as error:
        raise UsageError("The key is no encapsulation key (FIPS 203, 7.2): it is damaged.") from error


def mlkem_private(key: MlKemPrivate) -> MlKemPrivateObject:
    """Returns a key of `cryptography`, which has no ML-KEM-512 and needs the seed."""
    if key.k not in (3, 4):
        raise UsageError(NO_SOFTWARE)
    if not key.seed:
        raise UsageError(NO_SEED)
    return (mlkem.MLKEM768PrivateKey if key.k == 3 else mlkem.MLKEM1024PrivateKey).from_seed_bytes(key.seed)


def _read_lattice(data: bytes, name: str, password: bytes | None) -> Private | Public | None:
    """Reads a key of ML-KEM or ML-DSA that is not encrypted; None: it is another one."""
    pem = re.search(rb"-----BEGIN ((?:PRIVATE|PUBLIC) KEY)-----([A-Za-z0-9+/=\s]*)-----END \1-----", data)
    try:
        der = base64.b64decode(pem[2]) if pem else data
        key = mlkem_keys.read(der) or mldsa_keys.read(der)
    except (OutworkError, binascii.Error) as error:
        raise _unusable(name, f": {error}", password) from error
    if isinstance(key, Private) and password is not None:
        raise UsageError(_about_password(name, password))
    return key


def read(data: bytes, name: str, password: bytes | None) -> Private | Public:
    """Reads a private or a public key. name: for error texts."""
    found = _read_lattice(data, name, password)
    if found is not None:
        return found
    is_pem = data.lstrip().startswith(b"-----BEGIN")
    try:
        if is_pem and b" PRIVATE KEY-----" in data:
            return from_private(serialization.load_pem_private_key(data, password))
        if is_pem:
            return _from_public(serialization.load_pem_public_key(data))
    except TypeError as error:
        raise UsageError(_about_password(name, password)) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise _unusable(name, f": {_reason(error)}", password) from error
    return _read_der(data, name, password)


def _unusable(name: str, why: str, password: bytes | None) -> NotAuthenticError:
    remedy = "" if password is not None else " Make one with `outwork pka genkey`."
    return NotAuthenticError(f"{name} contains no usable key{why}.{remedy}")


def _about_password(name: str, password: bytes | None) -> str:
    if password is None:
        return f"The key in {name} is encrypted: give --password-file."
    return f"The key in {name} is not encrypted: leave --password-file out."


def _reason(error: Exception) -> str:
    return str(error).split("\n")[0].split(".")[0].strip() or "wrong password, or damaged"


def _read_der(data: bytes, name: str, password: bytes | None) -> Private | Public:
    try:
        return from_private(serialization.load_der_private_key(data, password))
    except TypeError as error:
        raise UsageError(_about_password(name, password)) from error
    except (ValueError, UnsupportedAlgorithm):
        pass
    try:
        return _from_public(serialization.load_der_public_key(data))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise _unusable(name, " in PEM or DER", password) from error


def _encoded(der: bytes, label: str, is_der: bool) -> bytes:
    """Returns DER, or PEM (RFC 7468)."""
    if is_der:
        return der
    text = base64.b64encode(der).decode("ascii")
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]).encode("ascii")


def write_private(key: Private, password: bytes | None, is_der: bool = False) -> bytes:
    """Returns PKCS#8, like `openssl genpkey`."""
    if isinstance(key, MlKemPrivate) and password is None:
        return _encoded(mlkem_keys.write_private(key), "PRIVATE KEY", is_der)
    if isinstance(key, MlDsaPrivate) and password is None:
        return _encoded(mldsa_keys.write_private(key), "PRIVATE KEY", is_der)
    if isinstance(key, MlKemPrivate | MlDsaPrivate) and (name_of(key) == mlkem_keys.NAMES[2] or not key.seed):
        raise UsageError(NO_ENCRYPTION)
    protection: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if password is not None:
        protection = serialization.BestAvailableEncryption(password)
    encoding = serialization.Encoding.DER if is_der else serialization.Encoding.PEM
    return to_private(key).private_bytes(encoding, serialization.PrivateFormat.PKCS8, protection)


def write_public(key: Public, is_der: bool = False) -> bytes:
    """Returns SubjectPublicKeyInfo, like `openssl pkey -pubout`."""
    if isinstance(key, MlKemPublic):
        return _encoded(mlkem_keys.write_public(key), "PUBLIC KEY", is_der)
    if isinstance(key, MlDsaPublic):
        return _encoded(mldsa_keys.write_public(key), "PUBLIC KEY", is_der)
    encoding = serialization.Encoding.DER if is_der else serialization.Encoding.PEM
    return to_public(key).public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo)
