# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork lab` and the policy from the command line; every shipped plan with few points."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import good, outwork, sentence
from lab_records import device, series

from outwork.algorithms import ALGORITHMS
from outwork.algorithms.pka import PublicKey
from outwork.device import profiles
from outwork.device.profiles import Environment
from outwork.lab import plan, run, store
from outwork.lab.bench import write_json
from outwork.lab.plan import Task
from outwork.lab.records import Kind, Record
from outwork.paths import SUFFIX, library_file

SIZES = (16, 256, 4096, 65536)
MINE = """
title = "Mine"
[[sweep]]
algorithms = ["aes-256-gcm"]
operations = ["encrypt"]
sizes_bytes = [16, 256, 4096]
engines = ["accelerator/outwork"]
"""


def miniature(name: str, tasks: list[Task]) -> list[Task]:
    """Of each engine, board, algorithm and operation the smallest size, of at most 8 KiB if there is one.

    On the system on chip, whose programs take seconds to build, only of its own plan, and one operation.
    """
    chosen: dict[tuple[object, ...], Task] = {}
    for task in tasks:
        point = task.point
        if point.algorithm.name.startswith(("aes-192", "aes-128")) and not point.algorithm.name.endswith("-cbc"):
            continue
        kind = point.algorithm.name.replace(str(point.algorithm.key_bits), "")
        is_host = task.candidate.environment is Environment.HOST
        if not is_host and name != "soc":
            continue
        key = (task.candidate.name, task.profile and task.profile.name, kind, is_host and point.operation)
        if key not in chosen or point.size_bytes < chosen[key].point.size_bytes:
            chosen[key] = replace(task, point=replace(point, jobs=min(point.jobs, 2), batch=min(point.batch, 2)))
    return list(chosen.values())


UNCOUNTED = ("microcontroller", "zedboard-tls")  # boards whose builds do not count the cycles of steps
# The board of two, of 32 bits, is one that `make test` does not build. Each engine of the third builds a program for the
# system on chip; tests/soc/test_soc_lab.py has each in the fast tests.
SLOW_PLANS = ("cowart2017", "zybo2014", "soc")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in SLOW_PLANS else name for name in plan.shipped()],
)
def test_shipped_plans_in_miniature(name: str) -> None:
    """Every engine of the plan gives a figure for every algorithm, or says why not; the device's own counter moved."""
    wanted = plan.load(name)
    tasks = miniature(name, wanted.tasks)
    refused: list[str] = []
    records: list[Record] = []
    with run.Bench() as bench:
        for task, record in run.measure(bench, tasks, 1, lambda _: False, lambda _, why: refused.append(why)):
            if record is not None:
                records.append(record)
                assert record.size_bytes == task.point.size_bytes
    assert all(refused) and len(records) + len(refused) == len(tasks)
    # What is missing is named, with the reason.
    assert all(": " in text for text in wanted.missing)
    counted = [record for record in records if record.kind is Kind.COUNTED]
    assert counted
    assert all(record.cost.p50 > 0 and record.clock_hz for record in counted)
    # A public-key operation is one job among those for its random bytes, and all but its data stage is nothing.
    staged = [
        record
        for record in counted
        if not record.is_on_soc
        and "file" not in record.environment
        and not isinstance(ALGORITHMS[record.algorithm], PublicKey)
    ]
    for record in staged:
        if record.board in UNCOUNTED:
            assert record.stages is None
        else:
            assert record.stages and sum(record.stages.values()) > 0


def test_a_run_is_kept_shown_and_gone_on_with(desk: Any) -> None:
    mine, kept = desk.file("mine.toml", MINE.encode()), desk.path("mine.jsonl")
    text = good("lab", "run", mine, "-o", kept, "--rounds", "1").decode()
    assert text.startswith(f"3 points measured: {kept}")
    lines = kept.read_bytes().splitlines(keepends=True)
    assert [json.loads(line)["origin"]["points_left"] for line in lines] == [2, 1, 0]
    assert {json.loads(line)["origin"]["plan_title"] for line in lines} == {"Mine"}
    kept.write_bytes(b"".join(lines[:2]) + lines[2][:100])
    assert b"The run of the plan mine was interrupted: 1 of its points" in good("lab", "report", kept, "-o", "-")
    done = outwork("lab", "run", mine, "-o", kept, "--rounds", "1")
    assert b"skipped" in done.stderr and b"line 3" in done.stderr
    assert b"1 points measured, 2 kept from before" in done.stdout
    found, skipped = store.read([kept])
    assert len(found) == 3 and len(skipped) == 1
    assert b"The run of the plan" not in good("lab", "report", kept, "-o", "-")
    assert b"3 points measured: " in good("lab", "run", mine, "-o", kept, "--rounds", "1", "--fresh")
    assert len(kept.read_bytes().splitlines()) == 3
    shown = good("lab", "show", kept).decode()
    assert shown.count("accelerator (reference)") == 4  # three rows and what kind of figure it is
    good("lab", "export", desk.path("t.csv"), kept)
    assert len(desk.path("t.csv").read_text().splitlines()) == 4


def test_several_plans_go_into_a_folder(desk: Any) -> None:
    """A file for each, which a second run leaves as it is; what would mix or lose records is refused before any is made."""
    one, two = desk.file("one.toml", MINE.encode()), desk.file("two.toml", MINE.replace("gcm", "ctr").encode())
    folder = desk.path("records")
    text = good("lab", "run", one, two, "-o", folder, "--rounds", "1").decode()
    files = [folder / "one.jsonl", folder / "two.jsonl"]
    assert text.count("3 points measured") == 2 and f"Next: outwork lab report {files[0]} {files[1]}" in text
    for path, algorithm in zip(files, ("aes-256-gcm", "aes-256-ctr"), strict=True):
        records, _ = store.read([path])
        assert {record.algorithm for record in records} == {algorithm}
        assert [record.origin["points_left"] for record in records] == [2, 1, 0]
    assert good("lab", "run", one, two, "-o", folder).count(b"0 points measured, 3 kept from before") == 2
    for target in (files[0], "-"):
        assert "go into a folder, and" in sentence("lab", "run", one, two, "-o", target, status=2)
    (folder / "one.toml").write_bytes(one.read_bytes())
    assert "Two of the plans have one name" in sentence("lab", "run", one, folder / "one.toml", status=2)


def test_a_board_of_ones_own(desk: Any) -> None:
    """Its file counts: with messages and with files; figures of an older version of the file are not kept silently."""
    text = profiles.available()["reference"].read_text(encoding="utf-8")
    board = desk.file("mine-board.toml", text.encode())
    mine = desk.file(
        "mine.toml",
        f"""
        [[sweep]]
        algorithms = ["aes-256-ctr"]
        operations = ["encrypt"]
        sizes_bytes = [1024]
        engines = ["accelerator/outwork", "accelerator/outwork-files"]
        boards = ["reference", "{board}"]
        """.encode(),
    )
    kept = desk.path("mine.jsonl")
    arguments = ("lab", "run", mine, "-o", kept, "--rounds", "1")
    good(*arguments)
    costs = {(row.board, row.implementation): row.cost.p50 for row in store.read([kept])[0]}
    for name in ("outwork", "outwork-files"):
        assert costs["mine-board", name] == costs["reference", name]
    board.write_text(text.replace("read_latency = 40", "read_latency = 80"), encoding="utf-8")
    complaint = sentence(*arguments, status=2)
    assert "'mine-board' with read_latency = 40; now its file says 80" in complaint and "--fresh" in complaint
    good(*arguments, "--fresh")
    assert all(
        row.cost.p50 > costs[row.board, row.implementation] for row in store.read([kept])[0] if row.board != "reference"
    )
    board.write_text(text.replace("= 40", '= "80"'), encoding="utf-8")
    assert f'{board}, line 7, has read_latency = "80"' in sentence(*arguments, "--fresh", status=2)
    assert kept.exists()


def test_what_can_run_runs_where_only_one_board_is_built(desk: Any) -> None:
    """As after `make demo`: the plan's other boards are named once each, with the command that builds them."""
    folder = desk.path("lib")
    folder.mkdir()
    for name in (f"libow_board_128{SUFFIX}", f"libow_lab{SUFFIX}", f"libow_lab_openssl{SUFFIX}"):
        (folder / name).symlink_to(library_file(name.removeprefix("lib").removesuffix(SUFFIX)))
    plan = desk.file("mine.toml", (MINE + 'boards = ["zedboard", "reference"]').encode())
    only = desk.file("only.toml", (MINE + 'boards = ["zedboard"]').encode())
    environment = {"OUTWORK_LIBRARY_PATH": str(folder)}
    done = outwork("lab", "run", plan, "-o", desk.path("kept.jsonl"), "--rounds", "1", environment=environment)
    assert done.returncode == 0 and b"3 points measured" in done.stdout
    assert done.stderr.decode().splitlines() == [
        "outwork: missing: board zedboard: the simulated board of 32 bits is not built; run `make build` in the project, "
        "then the plan again"
    ]
    done = outwork("lab", "run", only, "-o", desk.path("none.jsonl"), environment=environment)
    assert done.returncode == 1 and b"Nothing of the plan 'only' can be measured" in done.stderr
    assert not desk.path("none.jsonl").exists()


def test_points_that_no_engine_takes_are_counted(desk: Any) -> None:
    text = (
        'title = "Mine"\n[[sweep]]\nalgorithms = ["aes-128-ccm", "aes-256-gcm"]\noperations = ["encrypt"]\n'
        'sizes_bytes = [16, 64]\nkeys = ["kept"]\nengines = ["cpu/openssl"]\n'
    )
    done = outwork("lab", "run", desk.file("mine.toml", text.encode()), "-o", desk.path("mine.jsonl"))
    assert b"left out, 2 points: cpu/openssl: CCM processes whole messages only" in done.stderr
    assert b"2 points measured" in done.stdout


def test_what_is_not_records(desk: Any) -> None:
    """One sentence for a file without records; of damaged lines between records the first ones and their number."""
    text, empty = desk.file("notes.md", b"not a record\n" * 40), desk.file("empty", b"")
    end = "Give a file that `outwork lab run` has written."
    for words in (("lab", "show"), ("lab", "break-even"), ("lab", "report", "-o", "-")):
        said = sentence(*words, text, status=2)
        assert said == f"{text} contains no records (line 1 is not JSON: truncated or damaged). {end}"
        assert sentence(*words, empty, status=2) == f"{empty} contains no records. {end}"
    assert sentence("lab", "show", empty, text, status=2).startswith(
        f"The files contain no records ({text}, line 1 is "
    )
    kept = desk.file("kept.jsonl", b"".join(store.line(row) for row in series(1e-7, 2e-9, (16, 1024))))
    done = outwork("lab", "show", kept, text)
    assert done.returncode == 0
    lines = done.stderr.decode().splitlines()
    assert lines[0] == f"outwork: skipped: {text}, line 1: it is not JSON: truncated or damaged"
    assert len(lines) == 6 and lines[5] == "outwork: skipped: 35 more lines."


def test_plans_and_engines_are_listed() -> None:
    plans = good("lab", "plans").decode()
    assert all(name in plans for name in ("wp512", "wp437", "imxrt", "cowart2017", "zybo2014", "policy", "quick"))
    assert "accelerator/outwork" in good("lab", "engines").decode()


@pytest.fixture
def made_up(desk: Any) -> Path:
    """The device wins from 1,120 bytes on against software, never against the CPU's instructions."""
    path: Path = desk.path("made-up.jsonl")
    fast = series(1e-8, 1e-10, SIZES)
    slow = series(0.2e-6, 3e-9, SIZES, engine="software")
    write_json(path, [*device(3e-6, 0.5e-9, SIZES), *fast, *slow])
    return path


def test_without_records_the_plan_to_run_is_named(desk: Any) -> None:
    """The one that the command can use."""
    folder = desk.path("empty")
    folder.mkdir()
    assert "`outwork lab run policy`" in sentence("lab", "policy", status=2, cwd=folder)
    assert "`outwork lab run wp512`" in sentence("lab", "report", status=2, cwd=folder)


def test_break_even(made_up: Path) -> None:
    text = good("lab", "break-even", made_up).decode()
    assert "from 1,120 bytes" in text and "never" in text


def test_policy_from_records_to_a_file(desk: Any, made_up: Path) -> None:
    rules = desk.path("rules")
    assert b"1 rules, 1 of them `never`" in good("lab", "policy", made_up, "-o", rules)
    good("lab", "policy", made_up, "-o", rules, "--against", "software/openssl")
    assert "0x13 32 encrypt 1 1120 -  # aes-256-gcm" in rules.read_text()
    done = outwork(
        *("encrypt", "--engine", "auto", "--policy", rules, "--explain", "--stats"),
        *("--key-file", desk.key, desk.plain, desk.path("sealed")),
    )
    assert done.returncode == 0
    assert b"engine: accelerator, because" in done.stderr and b"jobs on the device: 3" in done.stderr
    done = outwork(
        *("decrypt", "--engine", "auto", "--policy", rules, "--explain", "--stats"),
        *("--key-file", desk.key, desk.path("sealed"), desk.path("back")),
    )
    assert b"engine: software, because" in done.stderr and b"has no rule" in done.stderr
    assert desk.path("back").read_bytes() == desk.plain.read_bytes()


@pytest.mark.parametrize(
    ("words", "status", "text"),
    [
        (("lab", "run", "nonsense"), 2, "There is no plan 'nonsense'"),
        (("lab", "show", "/nowhere.jsonl"), 1, "cannot be read"),
        (("lab", "run", "quick", "--rounds", "0"), 2, "--rounds is at least 1"),
        (("lab", "export", "table.txt"), 2, "must end in .csv or .parquet"),
        (("encrypt", "--engine", "auto", "--policy", "/nowhere", "-", "-"), 2, "There is no policy /nowhere"),
    ],
)
def test_errors(desk: Any, words: tuple[str, ...], status: int, text: str) -> None:
    more = ("--key-file", desk.key) if words[0] == "encrypt" else ()
    assert text in sentence(*words, *more, status=status)


def test_one_folder_for_all_that_the_lab_writes(desk: Any, made_up: Path) -> None:
    """Of the current folder. The policy went into the project's own, where nobody looked for it."""
    folder = desk.path("elsewhere")
    (folder / "build/lab").mkdir(parents=True)
    (folder / "build/lab/mine.jsonl").write_bytes(made_up.read_bytes())
    assert good("lab", "policy", cwd=folder).endswith(b": build/lab/policy.txt\n")
    assert good("lab", "report", cwd=folder) == b"build/lab/report.html\n"
    assert {path.name for path in (folder / "build/lab").iterdir()} == {"mine.jsonl", "policy.txt", "report.html"}
    arguments = ("encrypt", "--engine", "auto", "--explain", "--key-file", desk.key, desk.plain, folder / "sealed")
    assert b"build/lab/policy.txt" in outwork(*arguments, cwd=folder).stderr


def test_standard_output(desk: Any, made_up: Path) -> None:
    """- is standard output, which then holds nothing else, and no file has that name."""
    folder = desk.path("elsewhere")
    folder.mkdir()
    mine = desk.file("mine.toml", MINE.encode())
    done = outwork("lab", "run", mine, "-o", "-", "--rounds", "1", "--fresh", cwd=folder)
    assert len([json.loads(line) for line in done.stdout.splitlines()]) == 3
    assert done.returncode == 0 and b"3 points measured" in done.stderr
    assert good("lab", "export", "-", made_up, cwd=folder).startswith(b"id,")
    assert good("lab", "policy", made_up, "-o", "-", cwd=folder).startswith(b"outwork-policy 1\n")
    page = good("lab", "report", made_up, "-o", "-", cwd=folder).decode()
    assert page.startswith("<!doctype html>") and page.endswith("</html>")
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("words", "target", "has_own"),
    [
        (("lab", "export"), "table.csv", False),
        (("lab", "policy", "-o"), "policy.txt", True),
        (("lab", "report", "-o"), "report.html", True),
    ],
)
def test_a_result_replaces_an_older_one_and_no_other_file(
    desk: Any, made_up: Path, words: tuple[str, ...], target: str, has_own: bool
) -> None:
    path = desk.path(target)
    command = (*words, path, made_up)
    good(*command)
    if has_own:
        good(*command)
    path.write_text("what was there")
    assert sentence(*command, status=1) == f"{path} exists already: give another name, or --force to replace it."
    assert path.read_text() == "what was there"
    good(*command, "--force")
    assert path.read_text() != "what was there"


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("bench", "--json", "--size"), "--json"),
        (("lab", "run", "quick", "-o", "--fresh"), "--output"),
        (("lab", "report", "-o", "--images"), "--output"),
        (("lab", "policy", "--output", "--board"), "--output"),
    ],
)
def test_an_option_is_no_name_of_a_file(desk: Any, words: tuple[str, ...], option: str) -> None:
    folder = desk.path("elsewhere")
    folder.mkdir()
    assert f"{option} needs the name of a file, or - for standard output" in sentence(*words, status=2, cwd=folder)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("tolerance", ["-0.1", "nan"])
def test_tolerance_is_a_share(made_up: Path, tolerance: str) -> None:
    for words in (("lab", "compare", made_up, made_up), ("bench", "--against", made_up)):
        text = sentence(*words, f"--tolerance={tolerance}", status=2)
        assert text == "--tolerance is a share such as 0.05, not below zero."


def test_runs_are_compared(desk: Any, made_up: Path) -> None:
    text = good("lab", "compare", made_up, made_up).decode()
    assert "Median of the ratios: 1.000, of 12 points." in text
    slower = desk.path("slower.jsonl")
    records, _ = store.read([made_up])
    worse = [replace(r, cost_samples=tuple(1.5 * value for value in r.cost_samples)) for r in records[:3]]
    write_json(slower, [*worse, *records[3:]])
    done = outwork("lab", "compare", made_up, slower)
    assert done.returncode == 1
    assert b"3 of 12 points are more than 5% slower than in" in done.stderr


def test_a_regression_is_an_error(desk: Any) -> None:
    arguments = ("bench", "--size", "64", "--operation", "encrypt", "--jobs", "2", "--rounds", "1")
    old = desk.path("old.jsonl")
    good(*arguments, "--json", old)
    assert b"1.000" in good(*arguments, "--against", old)
    row = json.loads(old.read_text())
    row["cost_samples"] = [value / 1.2 for value in row["cost_samples"]]
    old.write_text(json.dumps(row) + "\n")
    done = outwork(*arguments, "--against", old)
    assert done.returncode == 1
    assert b"1 of 1 points are more than 5% slower" in done.stderr
    assert b"slower" in done.stdout
    good(*arguments, "--against", old, "--tolerance", "0.3")
