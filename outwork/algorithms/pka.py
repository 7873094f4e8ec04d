# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Public-key algorithms of bench and lab: `rsa-2048`, `ecdsa-p256`, `ecdh-p256`, `x25519`, `ed25519`, `ml-kem-768`, `ml-dsa-65`.
A message is one number, one digest, one shared secret, or mu of ML-DSA."""

from dataclasses import dataclass
from typing import Final

from outwork.algorithms.base import Operation
from outwork.algorithms.family import Family
from outwork.errors import UsageError
from outwork.spec import Opcode

RSA_BITS: Final = (1024, 2048, 3072, 4096)
ML_KEM_K: Final = (2, 3, 4)
ML_DSA_K: Final = {4: "44", 6: "65", 8: "87"}
MU_BITS: Final = 512
CURVE_BITS: Final = {"p-256": 256, "p-384": 384, "p-521": 521, "secp256k1": 256}


@dataclass(frozen=True)
class PublicKey:
    """A key pair of one length. See outwork.algorithms.base.Algorithm; properties that do not apply are 0."""

    name: str
    key_bits: int
    operations: tuple[Operation, ...]
    opcode: Opcode  # of the private operation
    #: Of ECDSA, ECDH, X25519 and Ed25519.
    curve: str = ""
    #: Of ML-KEM: 2, 3 or 4; of ML-DSA: 4, 6 or 8.
    k: int = 0
    single_key_bytes: int = 0
    key_kind: int = 0
    iv_bytes: int = 0
    tag_bytes_default: int = 0
    is_mac: bool = False
    is_aead: bool = False
    has_software: bool = True

    @property
    def is_ml_dsa(self) -> bool:
        return self.opcode is Opcode.MLDSA_SIGN

    @property
    def message_bytes(self) -> int:
        return (self.key_bits + 7) // 8

    @property
    def key_bytes(self) -> int:
        return self.message_bytes

    def check_length(self, length_bytes: int) -> None:
        if length_bytes != self.message_bytes:
            raise UsageError(f"{self} works on {self.message_bytes} bytes, not on {length_bytes}.")

    def __str__(self) -> str:
        return self.name


def _rsa(bits: int) -> PublicKey:
    return PublicKey(f"rsa-{bits}", bits, (Operation.PUBLIC, Operation.PRIVATE), Opcode.RSA_PRIVATE)


def _on_curve(kind: str, curve: str) -> PublicKey:
    is_ecdsa = kind == "ecdsa"
    operations = (Operation.SIGN, Operation.VERIFY) if is_ecdsa else (Operation.DERIVE,)
    opcode = Opcode.EC_SIGN if is_ecdsa else Opcode.EC_MULTIPLY
    return PublicKey(f"{kind}-{curve.replace('-', '')}", CURVE_BITS[curve], operations, opcode, curve)


X25519: Final = PublicKey("x25519", 256, (Operation.DERIVE,), Opcode.X25519, "x25519")
ED25519: Final = PublicKey("ed25519", 256, (Operation.SIGN, Operation.VERIFY), Opcode.ED25519_SIGN, "ed25519")


def _ml_kem(k: int) -> PublicKey:
    operations = (Operation.KEYGEN, Operation.ENCAPSULATE, Operation.DECAPSULATE)
    return PublicKey(f"ml-kem-{256 * k}", 256, operations, Opcode.MLKEM_DECAPSULATE, k=k)


def _ml_dsa(k: int) -> PublicKey:
    operations = (Operation.KEYGEN, Operation.SIGN, Operation.VERIFY)
    return PublicKey(f"ml-dsa-{ML_DSA_K[k]}", MU_BITS, operations, Opcode.MLDSA_SIGN, k=k)


FAMILY: Final = Family(
    others=(
        *(_rsa(bits) for bits in RSA_BITS),
        *(_on_curve(kind, curve) for kind in ("ecdsa", "ecdh") for curve in CURVE_BITS),
        X25519,
        ED25519,
        *(_ml_kem(k) for k in ML_KEM_K),
        *(_ml_dsa(k) for k in ML_DSA_K),
    )
)
