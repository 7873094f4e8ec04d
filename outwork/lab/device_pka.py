# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures public-key operations on the device: counted cycles from the doorbell to the completion.

The random bytes of an operation are made by earlier jobs, which are not included.
"""

import hashlib
import os
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import mlkem, rsa

from outwork.algorithms.base import Operation
from outwork.algorithms.pka import ED25519, X25519, PublicKey
from outwork.device.board import Board
from outwork.device.profiles import Profile
from outwork.errors import OutworkError
from outwork.lab.device_pka_jobs import Jobs
from outwork.lab.engines.base import Sample, Work
from outwork.lab.records import Point
from outwork.pka import keys
from outwork.pka.device import DeviceWorker
from outwork.pka.device_mldsa import MU_BYTES, DeviceMlDsa
from outwork.pka.device_mlkem import DeviceMlKem
from outwork.pka.mldsa_keys import PRIVATE_CLASSES
from outwork.pka.schemes import CURVES
from outwork.pka.software import SoftwareWorker
from outwork.spec import Opcode

RELAX_CYCLES: Final = 256
EXPONENT: Final = 65537
SEED_BYTES: Final = 32
# After this time the engines have wiped what the last operation left, and the next one is alone.
REST_CYCLES: Final = 2_048
# `cryptography` has no ML-KEM-512.
SOFTWARE_ML_KEM: Final[dict[int, type[mlkem.MLKEM768PrivateKey] | type[mlkem.MLKEM1024PrivateKey]]] = {
    3: mlkem.MLKEM768PrivateKey,
    4: mlkem.MLKEM1024PrivateKey,
}


# A signature of ML-DSA takes one to many rounds: the figure is the mean of these messages, the same ones in every run.
ML_DSA_SIGNATURES: Final = 100
ML_DSA_SEED: Final = bytes(range(SEED_BYTES))


class JobTimes:
    """Adds up the cycles of an operation's jobs, each from its doorbell to its completion, but for random bytes."""

    def __init__(self, board: Board, worker: DeviceWorker) -> None:
        self.cycles = 0
        queue = worker.queue

        def run(_: object, job: Any) -> int:
            status = int(board.c.ow_queue_run(queue.queue, job))
            if job.opcode != Opcode.AES_CTR:
                start, finish = queue.times()
                self.cycles += finish - start
            return status

        self._run = board.ffi.callback("ow_status(void *, struct ow_job *)", run)
        worker.pka.run = self._run


class DevicePkaWork(Work):
    messages = 1

    def __init__(self, profile: Profile, point: Point) -> None:
        algorithm = point.algorithm
        assert isinstance(algorithm, PublicKey)
        self._board = Board(profile, relax_cycles=RELAX_CYCLES)
        self._jobs: Jobs | None = None
        self._times: JobTimes | None = None
        try:
            self._worker = DeviceWorker(self._board)
            if point.jobs > 1:
                self._jobs = Jobs(self._board, self._worker, algorithm, point.operation, point.jobs)
                self.messages = self._jobs.count
            self._runs = self._operations(algorithm, point)
            if self._jobs is None:
                self.messages = len(self._runs)
            if not self._runs[0]():
                raise OutworkError(f"{algorithm} {point.operation}: the device's result is wrong. Please report it.")
            self._worker.queue.times()  # waits until the device is at rest: the first sample begins there
        except BaseException:
            self._board.close()
            raise

    def _operations(self, algorithm: PublicKey, point: Point) -> list[Callable[[], bool]]:
        """Returns what does the operation, each time on one message, and says whether the result is right."""
        if algorithm.is_ml_dsa:
            return self._ml_dsa(algorithm.k, point.operation)
        if algorithm.k:
            return [self._ml_kem(algorithm.k, point.operation)]
        return [self._on_curve(algorithm, point.operation) if algorithm.curve else self._rsa(algorithm, point)]

    def _ml_dsa(self, k: int, operation: Operation) -> list[Callable[[], bool]]:
        device = DeviceMlDsa(self._board, self._worker.queue)
        private = PRIVATE_CLASSES[k].from_seed_bytes(ML_DSA_SEED)
        pk, sk = device.generate(k, ML_DSA_SEED)
        if private.public_key().public_bytes_raw() != pk:
            return [lambda: False]
        if operation is Operation.KEYGEN:
            return [lambda: device.generate(k, ML_DSA_SEED) == (pk, sk)]
        mus = [hashlib.shake_256(number.to_bytes(2)).digest(MU_BYTES) for number in range(ML_DSA_SIGNATURES)]
        if operation is Operation.VERIFY:
            signature = private.sign_mu(mus[0])
            return [lambda: device.verify(k, pk, mus[0], signature)]

        def signs(mu: bytes) -> bool:
            private.public_key().verify_mu(device.sign(k, sk, mu, None), mu)
            return True

        return [partial(signs, mu) for mu in mus]

    def _ml_kem(self, k: int, operation: Operation) -> Callable[[], bool]:
        device = DeviceMlKem(self._board, self._worker.queue)
        d, z, m = (os.urandom(SEED_BYTES) for _ in range(3))
        ek, dk = device.generate(k, d, z)
        secret, ciphertext = device.encapsulate(k, ek, m)
        if k in SOFTWARE_ML_KEM:
            private = SOFTWARE_ML_KEM[k].from_seed_bytes(d + z)
            if private.public_key().public_bytes_raw() != ek or private.decapsulate(ciphertext) != secret:
                return lambda: False
        if operation is Operation.KEYGEN:
            return lambda: device.generate(k, d, z) == (ek, dk)
        if operation is Operation.ENCAPSULATE:
            return lambda: device.encapsulate(k, ek, m) == (secret, ciphertext)
        return lambda: device.decapsulate(k, dk, ciphertext) == secret

    def _rsa(self, algorithm: PublicKey, point: Point) -> Callable[[], bool]:
        key = keys.from_private(rsa.generate_private_key(EXPONENT, algorithm.key_bits))
        assert isinstance(key, keys.RsaPrivate)
        message = os.urandom(algorithm.message_bytes - 1).rjust(algorithm.message_bytes, b"\0")
        exponent = key.public.e if point.operation is Operation.PUBLIC else key.d
        wanted = pow(int.from_bytes(message), exponent, key.public.n).to_bytes(algorithm.message_bytes)
        used = key.public if point.operation is Operation.PUBLIC else key
        return lambda: self._worker.rsa_raw(used, message) == wanted

    def _x25519(self) -> Callable[[], bool]:
        key, other = (self._worker.x25519_generate() for _ in range(2))
        wanted = SoftwareWorker().x25519(other, key.public)
        return lambda: self._worker.x25519(key, other.public) == wanted

    def _ed25519(self, operation: Operation) -> Callable[[], bool]:
        """Of one message. A signature is four jobs, a verification two, one after the other."""
        self._times = JobTimes(self._board, self._worker)
        worker, message, software = self._worker, os.urandom(ED25519.message_bytes), SoftwareWorker()
        key = worker.ed25519_generate()
        signature = software.ed25519_sign(key, message)
        if operation is Operation.VERIFY:
            return lambda: worker.ed25519_verify(key.public, message, signature)
        loaded = worker.ed25519_load(key)
        return lambda: worker.ed25519_sign_loaded(loaded, message) == signature

    def _on_curve(self, algorithm: PublicKey, operation: Operation) -> Callable[[], bool]:
        if algorithm == X25519:
            return self._x25519()
        if algorithm == ED25519:
            return self._ed25519(operation)
        worker, curve = self._worker, CURVES[algorithm.curve]
        key = worker.curve_generate(curve)
        digest = os.urandom(min(algorithm.message_bytes, 64))
        if operation is Operation.DERIVE:
            other = worker.curve_generate(curve)
            wanted = worker.ecdh(other, key.public)
            return lambda: worker.ecdh(key, other.public) == wanted
        signature = worker.ecdsa_sign(key, curve.hash, digest)
        if not worker.ecdsa_verify(key.public, curve.hash, digest, signature):
            return lambda: False
        if operation is Operation.VERIFY:
            return lambda: worker.ecdsa_verify(key.public, curve.hash, digest, signature)
        return lambda: bool(worker.ecdsa_sign(key, curve.hash, digest))

    def sample(self) -> Sample:
        cycles = statistics.fmean(self.cycles())
        return Sample(cycles if self._jobs is None else self._jobs.run(), cycles)

    def cycles(self) -> list[int]:
        """Returns the cycles of each of the messages, one alone at a time."""
        return [self._cycles_of(run) for run in self._runs]

    def _cycles_of(self, run: Callable[[], bool]) -> int:
        self._board.c.ow_sim_run(self._board.sim, REST_CYCLES)
        if self._times is not None:
            self._times.cycles = 0
        if not run():
            raise OutworkError("A later result of the device is wrong. Please report it.")
        if self._times is not None:
            return self._times.cycles
        queue = self._worker.queue
        return queue.times()[1] - queue.start_cycle()

    def close(self) -> None:
        self._worker.close()
        self._board.close()
