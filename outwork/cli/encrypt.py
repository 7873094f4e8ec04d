# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork encrypt`."""

from typing import Annotated

import typer

from outwork import algorithms
from outwork.algorithms.cipher import IvUse
from outwork.choice.engine import EngineChoice
from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.files import encryption, secrets
from outwork.files.encryption import FileFormat
from outwork.files.formats import openssl
from outwork.files.kdf import Kdf
from outwork.files.streams import check_different, check_target, open_sink, open_source
from outwork.messages import warn

OPENSSL_CIPHER = "aes-256-cbc"


def encrypt(
    source: options.Source,
    target: options.Target,
    cipher_name: Annotated[
        str | None,
        typer.Option(
            "--cipher",
            metavar="NAME",
            autocompletion=lambda: algorithms.FILE_CIPHERS,
            help="Cipher, key length and mode, such as aes-256-ctr. "
            f"\\[default: {algorithms.DEFAULT_FILE_CIPHER}; {OPENSSL_CIPHER} with --format openssl]",
            show_default=False,
        ),
    ] = None,
    engine: options.EngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    boards: options.Boards = None,
    policy_file: options.PolicyFile = None,
    explain: options.Explain = False,
    password_file: options.PasswordFile = None,
    key_file: options.KeyFile = None,
    kdf_name: options.KdfOption = None,
    iterations: options.Iterations = None,
    file_format: Annotated[
        FileFormat,
        typer.Option("--format", help="outwork: authenticated; openssl: as `openssl enc -pbkdf2`, not authenticated."),
    ] = FileFormat.OUTWORK,
    force: options.Force = False,
    stats: options.Stats = False,
) -> None:
    """Encrypt a file.

    OUT is created only when everything has been written. An existing file is kept, unless --force is given.

    Examples:

      outwork encrypt README.md README.md.ow

      outwork encrypt --key-file key.hex --cipher aes-256-xts disk.img disk.img.ow

      tar c src | outwork encrypt --password-file secret - - | ssh host 'cat > src.tar.ow'

      outwork encrypt --format openssl --cipher aes-256-ctr --password-file secret a a.enc
    """
    options.check_one_secret(source, password_file, key_file)
    choice = EngineChoice(engine, board, stats, policy_file, explain, options.number_of_boards(boards))
    is_openssl = file_format is FileFormat.OPENSSL
    if is_openssl:
        cipher = algorithms.find_file_cipher(cipher_name or OPENSSL_CIPHER, openssl.CIPHERS)
        openssl.check_cipher(cipher)
        kdf = Kdf.pbkdf2(options.openssl_iterations(kdf_name, iterations, key_file))
    else:
        cipher = algorithms.find_file_cipher(cipher_name or algorithms.DEFAULT_FILE_CIPHER)
        kdf = options.file_kdf(kdf_name, iterations, key_file)
    choice.check(cipher)
    if cipher.iv_use is IvUse.NONE:
        warn(f"{cipher} shows which blocks of the file are equal; it is for compatibility only.")
    check_different(source, target)
    check_target(target, force)
    with open_source(source) as reading:
        if password_file is not None:
            secret = secrets.password_from_file(password_file)
        elif key_file is not None:
            secret = secrets.key_from_file(key_file, cipher)
        else:
            secret = secrets.ask_password(twice=True)
        with open_sink(target, force=force, mode=reading.mode) as writing:
            encryption.encrypt(
                reading,
                writing,
                choice,
                cipher,
                file_format,
                secret,
                kdf,
            )
