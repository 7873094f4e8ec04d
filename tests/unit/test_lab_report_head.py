# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The top of the lab's report: the plan, the paper, and the warnings."""

from dataclasses import replace

from lab_records import device, series
from lab_set import SIZES

from outwork.lab import published
from outwork.lab.records import Record
from outwork.lab.report import head
from outwork.lab.report.view import View


def of_plan(rows: list[Record], plan: str, title: str, **more: object) -> list[Record]:
    return [replace(row, origin={**row.origin, "plan": plan, "plan_title": title, **more}) for row in rows]


def test_the_title_names_the_plan_and_the_paper() -> None:
    gcm, cbc = device(1e-6, 1e-9, SIZES), device(1e-6, 1e-9, SIZES, algorithm="aes-256-cbc")
    one = head.head(View(of_plan(gcm, "wp512", "GCM on a board")), [], [])
    assert (one.over, one.title) == ("Outwork lab report, plan wp512", "GCM on a board")
    assert one.papers[0] == f"Compared with {published.sources()['wp512'].citation}"
    assert one.measured.startswith("6 points; simulated board reference; 2026-01-01.")
    two = head.head(View([*of_plan(gcm, "wp512", "GCM"), *of_plan(cbc, "mine", "CBC")]), [], [])
    assert (two.over, two.title) == ("Outwork lab report, 2 plans", "Plans wp512 and mine")
    assert head.head(View(gcm), [], []).title == "AES-256-GCM encrypt"


def test_the_title_names_all_papers() -> None:
    """Of a report of nothing but publications; in few lines, so that the answer stays on the first screen."""
    gcm, cbc = device(1e-6, 1e-9, SIZES), device(1e-6, 1e-9, SIZES, algorithm="aes-256-cbc")
    both = head.head(View([*of_plan(gcm, "wp512", "GCM"), *of_plan(cbc, "cowart2017", "CBC")]), [], [])
    assert (both.over, both.title) == (
        "Outwork lab report, plans wp512 and cowart2017",
        "WP512 and Cowart et al., measured again",
    )
    assert both.papers == ["Compared with WP512 (2019) and Cowart et al. (2017): [their figures](#papers)"]


def test_the_head_warns_of_a_busy_machine() -> None:
    def with_load(load: float) -> list[Record]:
        rows = series(1e-6, 1e-9, SIZES)
        return [replace(row, origin={**row.origin, "load": load, "cpus": 2}) for row in (*rows, *device(1, 1, SIZES))]

    assert head.warnings(with_load(2.0), [], []) == []
    (text,) = head.warnings(with_load(2.5), [], [])
    assert "load was up to 2.5 on 2 CPUs while 6 of the 6 points" in text


def test_the_head_says_which_run_was_interrupted() -> None:
    rows = device(1e-6, 1e-9, SIZES)
    parts = [of_plan([row], "wp512", "t", points_left=left) for row, left in zip(rows, (5, 4, 3, 2, 1, 0), strict=True)]
    whole = [row for part in parts for row in part]
    assert head.stopped("a.jsonl", whole) == [] == head.stopped("a.jsonl", rows)
    (text,) = head.stopped("a.jsonl", whole[:-2])
    assert "The run of the plan wp512 was interrupted: 2 of its points are missing" in text and "-o a.jsonl" in text
    later = {"time": "2026-01-02T00:00:00+00:00", "points_left": 0}
    resumed = [*whole[:-2], replace(whole[-1], origin={**whole[-1].origin, **later})]
    assert head.stopped("a.jsonl", resumed) == []
    assert head.warnings(rows, [], [text])[0] == f"**Not complete.** {text}"
