# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs of the public-key engine's golden model as descriptors of a board."""

from __future__ import annotations

from typing import Any

from pka import curves, model
from raw import Completion, Descriptor, RawQueue

from outwork import spec
from outwork.device.board import Board
from outwork.device.memory import Memory
from outwork.spec import Opcode

__all__ = ["curves", "model"]

OPCODES = {
    "modexp": Opcode.MODEXP,
    "rsa_public": Opcode.RSA_PUBLIC,
    "rsa_private": Opcode.RSA_PRIVATE,
    "ec_multiply": Opcode.EC_MULTIPLY,
    "ec_public": Opcode.EC_PUBLIC,
    "ec_check": Opcode.EC_CHECK,
    "ec_sign": Opcode.EC_SIGN,
    "ec_verify": Opcode.EC_VERIFY,
    "x25519": Opcode.X25519,
    "ed25519_public": Opcode.ED25519_PUBLIC,
    "ed25519_sign": Opcode.ED25519_SIGN,
    "ed25519_verify": Opcode.ED25519_VERIFY,
}
# Bytes of the key of the programs for Curve25519.
KEYS_25519 = {"x25519": 32, "ed25519_public": 64, "ed25519_sign": 96, "ed25519_verify": 32}
# Bytes of the room that a job has on each side.
ROOM = 4096
CYCLES = 4_000_000


def key_length(job: model.Job) -> int:
    """Bytes of the payload that are the key: they travel in the AAD, or stand in a slot."""
    if job.program in KEYS_25519:
        return KEYS_25519[job.program]
    if job.program.startswith("ec"):
        length = curves.CURVES[job.parameters[1]].bytes
        return 2 * length if job.program in ("ec_check", "ec_verify") else length
    n, e, p, q = (model.bytes_of(bits) for bits in (*job.parameters, 0, 0)[:4])
    return n + e + 3 * p + 2 * q


def slotted_length(job: model.Job) -> int:
    """The bytes of the payload with a key in a slot: nonces and blinding, which come behind them, are the device's."""
    result = len(job.expected.output)
    return {"ec_sign": result // 2, "ec_public": 0, "ec_multiply": result, "rsa_private": result, "x25519": result}.get(
        job.program, len(job.payload)
    )


def parameters(job: model.Job) -> bytes:
    """The curve of X25519 and Ed25519 is in the opcode."""
    if job.program in KEYS_25519:
        return bytes(16)
    return b"".join(value.to_bytes(2, "little") for value in job.parameters).ljust(16, b"\0")


class Place:
    """Memory of one job: key, payload and result, each at an offset."""

    def __init__(self, board: Board) -> None:
        self.memory: Memory = board.memory(3 * ROOM)

    def put(
        self, job: model.Job, slot: int | None = None, offsets: tuple[int, int, int] = (0, 0, 0), **control: int
    ) -> Descriptor:
        """The descriptor; with a slot the key stays where it is."""
        view, base = self.memory.view, self.memory.address
        split = key_length(job)
        key, payload = job.payload[:split], job.payload[split:]
        if slot is not None:
            payload = payload[: slotted_length(job)]
        view[offsets[0] : offsets[0] + len(key)] = key if slot is None else bytes(len(key))
        view[ROOM + offsets[1] : ROOM + offsets[1] + len(payload)] = payload
        view[2 * ROOM :] = b"\x5a" * ROOM
        self.at = 2 * ROOM + offsets[2]
        fields = {"opcode": OPCODES[job.program], **({"inline_key": 1} if slot is None else {"key": slot}), **control}
        return Descriptor(
            fields,
            base + ROOM + offsets[1],
            base + self.at,
            base + offsets[0],
            length=len(payload),
            aad_length=len(key) if slot is None else 0,
            iv=parameters(job),
        )

    def result(self, length: int) -> bytes:
        """What the job wrote; the bytes around it must be untouched."""
        view = bytes(self.memory.view[2 * ROOM :])
        at = self.at - 2 * ROOM
        assert view[:at] == b"\x5a" * at and view[at + length :] == b"\x5a" * (ROOM - at - length)
        return view[at : at + length]

    def check(self, job: model.Job, completion: Completion) -> None:
        """The result, or nothing but zeros where the job failed."""
        assert completion.status == job.expected.status, spec.Status(completion.status)
        result = self.result(len(job.expected.output))
        if completion.status == spec.Status.OK:
            assert result == job.expected.output and completion.bytes == len(result)
        else:
            assert set(result) <= {0, 0x5A} and completion.bytes == 0


def run(queue: RawQueue, place: Place, job: model.Job, **more: Any) -> Completion:
    """Runs a job and checks it."""
    queue.put(place.put(job, **more).pack(0))
    queue.ring()
    completion = queue.completion(CYCLES)
    place.check(job, completion)
    return completion
