# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Plan files: what they become, and what is wrong with the bad ones."""

from pathlib import Path

import pytest

from outwork.errors import UsageError
from outwork.lab import plan

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


def test_boards_are_varied(tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no .*sweep"),
        ("sweep = 3", "no .*sweep"),
        ("sweep = [3]", "written"),
        ("rounds = 0" + SWEEP, "rounds must be"),
        ("rounds = true" + SWEEP, "no int"),
        ("colour = 'red'" + SWEEP, "'colour', which no plan has"),
        (SWEEP + "colour = 3", "sweep 1 has 'colour'"),
        (SWEEP + "jobs = 3", "no list"),
        (SWEEP + "jobs = ['a']", "holds 'a'"),
        (SWEEP + "jobs = [0]", "jobs are 1 or more"),
        (SWEEP + "batch = 2", "a batch is at most that"),
        (SWEEP + "alignment_bytes = [64]", "from 0 to 63"),
        (SWEEP + "keys = ['old']", "new-context"),
        (SWEEP + "operations = ['stir']", "no operation 'stir'"),
        (SWEEP + "boards = ['none']", "no board 'none'"),
        (SWEEP + "vary = { colour = [1] }", "has no parameter 'colour'"),
        (SWEEP + "vary = { read_latency = 1 }", "no list"),
        (SWEEP.replace("accelerator/outwork", "abacus"), "no engine 'abacus'"),
        (SWEEP.replace("[16]", "[0]"), "from 1 to"),
        (SWEEP.replace("gcm", "cbc").replace("[16]", "[17]"), "whole blocks"),
        ("title = ", "not valid TOML"),
    ],
)
def test_bad_plans(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        load(tmp_path, text)


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


def test_the_84_configurations_of_cowart() -> None:
    found = plan.load("cowart2017")
    assert found.rounds == 3
    assert len({(task.point, task.candidate.name) for task in found.tasks}) == 84
