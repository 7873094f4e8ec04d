# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What the options of `outwork pka` for padding and hash functions choose, for the kind of key."""

from outwork.cli import options
from outwork.errors import UsageError
from outwork.pka import keys, schemes
from outwork.pka.keys import CurvePublic, Private, Public, X25519Public
from outwork.pka.mlkem_keys import MlKemPrivate, MlKemPublic
from outwork.pka.schemes import Padding, Scheme


def check_no_choices(padding: Scheme | None, digest: str | None, mask_digest: str | None, salt: int | None) -> None:
    """Raises UsageError if an option is given that has no meaning for Ed25519."""
    if (padding, digest, mask_digest, salt) != (None, None, None, None):
        raise UsageError("Ed25519 has no padding, and its hash function is SHA-512: leave those options out.")


def padding_of(
    key: Private | Public,
    scheme: Scheme | None,
    default: Scheme,
    digest: str | None,
    mask_digest: str | None = None,
    salt: int | None = None,
    label_hex: str = "",
) -> Padding:
    """Returns the padding of RSA. A key on a curve has only a hash function."""
    if isinstance(key, MlKemPrivate | MlKemPublic):
        raise UsageError(
            "A key for ML-KEM neither signs nor encrypts: use `outwork pka encapsulate` and `decapsulate`."
        )
    public = keys.public_of(key)
    if isinstance(public, X25519Public):
        raise UsageError("A key for X25519 does not sign; derive a secret with it (`outwork pka derive`).")
    if isinstance(public, CurvePublic):
        if scheme is not None or mask_digest is not None or salt is not None:
            raise UsageError(f"A key on {public.curve.name} has no padding: leave those options out.")
        return Padding(Scheme.PKCS1, schemes.check_hash(digest or public.curve.hash))
    scheme = scheme or default
    if scheme is Scheme.PKCS1 and (mask_digest is not None or salt is not None or label_hex):
        raise UsageError("The padding pkcs1 has neither mask, salt nor label: leave those options out.")
    name = schemes.check_hash(digest or "sha256")
    mask_name = schemes.check_hash(mask_digest or name, "--mgf-digest")
    if scheme is not Scheme.PKCS1:
        for used in (name, mask_name):
            schemes.check_software_hash(used, scheme)
    label = options.from_hexadecimal(label_hex, "--label")
    return Padding(scheme, name, mask_name, schemes.SALT_ANY if salt is None else salt, label)
