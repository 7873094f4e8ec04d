# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-DSA (FIPS 204) on the device of a board, through the driver."""

from outwork.device.board import Board
from outwork.device.queues import Queue
from outwork.errors import UsageError
from outwork.pka.device_lattice import DeviceLattice, check_length
from outwork.pka.mldsa_keys import PREHASHES, SEED_BYTES, SETS, SIGNATURE_BYTES, MlDsaChoice

MU_BYTES = 64
# Where an expanded private key has tr, the hash of the public key.
TR = slice(64, 128)


class DeviceMlDsa(DeviceLattice):
    """Operations by k: 4, 6 or 8 for ML-DSA-44, 65 or 87. xi and rnd are secret random bytes of the caller."""

    def __init__(self, board: Board, queue: Queue) -> None:
        super().__init__(board, queue, "mldsa", "FIPS 204, 7.2")

    def generate(self, k: int, xi: bytes) -> tuple[bytes, bytes]:
        """Returns the public key and the private key."""
        check_length("A seed", xi, SEED_BYTES)
        pk = self._ffi.new("uint8_t[]", SETS[k].public_bytes)
        sk = self._ffi.new("uint8_t[]", SETS[k].expanded_bytes)
        self._board.check(self._c.ow_mldsa_generate(self._struct, pk, sk, k, xi))
        return bytes(pk), bytes(sk)

    def sign(self, k: int, sk: bytes, mu: bytes, rnd: bytes | None) -> bytes:
        """Signs mu; `rnd` None: the deterministic variant. Raises UsageError if `sk` is no private key."""
        check_length("A private key", sk, SETS[k].expanded_bytes)
        check_length("mu", mu, MU_BYTES)
        if rnd is not None:
            check_length("The random input", rnd, SEED_BYTES)
        signature = self._ffi.new("uint8_t[]", SIGNATURE_BYTES[k])
        random = self._ffi.NULL if rnd is None else rnd
        self._check(self._c.ow_mldsa_sign(self._struct, signature, k, sk, mu, random))
        return bytes(signature)

    def verify(self, k: int, pk: bytes, mu: bytes, signature: bytes) -> bool:
        """Returns whether it is a signature of mu, which one of another length never is."""
        check_length("A public key", pk, SETS[k].public_bytes)
        check_length("mu", mu, MU_BYTES)
        if len(signature) != SIGNATURE_BYTES[k]:
            return False
        status = self._c.ow_mldsa_verify(self._struct, k, pk, mu, signature)
        if status == self._c.OW_AUTH_FAILED:
            return False
        self._check(status)
        return True

    def tr(self, k: int, pk: bytes) -> bytes:
        check_length("A public key", pk, SETS[k].public_bytes)
        tr = self._ffi.new("uint8_t[]", MU_BYTES)
        self._board.check(self._c.ow_mldsa_tr(self._struct, tr, k, pk))
        return bytes(tr)

    def mu(self, tr: bytes, message: bytes, choice: MlDsaChoice) -> bytes:
        """Returns mu of a message. Raises UsageError if the context is too long."""
        ffi = self._ffi
        mu, context_bytes = ffi.new("uint8_t[]", MU_BYTES), ffi.new("uint8_t[]", choice.context or b"\0")
        opcode = PREHASHES[choice.prehash].opcode if choice.prehash else 0
        context = ffi.new(
            "struct ow_mldsa_context *", {"bytes": context_bytes, "length": len(choice.context), "hash": opcode}
        )
        with self._board.memory(max(len(message), 1)) as memory:
            memory.view[: len(message)] = message
            at = ffi.cast("void *", memory.address)
            status = self._c.ow_mldsa_mu(self._struct, mu, tr, context, at, len(message))
        if status == self._c.OW_BAD_ARGUMENT:
            raise UsageError(f"A context has at most 255 bytes, not {len(choice.context)}.")
        self._board.check(status)
        return bytes(mu)
