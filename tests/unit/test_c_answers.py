# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The known answers that firmware is compiled with are those of `outwork selftest`."""

import ast
import re

from outwork.algorithms import KNOWN_ANSWERS, c_answers
from outwork.algorithms.combined import Combined


def test_firmware_has_every_known_answer() -> None:
    rows = c_answers.initialisers().splitlines()
    answers = [answer for answer in KNOWN_ANSWERS if not isinstance(answer.algorithm, Combined)]
    for answer, row in zip(answers, rows, strict=True):
        assert f'.name = "{answer.algorithm.name}"' in row and f".opcode = {int(answer.algorithm.opcode)}," in row
        for name in ("key", "iv", "aad", "message", "result"):
            found = re.search(rf'\.{name} = \(const uint8_t \*\)("[^"]*"), \.{name}_len = (\d+)', row)
            assert found is not None
            assert ast.literal_eval(f"b{found[1]}") == getattr(answer, name)
            assert int(found[2]) == len(getattr(answer, name))
