# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The simulated board with its device opened: memory, key slots, queues, and functions for tests."""

from functools import partial
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from outwork import spec
from outwork.device import binding, inflight, profiles
from outwork.device.memory import Memory
from outwork.device.profiles import Profile
from outwork.device.queues import Queue
from outwork.errors import NoDeviceError, OutworkError, UsageError

# Device time for a reset or a key command. Such a command takes some tens of cycles; a dead device must not block the
# caller.
COMMAND_TIMEOUT_MICROSECONDS: Final = 5_000


class Access(NamedTuple):
    """A burst of the device, from the first byte read or written to the last."""

    cycle: int
    address: int
    length: int
    write: bool


class Board:
    """Owns the simulation. Close it, or use it in a `with` block; this closes its queues, but its memory can still be
    read."""

    def __init__(self, profile: Profile | str = profiles.DEFAULT_BOARD, **changes: int) -> None:
        self.profile = profiles.load(profile) if isinstance(profile, str) else profile
        library = binding.load(self.profile.library)
        self.ffi, self.c, self.library_path = library.ffi, library.c, library.path
        parameters = self._parameters({**self.profile.parameters, **changes})
        why = self.ffi.new("const char **")
        self._sim: Any = self.c.ow_sim_open(parameters, why)
        if self._sim == self.ffi.NULL:
            reason = self.ffi.string(why[0]).decode() if why[0] != self.ffi.NULL else "no reason given"
            raise OutworkError(f"The board '{self.profile.name}' cannot be opened: {reason}.")
        self.clock_hz = int(parameters.clock_hz)
        self._platform = self.ffi.new("struct ow_platform *")
        self.c.ow_sim_platform(self.sim, self.platform)
        self._device = self.ffi.new("struct ow_device *")
        self.check(self.c.ow_device_open(self.device, self.platform), NoDeviceError)
        self.device.timeout_us = COMMAND_TIMEOUT_MICROSECONDS
        self.capabilities = self.ffi.new("struct ow_capabilities *", self.device.capabilities)[0]
        self.queues: dict[int, Queue] = {}
        self._views: dict[int, memoryview] = {}  # of registered memory: keep its pages alive
        self._log: Any = ()

    @property
    def clock(self) -> str:
        """The clock with its unit, and whether it is assumed."""
        return profiles.clock_text(self.clock_hz, self.profile.clock_source)

    def _check_open(self) -> None:
        if self._sim == self.ffi.NULL:
            raise OutworkError("The board is closed: open another one.")

    @property
    def sim(self) -> Any:
        self._check_open()
        return self._sim

    @property
    def platform(self) -> Any:
        self._check_open()
        return self._platform

    @property
    def device(self) -> Any:
        self._check_open()
        return self._device

    def _parameters(self, values: dict[str, int]) -> Any:
        parameters = self.ffi.new("struct ow_sim_parameters *")
        self.c.ow_sim_defaults(parameters)
        known = {name for name, _ in self.ffi.typeof("struct ow_sim_parameters").fields}
        for name, value in values.items():
            if name not in known:
                raise UsageError(
                    f"The board file {self.profile.path} sets '{name}', which is not a board parameter. The parameters are: {', '.join(sorted(known))}."
                )
            try:
                setattr(parameters, name, value)
            except OverflowError as error:
                raise UsageError(
                    f"The board file {self.profile.path} gives '{name}' as {value}: out of range."
                ) from error
        return parameters

    def check(self, status: int, kind: type[OutworkError] = OutworkError) -> None:
        """Raises an error unless the driver's status is OW_OK."""
        if status != self.c.OW_OK:
            raise kind(f"The device: {self.status_text(status)}")

    def status_text(self, status: int) -> str:
        text = self.ffi.string(self.c.ow_status_text(status)).decode()
        return str(text)

    def memory(self, size_bytes: int) -> Memory:
        """Returns memory that the device can access. It is released when it has been closed and no job in flight uses
        it."""
        memory = Memory(size_bytes)
        self.share(memory)
        return memory

    def share(self, memory: Memory) -> None:
        """Lets the device access memory that another board has, too."""
        if not self.c.ow_sim_register(self.sim, self.pointer(memory.address), max(memory.size_bytes, 1)):
            raise OutworkError("The board has no room for more memory regions.")
        self._views[memory.address] = memory.view
        memory.on_close(self._give_back)

    def _give_back(self, memory: Memory) -> None:
        if self._sim != self.ffi.NULL:
            inflight.hold(memory.address, max(memory.size_bytes, 1), partial(self._unregister, memory.address))

    def _unregister(self, address: int) -> None:
        if self._sim != self.ffi.NULL:
            self.c.ow_sim_unregister(self._sim, self.pointer(address))
            del self._views[address]

    def pointer(self, address: int) -> Any:
        return self.ffi.cast("void *", address)

    def queue(self, index: int = 0, log2_entries: int = 8, grant: Any = None) -> Queue:
        """Grants a queue (all addresses, unless `grant` limits them) and opens it; closes it first if it is open."""
        if index in self.queues:
            self.queues[index].close()
        self.check(self.c.ow_queue_grant(self.device, index, grant if grant is not None else self.ffi.NULL))
        queue = Queue(self, index, log2_entries)
        self.queues[index] = queue
        return queue

    def capability(self, register: str, field: str) -> int:
        """Returns what a field of an engine's capability register says; 0 where the engine is not built in."""
        for _, name, member, shift, width in spec.CAPABILITY_FIELDS:
            if (name, member) == (register, field):
                return int(getattr(self.capabilities.engine, register)) >> shift & (1 << width) - 1
        raise ValueError(f"no capability register {register} has a field {field}")

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
        kind: int = 0,
    ) -> None:
        """Loads an AES key (with the second key of XTS), or a key of another kind as the bytes that this opcode
        expects."""
        properties = self.ffi.new(
            "struct ow_key_properties *",
            {"queues": queues, "encrypt": encrypt, "decrypt": decrypt, "mac": mac, "lock": lock},
        )
        if kind:
            whole = key + (tweak_key or b"")
            self.check(self.c.ow_key_load_kind(self.device, slot, properties, kind, whole, len(whole)))
            return
        second = self.ffi.NULL if tweak_key is None else tweak_key
        self.check(self.c.ow_key_load(self.device, slot, properties, key, len(key), second))

    def load_mac_key(self, slot: int, opcode: int, key: bytes) -> None:
        """Loads a key for HMAC or KMAC. The slot can be used with this opcode only."""
        properties = self.ffi.new("struct ow_key_properties *", {"queues": 0xFF, "mac": True})
        self.check(self.c.ow_key_load_kind(self.device, slot, properties, opcode, key, len(key)))

    def load_key_pair(self, slot: int, opcode: int, key: bytes, mac_key: bytes) -> None:
        """Loads an AES key and an HMAC key for AES with HMAC. The slot can be used with this opcode only."""
        properties = self.ffi.new("struct ow_key_properties *", {"queues": 0xFF, "encrypt": True, "decrypt": True})
        self.check(self.c.ow_key_load_pair(self.device, slot, properties, opcode, key, len(key), mac_key, len(mac_key)))

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
        """The first AXI rule that the device violated; empty: none."""
        text = self.c.ow_sim_protocol_error(self.sim)
        return "" if text == self.ffi.NULL else self.ffi.string(text).decode()

    def trace(self, path: str, jobs: int = 1) -> None:
        """Writes a waveform from the next doorbell to the end of the `jobs`th job after it."""
        if not self.c.ow_sim_trace(self.sim, path.encode(), jobs):
            raise OutworkError(
                f"No waveform can be written to {path}. Build with -DOUTWORK_TRACE=ON and check that the folder exists."
            )

    def log(self, entries: int) -> None:
        """Records the next `entries` bursts; 0 stops recording."""
        log = self.ffi.new("struct ow_sim_access[]", entries) if entries else self.ffi.NULL
        self.c.ow_sim_log(self.sim, log, entries)
        self._log = log if entries else ()  # keeps the old array until the board has stopped using it

    def accesses(self) -> list[Access]:
        """Returns the recorded bursts, oldest first."""
        count = min(int(self.c.ow_sim_log_count(self.sim)), len(self._log))
        return [Access(entry.cycle, entry.address, entry.length, bool(entry.write)) for entry in self._log[0:count]]

    def close(self) -> None:
        if self._sim == self.ffi.NULL:
            return
        for queue in list(self.queues.values()):
            queue.close()
        self.c.ow_device_close(self._device)
        self.c.ow_sim_close(self._sim)
        self._sim = self.ffi.NULL
        self._views.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
