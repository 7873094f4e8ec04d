# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork decrypt`."""

from typing import Annotated

import typer

from outwork import algorithms
from outwork.choice.engine import EngineChoice
from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.errors import UsageError
from outwork.files import encryption, secrets
from outwork.files.encryption import FileFormat
from outwork.files.formats import openssl
from outwork.files.streams import check_different, check_target, open_sink, open_source


def decrypt(
    source: options.Source,
    target: options.Target,
    cipher_name: Annotated[
        str | None,
        typer.Option(
            "--cipher",
            metavar="NAME",
            autocompletion=lambda: algorithms.FILE_CIPHERS,
            help="Needed with --format openssl; other files name their cipher.",
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
    allow_costly_kdf: options.CostlyKdf = False,
    file_format: Annotated[
        FileFormat, typer.Option("--format", help="outwork, or openssl for files of `openssl enc -pbkdf2`.")
    ] = FileFormat.OUTWORK,
    force: options.Force = False,
    stats: options.Stats = False,
) -> None:
    """Decrypt a file.

    OUT is created only when every chunk is authentic. An existing file is kept, unless --force is given. With - as OUT
    each chunk is written as soon as it is authentic: if a later one fails, the output so far is valid, and the exit status
    is 3.

    Examples:

      outwork decrypt README.md.ow copy.md

      outwork decrypt --key-file key.hex disk.img.ow disk.img

      outwork decrypt --format openssl --cipher aes-256-ctr --password-file secret a.enc a
    """
    options.check_one_secret(source, password_file, key_file)
    choice = EngineChoice(engine, board, stats, policy_file, explain, options.number_of_boards(boards))
    check_different(source, target)
    check_target(target, force, is_binary=False)
    if file_format is FileFormat.OPENSSL:
        if cipher_name is None:
            raise UsageError("With --format openssl the file does not say its cipher: give --cipher.")
        cipher = algorithms.find_file_cipher(cipher_name, openssl.CIPHERS)
        openssl.check_cipher(cipher)
        iterations = options.openssl_iterations(kdf_name, iterations, key_file)
        with open_source(source) as reading:
            secret = secrets.password_from_file(password_file) if password_file else secrets.ask_password(twice=False)
            with open_sink(target, force=force, mode=reading.mode) as writing:
                encryption.decrypt_openssl(reading, writing, choice, cipher, secret, iterations)
        return
    if kdf_name is not None or iterations is not None:
        raise UsageError("The file itself says how its key is made: leave --kdf and --iterations out.")
    with open_source(source) as reading:
        opened = encryption.read_header(reading, cipher_name, allow_costly_kdf)
        choice.check(opened.header.cipher)
        encryption.check_secret_kind(opened, key_file is not None)
        if key_file is not None:
            secret = secrets.key_from_file(key_file, opened.header.cipher)
        elif password_file is not None:
            secret = secrets.password_from_file(password_file)
        else:
            secret = secrets.ask_password(twice=False)
        with open_sink(target, force=force, mode=reading.mode) as writing:
            encryption.decrypt(reading, writing, choice, opened, secret)
