# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The known answers that firmware is compiled with are those of `outwork selftest`, of ciphers and hashes."""

import ast
import re

from outwork.algorithms import c_answers
from outwork.algorithms.combined import Combined


def test_firmware_has_every_known_answer() -> None:
    rows = c_answers.initialisers().splitlines()
    for answer, row in zip(c_answers.answers(), rows, strict=True):
        assert f'.name = "{answer.algorithm.name}"' in row and f".opcode = {int(answer.algorithm.opcode)}," in row
        combined = answer.algorithm if isinstance(answer.algorithm, Combined) else None
        assert f".mac_key_len = {combined.mac_key_bytes if combined else 0}," in row
        for name in ("key", "iv", "aad", "message", "result"):
            found = re.search(rf'\.{name} = \(const uint8_t \*\)("[^"]*"), \.{name}_len = (\d+)', row)
            assert found is not None
            assert ast.literal_eval(f"b{found[1]}") == getattr(answer, name)
            assert int(found[2]) == len(getattr(answer, name))
