# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Page-aligned memory with an address, that engines can be pointed at."""

import mmap
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from cffi import FFI

_FFI = FFI()


class Memory:
    """Zeroed memory of its own pages. Close it, or use it in a `with` block."""

    def __init__(self, size_bytes: int, on_close: Callable[["Memory"], None] | None = None) -> None:
        self.size_bytes = size_bytes
        self._map = mmap.mmap(-1, max(size_bytes, 1))
        self._keep: Any = _FFI.from_buffer(self._map)
        self.address: int = int(_FFI.cast("uintptr_t", self._keep))
        self.view = memoryview(self._map)[:size_bytes]
        self._on_close = on_close

    def at(self, offset: int, length: int) -> memoryview:
        """The bytes there, writable."""
        return self.view[offset : offset + length]

    def close(self) -> None:
        """Gives it back; slices taken from it must be gone."""
        if self._on_close is not None:
            self._on_close(self)
            self._on_close = None
        self.view.release()
        if self._keep is not None:
            _FFI.release(self._keep)
            self._keep = None
        self._map.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            # Slices may live on in the traceback: the memory then goes with the process.
            if self._on_close is not None:
                self._on_close(self)
                self._on_close = None
            return
        self.close()
