# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Failures of the accelerator engine: a dead device, a lost bus, more keys than slots."""

import random
from collections.abc import Iterator

import pytest
from failing import SLVERR, inject
from streamed import seal, unseal

from outwork.algorithms import find_cipher
from outwork.algorithms.base import Operation
from outwork.engines.accelerator import AcceleratorEngine
from outwork.engines.base import Outcome, Request
from outwork.engines.software import SoftwareEngine
from outwork.errors import NoDeviceError, OutworkError


@pytest.fixture
def engine() -> Iterator[AcceleratorEngine]:
    with AcceleratorEngine("reference") as made:
        yield made


def test_same_files_as_software(engine: AcceleratorEngine) -> None:
    data = random.Random(3).randbytes(100 * 512 + 3)
    with SoftwareEngine() as software:
        for name in ("aes-256-gcm", "aes-128-cbc"):
            sealed = seal(engine, name, data)
            assert sealed == seal(software, name, data)
            assert unseal(engine, sealed) == data


def test_dead_device_ends_with_a_sentence(engine: AcceleratorEngine) -> None:
    engine.stall_cycles = 100_000
    inject(engine.board, "OW_SIM_NO_READ_RESPONSE")
    with pytest.raises(NoDeviceError, match="does not respond"):
        seal(engine, "aes-256-gcm", bytes(3000))


def test_bus_error_ends_with_a_sentence(engine: AcceleratorEngine) -> None:
    with engine.allocate(4096) as memory:
        inject(engine.board, "OW_SIM_READ_ERROR_ADDRESS", SLVERR, address=memory.address)
        key = engine.load_key(find_cipher("aes-128-ctr"), bytes(16))
        request = Request(key, Operation.ENCRYPT, memory.address, memory.address, 64, iv=bytes(16))
        with pytest.raises(OutworkError, match="The device did not do the job"):
            engine.run(request)


def test_more_keys_than_slots(engine: AcceleratorEngine) -> None:
    """Keys beyond the slots travel with their jobs; results are the same."""
    slots = engine.board.capabilities.key_slots
    with SoftwareEngine() as software, engine.allocate(64) as memory:
        for name in ("aes-256-gcm", "aes-256-xts"):
            cipher = find_cipher(name)
            material = [
                bytes((number + position) & 0xFF for position in range(cipher.key_bytes)) for number in range(slots + 3)
            ]
            keys = [engine.load_key(cipher, key) for key in material]
            iv = bytes(cipher.iv_bytes)
            for key, data in zip(keys, material, strict=True):
                memory.view[:] = bytes(64)
                request = Request(
                    key,
                    Operation.ENCRYPT,
                    memory.address,
                    memory.address,
                    32,
                    iv,
                    tag_bytes=cipher.tag_bytes_default,
                )
                engine.run(request)
                assert request.outcome is Outcome.OK
                expected = software.crypt(
                    cipher, Operation.ENCRYPT, data, iv, bytes(32), tag_bytes=cipher.tag_bytes_default
                )
                assert bytes(memory.at(0, len(expected))) == expected
            for key in keys:
                engine.drop_key(key)
            assert not any(engine.board.key_info(slot).valid for slot in range(slots))


def test_too_many_requests_at_once(engine: AcceleratorEngine) -> None:
    with engine.allocate(64) as memory:
        key = engine.load_key(find_cipher("aes-128-ctr"), bytes(16))
        requests = [
            Request(key, Operation.ENCRYPT, memory.address, memory.address, 16, iv=bytes(16))
            for _ in range(engine.depth + 1)
        ]
        with pytest.raises(OutworkError, match="requests are in flight"):
            engine.submit(requests)
