# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What works on public keys: the device, or software."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from outwork.publickey.keys import CurvePrivate, CurvePublic, RsaPrivate, RsaPublic
from outwork.publickey.schemes import Curve, Padding


class Worker(ABC):
    """Close it, or use it in a `with` block. Signatures on curves are r, s in DER."""

    name: str

    @abstractmethod
    def rsa_sign(self, key: RsaPrivate, padding: Padding, digest: bytes) -> bytes: ...

    @abstractmethod
    def rsa_verify(self, key: RsaPublic, padding: Padding, digest: bytes, signature: bytes) -> bool: ...

    @abstractmethod
    def rsa_encrypt(self, key: RsaPublic, padding: Padding, message: bytes) -> bytes: ...

    @abstractmethod
    def rsa_decrypt(self, key: RsaPrivate, padding: Padding, ciphertext: bytes) -> bytes:
        """NotAuthenticError: nothing that was encrypted for this key."""

    @abstractmethod
    def curve_generate(self, curve: Curve) -> CurvePrivate: ...

    @abstractmethod
    def ecdsa_sign(self, key: CurvePrivate, hash_name: str, digest: bytes) -> bytes: ...

    @abstractmethod
    def ecdsa_verify(self, key: CurvePublic, hash_name: str, digest: bytes, signature: bytes) -> bool: ...

    @abstractmethod
    def ecdh(self, key: CurvePrivate, peer: CurvePublic) -> bytes:
        """The x of the product, as many bytes as the curve's field has."""

    @abstractmethod
    def rsa_check(self, key: RsaPrivate) -> bool:
        """Whether a random message comes back through the key."""

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
