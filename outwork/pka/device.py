# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Public-key operations on the device of a board, through the driver."""

from typing import Any

from outwork.device.board import Board
from outwork.device.profiles import Profile
from outwork.errors import NotAuthenticError, OutworkError, UsageError
from outwork.pka.base import Worker
from outwork.pka.device_lattice import DeviceLattice
from outwork.pka.device_mldsa import MU_BYTES, TR, DeviceMlDsa
from outwork.pka.device_mlkem import DeviceMlKem
from outwork.pka.keys import (
    SMALL_ORDER,
    CurvePrivate,
    CurvePublic,
    Ed25519Private,
    Ed25519Public,
    RsaPrivate,
    RsaPublic,
    X25519Private,
    X25519Public,
)
from outwork.pka.mldsa_keys import HALVES_DIFFER, MlDsaChoice, MlDsaPrivate, MlDsaPublic, check_choice
from outwork.pka.mlkem_keys import MlKemPrivate, MlKemPublic
from outwork.pka.schemes import HASH_OPCODES, SALT_ANY, SOFTWARE_HASHES, Curve, Padding, Scheme
from outwork.spec import Opcode

RING_LOG2 = 3
# Cycles per poll: many, because operations are long and Python would slow down the simulation.
RELAX_CYCLES = 4096
FAILED_CHECK = "The new key failed its check: the device has made an error. Please report it."


class DeviceWorker(Worker):
    """`cycles` is the device time of the last operation, from the descriptor's fetch to its completion."""

    name = "accelerator"

    def __init__(self, board: Board | Profile | str) -> None:
        self._owns_board = not isinstance(board, Board)
        self.board = board if isinstance(board, Board) else Board(board, relax_cycles=RELAX_CYCLES)
        self._ffi, self._c = self.board.ffi, self.board.c
        self.queue = self.board.queue(0, RING_LOG2)
        # The device reads and writes in it; aligned as C requires.
        self._memory = self.board.memory(self._ffi.sizeof("struct ow_pka") + 64)
        self.pka = self._ffi.cast("struct ow_pka *", self._memory.address)
        self.board.check(self._c.ow_pka_init(self.pka, self.queue.queue))
        self._mlkem: DeviceMlKem | None = None
        self._mldsa: DeviceMlDsa | None = None
        # Of the last operation, if the engine `lattice` did it.
        self._last: DeviceLattice | None = None

    @property
    def cycles(self) -> int:
        return self._last.cycles if self._last is not None else int(self.pka.cycles)

    def supports(self, opcode: Opcode) -> bool:
        return self.board.supports(opcode, False)

    def number(self, value: int | bytes, kept: list[Any]) -> Any:
        """Returns a `struct ow_number`, whose bytes exist as long as `kept`."""
        data = value if isinstance(value, bytes) else value.to_bytes((value.bit_length() + 7) // 8)
        kept.append(self._ffi.new("uint8_t[]", data) if data else self._ffi.NULL)
        return {"bytes": kept[-1], "length": len(data)}

    def _rsa_public(self, key: RsaPublic, kept: list[Any]) -> Any:
        kept.append(
            self._ffi.new("struct ow_rsa_public *", {"n": self.number(key.n, kept), "e": self.number(key.e, kept)})
        )
        return kept[-1]

    def _rsa_private(self, key: RsaPrivate, kept: list[Any]) -> Any:
        values = {
            "n": key.public.n,
            "e": key.public.e,
            "p": key.p,
            "q": key.q,
            "dp": key.dp,
            "dq": key.dq,
            "qinv": key.qinv,
        }
        fields = {name: self.number(value, kept) for name, value in values.items()}
        kept.append(self._ffi.new("struct ow_rsa_private *", fields))
        return kept[-1]

    def _padding(self, padding: Padding, kept: list[Any]) -> Any:
        salt_any = (1 << 8 * self._ffi.sizeof("size_t")) - 1
        fields = {
            "scheme": list(Scheme).index(padding.scheme),
            "hash": HASH_OPCODES[padding.hash],
            "mask_hash": HASH_OPCODES[padding.mask_hash],
            "salt_len": salt_any if padding.salt_bytes == SALT_ANY else padding.salt_bytes,
            "label": self.number(padding.label, kept),
        }
        kept.append(self._ffi.new("struct ow_rsa_padding *", fields))
        return kept[-1]

    def _curve_private(self, key: CurvePrivate, kept: list[Any]) -> Any:
        fields = {"curve": key.curve.number, "d": self.number(key.d.to_bytes(key.curve.bytes), kept)}
        kept.append(self._ffi.new("struct ow_ec_private *", fields))
        return kept[-1]

    def _check(self, status: int) -> None:
        self._last = None
        if status == self._c.OW_AUTH_FAILED:
            raise NotAuthenticError("The data was not encrypted for this key, or is damaged: nothing was written.")
        if status == self._c.OW_BAD_ARGUMENT:
            raise UsageError("The driver refuses this key or data: a number is out of range, or a message is too long.")
        self.board.check(status)

    def _verified(self, status: int) -> bool:
        if status == self._c.OW_AUTH_FAILED:
            return False
        self._check(status)
        return True

    def rsa_sign(self, key: RsaPrivate, padding: Padding, digest: bytes) -> bytes:
        kept: list[Any] = []
        signature = self._ffi.new("uint8_t[]", key.public.bytes)
        self._check(
            self._c.ow_rsa_sign(self.pka, signature, self._rsa_private(key, kept), self._padding(padding, kept), digest)
        )
        return bytes(signature)

    def rsa_verify(self, key: RsaPublic, padding: Padding, digest: bytes, signature: bytes) -> bool:
        kept: list[Any] = []
        c_key, c_padding = self._rsa_public(key, kept), self._padding(padding, kept)
        return self._verified(self._c.ow_rsa_verify(self.pka, c_key, c_padding, digest, signature, len(signature)))

    def rsa_encrypt(self, key: RsaPublic, padding: Padding, message: bytes) -> bytes:
        kept: list[Any] = []
        ciphertext = self._ffi.new("uint8_t[]", key.bytes)
        c_key, c_padding = self._rsa_public(key, kept), self._padding(padding, kept)
        self._check(self._c.ow_rsa_encrypt(self.pka, ciphertext, c_key, c_padding, message, len(message)))
        return bytes(ciphertext)

    def rsa_decrypt(self, key: RsaPrivate, padding: Padding, ciphertext: bytes) -> bytes:
        kept: list[Any] = []
        message = self._ffi.new("uint8_t[]", key.public.bytes)
        length = self._ffi.new("size_t *", key.public.bytes)
        c_key, c_padding = self._rsa_private(key, kept), self._padding(padding, kept)
        self._check(self._c.ow_rsa_decrypt(self.pka, message, length, c_key, c_padding, ciphertext, len(ciphertext)))
        return bytes(message)[: length[0]]

    def rsa_raw(self, key: RsaPublic | RsaPrivate, data: bytes) -> bytes:
        """The operation without padding; `data` has the length of the modulus."""
        kept: list[Any] = []
        if isinstance(key, RsaPublic):
            output = self._ffi.new("uint8_t[]", key.bytes)
            self._check(self._c.ow_rsa_public_raw(self.pka, output, self._rsa_public(key, kept), data))
        else:
            output = self._ffi.new("uint8_t[]", key.public.bytes)
            self._check(self._c.ow_rsa_private_raw(self.pka, output, self._rsa_private(key, kept), data))
        return bytes(output)

    def rsa_check(self, key: RsaPrivate) -> bool:
        kept: list[Any] = []
        status = self._c.ow_rsa_check(self.pka, self._rsa_private(key, kept))
        if status in (self._c.OW_FAULT, self._c.OW_BAD_ARGUMENT):
            return False
        self._check(status)
        return True

    def curve_generate(self, curve: Curve) -> CurvePrivate:
        d = self._ffi.new("uint8_t[]", curve.bytes)
        point = self._ffi.new("uint8_t[]", 2 * curve.bytes)
        self._check(self._c.ow_ec_generate(self.pka, curve.number, d, point))
        return CurvePrivate(curve, int.from_bytes(bytes(d)), _point(curve, bytes(point)))

    def curve_check(self, key: CurvePublic) -> bool:
        """Returns whether the point is on the curve."""
        return bool(self._c.ow_ec_check(self.pka, key.curve.number, key.point) == self._c.OW_OK)

    def ecdsa_sign(self, key: CurvePrivate, hash_name: str, digest: bytes) -> bytes:
        kept: list[Any] = []
        # The driver computes the nonce's HMAC in software, which has no SHA-3. It may differ from the message's hash.
        nonce_hash = hash_name if hash_name in SOFTWARE_HASHES else key.curve.hash
        signature = self._ffi.new("uint8_t[]", 2 * key.curve.bytes)
        c_key = self._curve_private(key, kept)
        self._check(self._c.ow_ecdsa_sign(self.pka, signature, c_key, HASH_OPCODES[nonce_hash], digest, len(digest)))
        return self._to_der(key.curve, signature)

    def ecdsa_sign_deterministic(self, key: CurvePrivate, hash_name: str, digest: bytes) -> bytes:
        """Returns the signature of RFC 6979 without additional data, which is always the same."""
        kept: list[Any] = []
        e, k = (self._ffi.new("uint8_t[]", key.curve.bytes) for _ in range(2))
        signature = self._ffi.new("uint8_t[]", 2 * key.curve.bytes)
        number, nothing = key.curve.number, {"bytes": self._ffi.NULL, "length": 0}
        self._c.ow_ecdsa_number(e, number, digest, len(digest))
        d = key.d.to_bytes(key.curve.bytes)
        self._c.ow_ecdsa_nonce(k, number, HASH_OPCODES[hash_name], d, e, nothing)
        self._check(self._c.ow_ecdsa_sign_raw(self.pka, signature, self._curve_private(key, kept), e, k))
        return self._to_der(key.curve, signature)

    def _to_der(self, curve: Curve, signature: Any) -> bytes:
        der = self._ffi.new("uint8_t[]", self._c.OW_ECDSA_DER_MAX)
        length = self._c.ow_ecdsa_to_der(der, curve.number, signature)
        return bytes(der)[:length]

    def ecdsa_verify(self, key: CurvePublic, hash_name: str, digest: bytes, signature: bytes) -> bool:
        raw = self._ffi.new("uint8_t[]", 2 * key.curve.bytes)
        status = self._c.ow_ecdsa_from_der(raw, key.curve.number, signature, len(signature))
        return self._verified(status) and self.ecdsa_verify_raw(key, digest, bytes(raw))

    def ecdsa_verify_raw(self, key: CurvePublic, digest: bytes, signature: bytes) -> bool:
        """Verifies a signature r, s (IEEE P1363)."""
        if len(signature) != 2 * key.curve.bytes:
            return False
        return self._verified(
            self._c.ow_ecdsa_verify(self.pka, key.curve.number, key.point, digest, len(digest), signature)
        )

    def ecdh(self, key: CurvePrivate, peer: CurvePublic) -> bytes:
        return self.ecdh_encoded(key, b"\4" + peer.point)

    def ecdh_encoded(self, key: CurvePrivate, peer: bytes) -> bytes:
        """Computes the shared secret with a peer's point in SEC 1 encoding."""
        kept: list[Any] = []
        secret = self._ffi.new("uint8_t[]", key.curve.bytes)
        self._check(self._c.ow_ecdh(self.pka, secret, self._curve_private(key, kept), peer, len(peer)))
        return bytes(secret)

    def x25519_generate(self) -> X25519Private:
        k, public = (self._ffi.new("uint8_t[]", 32) for _ in range(2))
        self._check(self._c.ow_x25519_generate(self.pka, k, public))
        return X25519Private(bytes(k), X25519Public(bytes(public)))

    def x25519(self, key: X25519Private, peer: X25519Public) -> bytes:
        k, secret = self._ffi.new("uint8_t[]", key.data), self._ffi.new("uint8_t[]", 32)
        status = self._c.ow_x25519(self.pka, secret, self._ffi.new("struct ow_x25519_private *", {"k": k}), peer.data)
        if status == self._c.OW_BAD_ARGUMENT:
            raise UsageError(SMALL_ORDER)
        self._check(status)
        return bytes(secret)

    def ed25519_load(self, key: Ed25519Private) -> Any:
        """Returns a `struct ow_ed25519_private`, which signs without computing the public key again."""
        loaded = self._ffi.new("struct ow_ed25519_private *")
        self._check(self._c.ow_ed25519_load(self.pka, loaded, key.seed))
        return loaded

    def ed25519_generate(self) -> Ed25519Private:
        seed, loaded = self._ffi.new("uint8_t[]", 32), self._ffi.new("struct ow_ed25519_private *")
        self._check(self._c.ow_ed25519_generate(self.pka, loaded, seed))
        return Ed25519Private(bytes(seed), Ed25519Public(bytes(loaded.point)))

    def ed25519_sign(self, key: Ed25519Private, message: bytes) -> bytes:
        return self.ed25519_sign_loaded(self.ed25519_load(key), message)

    def ed25519_sign_loaded(self, loaded: Any, message: bytes) -> bytes:
        signature = self._ffi.new("uint8_t[]", 64)
        with self.board.memory(max(len(message), 1)) as memory:
            memory.view[: len(message)] = message
            at, none = self._ffi.cast("void *", memory.address), self._ffi.NULL
            self._check(self._c.ow_ed25519_sign(self.pka, signature, loaded, none, at, len(message)))
        return bytes(signature)

    def ed25519_verify(self, key: Ed25519Public, message: bytes, signature: bytes) -> bool:
        if len(signature) != 64:
            return False
        with self.board.memory(max(len(message), 1)) as memory:
            memory.view[: len(message)] = message
            at, none = self._ffi.cast("void *", memory.address), self._ffi.NULL
            return self._verified(self._c.ow_ed25519_verify(self.pka, key.data, none, at, len(message), signature))

    def _need(self, opcode: Opcode, name: str) -> None:
        if not self.supports(opcode):
            raise UsageError(
                f"The device of board '{self.board.profile.name}' has no {name}. Choose --board reference, or "
                "--engine software."
            )

    def _ml_kem(self) -> DeviceMlKem:
        """What does ML-KEM, made at its first use."""
        self._need(Opcode.MLKEM_KEYGEN, "ML-KEM")
        if self._mlkem is None:
            self._mlkem = DeviceMlKem(self.board, self.queue)
        self._last = self._mlkem
        return self._mlkem

    def _ml_dsa(self) -> DeviceMlDsa:
        """What does ML-DSA, made at its first use."""
        self._need(Opcode.MLDSA_KEYGEN, "ML-DSA")
        if self._mldsa is None:
            self._mldsa = DeviceMlDsa(self.board, self.queue)
        self._last = self._mldsa
        return self._mldsa

    def _random(self, length: int) -> bytes:
        data = self._ffi.new("uint8_t[]", length)
        self._check(self._c.ow_pka_random(self.pka, data, length))
        return bytes(data)

    def mlkem_generate(self, k: int) -> MlKemPrivate:
        self._ml_kem()
        seed, m = self._random(64), self._random(32)
        ek, dk = self._ml_kem().generate(k, seed[:32], seed[32:])
        # The pairwise consistency check of FIPS 203, 7.1.
        secret, ciphertext = self._ml_kem().encapsulate(k, ek, m)
        if self._ml_kem().decapsulate(k, dk, ciphertext) != secret:
            raise OutworkError(FAILED_CHECK)
        return MlKemPrivate(k, seed, dk, MlKemPublic(k, ek))

    def mlkem_encapsulate(self, key: MlKemPublic) -> tuple[bytes, bytes]:
        self._ml_kem()
        m = self._random(32)
        return self._ml_kem().encapsulate(key.k, key.data, m)

    def mlkem_decapsulate(self, key: MlKemPrivate, ciphertext: bytes) -> bytes:
        dk = key.expanded
        if key.seed:
            _, dk = self._ml_kem().generate(key.k, key.seed[:32], key.seed[32:])
            if key.expanded not in (b"", dk):
                raise UsageError(HALVES_DIFFER)
        return self._ml_kem().decapsulate(key.k, dk, ciphertext)

    def mldsa_generate(self, k: int) -> MlDsaPrivate:
        self._ml_dsa()
        seed, mu, rnd = self._random(32), self._random(MU_BYTES), self._random(32)
        device = self._ml_dsa()
        pk, sk = device.generate(k, seed)
        # A pairwise consistency check, as for ML-KEM.
        if not device.verify(k, pk, mu, device.sign(k, sk, mu, rnd)):
            raise OutworkError(FAILED_CHECK)
        return MlDsaPrivate(k, seed, sk, MlDsaPublic(k, pk))

    def mldsa_sign(self, key: MlDsaPrivate, message: bytes, choice: MlDsaChoice) -> bytes:
        check_choice(key.k, choice)
        self._ml_dsa()
        rnd = None if choice.is_deterministic else self._random(32)
        device, sk = self._ml_dsa(), key.expanded
        if key.seed:
            _, sk = device.generate(key.k, key.seed)
            if key.expanded not in (b"", sk):
                raise UsageError(HALVES_DIFFER)
        return device.sign(key.k, sk, device.mu(sk[TR], message, choice), rnd)

    def mldsa_verify(self, key: MlDsaPublic, message: bytes, choice: MlDsaChoice, signature: bytes) -> bool:
        check_choice(key.k, choice)
        device = self._ml_dsa()
        mu = device.mu(device.tr(key.k, key.data), message, choice)
        return device.verify(key.k, key.data, mu, signature)

    def statistics(self) -> dict[str, str]:
        counters = self.queue.counters()
        errors = sum(value for name, value in counters.items() if name.startswith("error"))
        rows = f"{self.board.capability('pka', 'rows')} rows of multipliers"
        milliseconds = self.cycles * 1e3 / self.board.clock_hz
        return {
            "done by": f"board {self.board.profile.name}, {'engine lattice' if self._last is not None else rows}",
            "jobs on the device": f"{counters['jobs']}, and {errors} that failed",
            "device cycles of the operation": f"{self.cycles} = {milliseconds:.2f} ms at {self.board.clock}",
        }

    def close(self) -> None:
        for lattice in (self._mlkem, self._mldsa):
            if lattice is not None:
                lattice.close()
        self._mlkem = self._mldsa = None
        if self.pka is not None:
            self._c.ow_pka_close(self.pka)
            self.pka = None
        if self._owns_board:
            self.board.close()


def _point(curve: Curve, point: bytes) -> CurvePublic:
    if len(point) != 2 * curve.bytes:
        raise OutworkError(f"A point on {curve.name} has {2 * curve.bytes} bytes.")
    return CurvePublic(curve, int.from_bytes(point[: curve.bytes]), int.from_bytes(point[curve.bytes :]))
