# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What the commands of `outwork pka` share: names of files, keys out of files, the worker and its statistics."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from outwork.choice.engine import DEVICE
from outwork.errors import UsageError
from outwork.files import secrets
from outwork.files.streams import check_different, check_one_standard_input, check_target, open_source
from outwork.messages import note
from outwork.pka import keys
from outwork.pka.base import Worker
from outwork.pka.keys import Private, Public
from outwork.pka.workers import open_worker
from outwork.simulated import patience

KEY_BYTES_MAX = 1 << 16

InName = Annotated[str, typer.Argument(metavar="IN", help="File to read; - is standard input.")]
OutName = Annotated[str, typer.Argument(metavar="OUT", help="File to write; - is standard output.")]
KeyName = Annotated[str, typer.Argument(metavar="KEY", help="Key in PEM or DER.", show_default=False)]


def check_names(
    inputs: dict[str, str | Path | None], target: str | None = None, force: bool = False, is_binary: bool = True
) -> None:
    """Checks file names before the work, so that no input is read twice or replaced and no result is lost. Inputs have
    the names of the arguments."""
    check_one_standard_input(inputs)
    if target is not None:
        for name in inputs.values():
            check_different(str(name), target)
        check_target(target, force, is_binary)


def _read_key(name: str, password_file: Path | None) -> Private | Public:
    password = secrets.password_from_file(password_file).data if password_file is not None else None
    with open_source(name) as source:
        return keys.read(source.read_all(KEY_BYTES_MAX), name, password)


def read_private(name: str, password_file: Path | None) -> Private:
    key = _read_key(name, password_file)
    if not isinstance(key, Private):
        raise UsageError(f"{name} contains a public key; this command needs a private key.")
    return key


def read_public(name: str, password_file: Path | None = None) -> Public:
    return keys.public_of(_read_key(name, password_file))


@contextmanager
def opened(engine: str, board: str, stats: bool) -> Iterator[Worker]:
    """Opens the worker. Shows that a simulated board is at work, and its statistics after the work has succeeded."""
    with open_worker(engine, board) as worker, patience(engine == DEVICE):
        yield worker
        if stats:
            for name, value in worker.statistics().items():
                note(f"{name}: {value}")


def read_up_to(name: str, length_max: int) -> bytes:
    """Returns a file as a whole. Raises UsageError if it is longer."""
    with open_source(name) as source:
        return source.read_all(length_max)
