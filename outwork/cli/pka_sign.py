# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork pka sign` and `verify`: signatures of files."""

import hashlib
from typing import Annotated

import typer

from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.cli.pka_choices import (
    ContextHex,
    DigestName,
    MaskDigestName,
    PrehashName,
    check_no_choices,
    mldsa_choice,
    padding_of,
)
from outwork.cli.pka_files import InName, KeyName, OutName, check_names, opened, read_private, read_public, read_up_to
from outwork.errors import NotAuthenticError
from outwork.files.streams import mode_of, open_source, write_file
from outwork.messages import note
from outwork.pka import schemes
from outwork.pka.keys import CurvePrivate, CurvePublic, Ed25519Private, Ed25519Public, RsaPrivate, RsaPublic
from outwork.pka.mldsa_keys import MlDsaPrivate, MlDsaPublic
from outwork.pka.schemes import Scheme

SIGNATURE_BYTES_MAX = 1 << 16
# Ed25519 and ML-DSA sign messages, not digests; Ed25519 reads them twice.
WHOLE_BYTES_MAX = 1 << 26
PIECE_BYTES = 1 << 20


def _digest_of(path: str, name: str) -> bytes:
    function = hashlib.new(schemes.hashlib_name(name))
    with open_source(path) as source:
        while piece := source.read(PIECE_BYTES):
            function.update(piece)
    return function.digest()


def sign(
    key_name: KeyName,
    source: InName,
    target: OutName,
    digest: DigestName = None,
    padding: Annotated[
        Scheme | None, typer.Option("--padding", help="RSA. \\[default: pkcs1]", show_default=False)
    ] = None,
    mask_digest: MaskDigestName = None,
    salt: Annotated[
        int | None,
        typer.Option(
            "--salt", metavar="N", min=0, help="Bytes of salt (PSS). \\[default: as --digest]", show_default=False
        ),
    ] = None,
    context: ContextHex = "",
    prehash: PrehashName = "",
    deterministic: Annotated[bool, typer.Option("--deterministic", help="ML-DSA: without random bytes.")] = False,
    password_file: options.PasswordFile = None,
    force: options.Force = False,
    engine: options.FixedEngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    stats: options.Stats = False,
) -> None:
    """Sign a file: what `openssl dgst -sign` writes, with Ed25519 and ML-DSA `openssl pkeyutl -sign -rawin`.

    Example:

      outwork pka sign key.pem firmware.bin firmware.sig
    """
    check_names({"KEY": key_name, "IN": source, "--password-file": password_file}, target, force)
    key = read_private(key_name, password_file)
    choice = mldsa_choice(key, context, prehash, deterministic)
    if isinstance(key, Ed25519Private | MlDsaPrivate):
        check_no_choices(key, padding, digest, mask_digest, salt)
        message = read_up_to(source, WHOLE_BYTES_MAX)
        with opened(engine, board, stats) as worker:
            if isinstance(key, MlDsaPrivate):
                signature = worker.mldsa_sign(key, message, choice)
            else:
                signature = worker.ed25519_sign(key, message)
        write_file(target, signature, force=force, mode=mode_of(source))
        return
    chosen = padding_of(key, padding, Scheme.PKCS1, digest, mask_digest, salt)
    schemes.check_signature_scheme(chosen)
    data = _digest_of(source, chosen.hash)
    with opened(engine, board, stats) as worker:
        if isinstance(key, RsaPrivate):
            if salt is None:
                chosen = schemes.with_salt(chosen, len(data))
            signature = worker.rsa_sign(key, chosen, data)
        else:
            assert isinstance(key, CurvePrivate)
            signature = worker.ecdsa_sign(key, chosen.hash, data)
    write_file(target, signature, force=force, mode=mode_of(source))


def verify(
    key_name: KeyName,
    source: InName,
    signature_name: Annotated[str, typer.Argument(metavar="SIGNATURE", help="File with the signature.")],
    digest: DigestName = None,
    padding: Annotated[
        Scheme | None, typer.Option("--padding", help="RSA. \\[default: pkcs1]", show_default=False)
    ] = None,
    mask_digest: MaskDigestName = None,
    salt: Annotated[
        int | None,
        typer.Option("--salt", metavar="N", min=0, help="Bytes of salt (PSS). \\[default: any]", show_default=False),
    ] = None,
    context: ContextHex = "",
    prehash: PrehashName = "",
    engine: options.FixedEngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    stats: options.Stats = False,
) -> None:
    """Verify a signature with a public (or private) key. The exit status is 3 if it is wrong.

    Example:

      outwork pka verify key.pub.pem firmware.bin firmware.sig
    """
    check_names({"KEY": key_name, "IN": source, "SIGNATURE": signature_name})
    key = read_public(key_name)
    signature = read_up_to(signature_name, SIGNATURE_BYTES_MAX)
    choice = mldsa_choice(key, context, prehash)
    if isinstance(key, Ed25519Public | MlDsaPublic):
        check_no_choices(key, padding, digest, mask_digest, salt)
        message = read_up_to(source, WHOLE_BYTES_MAX)
    else:
        chosen = padding_of(key, padding, Scheme.PKCS1, digest, mask_digest, salt)
        schemes.check_signature_scheme(chosen)
        data = _digest_of(source, chosen.hash)
    with opened(engine, board, stats) as worker:
        if isinstance(key, MlDsaPublic):
            is_good = worker.mldsa_verify(key, message, choice, signature)
        elif isinstance(key, Ed25519Public):
            is_good = worker.ed25519_verify(key, message, signature)
        elif isinstance(key, RsaPublic):
            is_good = worker.rsa_verify(key, chosen, data, signature)
        else:
            assert isinstance(key, CurvePublic)
            is_good = worker.ecdsa_verify(key, chosen.hash, data, signature)
    if not is_good:
        raise NotAuthenticError(f"{signature_name} is not a signature of {source} by this key.")
    note("the signature is good")
