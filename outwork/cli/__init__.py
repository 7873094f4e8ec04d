# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The `outwork` command: one module per subcommand (`registry`); prints errors as sentences."""

import sys
from types import FrameType
from typing import Annotated

import typer

from outwork import __version__
from outwork.cli.application import Application
from outwork.cli.ending import on_end
from outwork.cli.registry import LazyGroup
from outwork.errors import OutworkError
from outwork.files.standard_output import checked_output, open_closed

app = Application(
    "Open crypto offload: encrypt and hash files and messages on the accelerator (simulated) or in software, and time both.",
    add_completion=True,
    cls=LazyGroup,
)


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
    open_closed()
    on_end(_end)
    try:
        with checked_output():
            app(prog_name="outwork")
    except OutworkError as error:
        print(f"outwork: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
