# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What ML-KEM and ML-DSA on the device share: the memory of a structure of the driver, and checks."""

from outwork.device.board import Board
from outwork.device.queues import Queue
from outwork.errors import UsageError


class DeviceLattice:
    """Holds a `struct ow_NAME` in memory of the board. `standard` is where the standard checks keys, for error texts."""

    def __init__(self, board: Board, queue: Queue, name: str, standard: str) -> None:
        self.queue = queue
        self._board, self._ffi, self._c, self._standard = board, board.ffi, board.c, standard
        # The device reads and writes in it; aligned as C requires.
        self._memory = board.memory(self._ffi.sizeof(f"struct ow_{name}") + 64)
        self._struct = self._ffi.cast(f"struct ow_{name} *", self._memory.address)
        self._close = getattr(self._c, f"ow_{name}_close")
        board.check(getattr(self._c, f"ow_{name}_init")(self._struct, queue.queue))

    @property
    def cycles(self) -> int:
        """The device time of the last operation, from the descriptor's fetch to its completion."""
        return int(self._struct.cycles)

    def _check(self, status: int) -> None:
        if status == self._c.OW_BAD_ARGUMENT:
            raise UsageError(
                f"The device refuses the key: it is damaged, or no key of this parameter set ({self._standard})."
            )
        self._board.check(status)

    def close(self) -> None:
        """Wipes the memory."""
        self._close(self._struct)


def check_length(what: str, data: bytes, wanted: int) -> None:
    if len(data) != wanted:
        raise UsageError(f"{what} has {wanted} bytes in this parameter set, not {len(data)}.")
