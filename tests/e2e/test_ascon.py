# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Ascon through driver, shell and engine: random messages against the reference, many in flight, beside AES."""

import random
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from outwork.algorithms import ascon_reference, find_cipher, find_hash
from outwork.algorithms.base import Operation
from outwork.algorithms.cipher import Cipher
from outwork.device.memory import Memory
from outwork.engines.accelerator import AcceleratorEngine
from outwork.engines.base import Outcome, Request
from outwork.engines.hashing import BytesStream, HashTask

SEED = 20261122
ASCON, AES = find_cipher("ascon-aead128"), find_cipher("aes-128-gcm")


@pytest.fixture(scope="module")
def engine() -> Iterator[AcceleratorEngine]:
    with AcceleratorEngine("reference") as opened:
        yield opened
        assert opened.board.protocol_error() == ""


def jobs_done(engine: AcceleratorEngine) -> int:
    return int(engine.queue.counters()["jobs"])


def test_random_messages_side_by_side(engine: AcceleratorEngine) -> None:
    """Sixteen at once, every third one AES, at any alignment; the tags of one in four are wrong."""
    rng = random.Random(SEED)
    print(f"seed {SEED}")
    before, good = jobs_done(engine), 0
    for _ in range(12):
        with engine.allocate(1 << 16) as memory:
            run = [one(engine, rng, memory, n, ASCON if n % 3 else AES) for n in range(engine.depth)]
            engine.submit([request for request, _ in run])
            while any(request.outcome is Outcome.OPEN for request, _ in run):
                engine.poll()
            for request, expected in run:
                got = bytes(memory.at(request.destination - memory.address, len(expected)))
                assert got == expected
                assert (request.outcome is Outcome.OK) == (expected != bytes(len(expected)) or not expected)
                good += request.outcome is Outcome.OK
                engine.drop_key(request.key)
    assert jobs_done(engine) - before == good


def one(engine: AcceleratorEngine, rng: random.Random, memory: Memory, n: int, cipher: Cipher) -> tuple[Request, bytes]:
    """A request, and what must be in its destination."""
    key, iv, aad = rng.randbytes(16), rng.randbytes(cipher.iv_bytes), rng.randbytes(rng.choice([0, 7, 16, 100]))
    message = rng.randbytes(rng.choice([1, 16, 64, rng.randrange(1, 1800)]))
    if cipher is AES:
        sealed = AESGCM(key).encrypt(iv, message, aad)
    else:
        sealed = b"".join(ascon_reference.encrypt(key, iv, aad, message))
    opens, spoilt = rng.random() < 0.5, rng.random() < 0.5
    source, destination = n * 4096 + rng.randrange(64), n * 4096 + 2048 + rng.randrange(64)
    operation = Operation.DECRYPT if opens else Operation.ENCRYPT
    data = message
    expected = sealed
    if opens:
        data = sealed[:-1] + bytes([sealed[-1] ^ spoilt])
        expected = bytes(len(message)) if spoilt else message
    memory.at(source, len(data))[:] = data
    memory.at(destination, len(expected))[:] = b"\xa5" * len(expected)
    request = Request(
        *(engine.load_key(cipher, key), operation, memory.address + source, memory.address + destination),
        *(len(message), iv, aad, 16),
    )
    return request, expected


@pytest.mark.parametrize("name", ["ascon-hash256", "ascon-xof128", "ascon-cxof128"])
def test_digests_of_streams(engine: AcceleratorEngine, name: str) -> None:
    """Messages of one piece and of several: states are saved and loaded between them."""
    rng = random.Random(name)
    algorithm = find_hash(name)
    length = 32 if name == "ascon-hash256" else 77
    string = rng.randbytes(19) if name == "ascon-cxof128" else b""
    reference = {
        "ascon-hash256": lambda data: ascon_reference.hash256(data),
        "ascon-xof128": lambda data: ascon_reference.xof128(data, length),
        "ascon-cxof128": lambda data: ascon_reference.cxof128(data, length, string),
    }[name]
    messages = [rng.randbytes(size) for size in (0, 1, 8, 16, 1000, 262144, 262151)]
    before = jobs_done(engine)
    streams = [BytesStream(message) for message in messages]
    found = list(engine.hash_streams(HashTask(algorithm, b"", length, string), streams))
    assert found == [reference(message) for message in messages]
    assert jobs_done(engine) - before >= len(messages) + 1
