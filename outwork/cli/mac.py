# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork mac`: HMAC and KMAC of files."""

import hmac
from pathlib import Path
from typing import Annotated

import typer

from outwork import algorithms, messages
from outwork.algorithms.digest import check_output
from outwork.choice.engine import DEVICE, EngineChoice
from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.engines.hashing import HashTask
from outwork.errors import NotAuthenticError, OutworkError, UsageError
from outwork.files import checksums, secrets
from outwork.files.streams import STANDARD, check_one_standard_input
from outwork.simulated import software_for, watch


def mac(
    algorithm_name: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM",
            autocompletion=lambda: algorithms.MACS,
            help="hmac-sha-256, hmac-sha3-384, kmac128 and so on.",
        ),
    ],
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="Files to read; - is standard input. \\[default: -]", show_default=False),
    ] = None,
    key_file: options.KeyFile = None,
    key_hex: Annotated[
        str | None,
        typer.Option("--key", metavar="HEX", help="The key. Others can see it: for tests.", show_default=False),
    ] = None,
    length: Annotated[
        int | None,
        typer.Option(
            "--length", metavar="BYTES", help="Of the MAC. \\[default: the digest's, KMAC 32 or 64]", show_default=False
        ),
    ] = None,
    verify: Annotated[
        str | None,
        typer.Option("--verify", metavar="HEX", help="Compare the one file's MAC with this.", show_default=False),
    ] = None,
    engine: options.EngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    policy_file: options.PolicyFile = None,
    explain: options.Explain = False,
    stats: options.Stats = False,
) -> None:
    """Write the MACs of files, a line each, or verify one.

    With --verify nothing is written; the exit status is 3 when the MAC is wrong.

    Examples:

      outwork mac hmac-sha-256 --key-file device.key update.bin

      outwork mac kmac128 --key 404142434445464748494a4b4c4d4e4f --length 16 message

      outwork mac hmac-sha-256 --key-file device.key --verify 8d1f... update.bin
    """
    algorithm = algorithms.find_mac(algorithm_name)
    names = files or ["-"]
    check_one_standard_input({"FILE": STANDARD if STANDARD in names else None, "--key-file": key_file})
    key = _key(key_file, key_hex)
    expected = None if verify is None else options.from_hexadecimal(verify, "--verify")
    if expected is not None and (len(names) != 1 or length is not None):
        raise UsageError("--verify takes one file, and no --length: the MAC has its own.")
    output_bytes = algorithm.tag_bytes_default if length is None else length
    if expected is not None:
        output_bytes = len(expected)
    check_output(algorithm, output_bytes)
    task = HashTask(algorithm, key, output_bytes)
    choice = EngineChoice(engine, board, stats, policy_file, explain)
    with choice.open(algorithm, algorithm.operations[0], checksums.shape(names)) as worker:
        with messages.progress_bar(f"{algorithm}", checksums.size_of(names)) as advance:
            advance = watch(
                advance, worker.name == DEVICE, checksums.size_of(names), lambda _: software_for(algorithm.has_software)
            )
            failures = 0
            for name, result in checksums.hash_files(worker, task, names, advance):
                if isinstance(result, OutworkError):
                    messages.note(str(result))
                    failures += 1
                elif expected is None:
                    print(checksums.line(result, name), flush=True)
                elif not hmac.compare_digest(result, expected):
                    raise NotAuthenticError(f"The MAC does not match: wrong key, or {name} was changed.")
        if stats:
            for title, text in worker.statistics().items():
                messages.note(f"{title}: {text}")
    if failures:
        raise OutworkError(f"{failures} of {len(names)} files could not be read.")


def _key(key_file: Path | None, key_hex: str | None) -> bytes:
    if (key_file is None) == (key_hex is None):
        raise UsageError("Give the key: --key-file FILE or, for tests, --key HEX.")
    if key_hex is not None:
        return options.from_hexadecimal(key_hex, "--key")
    assert key_file is not None
    return secrets.mac_key_from_file(key_file)
