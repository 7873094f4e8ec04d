# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ML-KEM and ML-DSA while memory fails: errors at every part of a job, late answers, flipped bits, a watchdog."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import failing
import pytest
from failing import DECERR, SLVERR
from lattice import mldsa, mlkem

from outwork.device.board import Board
from outwork.spec import Opcode

KEY, SOURCE, DESTINATION = 0x0000, 0x2000, 0x4000
KEM, DSA = mlkem.BY_NAME["ML-KEM-768"], mldsa.SETS[0]
# Beats of the bus before a job's own data: its descriptor.
HEAD = 4
SIZES = (0x6000, 3)  # bytes of memory, and of the ring the logarithm


@dataclass(frozen=True)
class Case:
    opcode: int
    k: int
    key: bytes
    source: bytes
    result: bytes
    inline: bool


def cases() -> dict[str, Case]:
    rng = random.Random("faults")
    d, z, m, xi, mu = (rng.randbytes(length) for length in (32, 32, 32, 32, 64))
    ek, dk = mlkem.keygen(KEM, d, z)
    secret, c = mlkem.encapsulate(KEM, ek, m)
    pk, sk = mldsa.keygen(DSA, xi)
    signature = mldsa.sign_mu(DSA, sk, mu, bytes(32)).signature
    return {
        "encapsulate": Case(Opcode.MLKEM_ENCAPSULATE, KEM.k, ek, m, c + secret, False),
        "decapsulate": Case(Opcode.MLKEM_DECAPSULATE, KEM.k, dk, c, secret, True),
        "sign": Case(Opcode.MLDSA_SIGN, DSA.k, sk, mu + bytes(32), signature, True),
        "verify": Case(Opcode.MLDSA_VERIFY, DSA.k, pk, mu + signature, b"", False),
    }


CASES = cases()
every_case = pytest.mark.parametrize("name", CASES)


class Rig(failing.Rig):
    def run(self, case: Case) -> int:
        job = self.job
        self.put(KEY, case.key)
        self.put(SOURCE, case.source)
        self.put(DESTINATION, b"\xa5" * 0x2000)
        self.clear_job()
        self.parameter = self.board.ffi.new("uint8_t[]", bytes((case.k,)))
        job.opcode, job.iv, job.iv_len = case.opcode, self.parameter, 1
        job.aad, job.aad_len = self.pointer(KEY), len(case.key)
        if case.inline:
            job.key.bytes = job.aad
        job.source, job.length = self.pointer(SOURCE), len(case.source)
        job.destination, job.destination_len = self.pointer(DESTINATION), len(case.result)
        return self.run_job()

    def result(self, case: Case) -> bytes:
        return bytes(self.memory.at(DESTINATION, len(case.result)))

    def is_well(self) -> None:
        """Every job is done right, and the device has counted it."""
        self.remove_faults()
        before = self.queue.counters()["jobs"]
        for case in CASES.values():
            assert self.run(case) == self.c.OW_OK
            assert self.result(case) == case.result
        assert self.queue.counters()["jobs"] - before == len(CASES)


@pytest.fixture
def rig(board: Board) -> Iterator[Rig]:
    with Rig.opened(board, *SIZES) as rig:
        yield rig


def test_the_rig(rig: Rig) -> None:
    rig.is_well()


@every_case
@pytest.mark.parametrize("response", [SLVERR, DECERR])
def test_read_errors(rig: Rig, name: str, response: int) -> None:
    """The first and the last byte of key and source: nothing of a secret or a signature stands in memory then."""
    case = CASES[name]
    places = [KEY, KEY + len(case.key) - 1, SOURCE, SOURCE + len(case.source) - 1]
    for place in places:
        rig.inject(rig.c.OW_SIM_READ_ERROR_ADDRESS, response, address=rig.memory.address + place)
        assert rig.run(case) == rig.c.OW_BUS_ERROR
        assert len(case.result) < 32 or rig.result(case)[-32:] != case.result[-32:]
        rig.remove_faults()
    counters = rig.queue.counters()
    assert (counters["jobs"], counters["error_bus"]) == (0, len(places))
    rig.is_well()


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].result])
def test_write_errors(rig: Rig, name: str) -> None:
    case = CASES[name]
    for place in (0, len(case.result) // 2, len(case.result) - 1):
        rig.inject(rig.c.OW_SIM_WRITE_ERROR_ADDRESS, SLVERR, address=rig.memory.address + DESTINATION + place)
        assert rig.run(case) == rig.c.OW_BUS_ERROR
        rig.remove_faults()
    assert rig.queue.counters()["error_bus"] == 3
    rig.is_well()


@every_case
def test_late_answers(rig: Rig, name: str) -> None:
    for kind in (rig.c.OW_SIM_LATE_READ, rig.c.OW_SIM_LATE_WRITE):
        for at in (0, 3, 9):
            rig.inject(kind, 3000, at)
            assert rig.run(CASES[name]) == rig.c.OW_OK
            assert rig.result(CASES[name]) == CASES[name].result
            rig.remove_faults()
    assert rig.queue.counters()["jobs"] == 6


def beats_that_count(name: str) -> list[int]:
    """Some of the beats of key and source of which every bit changes the result: not tr, which mu has; not s2 and t0, of which
    a bit may change no hint; not z, which is for rejection only."""
    key, source = (len(part) // 16 for part in (CASES[name].key, CASES[name].source))
    if name == "sign":
        return [2, 3, *range(8, 8 + 6 * DSA.l, 3), *range(key, key + source)]
    if name == "decapsulate":
        return [*range(1, key - 2, 7), *range(key, key + source, 7)]
    return list(range(1, key + source, 7))


@every_case
def test_a_turned_bit(rig: Rig, name: str) -> None:
    """One bit of key or source as the device reads it: no signature is verified, and no result is what it should be. Keys
    whose hash or range tells are refused."""
    case = CASES[name]
    statuses = []
    for beat in beats_that_count(name):
        rig.inject(rig.c.OW_SIM_FLIP_READ, beat % 128, HEAD + beat)
        status = rig.run(case)
        statuses.append(status)
        assert status in (rig.c.OW_OK, rig.c.OW_AUTH_FAILED, rig.c.OW_BAD_ARGUMENT), beat
        if status == rig.c.OW_OK:
            assert name != "verify" and rig.result(case) != case.result, beat
        rig.remove_faults()
    counters = rig.queue.counters()
    assert counters["error_auth"] == (len(statuses) if name == "verify" else 0)
    assert counters["jobs"] == statuses.count(rig.c.OW_OK)
    if name == "decapsulate":
        assert set(statuses) == {rig.c.OW_OK, rig.c.OW_BAD_ARGUMENT}
    rig.is_well()


@every_case
def test_watchdog(board: Board, name: str) -> None:
    """A job past its time ends as a timeout by itself; the next one is right."""
    with Rig.opened(board, *SIZES, board.ffi.new("struct ow_grant *", {"watchdog_cycles": 1000})) as rig:
        assert rig.run(CASES[name]) == rig.c.OW_TIMEOUT
        assert rig.queue.counters()["error_timeout"] == 1
    with Rig.opened(board, *SIZES) as rig:
        rig.is_well()
