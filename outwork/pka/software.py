# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Public-key operations in software, with `cryptography` (OpenSSL)."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mlkem, padding, rsa, utils, x25519

from outwork.errors import NotAuthenticError, UsageError
from outwork.pka import keys, mldsa_keys, mlkem_keys
from outwork.pka.base import Worker
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
from outwork.pka.schemes import HASHES, SALT_ANY, Curve, Padding, Scheme


def _signature_padding(wanted: Padding, is_verifying: bool) -> padding.AsymmetricPadding:
    if wanted.scheme is Scheme.PKCS1:
        return padding.PKCS1v15()
    salt: object = wanted.salt_bytes
    if wanted.salt_bytes == SALT_ANY:
        salt = padding.PSS.AUTO if is_verifying else padding.PSS.DIGEST_LENGTH
    return padding.PSS(padding.MGF1(HASHES[wanted.mask_hash]), salt)  # type: ignore[arg-type]


def _encryption_padding(wanted: Padding) -> padding.AsymmetricPadding:
    if wanted.scheme is Scheme.PKCS1:
        return padding.PKCS1v15()
    return padding.OAEP(padding.MGF1(HASHES[wanted.mask_hash]), HASHES[wanted.hash], wanted.label or None)


class SoftwareWorker(Worker):
    name = "software"

    def rsa_sign(self, key: RsaPrivate, padding: Padding, digest: bytes) -> bytes:
        private = keys.to_private(key)
        assert isinstance(private, rsa.RSAPrivateKey)
        return private.sign(digest, _signature_padding(padding, False), utils.Prehashed(HASHES[padding.hash]))

    def rsa_verify(self, key: RsaPublic, padding: Padding, digest: bytes, signature: bytes) -> bool:
        public = keys.to_public(key)
        assert isinstance(public, rsa.RSAPublicKey)
        try:
            public.verify(signature, digest, _signature_padding(padding, True), utils.Prehashed(HASHES[padding.hash]))
        except InvalidSignature:
            return False
        return True

    def rsa_encrypt(self, key: RsaPublic, padding: Padding, message: bytes) -> bytes:
        public = keys.to_public(key)
        assert isinstance(public, rsa.RSAPublicKey)
        try:
            return public.encrypt(message, _encryption_padding(padding))
        except ValueError as error:
            raise UsageError("The message is too long for this key and padding.") from error

    def rsa_decrypt(self, key: RsaPrivate, padding: Padding, ciphertext: bytes) -> bytes:
        private = keys.to_private(key)
        assert isinstance(private, rsa.RSAPrivateKey)
        try:
            return private.decrypt(ciphertext, _encryption_padding(padding))
        except ValueError as error:
            raise NotAuthenticError(
                "The data was not encrypted for this key, or is damaged: nothing was written."
            ) from error

    def rsa_check(self, key: RsaPrivate) -> bool:
        try:
            keys.to_private(key)
        except ValueError:
            return False
        return True

    def curve_generate(self, curve: Curve) -> CurvePrivate:
        made = keys.from_private(ec.generate_private_key(curve.algorithm))
        assert isinstance(made, CurvePrivate)
        return made

    def ecdsa_sign(self, key: CurvePrivate, hash_name: str, digest: bytes) -> bytes:
        private = keys.to_private(key)
        assert isinstance(private, ec.EllipticCurvePrivateKey)
        return private.sign(digest, ec.ECDSA(utils.Prehashed(HASHES[hash_name])))

    def ecdsa_verify(self, key: CurvePublic, hash_name: str, digest: bytes, signature: bytes) -> bool:
        public = keys.to_public(key)
        assert isinstance(public, ec.EllipticCurvePublicKey)
        try:
            public.verify(signature, digest, ec.ECDSA(utils.Prehashed(HASHES[hash_name])))
        except InvalidSignature:
            return False
        return True

    def ecdh(self, key: CurvePrivate, peer: CurvePublic) -> bytes:
        private, public = keys.to_private(key), keys.to_public(peer)
        assert isinstance(private, ec.EllipticCurvePrivateKey) and isinstance(public, ec.EllipticCurvePublicKey)
        return private.exchange(ec.ECDH(), public)

    def x25519_generate(self) -> X25519Private:
        made = keys.from_private(x25519.X25519PrivateKey.generate())
        assert isinstance(made, X25519Private)
        return made

    def x25519(self, key: X25519Private, peer: X25519Public) -> bytes:
        private, public = keys.to_private(key), keys.to_public(peer)
        assert isinstance(private, x25519.X25519PrivateKey) and isinstance(public, x25519.X25519PublicKey)
        try:
            return private.exchange(public)
        except ValueError as error:
            raise UsageError(keys.SMALL_ORDER) from error

    def ed25519_generate(self) -> Ed25519Private:
        made = keys.from_private(ed25519.Ed25519PrivateKey.generate())
        assert isinstance(made, Ed25519Private)
        return made

    def ed25519_sign(self, key: Ed25519Private, message: bytes) -> bytes:
        private = keys.to_private(key)
        assert isinstance(private, ed25519.Ed25519PrivateKey)
        return private.sign(message)

    def ed25519_verify(self, key: Ed25519Public, message: bytes, signature: bytes) -> bool:
        public = keys.to_public(key)
        assert isinstance(public, ed25519.Ed25519PublicKey)
        try:
            public.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def mlkem_generate(self, k: int) -> MlKemPrivate:
        if k not in (3, 4):
            raise UsageError(keys.NO_SOFTWARE)
        made = (mlkem.MLKEM768PrivateKey if k == 3 else mlkem.MLKEM1024PrivateKey).generate()
        public = made.public_key().public_bytes_raw()
        return MlKemPrivate(k, made.private_bytes_raw(), b"", MlKemPublic(k, public))

    def mlkem_encapsulate(self, key: MlKemPublic) -> tuple[bytes, bytes]:
        secret, ciphertext = keys.mlkem_public(key).encapsulate()
        return secret, ciphertext

    def mlkem_decapsulate(self, key: MlKemPrivate, ciphertext: bytes) -> bytes:
        mlkem_keys.check_ciphertext(key.k, ciphertext)
        return keys.mlkem_private(key).decapsulate(ciphertext)

    def mldsa_generate(self, k: int) -> MlDsaPrivate:
        made = mldsa_keys.PRIVATE_CLASSES[k].generate()
        public = MlDsaPublic(k, made.public_key().public_bytes_raw())
        return MlDsaPrivate(k, made.private_bytes_raw(), b"", public)

    def mldsa_sign(self, key: MlDsaPrivate, message: bytes, choice: MlDsaChoice) -> bytes:
        mldsa_keys.check_choice(key.k, choice)
        if choice.is_deterministic:
            raise UsageError("The software has no deterministic signatures: leave --deterministic or --engine out.")
        private, public = mldsa_keys.to_private(key), key.public
        if choice.prehash:
            return private.sign_mu(mldsa_keys.mu_of(public, message, choice))
        return private.sign(message, choice.context)

    def mldsa_verify(self, key: MlDsaPublic, message: bytes, choice: MlDsaChoice, signature: bytes) -> bool:
        mldsa_keys.check_choice(key.k, choice)
        public = mldsa_keys.to_public(key)
        try:
            if choice.prehash:
                public.verify_mu(signature, mldsa_keys.mu_of(key, message, choice))
            else:
                public.verify(signature, message, choice.context)
        except InvalidSignature:
            return False
        return True

    def statistics(self) -> dict[str, str]:
        return {"done by": "cryptography (OpenSSL)"}

    def close(self) -> None:
        pass
