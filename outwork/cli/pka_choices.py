# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The options of `outwork pka` for padding, hash functions and contexts, and what they choose for the kind of key."""

from typing import Annotated

import typer

from outwork.cli import options
from outwork.errors import UsageError
from outwork.pka import keys, mldsa_keys, schemes
from outwork.pka.keys import CurvePublic, Ed25519Private, Ed25519Public, Private, Public, X25519Public
from outwork.pka.mldsa_keys import MlDsaChoice, MlDsaPrivate, MlDsaPublic
from outwork.pka.mlkem_keys import MlKemPrivate, MlKemPublic
from outwork.pka.schemes import Padding, Scheme

Ed25519 = Ed25519Private | Ed25519Public
MlDsa = MlDsaPrivate | MlDsaPublic


DigestName = Annotated[
    str | None,
    typer.Option(
        "--digest",
        metavar="NAME",
        help="Hash function, as `openssl dgst` calls it. \\[default: sha256, or the curve's]",
        show_default=False,
    ),
]
MaskDigestName = Annotated[
    str | None,
    typer.Option(
        "--mgf-digest",
        metavar="NAME",
        help="Hash function of the mask (PSS, OAEP). \\[default: that of --digest]",
        show_default=False,
    ),
]
ContextHex = Annotated[
    str, typer.Option("--context", metavar="HEX", help="ML-DSA: context, at most 255 bytes.", show_default=False)
]
PrehashName = Annotated[
    str,
    typer.Option(
        "--prehash", metavar="NAME", help="HashML-DSA: hash function, as `openssl dgst` calls it.", show_default=False
    ),
]


def check_no_choices(key: Ed25519 | MlDsa, *choices: object) -> None:
    """Raises UsageError if an option of RSA or ECDSA is given with a key that signs messages, not digests."""
    if any(choice is not None for choice in choices):
        raise UsageError(
            f"A key for {keys.name_of(key)} has no padding, and hashes in its own way: leave those options out."
        )


def mldsa_choice(key: Private | Public, context_hex: str, prehash: str, is_deterministic: bool = False) -> MlDsaChoice:
    """Returns what is signed with the message. Raises UsageError if another key than one for ML-DSA gets such options."""
    choice = MlDsaChoice(options.from_hexadecimal(context_hex, "--context"), prehash, is_deterministic)
    if isinstance(key, MlDsa):
        mldsa_keys.check_choice(key.k, choice)
    elif choice != MlDsaChoice():
        raise UsageError("--context, --prehash and --deterministic go with keys for ML-DSA: leave them out.")
    return choice


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
