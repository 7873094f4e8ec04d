# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork board`: serves one simulated board to several processes."""

import signal
from pathlib import Path
from typing import Annotated

import typer

from outwork import messages
from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD
from outwork.device.board import Board
from outwork.errors import OutworkError

TURN_MILLISECONDS = 200


def board(
    listen: Annotated[
        Path,
        typer.Option(
            "--listen",
            metavar="SOCKET",
            help="Socket for clients; its folder's permissions control access.",
            show_default=False,
        ),
    ],
    board: options.BoardName = DEFAULT_BOARD,
) -> None:
    """Keep a simulated board, and serve its queues to other processes until it is interrupted.

    Each client has a queue of its own: memory and keys that no other client can use. When a client
    ends, for whatever reason, its queue is reset and its keys are zeroised.

    Example:

      outwork board --listen /run/outwork/board

    and in the provider's section of openssl.cnf: platform = shared, socket = /run/outwork/board
    """
    console = messages.console()
    stopped = False

    def stop(number: int, frame: object) -> None:
        nonlocal stopped
        stopped = True

    with Board(board) as opened:
        why = opened.ffi.new("const char **")
        server = opened.c.ow_shared_server_open(opened.sim, str(listen).encode(), why)
        if server == opened.ffi.NULL:
            raise OutworkError(f"The board cannot listen at {listen}: {opened.ffi.string(why[0]).decode()}.")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, stop)
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
        opened.c.ow_shared_server_close(server)
