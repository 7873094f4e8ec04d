# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork pka`: keys, signatures, encryption, key agreement and encapsulation, on PEM and DER files of OpenSSL."""

import hashlib
from typing import Annotated

import typer

from outwork.choice.engine import DEVICE
from outwork.cli import options
from outwork.cli.application import Application
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.cli.pka_choices import check_no_choices, padding_of
from outwork.cli.pka_files import KeyName, check_names, read_private, read_public, tell
from outwork.cli.pka_kem import decapsulate, encapsulate
from outwork.errors import NotAuthenticError, UsageError
from outwork.files import secrets
from outwork.files.streams import check_target, open_source, write_file
from outwork.messages import note
from outwork.pka import keys, schemes
from outwork.pka.generate import generate
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
from outwork.pka.schemes import Scheme
from outwork.pka.workers import open_worker
from outwork.simulated import patience

MESSAGE_BYTES_MAX = 1 << 16
# Ed25519 signs messages, not digests: it reads them twice.
WHOLE_BYTES_MAX = 1 << 26
PIECE_BYTES = 1 << 20

app = Application(
    "RSA, elliptic curves, ML-KEM: make keys, sign, verify, encrypt, decrypt, derive and encapsulate secrets."
)

InName = Annotated[str, typer.Argument(metavar="IN", help="File to read; - is standard input.")]
OutName = Annotated[str, typer.Argument(metavar="OUT", help="File to write; - is standard output.")]
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
LabelHex = Annotated[str, typer.Option("--label", metavar="HEX", help="Label (OAEP).", show_default=False)]


def _digest_of(path: str, name: str) -> bytes:
    function = hashlib.new(schemes.hashlib_name(name))
    with open_source(path) as source:
        while piece := source.read(PIECE_BYTES):
            function.update(piece)
    return function.digest()


def _whole(path: str) -> bytes:
    with open_source(path) as source:
        return source.read_all(WHOLE_BYTES_MAX)


@app.command()
def genkey(
    algorithm: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM",
            help="rsa-2048 (1024 to 4096), p-256, p-384, p-521, secp256k1, x25519, ed25519, "
            "ml-kem-512, ml-kem-768, ml-kem-1024.",
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
    with open_worker(engine, board) as worker, patience(engine == DEVICE):
        key = generate(worker, algorithm)
        write_file(target, keys.write_private(key, password, der), is_private=True, force=force, keeps_old=True)
        if public is not None:
            write_file(public, keys.write_public(keys.public_of(key), der), force=force)
        tell(worker, stats)


@app.command()
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
    password_file: options.PasswordFile = None,
    force: options.Force = False,
    engine: options.FixedEngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    stats: options.Stats = False,
) -> None:
    """Sign a file: what `openssl dgst -sign` writes, with Ed25519 `openssl pkeyutl -sign -rawin`.

    Example:

      outwork pka sign key.pem firmware.bin firmware.sig
    """
    check_names({"KEY": key_name, "IN": source, "--password-file": password_file}, target, force)
    key = read_private(key_name, password_file)
    if isinstance(key, Ed25519Private):
        check_no_choices(padding, digest, mask_digest, salt)
        message = _whole(source)
        with open_worker(engine, board) as worker, patience(engine == DEVICE):
            signature = worker.ed25519_sign(key, message)
            tell(worker, stats)
        write_file(target, signature, force=force)
        return
    chosen = padding_of(key, padding, Scheme.PKCS1, digest, mask_digest, salt)
    schemes.check_signature_scheme(chosen)
    data = _digest_of(source, chosen.hash)
    with open_worker(engine, board) as worker, patience(engine == DEVICE):
        if isinstance(key, RsaPrivate):
            if salt is None:
                chosen = schemes.with_salt(chosen, len(data))
            signature = worker.rsa_sign(key, chosen, data)
        else:
            assert isinstance(key, CurvePrivate)
            signature = worker.ecdsa_sign(key, chosen.hash, data)
        tell(worker, stats)
    write_file(target, signature, force=force)


@app.command()
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
    with open_source(signature_name) as reading:
        signature = reading.read_all(MESSAGE_BYTES_MAX)
    if isinstance(key, Ed25519Public):
        check_no_choices(padding, digest, mask_digest, salt)
        message = _whole(source)
    else:
        chosen = padding_of(key, padding, Scheme.PKCS1, digest, mask_digest, salt)
        schemes.check_signature_scheme(chosen)
        data = _digest_of(source, chosen.hash)
    with open_worker(engine, board) as worker, patience(engine == DEVICE):
        if isinstance(key, Ed25519Public):
            is_good = worker.ed25519_verify(key, message, signature)
        elif isinstance(key, RsaPublic):
            is_good = worker.rsa_verify(key, chosen, data, signature)
        else:
            assert isinstance(key, CurvePublic)
            is_good = worker.ecdsa_verify(key, chosen.hash, data, signature)
        tell(worker, stats)
    if not is_good:
        raise NotAuthenticError(f"{signature_name} is not a signature of {source} by this key.")
    note("the signature is good")


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
    with open_source(source) as reading:
        message = reading.read_all(MESSAGE_BYTES_MAX)
    schemes.check_message(chosen, key.bytes, len(message))
    with open_worker(engine, board) as worker, patience(engine == DEVICE):
        ciphertext = worker.rsa_encrypt(key, chosen, message)
        tell(worker, stats)
    write_file(target, ciphertext, force=force)


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
    with open_source(source) as reading:
        ciphertext = reading.read_all(MESSAGE_BYTES_MAX)
    with open_worker(engine, board) as worker, patience(engine == DEVICE):
        message = worker.rsa_decrypt(key, chosen, ciphertext)
        tell(worker, stats)
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
        raise UsageError("Both keys must be on a curve, or for X25519: RSA and Ed25519 keys have no shared secret.")
    if keys.name_of(key) != keys.name_of(peer):
        raise UsageError(f"One key is on {keys.name_of(key)}, the other on {keys.name_of(peer)}.")
    with open_worker(engine, board) as worker, patience(engine == DEVICE):
        if isinstance(key, X25519Private):
            assert isinstance(peer, X25519Public)
            secret = worker.x25519(key, peer)
        else:
            assert isinstance(peer, CurvePublic)
            secret = worker.ecdh(key, peer)
        tell(worker, stats)
    write_file(target, secret, is_private=True, force=force)


app.command()(encapsulate)
app.command()(decapsulate)
