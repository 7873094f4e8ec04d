# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork digest`: digests of files, written and checked in the form of sha256sum."""

from typing import Annotated

import typer

from outwork import algorithms, messages
from outwork.algorithms.digest import check_customization, check_output
from outwork.choice.engine import DEVICE, EngineChoice
from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.engines.hashing import HashTask
from outwork.errors import OutworkError, UsageError
from outwork.files import checksums
from outwork.simulated import software_for, watch


def digest(
    algorithm_name: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM", autocompletion=lambda: algorithms.HASHES, help="sha-256, sha3-384, shake128 and so on."
        ),
    ],
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="Files to read; - is standard input. \\[default: -]", show_default=False),
    ] = None,
    check: Annotated[bool, typer.Option("--check", "-c", help="The files hold digests: check what they name.")] = False,
    length: Annotated[
        int | None,
        typer.Option(
            "--length",
            metavar="BYTES",
            help="Of an extendable output (SHAKE). \\[default: 32 or 64]",
            show_default=False,
        ),
    ] = None,
    customization_hex: Annotated[
        str,
        typer.Option(
            "--customization",
            metavar="HEX",
            help="The customization string of a function that has one.",
            show_default=False,
        ),
    ] = "",
    quiet: Annotated[bool, typer.Option("--quiet", help="With --check: print only failures.")] = False,
    engine: options.EngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
    policy_file: options.PolicyFile = None,
    explain: options.Explain = False,
    stats: options.Stats = False,
) -> None:
    """Write digests of files as sha256sum does, or check them.

    Many files are hashed at once. A file that cannot be read is named on standard error and the others are processed;
    the exit status is then 1. It is also 1 if --check finds a digest that does not match.

    Examples:

      outwork digest sha-256 firmware.bin bitstream.bit > SHA256SUMS

      outwork digest sha-256 --check SHA256SUMS

      printf abc | outwork digest sha3-384

      outwork digest shake128 --length 100 message
    """
    algorithm = algorithms.find_hash(algorithm_name)
    output_bytes = algorithm.tag_bytes_default if length is None else length
    check_output(algorithm, output_bytes)
    customization = options.from_hexadecimal(customization_hex, "--customization")
    check_customization(algorithm, customization)
    if quiet and not check:
        raise UsageError("--quiet goes with --check.")
    names = files or ["-"]
    wanted: list[checksums.Line] = []
    if check:
        if length is not None:
            raise UsageError("--length has no meaning with --check: the digests have their lengths.")
        wanted = [line for name in names for line in checksums.read(name, algorithm)]
        names = [line.name for line in wanted]
        output_bytes = checksums.output_bytes(wanted, algorithm)
    task = HashTask(algorithm, b"", output_bytes, customization)
    choice = EngineChoice(engine, board, stats, policy_file, explain)
    with choice.open(algorithm, algorithm.operations[0], checksums.shape(names)) as worker:
        total = checksums.size_of(names)
        with messages.progress_bar(f"{algorithm}", total) as advance:
            advance = watch(advance, worker.name == DEVICE, total, lambda _: software_for(algorithm.has_software))
            failures = 0
            for index, (name, result) in enumerate(checksums.hash_files(worker, task, names, advance)):
                if isinstance(result, OutworkError):
                    messages.note(str(result))
                    failures += 1
                elif check:
                    is_good = result == wanted[index].digest
                    failures += not is_good
                    if not (is_good and quiet):
                        print(f"{name}: {'OK' if is_good else 'FAILED'}", flush=True)
                else:
                    print(checksums.line(result, name), flush=True)
        if stats:
            for title, text in worker.statistics().items():
                messages.note(f"{title}: {text}")
    if failures:
        what = "do not match" if check else "could not be read"
        raise OutworkError(f"{failures} of {len(names)} files {what}.")
