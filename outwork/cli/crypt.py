# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork crypt`: one message from standard input to standard output, for scripts and test vectors."""

from typing import Annotated

import typer

from outwork import algorithms
from outwork.algorithms.cipher import check_iv, check_key, check_tag_bytes
from outwork.choice.engine import DEVICE, EngineChoice, Shape
from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.errors import UsageError
from outwork.files.streams import STANDARD, open_sink, open_source
from outwork.simulated import patience, software_for

MESSAGE_BYTES_MAX = 1 << 30


def crypt(
    cipher_name: Annotated[
        str,
        typer.Option(
            "--cipher",
            metavar="NAME",
            autocompletion=lambda: algorithms.CIPHERS,
            help="Cipher, key length and mode, such as aes-256-ctr.",
            show_default=False,
        ),
    ],
    key_hex: Annotated[
        str,
        typer.Option("--key", metavar="HEX", help="XTS: both keys, one after the other.", show_default=False),
    ],
    iv_hex: Annotated[
        str,
        typer.Option(
            "--iv",
            metavar="HEX",
            help="IV, nonce, counter block, or data unit number (XTS).",
            show_default=False,
        ),
    ] = "",
    aad_hex: Annotated[
        str,
        typer.Option(
            "--aad", metavar="HEX", help="Additional authenticated data of an AEAD such as GCM.", show_default=False
        ),
    ] = "",
    tag_bytes: Annotated[
        int | None,
        typer.Option(
            "--tag-length", metavar="N", help="Bytes of the tag. \\[default: the longest]", show_default=False
        ),
    ] = None,
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Decrypt; with a MAC (cmac, gmac), verify.")] = False,
    engine: options.EngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    policy_file: options.PolicyFile = None,
    explain: options.Explain = False,
) -> None:
    """Put one raw message through a cipher, from standard input to standard output.

    An AEAD (GCM, CCM) writes the ciphertext followed by the tag, and reads the same. A MAC (CMAC, GMAC) writes the tag;
    with --decrypt it reads message and tag, and writes nothing. When a tag is wrong, nothing is written and the exit status is 3.

    Keys on a command line can be seen by other users of the machine: this is for tests.

    Examples:

      printf 'hello' | outwork crypt --cipher aes-128-ctr --key 000102030405060708090a0b0c0d0e0f --iv 00000000000000000000000000000001 | xxd

      outwork crypt --cipher aes-128-cmac --key 2b7e151628aed2a6abf7158809cf4f3c < message | xxd -p
    """
    cipher = algorithms.find_cipher(cipher_name)
    key = options.from_hexadecimal(key_hex, "--key")
    iv = options.from_hexadecimal(iv_hex, "--iv")
    aad = options.from_hexadecimal(aad_hex, "--aad")
    check_key(cipher, key)
    check_iv(cipher, iv)
    if aad and not cipher.is_aead:
        aeads = [name for name, entry in algorithms.CIPHERS.items() if entry.is_aead]
        raise UsageError(f"{cipher} takes no --aad; what does: {', '.join(aeads)}.")
    if tag_bytes is not None or cipher.tag_lengths:
        tag_bytes = cipher.tag_bytes_default if tag_bytes is None else tag_bytes
        check_tag_bytes(cipher, tag_bytes)
    operation = cipher.operations[decrypt]
    with open_source(STANDARD) as reading:
        message = reading.read_all(MESSAGE_BYTES_MAX)
    if not (cipher.tag_lengths and decrypt):
        cipher.check_length(len(message))
    choice = EngineChoice(engine, board, False, policy_file, explain)
    with (
        choice.open(cipher, operation, Shape(len(message), 1)) as worker,
        patience(worker.name == DEVICE, software_for(cipher.has_software)),
    ):
        result = worker.crypt(cipher, operation, key, iv, message, aad, tag_bytes or 0)
    with open_sink(STANDARD) as writing:
        writing.write(result)
