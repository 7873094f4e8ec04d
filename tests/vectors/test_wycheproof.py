# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Wycheproof on the device: it processes every allowed IV and tag length, leaves zeros for wrong tags, and refuses the
rest."""

import pytest
import wycheproof
from cases import Case
from runner import Runner

from outwork.device.board import Board
from outwork.errors import OutworkError
from outwork.spec import Opcode

# Jobs that the device runs: valid vectors forward and back, invalid ones back.
COUNTS = {"gcm": 539, "gmac": 504, "ccm": 891, "cmac": 369, "xts": 164}
REFUSED = {"gcm": 6, "gmac": 0, "ccm": 66, "cmac": 5, "xts": 82}


@pytest.mark.parametrize("name", wycheproof.OPCODES)
def test_done_in_hardware(board: Board, name: str) -> None:
    cases = [case for case in wycheproof.cases(name) if wycheproof.is_allowed(case)]
    assert Runner(board).run(cases) == COUNTS[name]


@pytest.mark.parametrize("name", wycheproof.OPCODES)
def test_lengths_outside_the_standards_are_refused(board: Board, name: str) -> None:
    """By the driver, which then has not touched the device, or by the device: OW_BAD_ARGUMENT or OW_BAD_KEY."""
    cases = [case for case in wycheproof.cases(name) if not wycheproof.is_allowed(case)]
    assert len(cases) == REFUSED[name]
    runner = Runner(board)
    for case in cases:
        case.status = "OW_BAD_KEY" if case.opcode is Opcode.AES_XTS else "OW_BAD_ARGUMENT"
        case.inline_key = True
        try:
            runner.run([case])
        except OutworkError as error:
            assert "not allowed" in str(error)


def test_cbc_with_padding(board: Board) -> None:
    """The device decrypts all that has whole blocks; the padding is then right or wrong as the vectors say."""
    cases: list[Case] = []
    lengths_refused = 0
    for _, test in wycheproof.tests("cbc_pkcs5"):
        key, iv = bytes.fromhex(test["key"]), bytes.fromhex(test["iv"])
        message, text = bytes.fromhex(test["msg"]), bytes.fromhex(test["ct"])
        if test["result"] == "valid":
            padded = wycheproof.pad(message)
            cases.append(Case(Opcode.AES_CBC, key, padded, text, iv=iv, name=f"{test['tcId']}"))
            cases.append(Case(Opcode.AES_CBC, key, text, padded, decrypt=True, iv=iv, name=f"{test['tcId']}"))
        elif len(text) % 16 or not text:
            lengths_refused += 1
    assert lengths_refused > 0
    assert Runner(board).run(cases) == 144
