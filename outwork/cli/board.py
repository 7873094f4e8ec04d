# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork board`: serves one simulated board to several processes, lists boards, checks board files."""

import contextlib
import os
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from outwork import messages
from outwork.cli import options
from outwork.cli.application import Application
from outwork.cli.ending import on_end
from outwork.cli.options import DEFAULT_BOARD
from outwork.device import profiles
from outwork.device.board import Board
from outwork.errors import OutworkError, UsageError
from outwork.paths import has_library

TURN_MILLISECONDS = 200
CONNECT_SECONDS = 1.0

app = Application(
    "Simulated boards: serve one to other processes, list those that there are, check a board file.",
    invoke_without_command=True,
)


@app.callback()
def serve(
    context: typer.Context,
    listen: Annotated[
        Path | None,
        typer.Option(
            "--listen",
            metavar="SOCKET",
            help="Socket for clients; its folder's permissions control access.",
            show_default=False,
        ),
    ] = None,
    board: options.BoardName = DEFAULT_BOARD,
) -> None:
    """Simulated boards: serve one to other processes, list those that there are, check a board file.

    With --listen: keep a board, and serve its queues to other processes until it is interrupted. Each client has a queue of its own: memory and keys that no other client can use. When a client
    ends, for whatever reason, its queue is reset and its keys are zeroised.

    Example:

      outwork board --listen /run/outwork/board

    and in the provider's section of openssl.cnf: platform = shared, socket = /run/outwork/board
    """
    if context.invoked_subcommand is not None:
        return
    if listen is None:
        raise UsageError("Give --listen SOCKET, or a command: `outwork board --help` lists them.")
    _serve(listen, board)


@app.command(name="list")
def list_boards() -> None:
    """List the boards that come with Outwork, and whether each can be simulated here."""
    from rich.table import Table

    view = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("board", "simulated", "what it is"):
        view.add_column(title)
    for name in profiles.available():
        found = profiles.load(name)
        view.add_row(name, "yes" if has_library(found.library) else "not built", found.description)
    messages.console().print(view, highlight=False, soft_wrap=True)


@app.command()
def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A .toml file, or the name of a board.", show_default=False)
    ],
) -> None:
    """Check a board file: unknown and missing keys, values of a wrong type or out of range.

    Example:

      outwork board check my-board.toml
    """
    if file not in profiles.available() and Path(file).is_dir():
        raise UsageError(f"{file} is a folder; give a .toml file.")
    if not file.endswith(".toml") and Path(file).is_file():
        raise UsageError(f"The name of a board file ends in .toml; rename {file}.")
    found = profiles.load(file)
    print(f"{found.path}: in order; {found.build}, simulated by lib{found.library}.")
    for parameter, value in found.parameters.items():
        print(f"  {parameter} = {profiles.PARAMETERS[parameter].written(value)}")


def _remove_dead(listen: Path) -> None:
    """Removes the socket of a server that was killed, where nobody listens any more."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as probe:
        probe.settimeout(CONNECT_SECONDS)
        try:
            probe.connect(os.fspath(listen))
        except ConnectionRefusedError:
            if listen.is_socket():
                listen.unlink()


def _serve(listen: Path, board: str) -> None:
    console = messages.console()
    stopped = False

    def stop(number: int, frame: object) -> None:
        nonlocal stopped
        stopped = True

    with Board(board) as opened, ExitStack() as stack:
        _remove_dead(listen)
        on_end(stop)
        why = opened.ffi.new("const char **")
        server = opened.c.ow_shared_server_open(opened.sim, os.fsencode(listen), why)
        if server == opened.ffi.NULL:
            raise OutworkError(f"The board cannot listen at {listen}: {opened.ffi.string(why[0]).decode()}.")
        stack.callback(opened.c.ow_shared_server_close, server)  # removes the socket, however the loop ends
        console.print(f"board {opened.profile.name}: {opened.capabilities.queues} queues at {listen}", highlight=False)
        clients = 0
        while not stopped:
            opened.c.ow_shared_server_turn(server, TURN_MILLISECONDS)
            now = opened.c.ow_shared_server_clients(server)
            if now != clients:
                clients = now
                served, lost = opened.c.ow_shared_server_served(server), opened.c.ow_shared_server_lost(server)
                note = f", {lost} queues lost" if lost else ""
                console.print(f"clients: {clients} now, {served} so far{note}", highlight=False)
