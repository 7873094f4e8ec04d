# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Times the software engine: thread CPU time, one message a call, a new IV every time, the median of seven rounds."""

import platform
import statistics
from functools import cache
from pathlib import Path
from typing import Any, Final

from cffi import FFI

from outwork import __version__
from outwork.binding import declarations
from outwork.ciphers import Operation
from outwork.engines.base import Engine, Key, Outcome, Request
from outwork.errors import OutworkError
from outwork.libcrypto import LibCrypto
from outwork.paths import PACKAGE, library_file
from outwork.records import KeyUse, Kind, Point, Record

ROUND_SECONDS: Final = 0.001
ROUNDS: Final = 7
KEYS_ROTATED: Final = 16


def machine() -> str:
    """The CPU's name, as well as it can be known."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("model name", "Model")):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


@cache
def _loop_library() -> tuple[Any, Any]:
    ffi = FFI()
    ffi.cdef(declarations((PACKAGE / "native" / "evp_loop.h").read_text(encoding="utf-8")))
    return ffi, ffi.dlopen(str(library_file("ow_cpu")))


def sample_key(length: int, number: int = 0) -> bytes:
    """Keys for measuring: all different, and no two halves equal."""
    return bytes((number * 37 + position * 11 + 1) & 0xFF for position in range(length - 2)) + bytes(
        (number & 0xFF, number >> 8)
    )


class _Setting:
    """A point made ready for the C loop. Keeps alive what C points at."""

    def __init__(self, engine: Engine, library: LibCrypto, point: Point, is_empty: bool) -> None:
        self.ffi, self.c = _loop_library()
        cipher, mode = point.cipher, point.cipher.mode
        self.point = point
        self.calls = self.ffi.new("struct ow_evp_calls *")
        if is_empty:
            self.c.ow_evp_empty(self.calls)
        else:
            for member, name in (
                ("cipher_init", "EVP_CipherInit_ex2"),
                ("cipher_update", "EVP_CipherUpdate"),
                ("cipher_final", "EVP_CipherFinal_ex"),
                ("cipher_ctrl", "EVP_CIPHER_CTX_ctrl"),
                ("mac_init", "EVP_MAC_init"),
                ("mac_update", "EVP_MAC_update"),
                ("mac_final", "EVP_MAC_final"),
            ):
                address = int(library.ffi.cast("uintptr_t", library.ffi.addressof(library.c, name)))
                member_type = self.ffi.typeof(getattr(self.calls, member))
                setattr(self.calls, member, self.ffi.cast(member_type, address))
        is_encrypt = point.operation in (Operation.ENCRYPT, Operation.MAC, Operation.VERIFY)
        self.memory = engine.allocate(2 * (point.size_bytes + 32))
        self.keys: list[Key] = []
        iv_bytes = mode.iv_bytes_usual
        iv = bytes(range(1, iv_bytes + 1))
        count = KEYS_ROTATED if point.keys is KeyUse.ROTATE else 1
        source = self.memory.address
        destination = source + point.size_bytes + 32
        request: Request | None = None
        for number in range(count):
            key = engine.load_key(cipher, sample_key(cipher.key_bytes, 0 if not is_encrypt else number))
            self.keys.append(key)
            operation = cipher.operations[0]
            # Once through the engine, so that its context exists; for decryption this also makes the input.
            request = Request(
                key, operation, source, destination, point.size_bytes, iv, tag_bytes=cipher.tag_bytes_default
            )
            engine.run(request)
            if not is_encrypt:
                length = point.size_bytes + (cipher.tag_bytes_default if mode.is_aead else 0)
                self.memory.view[:length] = self.memory.at(point.size_bytes + 32, length)
                request = Request(
                    key,
                    point.operation,
                    source,
                    destination,
                    point.size_bytes,
                    iv,
                    tag_bytes=cipher.tag_bytes_default,
                )
                engine.run(request)
                if request.outcome is not Outcome.OK:
                    raise OutworkError(f"{cipher}: the software engine does not read back what it wrote.")
        self.contexts = self.ffi.new(
            "void *[]",
            [
                self.ffi.cast("void *", int(library.ffi.cast("uintptr_t", k.handle.contexts[is_encrypt])))
                for k in self.keys
            ],
        )
        work = self.ffi.new("struct ow_evp_work *")
        work.contexts, work.contexts_len = self.contexts, count
        work.is_encrypt = is_encrypt
        work.is_mac_object = mode.name == "cmac"
        work.is_gmac = mode.name == "gmac"
        work.is_ccm = mode.name == "ccm"
        work.tag_len = cipher.tag_bytes_default if mode.tag_bytes else 0
        # An AEAD ciphertext opens under its own IV only; setting it again costs the same as setting another.
        work.change_iv = is_encrypt or not mode.is_aead
        if point.keys is KeyUse.INLINE and is_encrypt:
            work.key_len = cipher.key_bytes
            work.key = sample_key(cipher.key_bytes).ljust(64, b"\0")
        elif point.keys is KeyUse.INLINE:
            raise OutworkError("With --keys inline the software engine measures encryption only.")
        work.iv, work.iv_len = iv.ljust(16, b"\0"), iv_bytes
        work.length = point.size_bytes
        work.source = self.ffi.cast("uint8_t *", source)
        work.destination = self.ffi.cast("uint8_t *", destination)
        if mode.is_aead and not is_encrypt:
            work.tag = bytes(self.memory.at(point.size_bytes, 16))
        self.work = work
        self._nanoseconds = self.ffi.new("uint64_t *")

    def seconds(self, turns: int) -> float:
        """CPU seconds of a turn."""
        if self.c.ow_evp_loop(self._nanoseconds, self.calls, self.work, turns):
            raise OutworkError(f"OpenSSL refused {self.point.cipher} while it was being timed.")
        return int(self._nanoseconds[0]) * 1e-9 / turns

    def close(self, engine: Engine) -> None:
        for key in self.keys:
            engine.drop_key(key)
        self.memory.close()


def measure_cpu(engine: Engine, library: LibCrypto, point: Point) -> Record:
    setting = _Setting(engine, library, point, is_empty=False)
    empty = _Setting(engine, library, point, is_empty=True)
    try:
        once = max(setting.seconds(3), 1e-8)
        turns = max(1, int(ROUND_SECONDS / once))
        rounds = max(point.rounds, ROUNDS)
        message_seconds = statistics.median(setting.seconds(turns) for _ in range(rounds))
        overhead_seconds = statistics.median(empty.seconds(10_000) for _ in range(rounds))
    finally:
        setting.close(engine)
        empty.close(engine)
    return Record(
        kind=Kind.MEASURED,
        engine=engine.name,
        implementation=engine.description,
        board=None,
        environment="host",
        algorithm=point.cipher.name,
        operation=point.operation.value,
        size_bytes=point.size_bytes,
        jobs=1,
        batch=1,
        keys=point.keys.value,
        rounds=rounds,
        jobs_total=turns,
        cycles=None,
        bytes_per_cycle=None,
        clock_hz=None,
        megabytes_per_second=point.size_bytes / message_seconds / 1e6,
        latency_cycles=None,
        seconds=message_seconds * turns,
        latency_seconds=message_seconds,
        call_overhead_seconds=overhead_seconds,
        stages=None,
        machine=machine(),
        version=__version__,
    )
