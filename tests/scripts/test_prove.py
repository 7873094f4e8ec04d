# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The proofs' faults: the text that each one replaces is in its file, once. Proofs are named rightly."""

from pathlib import Path

import prove
import pytest
from synthesis import run


@pytest.mark.parametrize("proof", prove.load(), ids=lambda proof: proof.name)
def test_faults_can_be_planted(proof: prove.Proof) -> None:
    for fault in proof.faults:
        text = (prove.ROOT / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.old) == 1, f"{fault.file} must have this once: {fault.old}"
        assert fault.new != fault.old


@pytest.mark.parametrize("proof", prove.load(), ids=lambda proof: proof.name)
def test_constants_to_shrink_exist(proof: prove.Proof) -> None:
    packages = "".join((prove.ROOT / name).read_text(encoding="utf-8") for name in proof.files if "_pkg" in name)
    for name in proof.shrink:
        assert packages.count(f"localparam int unsigned {name} = ") == 1, f"no package of the proof has {name}"


@pytest.mark.parametrize("proof", [p for p in prove.load() if not p.sample], ids=lambda proof: proof.name)
def test_checkers_outside_the_sample_fit_their_modules(tmp_path: Path, proof: prove.Proof) -> None:
    """A port that a module has got since is an error when the design is read."""
    run(proof.name, [prove.reading(proof, tmp_path / proof.name)])


def test_a_checkout_that_the_provers_do_not_see() -> None:
    with pytest.raises(SystemExit, match=r"move the checkout out of /tmp"):
        prove.check_place(Path("/tmp/outwork"))
    prove.check_place(Path("/home/outwork"))


def test_files_of_proofs_exist() -> None:
    for proof in prove.load():
        for name in proof.files:
            assert Path(prove.ROOT / name).is_file(), f"{proof.name}: no file {name}"


def test_an_unknown_proof_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["prove.py", "ow_fetch", "ow_fecth"])
    with pytest.raises(SystemExit):
        prove.main()
    assert "there is no proof ow_fecth; --list names them" in capsys.readouterr().err
