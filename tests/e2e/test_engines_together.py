# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""AES in two queues and digests and MACs in a third, all in flight at once: random jobs against OpenSSL."""

import hashlib
import hmac
import random

from hashing import HashCase, HashRunner
from reference import random_case
from runner import Runner

from outwork.algorithms.digest import KEYED
from outwork.device.board import Board
from outwork.spec import Opcode

SEED = 20261122
ROUNDS, HASHES_AT_ONCE, CIPHERS_AT_ONCE = 8, 48, 120
NAMES = {
    Opcode.SHA1: "sha1",
    Opcode.SHA256: "sha256",
    Opcode.SHA384: "sha384",
    Opcode.SHA512: "sha512",
    Opcode.SHA3_256: "sha3_256",
    Opcode.SHA3_512: "sha3_512",
}


def hash_case(rng: random.Random) -> HashCase:
    opcode, name = rng.choice(list(NAMES.items()))
    message = rng.randbytes(rng.randrange(3000))
    if rng.random() < 0.5:
        return HashCase(opcode, message, hashlib.new(name, message).digest())
    key = rng.randbytes(rng.randrange(65))
    mac = hmac.new(key, message, name).digest()
    return HashCase(opcode + KEYED, message, mac, key, is_verified=rng.random() < 0.5)


def test_random_jobs_side_by_side(board: Board) -> None:
    rng = random.Random(SEED)
    print(f"seed {SEED}")
    keys = [rng.randbytes(length) for length in (16, 24, 32)]
    ciphers = Runner(board, queues=(0, 1))
    hashes = HashRunner(board, 2)
    for _ in range(ROUNDS):
        jobs = [random_case(rng, 1500, keys, queues=(0, 1)) for _ in range(CIPHERS_AT_ONCE)]
        before = hashes.queue.counters()["jobs"]
        hashes.run_beside([hash_case(rng) for _ in range(HASHES_AT_ONCE)], lambda jobs=jobs: ciphers.run(jobs))
        assert hashes.queue.counters()["jobs"] - before == HASHES_AT_ONCE
    assert ciphers.jobs_run == ROUNDS * CIPHERS_AT_ONCE
