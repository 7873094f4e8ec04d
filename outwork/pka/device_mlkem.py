# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM (FIPS 203) on the device of a board, through the driver."""

from outwork.device.board import Board
from outwork.device.queues import Queue
from outwork.pka.device_lattice import DeviceLattice, check_length
from outwork.pka.mlkem_keys import ciphertext_bytes, dk_bytes, ek_bytes

SEED_BYTES = 32
SECRET_BYTES = 32


class DeviceMlKem(DeviceLattice):
    """Operations by k: 2, 3 or 4 for ML-KEM-512, 768 or 1024. d, z and m are secret random bytes of the caller."""

    def __init__(self, board: Board, queue: Queue) -> None:
        super().__init__(board, queue, "mlkem", "FIPS 203, 7")

    def generate(self, k: int, d: bytes, z: bytes) -> tuple[bytes, bytes]:
        """Returns the encapsulation key and the decapsulation key."""
        check_length("A seed", d + z, 2 * SEED_BYTES)
        ek, dk = self._ffi.new("uint8_t[]", ek_bytes(k)), self._ffi.new("uint8_t[]", dk_bytes(k))
        self._board.check(self._c.ow_mlkem_generate(self._struct, ek, dk, k, d, z))
        return bytes(ek), bytes(dk)

    def encapsulate(self, k: int, ek: bytes, m: bytes) -> tuple[bytes, bytes]:
        """Returns the secret and the ciphertext. Raises UsageError if `ek` is no encapsulation key."""
        check_length("An encapsulation key", ek, ek_bytes(k))
        check_length("The random input", m, SEED_BYTES)
        ciphertext = self._ffi.new("uint8_t[]", ciphertext_bytes(k))
        secret = self._ffi.new("uint8_t[]", SECRET_BYTES)
        self._check(self._c.ow_mlkem_encapsulate(self._struct, ciphertext, secret, k, ek, m))
        return bytes(secret), bytes(ciphertext)

    def decapsulate(self, k: int, dk: bytes, ciphertext: bytes) -> bytes:
        """Returns the secret: of a ciphertext that was not made for this key one that nobody else knows. Raises UsageError
        if `dk` is no decapsulation key."""
        check_length("A decapsulation key", dk, dk_bytes(k))
        check_length("A ciphertext", ciphertext, ciphertext_bytes(k))
        secret = self._ffi.new("uint8_t[]", SECRET_BYTES)
        self._check(self._c.ow_mlkem_decapsulate(self._struct, secret, k, dk, ciphertext))
        return bytes(secret)
