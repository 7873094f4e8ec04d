# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Every source and destination offset from 0 to 63 with every length from 0 to 300; no byte next to the result changes."""

import random
from collections.abc import Iterator

import pytest
import reference
from cases import Case
from runner import Runner

from outwork.device.board import Board
from outwork.spec import Opcode

OFFSETS = range(64)
LENGTHS = range(301)
KEY = bytes(range(32))
IV = bytes(range(16))
PLAIN = random.Random(64).randbytes(400)
STREAM = bytes(a ^ b for a, b in zip(reference.encrypt(Opcode.AES_CTR, KEY, IV, b"", PLAIN, 0)[0], PLAIN, strict=True))


def ctr_case(source: int, destination: int, length: int, in_place: bool = False) -> Case:
    start = (source * 5 + destination * 3 + length) % (len(PLAIN) - length)  # not the same bytes everywhere
    data = PLAIN[start : start + length]
    expected = (int.from_bytes(data) ^ int.from_bytes(STREAM[:length])).to_bytes(length)
    return Case(
        Opcode.AES_CTR,
        KEY,
        data,
        expected,
        iv=IV,
        source_offset=source,
        destination_offset=destination,
        in_place=in_place,
        name="alignment",
    )


def test_every_source_offset_with_every_length(board: Board) -> None:
    """64 x 301 jobs; the destination offset runs through all as well."""
    cases = (ctr_case(source, (source * 7 + length * 11) % 64, length) for source in OFFSETS for length in LENGTHS)
    assert Runner(board).run(cases) == 64 * 301


def test_every_pair_of_offsets(board: Board) -> None:
    """64 x 64 jobs; the length runs through all as well."""
    cases = (ctr_case(a, b, (a * 64 + b) * 13 % 301) for a in OFFSETS for b in OFFSETS)
    assert Runner(board).run(cases) == 64 * 64


def test_in_place(board: Board) -> None:
    cases = (ctr_case(offset, 0, length, in_place=True) for offset in OFFSETS for length in range(0, 301, 7))
    assert Runner(board).run(cases) == 64 * 43


def other_cases(seed: int, count: int) -> Iterator[Case]:
    """The modes that read or write more than a payload: AAD, tags, stolen ciphertext."""
    rng = random.Random(seed)
    for number in range(count):
        opcode = rng.choice((Opcode.AES_GCM, Opcode.AES_CCM, Opcode.AES_XTS, Opcode.AES_CMAC, Opcode.AES_GMAC))
        is_aead = opcode in (Opcode.AES_GCM, Opcode.AES_CCM)
        iv_bytes = {Opcode.AES_XTS: 16, Opcode.AES_CMAC: 0}.get(opcode, 12)
        yield reference.make(
            opcode,
            KEY,
            rng.randbytes(16 + number % 285 if opcode is Opcode.AES_XTS else number % 301),
            iv=rng.randbytes(iv_bytes),
            aad=rng.randbytes(rng.randrange(100)) if is_aead else b"",
            tag_bytes=0 if opcode is Opcode.AES_XTS else rng.choice(reference.TAG_LENGTHS[opcode]),
            tweak_key=bytes(32) if opcode is Opcode.AES_XTS else None,
            decrypt=number % 2 == 1,
            source_offset=rng.randrange(64),
            destination_offset=rng.randrange(64),
            tag_in_memory=is_aead and rng.random() < 0.7,
        )


def test_other_modes(board: Board) -> None:
    assert Runner(board).run(other_cases(3, 2500)) == 2500


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_everything(board: Board, part: int) -> None:
    """All 64 x 64 x 301 of them."""
    cases = (
        ctr_case(source, destination, length)
        for source in OFFSETS[part::8]
        for destination in OFFSETS
        for length in LENGTHS
    )
    assert Runner(board).run(cases) == 8 * 64 * 301


@pytest.mark.slow
def test_other_modes_at_length(board: Board) -> None:
    assert Runner(board).run(other_cases(4, 30_000)) == 30_000
