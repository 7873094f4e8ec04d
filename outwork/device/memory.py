# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Page-aligned memory with a fixed address, for engines."""

import mmap
from collections.abc import Callable
from types import TracebackType
from typing import Self

from cffi import FFI

from outwork.errors import OutworkError

_FFI = FFI()


class Memory:
    """Zeroed memory with pages of its own. Close it, or use it in a `with` block."""

    def __init__(self, size_bytes: int) -> None:
        self.size_bytes = size_bytes
        self._view: memoryview | None = memoryview(mmap.mmap(-1, max(size_bytes, 1)))[:size_bytes]
        self._on_close: list[Callable[[Memory], None]] = []

    @property
    def view(self) -> memoryview:
        """All of it, writable. Slices may be kept after `close`, but then engines cannot access them."""
        if self._view is None:
            raise OutworkError("This memory is closed: copy data out of it before closing it.")
        return self._view

    @property
    def address(self) -> int:
        return int(_FFI.cast("uintptr_t", _FFI.from_buffer(self.view)))

    def at(self, offset: int, length: int) -> memoryview:
        """Returns the bytes at this place, writable."""
        return self.view[offset : offset + length]

    def on_close(self, call: Callable[["Memory"], None]) -> None:
        """Adds a function that is called with this memory before it is closed."""
        _ = self.view  # closed memory is an error
        self._on_close.append(call)

    def close(self) -> None:
        if self._view is not None:
            for call in self._on_close:
                call(self)
            self._view = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
