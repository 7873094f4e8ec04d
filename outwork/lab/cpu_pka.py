# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures public-key operations of a CPU library. Runs in a worker process.

A public-key adapter makes its key when it is opened, and checks its results with the inverse operation.
"""

import statistics
from typing import Any, Final

from outwork.algorithms.base import Operation
from outwork.algorithms.pka import ED25519, X25519, PublicKey
from outwork.errors import OutworkError
from outwork.lab import adapters
from outwork.lab.adapters import Adapter, NotThereError, loop
from outwork.lab.engines.base import Sample, Work
from outwork.lab.records import KeyUse, Point
from outwork.pka.schemes import CURVES
from outwork.spec import Opcode

ROUND_NANOSECONDS: Final = 5_000_000
OPCODES: Final = {
    Operation.PUBLIC: Opcode.RSA_PUBLIC,
    Operation.PRIVATE: Opcode.RSA_PRIVATE,
    Operation.SIGN: Opcode.EC_SIGN,
    Operation.VERIFY: Opcode.EC_VERIFY,
    Operation.DERIVE: Opcode.EC_MULTIPLY,
}
WITHOUT_X25519: Final = ("wolfssl",)
# adapter_pka.h: X25519 is a derivation on it.
CURVE25519: Final = 4
# Two adapters of the same library share its public-key functions.
SHARED: Final = {"mbedtls_soft": "mbedtls"}


def _curve(algorithm: PublicKey) -> int:
    """Returns the number that an adapter knows the curve by."""
    if algorithm == X25519:
        return CURVE25519
    return CURVES[algorithm.curve].number if algorithm.curve else 0


def _adapter(beside: Adapter, library: str) -> Adapter:
    """Returns the public-key adapter of a library. Raises NotThereError if there is none."""
    return adapters.load(f"{SHARED.get(beside.name, beside.name)}_pka", library)


def refuses(beside: Adapter, library: str, point: Point) -> str:
    """Returns why this point cannot be measured with this library; empty if it can."""
    if point.jobs > 1:
        return "the library does one operation at a time"
    if point.keys is not KeyUse.NEW_IV:
        return "keys are kept for many operations; measure new-iv instead"
    assert isinstance(point.algorithm, PublicKey)
    if point.algorithm.k:
        return f"the adapter of {beside.name} has neither ML-KEM nor ML-DSA"
    if point.algorithm == ED25519:
        return f"the adapter of {beside.name} has no Ed25519"
    if point.algorithm == X25519 and beside.name in WITHOUT_X25519:
        return f"the adapter of {beside.name} has no X25519"
    try:
        _adapter(beside, library)
    except NotThereError as error:
        return f"this library has no public-key adapter: {error}"
    return ""


class CpuPkaWork(Work):
    def __init__(self, beside: Adapter, library: str, point: Point) -> None:
        algorithm = point.algorithm
        assert isinstance(algorithm, PublicKey)
        adapter = _adapter(beside, library)
        self._loop, ffi = loop(), loop().ffi
        setting = ffi.new(
            "struct ow_lab_setting *",
            {
                "opcode": OPCODES[point.operation],
                "key_len": algorithm.key_bits,
                "iv_len": _curve(algorithm),
                "length": algorithm.message_bytes,
            },
        )
        self._calls = adapter.calls
        self._context: Any = self._calls.open(setting)
        if self._context == ffi.NULL:
            raise OutworkError(f"{adapter.version}: {algorithm} {point.operation} cannot be opened, or is wrong.")
        self._nanoseconds = ffi.new("uint64_t *")
        self._contexts = ffi.new("void *[]", [self._context])
        self._message = ffi.new("struct ow_lab_message[]", 1)
        self._setting = setting
        self._work = self._work_on(self._calls)
        first = self._run(self._work, 1)
        self.messages = max(1, int(ROUND_NANOSECONDS / max(first, 1)))
        empty = self._work_on(self._loop.c.ow_lab_empty())
        self.overhead_seconds = statistics.median(self._run(empty, 2000) for _ in range(5)) * 1e-9

    def _work_on(self, calls: Any) -> Any:
        return self._loop.ffi.new(
            "struct ow_lab_work *",
            {
                "calls": calls,
                "setting": self._setting[0],
                "contexts": self._contexts,
                "contexts_len": 1,
                "messages": self._message,
                "messages_len": 1,
                "batch": 1,
                "keys": self._loop.c.OW_LAB_PREPARED,
            },
        )

    def _run(self, work: Any, turns: int) -> float:
        """Returns ns per operation."""
        if self._loop.c.ow_lab_run(self._nanoseconds, work, turns):
            raise OutworkError("A library refused an operation that it has done before. Please report it.")
        return int(self._nanoseconds[0]) / turns

    def sample(self) -> Sample:
        cost = self._run(self._work, self.messages) * 1e-9
        return Sample(cost, cost)

    def close(self) -> None:
        self._calls.close(self._context)
