# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Plan files: their tasks, and the errors of invalid ones."""

import re
import tomllib
from pathlib import Path

import pytest

from outwork.algorithms import CIPHERS
from outwork.algorithms.combined import FAMILY as COMBINED
from outwork.device import profiles
from outwork.device.profiles import Environment
from outwork.errors import UsageError
from outwork.lab import plan
from outwork.paths import PROJECT, SUFFIX

SWEEP = """
[[sweep]]
algorithms = ["aes-256-gcm"]
sizes_bytes = [16]
engines = ["accelerator/outwork"]
"""


def load(folder: Path, text: str) -> plan.Plan:
    path = folder / "mine.toml"
    path.write_text(text)
    return plan.load(str(path))


def test_every_combination_once(tmp_path: Path) -> None:
    text = """
    title = "T"
    rounds = 5
    [[sweep]]
    algorithms = ["aes-256-gcm", "aes-128-cmac"]
    operations = ["encrypt", "mac"]
    sizes_bytes = [16, 32]
    jobs = [1, 16]
    engines = ["accelerator/outwork"]
    boards = ["reference", "zcu102"]
    [[sweep]]
    algorithms = ["aes-256-gcm"]
    operations = ["encrypt"]
    sizes_bytes = [32, 64]
    engines = ["accelerator/outwork"]
    """
    found = load(tmp_path, text)
    assert (found.name, found.title, found.rounds) == ("mine", "T", 5)
    # 2 algorithms of one operation each, 2 sizes, 2 depths, 2 boards; of the second sweep one point is new.
    assert len(found.tasks) == 16 + 1
    assert len(set(found.tasks)) == 17
    assert {task.point.batch for task in found.tasks if task.point.jobs == 16} == {16}


def pretend_built(names: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan names its points for the libraries that are there."""
    for name in names:
        (tmp_path / f"libow_{name}{SUFFIX}").touch()
    monkeypatch.setenv("OUTWORK_LIBRARY_PATH", str(tmp_path))


def test_boards_are_varied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_built(("board_32", "board_64"), tmp_path, monkeypatch)
    found = load(
        tmp_path, SWEEP + 'operations = ["encrypt"]\nvary = { read_latency = [10, 80], data_width = [32, 64] }'
    )
    boards = [task.profile for task in found.tasks if task.profile]
    assert [(board.parameters["read_latency"], board.data_width_bits) for board in boards] == [
        (10, 32), (10, 64), (80, 32), (80, 64),
    ]  # fmt: skip
    assert boards[0].name == "reference, read latency 10, data width 32"
    assert len({board.name for board in boards}) == 4


def test_what_has_not_landed_is_missing_not_fatal(tmp_path: Path) -> None:
    found = load(tmp_path, SWEEP.replace('"aes-256-gcm"', '"aes-256-gcm", "rot-13"'))
    assert [task.point.algorithm.name for task in found.tasks] == ["aes-256-gcm"] * 2
    assert found.missing == ["rot-13: this version of outwork does not have it"]
    found = load(tmp_path, SWEEP.replace('"aes-256-gcm"', '"aes-256-gcn"'))
    assert found.missing == ["aes-256-gcn: this version of outwork does not have it; did you mean 'aes-256-gcm'?"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no table .*sweep"),
        ("sweep = 3", "no table .*sweep"),
        ("sweep = [3]", "no table .*sweep"),
        ("rounds = 0" + SWEEP, "rounds = 0; it must be 1 or more"),
        ("rounds = true" + SWEEP, "rounds = true; it must be a whole number"),
        ("rounds = '5'" + SWEEP, 'rounds = "5"; it must be a whole number without quotes'),
        ("title = 5" + SWEEP, "title = 5; it must be text in quotes"),
        ("round = 5" + SWEEP, "'round', .*Did you mean 'rounds'"),
        ("colour = 'red'" + SWEEP, "'colour', which is not known here"),
        (SWEEP + "colour = 3", "sweep 1: it has 'colour'"),
        (SWEEP + "size_bytes = [3]", "Did you mean 'sizes_bytes'"),
        (SWEEP + "jobs = 3", "jobs = 3; it must be a list"),
        (SWEEP + "jobs = []", r"jobs = \[\]; it must be a list in brackets, not empty"),
        (SWEEP + "jobs = ['a']", "each entry a whole number"),
        (SWEEP + "jobs = [0]", "jobs = 0; it must be 1 or more"),
        (SWEEP + "batch = 2", "batch = 2; it must be from 1 to .*, here 1"),
        (SWEEP + "batch = 0", "batch = 0"),
        (SWEEP + "batch = [1]", r"batch = \[1\]; it must be a whole number"),
        (SWEEP + "alignment_bytes = [64]", "alignment_bytes = 64; it must be from 0 to 63"),
        (SWEEP + "keys = ['old']", "new-context"),
        (SWEEP + "operations = ['stir']", "no operation 'stir'"),
        (SWEEP + "operations = ['mac']", "from those of aes-256-gcm: encrypt, decrypt"),
        (SWEEP + "boards = ['none']", "no board 'none'"),
        (SWEEP + "boards = ['zcu103']", "Did you mean 'zcu102'"),
        (SWEEP + "environments = ['bare_metal']", "Did you mean 'bare-metal'"),
        (SWEEP.replace("accelerator/outwork", "cpu/openssl") + "boards = ['soc']", "no engine 'cpu/openssl'"),
        (SWEEP + "vary = { colour = [1] }", "'colour', which is not a board parameter"),
        (SWEEP + "vary = { read_latency = 1 }", "a table of lists"),
        (SWEEP + "vary = { read_latency = [] }", "a table of lists"),
        (SWEEP + "vary = { read_latency = ['80'] }", 'read_latency = "80"; it must be'),
        (SWEEP + "vary = { data_width = [48] }", "it must be 32 or 64 or 128 bits"),
        (SWEEP.replace("accelerator/outwork", "abacus"), "no engine 'abacus'"),
        (SWEEP.replace("accelerator/outwork", "acelerator"), "Did you mean 'accelerator'"),
        (SWEEP.replace("[16]", "[0]"), "from 1 to"),
        (SWEEP.replace("gcm", "cbc").replace("[16]", "[17]"), "whole blocks"),
        (SWEEP.replace("sizes_bytes = [16]", ""), "lacks 'sizes_bytes'"),
        (SWEEP.replace('algorithms = ["aes-256-gcm"]', ""), "lacks 'algorithms'"),
        ("title = ", "not valid TOML"),
    ],
)
def test_bad_plans(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        load(tmp_path, text)
    assert str(tmp_path / "mine.toml") in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# What.\nrounds = 0" + SWEEP, ", line 2: rounds = 0"),
        ("round = 5" + SWEEP, ", line 1: it has 'round'"),
        (SWEEP + "colour = 3\n" + SWEEP, ", line 6, sweep 1: it has 'colour'"),
        (SWEEP + SWEEP + "jobs = 3", ", line 11, sweep 2: jobs = 3"),
        (SWEEP + SWEEP.replace("[16]", "[0]") + SWEEP, ", line 9, sweep 2: A size is from"),
        (SWEEP + "operations = ['stir']", ", line 6, sweep 1: There is no operation"),
        (SWEEP + "boards = ['none']", ", line 6, sweep 1: There is no board"),
        (SWEEP + "environments = ['none']", ", line 6, sweep 1: There is no environment"),
        (SWEEP + "vary = { colour = [1] }", ", line 6, sweep 1: 'vary' has 'colour'"),
        (SWEEP + "vary.read_latency = ['80']", ", line 6, sweep 1: 'vary' has read_latency"),
        (SWEEP.replace("accelerator/outwork", "abacus"), ", line 5, sweep 1: There is no engine"),
        (SWEEP + SWEEP.replace("sizes_bytes", "# sizes_bytes"), ", line 7, sweep 2: it lacks 'sizes_bytes'"),
        ("sweep = [{ algorithms = 3 }]", ", sweep 1: algorithms = 3"),
        ("rounds = 3", ": it has no table"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(f"The plan {tmp_path / 'mine.toml'}{words}")


def test_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_built(("board_128", "soc_128"), tmp_path, monkeypatch)
    text = SWEEP.replace('["accelerator/outwork"]', '["accelerator"]') + "operations = ['encrypt']\n"
    found = load(tmp_path, text + "boards = ['soc', 'zcu102']")
    places = {(task.candidate.environment, task.profile.name) for task in found.tasks if task.profile}
    assert places >= {("bare-metal", "soc"), ("host", "zcu102")} and ("bare-metal", "zcu102") not in places
    found = load(tmp_path, text + "boards = ['soc', 'zedboard']\nenvironments = ['bare-metal', 'freertos']")
    places = {(task.candidate.environment, task.profile.name) for task in found.tasks if task.profile}
    assert places == {("bare-metal", "soc"), ("freertos", "soc, freertos")}
    assert any(
        "zedboard: the system on chip of 32 bits is not built; run `make soc WIDTH=32`" in text
        for text in found.missing
    )


def test_a_board_that_is_not_built_is_missing_not_fatal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `make demo`, which builds the board of 128 bits only."""
    pretend_built(("board_128",), tmp_path, monkeypatch)
    found = load(tmp_path, SWEEP.replace("accelerator/outwork", "accelerator") + 'boards = ["zedboard", "zcu102"]')
    assert {task.profile.name for task in found.tasks if task.profile} == {"zcu102"}
    (reason,) = [text for text in found.missing if text.startswith("board ")]
    assert reason.startswith("board zedboard: ") and "32 bits is not built; run `make build`" in reason


@pytest.mark.parametrize("page", ["lab.md", "add-a-board.md"])
def test_the_plans_in_the_documentation_are_sound(tmp_path: Path, page: str) -> None:
    text = (PROJECT / "docs" / page).read_text(encoding="utf-8")
    plans = [block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if "[[sweep]]" in block]
    assert plans
    (tmp_path / "my-board.toml").write_text(profiles.available()["reference"].read_text(encoding="utf-8"))
    for block in plans:
        assert load(tmp_path, block.replace('"my-board.toml"', f'"{tmp_path}/my-board.toml"')).tasks


def test_unknown_names() -> None:
    with pytest.raises(UsageError, match="There are: cowart2017"):
        plan.load("nonsense")
    with pytest.raises(UsageError, match="cannot be read"):
        plan.load("/nowhere/mine.toml")


def test_shipped_plans_are_sound() -> None:
    for name in plan.shipped():
        found = plan.load(name)
        assert found.title
        assert found.tasks or found.missing


@pytest.mark.parametrize("path", plan.shipped().values(), ids=lambda path: path.stem)
def test_every_sweep_with_a_device_names_its_boards(path: Path) -> None:
    for sweep in tomllib.loads(path.read_text(encoding="utf-8"))["sweep"]:
        devices = [name for name in sweep.get("engines", plan.DEFAULT_ENGINES) if name.startswith("accelerator")]
        assert "boards" in sweep or not devices, sweep


def test_the_policy_is_for_all_that_openssl_offers() -> None:
    """Ciphers at every key length, hashes, HMAC and AES with HMAC: what OpenSSL does and a CPU is measured with too."""
    found = {task.point.algorithm.name for task in plan.load("policy").tasks}
    ciphers = {name for name in CIPHERS if name.startswith("aes-")}
    hashes = {
        f"{kind}{bits}"
        for kind, lengths in (("sha-", (1, 224, 256, 384, 512)), ("sha3-", (224, 256, 384, 512)))
        for bits in lengths
    }
    ciphers |= {algorithm.name for algorithm in COMBINED.others}
    assert ciphers | hashes | {"hmac-sha-1", "hmac-sha-256", "hmac-sha-384", "hmac-sha-512"} <= found


def test_the_84_configurations_of_cowart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_built(("board_32", "lab", "lab_openssl"), tmp_path, monkeypatch)
    found = plan.load("cowart2017")
    assert found.rounds == 3
    on_host = [task for task in found.tasks if task.candidate.environment is Environment.HOST]
    assert len({(task.point, task.candidate.name) for task in on_host}) == 84
