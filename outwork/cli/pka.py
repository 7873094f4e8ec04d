# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork pka`: keys, signatures, encryption, key agreement and encapsulation, on PEM and DER files of OpenSSL."""

from typing import Annotated

import typer

from outwork.cli import options
from outwork.cli.application import Application
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.cli.pka_choices import DigestName, MaskDigestName, padding_of
from outwork.cli.pka_files import InName, KeyName, OutName, check_names, opened, read_private, read_public, read_up_to
from outwork.cli.pka_kem import decapsulate, encapsulate
from outwork.cli.pka_sign import sign, verify
from outwork.errors import UsageError
from outwork.files import secrets
from outwork.files.streams import check_target, mode_of, write_file
from outwork.pka import keys, schemes
from outwork.pka.generate import NAMES, generate
from outwork.pka.keys import CurvePrivate, CurvePublic, RsaPrivate, RsaPublic, X25519Private, X25519Public
from outwork.pka.schemes import Scheme

MESSAGE_BYTES_MAX = 1 << 16

app = Application(
    "RSA, elliptic curves, ML-KEM, ML-DSA: make keys, sign, verify, encrypt, decrypt, derive and encapsulate secrets."
)

LabelHex = Annotated[str, typer.Option("--label", metavar="HEX", help="Label (OAEP).", show_default=False)]


@app.command()
def genkey(
    algorithm: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM",
            autocompletion=lambda: ("rsa-2048", *NAMES),
            help=f"rsa-2048 (1024 to 4096), {', '.join(NAMES)}.",
        ),
    ],
    target: OutName,
    public: Annotated[
        str | None, typer.Option("--public", metavar="FILE", help="Also write the public key.", show_default=False)
    ] = None,
    der: Annotated[bool, typer.Option("--der", help="DER, not PEM.")] = False,
    password_file: options.PasswordFile = None,
    force: options.Force = False,
    engine: options.FixedEngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    stats: options.Stats = False,
) -> None:
    """Make a private key, as PKCS#8, encrypted if a password is given.

    The engine makes scalars and points of curves. OpenSSL makes RSA's primes, and the engine checks the key.

    Example:

      outwork pka genkey p-256 key.pem --public key.pub.pem
    """
    if public is not None:
        if public == target:
            raise UsageError(f"{target} and --public are the same file; give the public key another name.")
        check_target(public, force, is_binary=der)
    check_names({"--password-file": password_file}, target, force, is_binary=der)
    password = secrets.password_from_file(password_file).data if password_file is not None else None
    with opened(engine, board, stats) as worker:
        key = generate(worker, algorithm)
        write_file(target, keys.write_private(key, password, der), is_private=True, force=force, keeps_old=True)
        if public is not None:
            write_file(public, keys.write_public(keys.public_of(key), der), force=force)


app.command()(sign)
app.command()(verify)


@app.command()
def encrypt(
    key_name: KeyName,
    source: InName,
    target: OutName,
    padding: Annotated[Scheme, typer.Option("--padding", help="oaep or pkcs1.")] = Scheme.OAEP,
    digest: DigestName = None,
    mask_digest: MaskDigestName = None,
    label: LabelHex = "",
    force: options.Force = False,
    engine: options.FixedEngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    stats: options.Stats = False,
) -> None:
    """Encrypt a short message, say a key, with a public RSA key: what `openssl pkeyutl -decrypt` reads.

    OpenSSL's own OAEP is SHA-1: give it `-pkeyopt rsa_oaep_md:sha256`, or give this command --digest sha1.

    Example:

      outwork pka encrypt rsa.pub.pem session.key session.enc
    """
    check_names({"KEY": key_name, "IN": source}, target, force)
    key = read_public(key_name)
    if not isinstance(key, RsaPublic):
        raise UsageError("Only RSA encrypts; with a key on a curve derive a secret (`outwork pka derive`).")
    chosen = padding_of(key, padding, Scheme.OAEP, digest, mask_digest, None, label)
    schemes.check_encryption_scheme(chosen)
    message = read_up_to(source, MESSAGE_BYTES_MAX)
    schemes.check_message(chosen, key.bytes, len(message))
    with opened(engine, board, stats) as worker:
        ciphertext = worker.rsa_encrypt(key, chosen, message)
    write_file(target, ciphertext, force=force, mode=mode_of(source))


@app.command()
def decrypt(
    key_name: KeyName,
    source: InName,
    target: OutName,
    padding: Annotated[Scheme, typer.Option("--padding", help="oaep or pkcs1.")] = Scheme.OAEP,
    digest: DigestName = None,
    mask_digest: MaskDigestName = None,
    label: LabelHex = "",
    password_file: options.PasswordFile = None,
    force: options.Force = False,
    engine: options.FixedEngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    stats: options.Stats = False,
) -> None:
    """Decrypt what was encrypted for a private RSA key. If it was not, the exit status is 3 and nothing is written.

    Example:

      outwork pka decrypt rsa.pem session.enc session.key
    """
    names = {"KEY": key_name, "IN": source, "--password-file": password_file}
    check_names(names, target, force, is_binary=False)
    key = read_private(key_name, password_file)
    if not isinstance(key, RsaPrivate):
        raise UsageError("Only RSA decrypts; with a key on a curve derive a secret (`outwork pka derive`).")
    chosen = padding_of(key, padding, Scheme.OAEP, digest, mask_digest, None, label)
    schemes.check_encryption_scheme(chosen)
    ciphertext = read_up_to(source, MESSAGE_BYTES_MAX)
    with opened(engine, board, stats) as worker:
        message = worker.rsa_decrypt(key, chosen, ciphertext)
    write_file(target, message, is_private=True, force=force)


@app.command()
def derive(
    key_name: KeyName,
    peer_name: Annotated[str, typer.Argument(metavar="PEER", help="The other's public key.")],
    target: OutName,
    password_file: options.PasswordFile = None,
    force: options.Force = False,
    engine: options.FixedEngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    stats: options.Stats = False,
) -> None:
    """Derive the secret that two keys on a curve share (ECDH, X25519): what `openssl pkeyutl -derive` writes.

    The secret is a number, not a key: use a key derivation function on it.

    Example:

      outwork pka derive mine.pem theirs.pub.pem secret
    """
    check_names({"KEY": key_name, "PEER": peer_name, "--password-file": password_file}, target, force)
    key, peer = read_private(key_name, password_file), read_public(peer_name)
    if not isinstance(key, CurvePrivate | X25519Private) or not isinstance(peer, CurvePublic | X25519Public):
        raise UsageError(
            "Both keys must be on a curve, or for X25519: keys of RSA, Ed25519 and ML-DSA have no shared secret."
        )
    if keys.name_of(key) != keys.name_of(peer):
        raise UsageError(f"One key is on {keys.name_of(key)}, the other on {keys.name_of(peer)}.")
    with opened(engine, board, stats) as worker:
        if isinstance(key, X25519Private):
            assert isinstance(peer, X25519Public)
            secret = worker.x25519(key, peer)
        else:
            assert isinstance(peer, CurvePublic)
            secret = worker.ecdh(key, peer)
    write_file(target, secret, is_private=True, force=force)


app.command()(encapsulate)
app.command()(decapsulate)
