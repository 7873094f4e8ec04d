# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The signals that end a command."""

import signal
from collections.abc import Callable
from types import FrameType


def on_end(call: Callable[[int, FrameType | None], None]) -> None:
    """Calls the function when the command is to end. A closed terminal does not end what `nohup` has started."""
    hangs_up = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    for number in (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if hangs_up else ())):
        signal.signal(number, call)
