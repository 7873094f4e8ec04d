# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The proofs' faults: the text that each one replaces is in its file, once."""

from pathlib import Path

import prove
import pytest


@pytest.mark.parametrize("proof", prove.load(), ids=lambda proof: proof.name)
def test_faults_can_be_planted(proof: prove.Proof) -> None:
    for fault in proof.faults:
        text = (prove.ROOT / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.old) == 1, f"{fault.file} must have this once: {fault.old}"
        assert fault.new != fault.old


def test_files_of_proofs_exist() -> None:
    for proof in prove.load():
        for name in proof.files:
            assert Path(prove.ROOT / name).is_file(), f"{proof.name}: no file {name}"
