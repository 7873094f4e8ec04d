# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Several public-key operations in flight: raw jobs of the device, each with a key and numbers of its own.

The driver's calls do one operation at a time; these are the jobs that several threads with a lane each would give. Nonces
and numbers for blinding are made here, so the keys must serve nothing else.
"""

import hashlib
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import rsa, utils

from outwork.algorithms.base import Operation
from outwork.algorithms.pka import ED25519, X25519, PublicKey
from outwork.device.board import Board
from outwork.errors import OutworkError
from outwork.pka import keys
from outwork.pka.device import DeviceWorker
from outwork.pka.schemes import CURVES, Curve
from outwork.pka.software import SoftwareWorker
from outwork.spec import Opcode

RSA_RANDOM_BYTES: Final = 42
CURVE_BLIND_BYTES: Final = {"p-256": 8, "p-384": 24, "p-521": 32, "secp256k1": 16}
EXPONENT: Final = 65537
# Jobs for each one in flight.
ROUNDS: Final = 2


@dataclass(frozen=True)
class Inputs:
    """Operands in the order of the engine (`spec/outwork.rdl`), and what the output must be."""

    opcode: Opcode
    lengths: tuple[int, ...]
    key: bytes
    payload: bytes
    output_bytes: int
    is_right: Callable[[bytes], bool]


def _rsa_key(bits: int) -> keys.RsaPrivate:
    key = keys.from_private(rsa.generate_private_key(EXPONENT, bits))
    assert isinstance(key, keys.RsaPrivate)
    return key


def _rsa(key: keys.RsaPrivate, operation: Operation) -> Inputs:
    public, size = key.public, key.public.bytes
    message = os.urandom(size - 1).rjust(size, b"\0")
    is_public = operation is Operation.PUBLIC
    wanted = pow(int.from_bytes(message), public.e if is_public else key.d, public.n).to_bytes(size)
    lengths = [number.bit_length() for number in (public.n, public.e, key.p, key.q)]
    e, p, q = (-(-bits // 8) for bits in lengths[1:])
    encoded = public.n.to_bytes(size) + public.e.to_bytes(e)
    if is_public:
        return Inputs(Opcode.RSA_PUBLIC, tuple(lengths[:2]), encoded, message, size, wanted.__eq__)
    for number, length in ((key.p, p), (key.q, q), (key.dp, p), (key.dq, q), (key.qinv, p)):
        encoded += number.to_bytes(length)
    payload = message + os.urandom(RSA_RANDOM_BYTES)
    return Inputs(Opcode.RSA_PRIVATE, tuple(lengths), encoded, payload, size, wanted.__eq__)


def _small(curve: Curve) -> bytes:
    """A random number that is certainly below the order and the field."""
    return secrets.token_bytes(curve.bytes - 1).rjust(curve.bytes, b"\0")


def _on_curve(worker: DeviceWorker, curve: Curve, operation: Operation) -> Inputs:
    key, size, lengths = worker.curve_generate(curve), curve.bytes, (0, curve.number)
    blinding = os.urandom(CURVE_BLIND_BYTES[curve.name]) + _small(curve)
    if operation is Operation.DERIVE:
        other = worker.curve_generate(curve)
        wanted = SoftwareWorker().ecdh(other, key.public)
        payload = other.public.point + blinding
        d = key.d.to_bytes(size)
        return Inputs(Opcode.EC_MULTIPLY, lengths, d, payload, 2 * size, lambda point: point[:size] == wanted)
    digest = os.urandom(min(size, 64))
    e = digest.rjust(size, b"\0")
    if operation is Operation.VERIFY:
        der = worker.ecdsa_sign(key, curve.hash, digest)
        r, s = utils.decode_dss_signature(der)
        payload = e + r.to_bytes(size) + s.to_bytes(size)
        return Inputs(Opcode.EC_VERIFY, lengths, key.public.point, payload, 0, lambda output: not output)
    payload = e + _small(curve) + blinding + _small(curve)
    return Inputs(
        Opcode.EC_SIGN,
        lengths,
        key.d.to_bytes(size),
        payload,
        2 * size,
        lambda signature: worker.ecdsa_verify_raw(key.public, digest, signature),
    )


def _on_25519(worker: DeviceWorker) -> Inputs:
    key, other = worker.x25519_generate(), worker.x25519_generate()
    wanted = SoftwareWorker().x25519(other, key.public)
    payload = other.public.data[::-1] + os.urandom(32)
    return Inputs(Opcode.X25519, (), key.data[::-1], payload, 32, lambda secret: secret[::-1] == wanted)


def _ed25519_verification(worker: DeviceWorker) -> Inputs:
    """Of a hash that is there: the jobs that hash messages are not included."""
    key, message = worker.ed25519_generate(), os.urandom(32)
    signature, point = SoftwareWorker().ed25519_sign(key, message), key.public.data
    hashed = hashlib.sha512(signature[:32] + point + message).digest()
    payload = signature[31::-1] + signature[:31:-1] + hashed[::-1]
    return Inputs(Opcode.ED25519_VERIFY, (), point[::-1], payload, 0, lambda output: not output)


class Jobs:
    """Jobs with their memory, for `in_flight` at a time."""

    def __init__(self, board: Board, worker: DeviceWorker, algorithm: PublicKey, operation: Operation, in_flight: int):
        self._board, self._queue, self.in_flight = board, worker.queue, in_flight
        count = ROUNDS * in_flight
        if algorithm == X25519:
            self._inputs = [_on_25519(worker) for _ in range(count)]
        elif algorithm == ED25519:
            self._inputs = [_ed25519_verification(worker) for _ in range(count)]
        elif algorithm.curve:
            self._inputs = [_on_curve(worker, CURVES[algorithm.curve], operation) for _ in range(count)]
        else:
            key = _rsa_key(algorithm.key_bits)
            self._inputs = [_rsa(key, operation) for _ in range(count)]
        self._keep: list[Any] = []
        self.jobs = board.ffi.new("struct ow_job[]", count)
        self._outputs = [self._prepare(job, inputs) for job, inputs in zip(self.jobs, self._inputs, strict=True)]
        self._pointers = self._queue.pointers(self.jobs)

    @property
    def count(self) -> int:
        return len(self._inputs)

    def _memory(self, data: bytes) -> Any:
        memory = self._board.memory(max(len(data), 64))
        memory.view[: len(data)] = data
        self._keep.append(memory)
        return memory

    def _prepare(self, job: Any, inputs: Inputs) -> Any:
        key, source, output = (self._memory(data) for data in (inputs.key, inputs.payload, bytes(inputs.output_bytes)))
        lengths = b"".join(bits.to_bytes(2, "little") for bits in inputs.lengths)
        parameters = self._board.ffi.new("uint8_t[]", lengths.ljust(self._board.c.OW_PKA_PARAMETERS_SIZE, b"\0"))
        self._keep.append(parameters)
        job.opcode = inputs.opcode
        job.key.bytes = job.aad = self._board.pointer(key.address)
        job.aad_len = len(inputs.key)
        job.iv, job.iv_len = parameters, self._board.c.OW_PKA_PARAMETERS_SIZE
        job.source, job.length = self._board.pointer(source.address), len(inputs.payload)
        job.destination, job.destination_len = self._board.pointer(output.address), inputs.output_bytes
        return output

    def run(self) -> float:
        """Returns the cycles from the first doorbell to the last completion, for one operation. Checks every result."""
        queue, given, start = self._queue, 0, 0
        before = queue.counters()["jobs"]
        while given < self.count:
            if queue.outstanding < self.in_flight:
                given += queue.submit(self._pointers + given, 1)
                start = start or queue.start_cycle()
            else:
                queue.poll()
        queue.wait()
        cycles = queue.times()[1] - start
        if queue.counters()["jobs"] - before != self.count:
            raise OutworkError("The device has not counted all jobs. Please report it.")
        for job, inputs, output in zip(self.jobs, self._inputs, self._outputs, strict=True):
            self._board.check(job.status)
            if not inputs.is_right(bytes(output.view[: inputs.output_bytes])):
                raise OutworkError("A result of the device is wrong. Please report it.")
        return cycles / self.count
