# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Many signatures of ML-DSA, with a ring full of jobs: all are good ones by another implementation, some by the device too."""

from __future__ import annotations

import random

import pytest

from outwork.device.board import Board
from outwork.device.queues import Queue
from outwork.pka import mldsa_keys
from outwork.pka.device_mldsa import MU_BYTES, DeviceMlDsa
from outwork.pka.mldsa_keys import SEED_BYTES, SETS, SIGNATURE_BYTES
from outwork.spec import Opcode

RING_LOG2 = 5
# Signatures under one key: in the fast test, and at most.
SAMPLE = 8
BATCH = 20
# Of each batch, how many the device verifies.
VERIFIED = 2
# Bytes of a signature in memory: whole cache lines.
STRIDE = 4672


def sign_many(board: Board, queue: Queue, k: int, sk: bytes, inputs: list[bytes]) -> list[bytes]:
    """Signs each input, mu and rnd, with as many jobs in flight as the ring holds."""
    ffi, count, size = board.ffi, len(inputs), len(inputs[0])
    jobs, parameter = ffi.new("struct ow_job[]", count), ffi.new("uint8_t[]", bytes((k,)))
    with board.memory(len(sk)) as key, board.memory(count * size) as source, board.memory(count * STRIDE) as signed:
        key.view[:] = sk
        source.view[:] = b"".join(inputs)
        for index, job in enumerate(jobs):
            job.opcode = Opcode.MLDSA_SIGN
            job.key.bytes = job.aad = board.pointer(key.address)
            job.aad_len = len(sk)
            job.iv, job.iv_len = parameter, 1
            job.source, job.length = board.pointer(source.address + index * size), size
            job.destination = board.pointer(signed.address + index * STRIDE)
            job.destination_len = SIGNATURE_BYTES[k]
        queue.run(jobs)
        for job in jobs:
            board.check(job.status)
        return [bytes(signed.view[at : at + SIGNATURE_BYTES[k]]) for at in range(0, count * STRIDE, STRIDE)]


@pytest.mark.parametrize("count", [SAMPLE, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("k", SETS)
def test_many_signatures(k: int, count: int) -> None:
    """Half of the messages are signed without random bytes. 10,000 signatures take 10 to 25 minutes."""
    rng, batch = random.Random(k), min(count, BATCH)
    with Board("reference") as board:
        queue = board.queue(0, RING_LOG2)
        device = DeviceMlDsa(board, queue)
        for _ in range(count // batch):
            seed = rng.randbytes(SEED_BYTES)
            pk, sk = device.generate(k, seed)
            mus = [rng.randbytes(MU_BYTES) for _ in range(batch)]
            rnds = [rng.randbytes(SEED_BYTES) if index % 2 else bytes(SEED_BYTES) for index in range(batch)]
            inputs = [mu + rnd for mu, rnd in zip(mus, rnds, strict=True)]
            signatures = sign_many(board, queue, k, sk, inputs)
            theirs = mldsa_keys.PRIVATE_CLASSES[k].from_seed_bytes(seed).public_key()
            assert theirs.public_bytes_raw() == pk
            for mu, signature in zip(mus, signatures, strict=True):
                theirs.verify_mu(signature, mu)
            assert len(set(signatures)) == batch
            for mu, signature in list(zip(mus, signatures, strict=True))[:VERIFIED]:
                assert device.verify(k, pk, mu, signature)
        counters = queue.counters()
        assert counters["jobs"] == count // batch * (1 + batch + VERIFIED)
        assert sum(value for name, value in counters.items() if name.startswith("error")) == 0
        assert board.protocol_error() == ""
        device.close()
