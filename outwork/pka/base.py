# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The interface of a worker on public keys: the device, or software."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from outwork.pka.keys import (
    CurvePrivate,
    CurvePublic,
    Ed25519Private,
    Ed25519Public,
    RsaPrivate,
    RsaPublic,
    X25519Private,
    X25519Public,
)
from outwork.pka.mldsa_keys import MlDsaChoice, MlDsaPrivate, MlDsaPublic
from outwork.pka.mlkem_keys import MlKemPrivate, MlKemPublic
from outwork.pka.schemes import Curve, Padding
from outwork.spec import Opcode


class Worker(ABC):
    """Does public-key operations. Close it, or use it in a `with` block. Signatures on curves are r, s in DER."""

    name: str

    def supports(self, opcode: Opcode) -> bool:
        """Returns whether there are operations that a device does with this opcode."""
        return True

    @abstractmethod
    def rsa_sign(self, key: RsaPrivate, padding: Padding, digest: bytes) -> bytes: ...

    @abstractmethod
    def rsa_verify(self, key: RsaPublic, padding: Padding, digest: bytes, signature: bytes) -> bool: ...

    @abstractmethod
    def rsa_encrypt(self, key: RsaPublic, padding: Padding, message: bytes) -> bytes: ...

    @abstractmethod
    def rsa_decrypt(self, key: RsaPrivate, padding: Padding, ciphertext: bytes) -> bytes:
        """Decrypts. Raises NotAuthenticError if the data was not encrypted for this key."""

    @abstractmethod
    def curve_generate(self, curve: Curve) -> CurvePrivate: ...

    @abstractmethod
    def ecdsa_sign(self, key: CurvePrivate, hash_name: str, digest: bytes) -> bytes: ...

    @abstractmethod
    def ecdsa_verify(self, key: CurvePublic, hash_name: str, digest: bytes, signature: bytes) -> bool: ...

    @abstractmethod
    def ecdh(self, key: CurvePrivate, peer: CurvePublic) -> bytes:
        """Returns the x of the product, in the number of bytes of the curve's field."""

    @abstractmethod
    def x25519_generate(self) -> X25519Private: ...

    @abstractmethod
    def x25519(self, key: X25519Private, peer: X25519Public) -> bytes:
        """Returns the shared secret. Raises UsageError where it would be zero, whatever the private key."""

    @abstractmethod
    def ed25519_generate(self) -> Ed25519Private: ...

    @abstractmethod
    def ed25519_sign(self, key: Ed25519Private, message: bytes) -> bytes:
        """Signs a message, not its digest."""

    @abstractmethod
    def ed25519_verify(self, key: Ed25519Public, message: bytes, signature: bytes) -> bool: ...

    @abstractmethod
    def mlkem_generate(self, k: int) -> MlKemPrivate: ...

    @abstractmethod
    def mlkem_encapsulate(self, key: MlKemPublic) -> tuple[bytes, bytes]:
        """Returns a new secret, and the ciphertext of it."""

    @abstractmethod
    def mlkem_decapsulate(self, key: MlKemPrivate, ciphertext: bytes) -> bytes:
        """Returns the secret: of a ciphertext for another key one that nobody else knows (implicit rejection)."""

    @abstractmethod
    def mldsa_generate(self, k: int) -> MlDsaPrivate: ...

    @abstractmethod
    def mldsa_sign(self, key: MlDsaPrivate, message: bytes, choice: MlDsaChoice) -> bytes:
        """Signs a message, not its digest. Raises UsageError if the standard has no such choice."""

    @abstractmethod
    def mldsa_verify(self, key: MlDsaPublic, message: bytes, choice: MlDsaChoice, signature: bytes) -> bool: ...

    @abstractmethod
    def rsa_check(self, key: RsaPrivate) -> bool:
        """Returns whether a random message is unchanged after encryption and decryption."""

    @abstractmethod
    def statistics(self) -> dict[str, str]: ...

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
