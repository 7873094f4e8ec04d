# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of figures: what is published elsewhere has a source, which is a click away."""

import json
import os
import re
from pathlib import Path

import figures

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    figures.SOURCES_PAGE,
    *(ROOT / group.PAGE for group in figures.GROUPS.values() if hasattr(group, "PAGE")),
]


def test_every_published_figure_has_a_source() -> None:
    text = figures.SOURCES_PAGE.read_text(encoding="utf-8")
    sources = re.findall(r"^\| ([^|]+) \|", text.split("### Sources")[1], re.MULTILINE)
    rows = [row["published"] for row in json.loads((ROOT / "docs/figures.json").read_text()) if row["published"]]
    assert len(rows) > 10
    for row in rows:
        for named in re.findall(r"\(([^,()]+)", row):
            assert named in sources, row


def test_every_source_says_its_clock_and_its_conditions() -> None:
    text = figures.SOURCES_PAGE.read_text(encoding="utf-8").split("### Sources")[1]
    head, _, *rows = (line.strip("| ").split(" | ") for line in re.findall(r"^\|.*", text, re.MULTILINE))
    assert head[:3] == ["name", "source", "its clock"] and "conditions" in head[3]
    for row in rows:
        assert len(row) == 4 and all(row), row
        assert "simulated" in row[3] or "simulator" in row[3] or re.search(r"\d MHz|not given", row[2]), row


def test_the_column_leads_to_the_sources() -> None:
    for page in PAGES:
        link = os.path.relpath(figures.SOURCES_PAGE, page.parent) if page != figures.SOURCES_PAGE else ""
        head = f"| work | got | limit | [best published elsewhere]({link}#sources) |"
        assert head in page.read_text(encoding="utf-8"), page
        assert figures.table([], page).splitlines()[0] == head
