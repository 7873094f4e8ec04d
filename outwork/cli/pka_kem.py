# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork pka encapsulate` and `decapsulate`: secrets under ML-KEM keys."""

from typing import Annotated

import typer

from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.cli.pka_files import KeyName, check_names, opened, read_private, read_public, read_up_to
from outwork.errors import UsageError
from outwork.files.streams import check_target, write_file
from outwork.pka.mlkem_keys import MlKemPrivate, MlKemPublic

CIPHERTEXT_BYTES_MAX = 1 << 16


def encapsulate(
    key_name: KeyName,
    target: Annotated[str, typer.Argument(metavar="CIPHERTEXT", help="File to write for the key's owner.")],
    secret_name: Annotated[str, typer.Argument(metavar="SECRET", help="File to write the secret to.")],
    force: options.Force = False,
    engine: options.FixedEngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    stats: options.Stats = False,
) -> None:
    """Make a secret of 32 bytes and a ciphertext that tells it to the owner of a public ML-KEM key.

    Example:

      outwork pka encapsulate theirs.pub.pem ciphertext secret
    """
    if secret_name == target:
        raise UsageError(f"{target} cannot hold both, ciphertext and secret: give two files.")
    check_target(secret_name, force)
    check_names({"KEY": key_name}, target, force)
    key = read_public(key_name)
    if not isinstance(key, MlKemPublic):
        raise UsageError(
            "Only an ML-KEM key encapsulates; with a key on a curve derive a secret (`outwork pka derive`)."
        )
    with opened(engine, board, stats) as worker:
        secret, ciphertext = worker.mlkem_encapsulate(key)
    write_file(secret_name, secret, is_private=True, force=force)
    write_file(target, ciphertext, force=force)


def decapsulate(
    key_name: KeyName,
    source: Annotated[
        str, typer.Argument(metavar="CIPHERTEXT", help="What `encapsulate` has made; - is standard input.")
    ],
    target: Annotated[str, typer.Argument(metavar="SECRET", help="File to write the secret to; - is standard output.")],
    password_file: options.PasswordFile = None,
    force: options.Force = False,
    engine: options.FixedEngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    stats: options.Stats = False,
) -> None:
    """Get the secret out of a ciphertext with a private ML-KEM key.

    A ciphertext that is damaged or for another key gives a secret that nobody else has, without an error (FIPS 203).

    Example:

      outwork pka decapsulate mine.pem ciphertext secret
    """
    check_names({"KEY": key_name, "CIPHERTEXT": source, "--password-file": password_file}, target, force)
    key = read_private(key_name, password_file)
    if not isinstance(key, MlKemPrivate):
        raise UsageError(
            "Only an ML-KEM key decapsulates; with a key on a curve derive a secret (`outwork pka derive`)."
        )
    ciphertext = read_up_to(source, CIPHERTEXT_BYTES_MAX)
    with opened(engine, board, stats) as worker:
        secret = worker.mlkem_decapsulate(key, ciphertext)
    write_file(target, secret, is_private=True, force=force)
