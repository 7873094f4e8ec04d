# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""An operation on a public key on the system on chip: one program, whose memory has the key and the message, and what it
has counted.

The keys are always the same, so that cycles are: RSA's is that of platform/soc/bench, those on curves are numbers of
their own. This file writes them to the memory of `struct point` (platform/soc/lab/pka.h says in which order), runs the
program, and checks the result with an independent implementation.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from outwork.algorithms.base import Operation
from outwork.algorithms.pka import PublicKey
from outwork.errors import OutworkError
from outwork.lab.engines.base import Sample, Work
from outwork.lab.records import KeyUse, Point
from outwork.lab.soc_machine import Machine
from outwork.lab.soc_point import ASKED, BYTES, COUNTED, KEYS_BYTES, LINE_BYTES, MESSAGE, Counted
from outwork.paths import PROJECT
from outwork.pka.schemes import CURVES
from outwork.soc.system import System
from outwork.spec import Opcode

RSA_KEY: Final = PROJECT / "platform/soc/bench/rsa_key.h"
RSA_BITS: Final = 2048
CURVE: Final = "p-256"
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256
EXPONENT_BYTES: Final = 4
RESULT_BYTES: Final = 512
OPCODES: Final = {
    Operation.PUBLIC: Opcode.RSA_PUBLIC,
    Operation.PRIVATE: Opcode.RSA_PRIVATE,
    Operation.SIGN: Opcode.EC_SIGN,
    Operation.VERIFY: Opcode.EC_VERIFY,
    Operation.DERIVE: Opcode.EC_MULTIPLY,
}
PREPARED: Final = 1  # OW_LAB_PREPARED
TURNS: Final = 1


def warm_turns(point: Point, on_device: bool) -> int:
    """Returns how many operations warm the caches: none, where the operation is so long in software that they do not
    matter."""
    return 0 if point.operation is Operation.PRIVATE and not on_device else 1


def refuses(point: Point) -> str:
    """Returns why no program can measure this point; empty if one may."""
    algorithm = point.algorithm
    assert isinstance(algorithm, PublicKey)
    if not (algorithm.curve == CURVE or (not algorithm.curve and algorithm.key_bits == RSA_BITS)):
        return f"the programs have keys of RSA-{RSA_BITS} and P-256"
    if point.jobs > 1:
        return "it does one operation at a time"
    return "" if point.keys is KeyUse.NEW_IV else "keys are kept for many operations; measure new-iv instead"


class RsaNumbers:
    """The key of RSA, and a message for it."""

    def __init__(self, operation: Operation) -> None:
        text = RSA_KEY.read_text(encoding="utf-8")
        found = {
            name: bytes(int(byte, 16) for byte in re.findall(r"0x(\w\w)", body))
            for name, body in re.findall(r"rsa_(\w+)\[\d+\] = \{([^}]*)\}", text)
        }
        self.bytes = b"".join(found[name] for name in ("n", "p", "q", "dp", "dq", "qinv"))
        self.bytes += found["e"].rjust(EXPONENT_BYTES, b"\0")
        self.message = hashlib.shake_256(b"message").digest(len(found["n"]) - 1).rjust(len(found["n"]), b"\0")
        n, e, p, q = (int.from_bytes(found[name]) for name in ("n", "e", "p", "q"))
        unblinding = int.from_bytes(hashlib.shake_256(b"unblinding").digest(len(found["n"]))) % n
        for value in (unblinding, pow(unblinding, -e, n)):
            self.bytes += value.to_bytes(len(found["n"]))
        exponent = e if operation is Operation.PUBLIC else pow(e, -1, (p - 1) * (q - 1))
        self._wanted = pow(int.from_bytes(self.message), exponent, n).to_bytes(len(found["n"]))

    def is_right(self, result: bytes) -> bool:
        return result[: len(self._wanted)] == self._wanted


class CurveNumbers:
    """Two pairs of keys on P-256, a digest, and its signature."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        curve = CURVES[CURVE].algorithm
        mine, other = (ec.derive_private_key(number(name), curve) for name in ("mine", "other"))
        self._public = mine.public_key()
        self.message = hashlib.sha256(b"message").digest()
        self._shared = mine.exchange(ec.ECDH(), other.public_key())
        self.bytes = number("mine").to_bytes(32) + coordinates(self._public) + coordinates(other.public_key())
        self.bytes += signature(number("mine"), int.from_bytes(self.message))

    def is_right(self, result: bytes) -> bool:
        """Returns whether it is the secret, or a signature; a verification has no result but that it has not failed."""
        if self._operation is Operation.DERIVE:
            return result[:32] == self._shared
        if self._operation is Operation.VERIFY:
            return True
        parts = (int.from_bytes(part) for part in (result[:32], result[32:64]))
        try:
            self._public.verify(
                utils.encode_dss_signature(*parts), self.message, ec.ECDSA(utils.Prehashed(hashes.SHA256()))
            )
        except InvalidSignature:
            return False
        return True


def number(name: str) -> int:
    """Returns a number between 1 and the curve's order, always the same."""
    return int.from_bytes(hashlib.sha512(name.encode()).digest()) % (ORDER - 1) + 1


def coordinates(key: ec.EllipticCurvePublicKey) -> bytes:
    numbers = key.public_numbers()
    return numbers.x.to_bytes(32) + numbers.y.to_bytes(32)


def signature(private: int, digest: int) -> bytes:
    """Returns r and s (FIPS 186-5 6.4.1), always the same for a digest."""
    once = number("once")
    r = ec.derive_private_key(once, CURVES[CURVE].algorithm).public_key().public_numbers().x % ORDER
    s = pow(once, -1, ORDER) * (digest + r * private) % ORDER
    return r.to_bytes(32) + s.to_bytes(32)


class SocPkaWork(Work):
    """An operation, measured once: cycles are exact."""

    messages = TURNS

    def __init__(self, machine: Machine, point: Point, on_device: bool) -> None:
        algorithm = point.algorithm
        assert isinstance(algorithm, PublicKey)
        self._point, self._machine = point, machine
        self._warm = warm_turns(point, on_device)
        self._numbers = CurveNumbers(point.operation) if algorithm.curve else RsaNumbers(point.operation)
        assert len(self._numbers.bytes) <= KEYS_BYTES
        self.counted = machine.run(self._measure)
        jobs = self.counted.jobs
        # An operation is a job; there are more to fill a slot, and where random numbers are needed.
        operations = self._warm + TURNS
        if jobs < operations if on_device else jobs != 0:
            raise OutworkError(f"The device has counted {jobs} jobs for {operations} operations.")
        self.overhead_seconds = self.counted.empty_cycles / TURNS / machine.profile.clock_hz

    def _asked(self) -> bytes:
        point = self._point
        algorithm = point.algorithm
        assert isinstance(algorithm, PublicKey)
        number_of_curve = CURVES[algorithm.curve].number if algorithm.curve else 0
        asked = (OPCODES[point.operation], 0, 0, 0, algorithm.key_bits, number_of_curve, 0, point.size_bytes)
        return ASKED.pack(BYTES, *asked, 1, 1, 1, PREPARED, 0, self._warm, TURNS, 0)

    def _measure(self, system: System) -> Counted:
        machine, numbers = self._machine, self._numbers
        base = machine.point_base
        keys = base + ASKED.size + COUNTED.size
        source = base + -(-BYTES // 4096) * 4096
        result = source + RESULT_BYTES + LINE_BYTES
        machine.load(system, keys + KEYS_BYTES, MESSAGE.pack(source, result, b"", b"", b"", b""))
        machine.load(system, keys, numbers.bytes)
        machine.load(system, source, numbers.message)
        machine.load(system, base, self._asked() + bytes(COUNTED.size))
        ended = machine.finish(system)
        counted = Counted(*COUNTED.unpack(machine.read(system, base + ASKED.size, COUNTED.size)))
        what = f"{self._point.algorithm} {self._point.operation}"
        if ended.status != 0 or system.protocol_error or counted.wrong:
            why = ended.console or system.protocol_error or f"{counted.wrong} operations were refused"
            raise OutworkError(f"{machine.elf.stem}: {what} has failed: {why}.")
        if not numbers.is_right(machine.read(system, result, RESULT_BYTES)):
            raise OutworkError(f"{machine.elf.stem}: {what} gives a wrong result. Please report it.")
        return counted

    def sample(self) -> Sample:
        cost = self.counted.cycles / TURNS
        return Sample(cost, cost)

    def cpu_cycles(self) -> float:
        return self.counted.cpu_cycles / TURNS

    def close(self) -> None:
        return
