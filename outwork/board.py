# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The simulated board with its device opened: memory, key slots, queues, and the switches that tests need."""

from types import TracebackType
from typing import Any, Final, Self

from outwork import binding, profiles
from outwork.errors import NoDeviceError, OutworkError, UsageError
from outwork.memory import Memory
from outwork.profiles import Profile
from outwork.queues import Queue

# Of device time, for a reset or a key command: they take some tens of cycles, and a dead device must not hold anybody.
COMMAND_TIMEOUT_MICROSECONDS: Final = 5_000


class Board:
    """Owns the simulation. Close it, or use it in a `with` block; memory and queues of it end with it."""

    def __init__(self, profile: Profile | str = profiles.DEFAULT_BOARD, **changes: int) -> None:
        self.profile = profiles.load(profile) if isinstance(profile, str) else profile
        library = binding.load(self.profile.data_width_bits)
        self.ffi, self.c, self.library_path = library.ffi, library.c, library.path
        parameters = self._parameters({**self.profile.parameters, **changes})
        why = self.ffi.new("const char **")
        self.sim: Any = self.c.ow_sim_open(parameters, why)
        if self.sim == self.ffi.NULL:
            reason = self.ffi.string(why[0]).decode() if why[0] != self.ffi.NULL else "no reason given"
            raise OutworkError(f"The board '{self.profile.name}' cannot be opened: {reason}.")
        self.clock_hz = int(parameters.clock_hz)
        self.platform = self.ffi.new("struct ow_platform *")
        self.c.ow_sim_platform(self.sim, self.platform)
        self.device = self.ffi.new("struct ow_device *")
        self.check(self.c.ow_device_open(self.device, self.platform), NoDeviceError)
        self.device.timeout_us = COMMAND_TIMEOUT_MICROSECONDS
        self.capabilities = self.device.capabilities
        self.queues: dict[int, Queue] = {}
        self._memories: list[Memory] = []

    def _parameters(self, values: dict[str, int]) -> Any:
        parameters = self.ffi.new("struct ow_sim_parameters *")
        self.c.ow_sim_defaults(parameters)
        known = {name for name, _ in self.ffi.typeof("struct ow_sim_parameters").fields}
        for name, value in values.items():
            if name not in known:
                raise UsageError(
                    f"The board file {self.profile.path} sets '{name}', which no board has. There are: {', '.join(sorted(known))}."
                )
            try:
                setattr(parameters, name, value)
            except OverflowError as error:
                raise UsageError(
                    f"The board file {self.profile.path} gives '{name}' as {value}: out of range."
                ) from error
        return parameters

    def check(self, status: int, kind: type[OutworkError] = OutworkError) -> None:
        """Raises unless the driver's status is OW_OK."""
        if status != self.c.OW_OK:
            raise kind(f"The device: {self.status_text(status)}")

    def status_text(self, status: int) -> str:
        text = self.ffi.string(self.c.ow_status_text(status)).decode()
        return str(text)

    def memory(self, size_bytes: int) -> Memory:
        """Memory that the device reaches."""
        memory = Memory(size_bytes, on_close=self._unregister)
        if not self.c.ow_sim_register(self.sim, self.pointer(memory.address), max(size_bytes, 1)):
            raise OutworkError("The board has no room for more memory regions.")
        self._memories.append(memory)
        return memory

    def _unregister(self, memory: Memory) -> None:
        self._memories = [other for other in self._memories if other is not memory]
        if self.sim != self.ffi.NULL:
            self.c.ow_sim_unregister(self.sim, self.pointer(memory.address))

    def pointer(self, address: int) -> Any:
        return self.ffi.cast("void *", address)

    def queue(self, index: int = 0, log2_entries: int = 8, grant: Any = None) -> Queue:
        """Grants a queue (any address unless `grant` says otherwise) and starts it."""
        self.check(self.c.ow_queue_grant(self.device, index, grant if grant is not None else self.ffi.NULL))
        queue = Queue(self, index, log2_entries)
        self.queues[index] = queue
        return queue

    def supports(self, opcode: int, is_inverse: bool) -> bool:
        return bool(self.c.ow_device_supports(self.device, opcode, is_inverse))

    def load_key(
        self,
        slot: int,
        key: bytes,
        tweak_key: bytes | None = None,
        *,
        queues: int = 0xFF,
        encrypt: bool = True,
        decrypt: bool = True,
        mac: bool = True,
        lock: bool = False,
    ) -> None:
        properties = self.ffi.new(
            "struct ow_key_properties *",
            {"queues": queues, "encrypt": encrypt, "decrypt": decrypt, "mac": mac, "lock": lock},
        )
        second = self.ffi.NULL if tweak_key is None else tweak_key
        self.check(self.c.ow_key_load(self.device, slot, properties, key, len(key), second))

    def zeroise(self, slot: int) -> None:
        self.check(self.c.ow_key_zeroise(self.device, slot))

    def key_info(self, slot: int) -> Any:
        info = self.ffi.new("struct ow_key_info *")
        self.check(self.c.ow_key_query(self.device, info, slot))
        return info

    @property
    def cycles(self) -> int:
        return int(self.c.ow_sim_cycles(self.sim))

    def statistics(self) -> dict[str, int]:
        values = self.ffi.new("struct ow_sim_statistics *")
        self.c.ow_sim_statistics(self.sim, values)
        return {name: int(getattr(values, name)) for name, _ in self.ffi.typeof("struct ow_sim_statistics").fields}

    def protocol_error(self) -> str:
        """The first AXI rule that the device broke; empty if none."""
        text = self.c.ow_sim_protocol_error(self.sim)
        return "" if text == self.ffi.NULL else self.ffi.string(text).decode()

    def trace(self, path: str, jobs: int = 1) -> None:
        """Writes a waveform from the next doorbell to the end of the `jobs`th job after it."""
        if not self.c.ow_sim_trace(self.sim, path.encode(), jobs):
            raise OutworkError(
                f"No waveform can be written to {path}. Build with -DOUTWORK_TRACE=ON and check that the folder exists."
            )

    def close(self) -> None:
        if self.sim == self.ffi.NULL:
            return
        for queue in list(self.queues.values()):
            queue.close()
        self.c.ow_device_close(self.device)
        for memory in list(self._memories):
            self._unregister(memory)
        self.c.ow_sim_close(self.sim)
        self.sim = self.ffi.NULL

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
