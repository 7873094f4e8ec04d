# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The radio engines of the command line: the device through the driver and plain C, against published sets and models."""

import random
from collections.abc import Iterator

import models
import pytest
import threegpp

from outwork.algorithms import radio as algorithms
from outwork.algorithms.radio import Packet, RadioAlgorithm, first_bits
from outwork.radio import batch
from outwork.radio.engines import ENGINES, DeviceRadio, RadioEngine, open_engine
from outwork.radio.software import Message

zuc, snow3g = models.load("zuc"), models.load("snow3g")
NAMES = ("128-eea1", "128-eea2", "128-eea3", "128-eia1", "128-eia2", "128-eia3")
SETS = threegpp.sets("128-EEA2", "128-EEA3", "UEA2", "128-EIA1", "128-EIA2", "128-EIA3")


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[RadioEngine]:
    opened = open_engine(request.param, "reference")
    yield opened
    if isinstance(opened, DeviceRadio):
        assert opened.board.protocol_error() == ""
    opened.close()


@pytest.fixture(scope="module")
def device() -> Iterator[DeviceRadio]:
    opened = DeviceRadio("reference")
    yield opened
    assert opened.board.protocol_error() == ""
    opened.close()


def message_of(one: threegpp.Set) -> Message:
    return Message(one.key, Packet(one.count, one.bearer, one.direction, one.bits), one.input)


def test_published_sets(engine: RadioEngine) -> None:
    """3GPP's, ETSI's and GSMA's data of every algorithm, lengths in bits included, packets of one algorithm together."""
    assert sum(one.bits % 8 != 0 for one in SETS) > 12
    for name in {one.algorithm for one in SETS}:
        ours = [one for one in SETS if one.algorithm == name]
        results, seconds = engine.run(algorithms.find(name), [message_of(one) for one in ours])
        assert seconds > 0
        for one, result in zip(ours, results, strict=True):
            assert result == one.output, (name, one.number)


def test_macs_of_published_sets_are_verified(engine: RadioEngine) -> None:
    for one in SETS:
        algorithm = algorithms.find(one.algorithm)
        if algorithm.is_mac:
            assert engine.verify(algorithm, message_of(one), one.output)
            for bit in range(32):
                wrong = (int.from_bytes(one.output, "big") ^ 1 << bit).to_bytes(4, "big")
                assert not engine.verify(algorithm, message_of(one), wrong)


def model(algorithm: RadioAlgorithm, message: Message) -> bytes:
    key, packet, data = message.key, message.packet, message.data
    match algorithm.name:
        case "128-eea1":
            made = snow3g.uea2(key, packet.count, packet.bearer, packet.direction, data, packet.bits)
        case "128-eea3":
            made = zuc.eea3(key, packet.count, packet.bearer, packet.direction, data, packet.bits)
        case "128-eia1":
            made = snow3g.uia2(key, packet.count, packet.fresh, packet.direction, data, packet.bits)
        case _:
            made = zuc.eia3(key, packet.count, packet.bearer, packet.direction, data, packet.bits)
    return bytes(made)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith("2")])
def test_every_length_in_bits(device: DeviceRadio, name: str) -> None:
    """0 to 300 bits, against the golden model; 128-EEA2 and 128-EIA2: tests/driver/test_radio.c."""
    algorithm, messages = algorithms.find(name), []
    for bits in range(301):
        messages += batch.generate(1, bits, seed=bits)
    results, _ = device.run(algorithm, messages)
    for message, result in zip(messages, results, strict=True):
        assert result == model(algorithm, message), message.packet.bits


@pytest.mark.parametrize("packets", [3000, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
def test_many_short_packets(device: DeviceRadio, name: str, packets: int) -> None:
    """Random lengths, a key each, sixteen streams at work: what comes out is what plain C makes, and every job is counted."""
    rng = random.Random(f"short {name} {packets}")
    messages = []
    for _ in range(packets):
        packet = Packet(rng.getrandbits(32), rng.getrandbits(5), rng.getrandbits(1), rng.randrange(500))
        messages.append(Message(rng.randbytes(16), packet, first_bits(rng.randbytes(packet.byte_count), packet.bits)))
    before = device.queue.counters()["jobs"]
    results, _ = device.run(algorithms.find(name), messages)
    assert results == open_engine("software", "").run(algorithms.find(name), messages)[0]
    assert device.queue.counters()["jobs"] - before == packets
