# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Random jobs against OpenSSL: all modes, keys, lengths, addresses and queues mixed; a failure names its seed."""

import random

import pytest
from cases import Case
from reference import ALL_MODES, make, random_case
from runner import Runner

from outwork.device.board import Board
from outwork.spec import Opcode

SEED = 20261121


class Mute(Case):
    """Pretends that nothing comes out, so that all that does is a stray write."""

    @property
    def output(self) -> bytes:
        return b""


def some_keys(rng: random.Random) -> list[bytes]:
    return [rng.randbytes(length) for length in (16, 24, 32) * 3]


def cases_of(seed: int, count: int, queues: tuple[int, ...] = (0,), longest: int = 1100) -> list[Case]:
    rng = random.Random(seed)
    print(f"seed {seed}")  # pytest shows it when the test fails
    keys = some_keys(rng)
    return [random_case(rng, longest, keys, queues=queues) for _ in range(count)]


@pytest.mark.parametrize("opcode", ALL_MODES, ids=lambda opcode: opcode.name)
def test_each_mode(board: Board, opcode: Opcode) -> None:
    rng = random.Random(SEED + opcode)
    keys = some_keys(rng)
    assert Runner(board).run([random_case(rng, 1100, keys, (opcode,)) for _ in range(300)]) == 300


def test_thousands_interleaved_over_all_queues(board: Board) -> None:
    queues = tuple(range(board.capabilities.queues))
    runner = Runner(board, queues=queues, log2_entries=5)
    assert runner.run(cases_of(SEED, 3000, queues, longest=400)) == 3000


def test_long_messages(board: Board) -> None:
    rng = random.Random(SEED)
    keys = some_keys(rng)
    cases = []
    for opcode in ALL_MODES:
        case = random_case(rng, 1, keys, (opcode,))
        length = 20_000 + 16 * rng.randrange(1000) + (0 if opcode in (Opcode.AES_ECB, Opcode.AES_CBC) else 5)
        cases.append(
            make(
                opcode,
                case.key,
                rng.randbytes(length),
                iv=case.iv,
                aad=rng.randbytes(5000) if opcode in (Opcode.AES_GCM, Opcode.AES_CCM) else b"",
                tag_bytes=len(case.tag),
                tweak_key=case.tweak_key,
                decrypt=case.decrypt,
            )
        )
    assert Runner(board).run(cases) == len(cases)


@pytest.mark.parametrize(
    ("name", "width"),
    [
        ("zc706-edge", 64),
        ("microcontroller", 32),
        pytest.param("zedboard-64", 64, marks=pytest.mark.slow),
        pytest.param("zedboard", 32, marks=pytest.mark.slow),
    ],
)
def test_narrow_buses(name: str, width: int) -> None:
    """Smaller devices, and the same device, behind narrower memory ports."""
    with Board(name, relax_cycles=256) as board:
        assert board.capabilities.bus_bytes * 8 == width
        queues = tuple(range(board.capabilities.queues))
        assert Runner(board, queues=queues, log2_entries=5).run(cases_of(SEED, 2000, queues, 400)) == 2000
        assert board.protocol_error() == ""


@pytest.mark.parametrize("slowness", ["memory", "bandwidth", "fast"])
def test_other_memories(slowness: str) -> None:
    """Long latencies, few outstanding bursts and little bandwidth change times and nothing else."""
    settings = {
        "memory": {
            "read_latency": 300,
            "write_response": 200,
            "reads_outstanding": 2,
            "writes_outstanding": 1,
        },
        "bandwidth": {"read_beats_per_100": 23, "shared_bandwidth": 1},
        "fast": {"read_latency": 1, "write_response": 1, "reads_outstanding": 64, "writes_outstanding": 64},
    }[slowness]
    with Board(relax_cycles=256, **settings) as board:
        assert Runner(board, queues=(0, 1), log2_entries=5).run(cases_of(SEED + 1, 400, (0, 1), 300)) == 400
        assert board.protocol_error() == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEED + 100, SEED + 108))
def test_many(board: Board, seed: int) -> None:
    queues = tuple(range(board.capabilities.queues))
    runner = Runner(board, queues=queues, log2_entries=6)
    assert runner.run(cases_of(seed, 12_000, queues)) == 12_000


def test_a_wrong_expectation_is_noticed(board: Board) -> None:
    """The runner itself: a result, a tag, a stray byte and a status that differ must fail."""
    rng = random.Random(SEED)

    def fresh() -> Case:
        return make(Opcode.AES_GCM, bytes(16), rng.randbytes(40), iv=bytes(12), tag_bytes=16, tag_in_memory=True)

    runner = Runner(board)
    runner.run([fresh()])
    result = fresh()
    assert result.expected is not None
    result.expected = result.expected[:-1] + bytes((result.expected[-1] ^ 1,))
    with pytest.raises(AssertionError, match="byte 39 of the result is wrong"):
        runner.run([result])
    tag = fresh()
    tag.tag = bytes(16)
    with pytest.raises(AssertionError, match="byte 40 of the result is wrong"):
        runner.run([tag])
    with pytest.raises(AssertionError, match="outside of every result"):
        runner.run(
            [Mute(**{name: getattr(fresh(), name) for name in ("opcode", "key", "data", "expected", "iv", "tag")})]
        )
    status = fresh()
    status.status = "OW_AUTH_FAILED"
    with pytest.raises(AssertionError, match="not OW_AUTH_FAILED"):
        runner.run([status])
