# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The `outwork` command: one module per subcommand; prints errors as sentences."""

import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from outwork import __version__
from outwork.cli.application import Application
from outwork.cli.bench import bench
from outwork.cli.board import board
from outwork.cli.crypt import crypt
from outwork.cli.decrypt import decrypt
from outwork.cli.digest import digest
from outwork.cli.doctor import doctor
from outwork.cli.encrypt import encrypt
from outwork.cli.lab import app as lab
from outwork.cli.mac import mac
from outwork.cli.pka import app as pka
from outwork.cli.radio import app as radio
from outwork.cli.selftest import selftest
from outwork.cli.soc import app as soc
from outwork.cli.status import status
from outwork.errors import OutworkError

app = Application(
    "Open crypto offload: encrypt and hash files and messages on the accelerator (simulated) or in software, and time both.",
    add_completion=True,
)
for command in (encrypt, decrypt, crypt, digest, mac, bench, status, selftest, doctor, board):
    app.command()(command)
app.add_typer(pka, name="pka")
app.add_typer(lab, name="lab")
app.add_typer(radio, name="radio")
app.add_typer(soc, name="soc")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"outwork {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    pass


def _end(number: int, frame: FrameType | None) -> None:
    """Exits through every `with` and `finally`, which remove unfinished files."""
    # On a terminal the cursor is behind ^C or a question.
    start = "\n" if sys.stderr.isatty() else ""
    print(f"{start}outwork: interrupted; unfinished files were removed.", file=sys.stderr)
    raise SystemExit(128 + number)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    try:
        app(prog_name="outwork")
    except OutworkError as error:
        print(f"outwork: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
