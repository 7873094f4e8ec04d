# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What scripts write into pages replaces their own part only, and a page without such a part stays as it is."""

from pathlib import Path

import marked_part
import pytest

from outwork.errors import OutworkError

ROOT = Path(__file__).resolve().parents[2]
PAGE = "a\n<!-- other: begin -->\n| old |\n<!-- other: end -->\n<!-- mine: begin -->\n| old |\n<!-- mine: end -->\nb\n"


def test_its_own_part_only(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    marked_part.write(page, "mine", "| new |\n")
    assert page.read_text(encoding="utf-8") == "| new |".join(PAGE.rsplit("| old |", 1))


def test_rows_of_a_table(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    table = "| module | LUTs |\n|---|--:|\n| AES | 1 |\n| DES | 2 |"
    text = PAGE.replace("<!-- mine: begin -->\n| old |", f"<!-- mine: begin -->\n{table}")
    page.write_text(text, encoding="utf-8")
    marked_part.write_rows(page, "mine", {"DES": "| DES | 3 |"})
    assert page.read_text(encoding="utf-8") == text.replace("| DES | 2 |", "| DES | 3 |")
    marked_part.write_rows(page, "mine", {"ZUC": "| ZUC | 4 |"})
    assert page.read_text(encoding="utf-8") == text.replace("| DES | 2 |", "| DES | 3 |\n| ZUC | 4 |")


@pytest.mark.parametrize(
    "text",
    ["no part", PAGE.replace("<!-- mine: end -->", ""), PAGE + PAGE, "<!-- mine: end --><!-- mine: begin -->"],
    ids=["no part", "no end", "two parts", "the end first"],
)
def test_a_page_without_the_part_stays(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"page\.md: '<!-- mine: begin -->'"):
        marked_part.write(page, "mine", "| new |")
    assert page.read_text(encoding="utf-8") == text


def test_every_part_of_the_pages_can_be_replaced() -> None:
    pages = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("rtl/*/README.md"),
        *ROOT.glob("platform/*/README.md"),
    ]
    parts = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("<!-- ") and line.endswith(": begin -->"):
                name = line.removeprefix("<!-- ").removesuffix(": begin -->")
                assert marked_part.begin(name) == line
                assert "\nnew\n" in marked_part.replaced(text, name, "new")
                parts += 1
    assert parts >= 10


def make() -> str:
    return "| new |"


def fail() -> str:
    raise OutworkError("nothing is built")


def test_a_script_prints_its_part_and_writes_it_when_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(marked_part, "PROJECT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    for words, text in (((), PAGE), (("--write",), "| new |".join(PAGE.rsplit("| old |", 1)))):
        monkeypatch.setattr("sys.argv", ["script", *words])
        assert marked_part.main("What it measures.", "mine", page, "mine", make) == 0
        assert capsys.readouterr().out == "| new |\n"
        assert page.read_text(encoding="utf-8") == text
    with pytest.raises(SystemExit, match=r"^mine: nothing is built$"):
        marked_part.main("What it measures.", "mine", page, "mine", fail)
    monkeypatch.setattr("sys.argv", ["script", "--help"])
    with pytest.raises(SystemExit):
        marked_part.main("What it measures.", "mine", page, "mine", make)
    assert "update its part of page.md" in capsys.readouterr().out
