# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The report: a valid page without other files, in which every number has its kind."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lab_records import device, on_soc, series
from lab_set import ALONE, SIZES, records
from page import Element, read

from outwork.lab import costs, published, report
from outwork.lab.records import Kind
from outwork.lab.report import (
    answer,
    beside,
    coverage,
    latency,
    one_clock,
    operations,
    papers,
    stages,
    tables,
    theme,
    throughput,
    whatif,
)
from outwork.lab.report.blocks import TableBlock, figures_of
from outwork.lab.report.tables import digits, duration
from outwork.lab.report.view import View, Work

SKIPPED = "build/lab/broken.jsonl, line 7: it is not JSON: truncated or damaged"
FEW = coverage.Coverage("wp512", "a plan", 10, 4, ["sha3-384: this version of outwork does not have it"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Path]]:
    folder = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "of_plans", lambda _: [FEW])  # the plans open every engine of this machine
        written = report.write(records(), [SKIPPED], folder / "report.html", folder / "images")
    return written[0].read_text(encoding="utf-8"), written[1:]


@pytest.fixture(scope="module")
def page(made: tuple[str, list[Path]]) -> Element:
    return read(made[0])


def test_one_clock_has_its_section_and_nothing_else_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "of_plans", lambda _: [FEW])
    soc = [
        on_soc(1024, 284_000, engine="software", implementation="mbedtls"),
        on_soc(1024, 32_000, engine="cpu", implementation="zkn"),
        on_soc(1024, 1_000, engine="accelerator", implementation="outwork"),
        on_soc(1024, 500, engine="accelerator", implementation="outwork", jobs=8),
        on_soc(1024, 9_000, engine="software", implementation="mbedtls-files", environment="file, linux"),
        on_soc(1024, 3_000, engine="accelerator", implementation="outwork-files", environment="file, linux"),
    ]
    pages = []
    for number, more in enumerate(([], soc)):
        (file,) = report.write([*records(), *more], [], tmp_path / f"{number}.html", None)
        pages.append(read(file.read_text(encoding="utf-8")))
    rows = [[cell.text.strip() for cell in row.all("td")] for row in section(pages[1], "one-clock").all("tr")]
    assert any(row[-2:] == ["284.0", "32.0"] and "500" in row[-3] for row in rows)
    assert any(row[-2:] == ["568.0", "64.0"] and "250" in row[-3] for row in rows)
    assert any(row[-2:-1] == ["3.0"] and "1,500" in row[-3] for row in rows)  # files have a table of their own
    for name in ("throughput", "latency", "what-if", "model"):
        assert section(pages[0], name).text == section(pages[1], name).text
    assert "outwork lab run soc" in section(pages[0], "one-clock").text


def test_registers_have_a_column_where_they_were_counted() -> None:
    soc = [
        on_soc(64, 6_000, engine="software", implementation="mbedtls"),
        on_soc(64, 1_500, engine="accelerator", implementation="lite"),
        on_soc(64, 1_000, engine="accelerator", implementation="outwork"),
        # Through PSA: what a library adds is not what is compared here.
        on_soc(64, 9_000, engine="software", implementation="psa-software"),
        on_soc(64, 4_000, engine="accelerator", implementation="psa"),
    ]
    for order in (soc, soc[::-1]):
        (table,) = [block for block in one_clock.section(order).blocks if isinstance(block, TableBlock)]
        titles = [column.title for column in table.table.columns]
        (row,) = [row for row in table.table.rows if len(row) > 1]
        cells = dict(zip(titles, (cell.text for cell in row), strict=True))
        assert [cells[name] for name in ("software", "registers", "accelerator")] == ["6,000", "1,500", "1,000"]
        assert [cells[name] for name in ("faster than software", "than registers")] == ["6.0", "1.5"]
        assert cells["instructions"] == cells["than instructions"] == tables.MISSING.text


def section(page: Element, name: str) -> Element:
    return next(element for element in page.all("section") if element.attributes.get("id") == name)


def test_page_is_whole_and_alone(made: tuple[str, list[Path]], page: Element) -> None:
    ids = [element.attributes["id"] for element in page.walk() if "id" in element.attributes]
    assert len(ids) == len(set(ids)), "an id is there twice"
    for element in page.walk():
        assert "src" not in element.attributes and "srcset" not in element.attributes
        for name in ("href", "xlink:href", "for", "aria-describedby"):
            value = element.attributes.get(name, "data:,")
            assert value == "data:," or value.lstrip("#") in ids, f"{name}={value} leads out of the page or nowhere"
    text = made[0]
    assert not re.search(r"@import|<script[^>]+src|https?://(?!www\.cnblogs\.com|doi\.org|www\.w3\.org)", text)
    assert {match for match in re.findall(r"url\(([^)]*)\)", text) if not match.startswith("#")} == set()
    assert page.all("html")[0].attributes["lang"] == "en"


def test_colours_are_variables_of_both_themes(made: tuple[str, list[Path]]) -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", made[0]))
    assert used <= theme.SHADES.keys()
    assert not re.search(r"#0e[0-9a-f]{2}5a", made[0]), "a figure's placeholder was left"
    for svg in re.findall(r"<svg.*?</svg>", made[0], re.DOTALL):
        assert not re.search(r"#[0-9a-f]{6}\b", svg), "a colour that no theme knows"
    for shade in theme.SHADES.values():
        assert made[0].count(shade.light) >= 1 and made[0].count(shade.dark) >= 2


def test_every_figure_has_its_numbers(page: Element) -> None:
    figures = page.all("figure")
    assert len(figures) >= 15
    for figure in figures:
        drawings = figure.all("svg", lambda svg: "plot" in svg.classes)
        assert len(drawings) == 1 + (figure.attributes["id"] == "break-even")
        assert all(svg.attributes["role"] == "img" and svg.attributes["aria-label"] for svg in drawings)
        (numbers,) = figure.all("details", lambda entry: "numbers" in entry.classes)
        (table,) = numbers.all("table")
        assert table.all("td", lambda cell: "data-kind" in cell.attributes), figure.attributes["id"]


def heads_of(table: Element) -> list[str]:
    return [head.own_text for head in table.all("thead")[0].all("tr")[-1].all("th")]


def test_every_number_says_its_kind(page: Element) -> None:
    cells = page.all("td")
    assert len(cells) > 500
    for cell in cells:
        kind = cell.attributes.get("data-kind")
        assert kind is None or kind in theme.KINDS
        assert ("n" in cell.classes) == (kind is not None)
    results = [
        section(page, name) for name in ("break-evens", "throughput", "model", "stages", "what-if", "latency", "wide")
    ]
    for row, heads in (
        (row, heads_of(table)) for part in results for table in part.all("table") for row in table.all("tr")
    ):
        for column, cell in zip(heads, row.all("th") + row.all("td"), strict=False):
            if (
                cell.tag == "td"
                and re.match(r"[-+−]?[\d.,]+( |$)", cell.own_text)
                and "data-kind" not in cell.attributes
            ):
                assert column in ("sizes", "load"), f"{column}: {cell.text}"
    for part in results[:5]:
        assert part.all("i", lambda entry: "kind" in entry.classes), "no mark is to be seen"


def test_numbers_are_those_of_the_records(page: Element) -> None:
    figure = next(f for f in page.all("figure") if f.attributes["id"] == "throughput-aes-256-gcm-encrypt")
    row = next(row for row in figure.all("tr") if row.all("th") and row.all("th")[0].text == "1,024")
    by_kind: dict[str, list[str]] = {}
    for cell in row.all("td"):
        by_kind.setdefault(cell.attributes.get("data-kind", ""), []).append(cell.own_text)
    alone = 1024 / (ALONE["fixed"] + 1024 * ALONE["per_byte"]) / 1e6
    assert by_kind["counted"] == [digits(1024 / (1e-7 + 1024 * 0.65e-9) / 1e6), digits(alone)]
    assert len(by_kind["measured"]) == 3
    assert by_kind["published"] == ["220", "8.66"]
    # Pointing at a marker shows the same.
    assert f"Outwork, one at a time: 1,024 bytes, {digits(alone)} MB/s" in figure.text


def test_break_evens(page: Element) -> None:
    found_there = section(page, "break-evens")
    rows = {row.all("th")[0].text: row.all("td") for row in found_there.all("table")[0].all("tr") if row.all("td")}
    cells = rows["one at a time"]
    never, always, some = (cell.text for cell in cells)
    # In the order of the columns: CPU instructions, software of OpenSSL and of wolfSSL.
    assert never == "never" and always == "at any size"
    found = next(
        entry
        for entry in costs.break_evens(records())
        if (entry.rival, entry.setting.jobs, entry.device) == ("software/wolfssl", 1, "outwork on reference")
    )
    assert found.size_bytes is not None and found.size_bytes == pytest.approx(1.9e-6 / 4.3e-9, rel=0.1)
    assert some.startswith(f"from {found.size_bytes:,.0f} B")
    assert {cell.attributes["data-kind"] for cell in cells} == {"mixed"}
    assert [line.all("dd")[0].text for line in found_there.all("dl")[0].all("div")] == [
        "The device never wins, in none of 2 settings.",
        "The device wins at any size in 2 of 2 settings.",
        "The device wins at any size in 1 of 2 settings; from 443 B on in 1 of 2 settings.",
    ]


def test_work_that_was_measured_with_new_keys_only_has_an_answer() -> None:
    """As WP437's plan: its answer was an empty table."""
    rows = [*device(1e-6, 1e-9, SIZES, keys="new-key"), *series(2e-6, 2e-9, SIZES, keys="new-key")]
    _, made = answer.sections(View(rows))
    table = next(block.table for block in made.blocks if isinstance(block, TableBlock))
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["AES-256-GCM encrypt"],
        ["one at a time, new key", "at any size"],
    ]


def test_public_keys_are_operations_a_second() -> None:
    """They were curves of MB/s over size with two points, and a heat map of one cell."""
    where = {"algorithm": "rsa-2048", "operation": "private"}
    rows = [*device(2e-3, 0, (256,), **where), *device(1e-3, 0, (256,), board="zcu102", **where)]
    rows += series(0.5e-3, 0, (256,), **where)
    view = View(rows)
    assert view.works == [] and whatif.section(view).blocks[0] is not None
    for made in (throughput.section(view), latency.section(view), stages.section(view)):
        assert not list(figures_of(made.blocks))
    (made,) = operations.sections(view)
    (figure,) = figures_of(made.blocks)
    assert "MB/s" not in figure.svg
    cells = {row[0].text: [cell.text for cell in row[1:]] for row in figure.table.rows if len(row) > 1}
    assert cells == {
        "Outwork on reference": ["500", "2.00 ms", "200,000"],
        "Outwork on zcu102": ["1,000", "1.00 ms", "100,000"],
        "OpenSSL with crypto instructions": ["2,000", "500 µs", ""],
    }
    assert operations.sections(View(records())) == []


def test_what_is_not_there_is_named(page: Element) -> None:
    head = page.all("header")[0].text
    assert SKIPPED in head
    setting = section(page, "setting").text
    assert setting.count("sha3-384: this version of outwork does not have it") == 1
    papers = section(page, "papers").text
    assert "SHA3-384 digest (accelerator). sha3-384: this version of outwork does not have it." in papers
    assert "outwork lab run wp512" in papers and "outwork lab run imxrt" in papers
    assert "outwork lab run wp512" in section(page, "setting").text
    wide = section(page, "wide")
    assert re.search(r"\b1 of \d+ points scatter", wide.text) and "AES-128-GCM encrypt" in wide.all("table")[0].text


def test_beside_a_paper() -> None:
    finder = beside.Beside(View(records()), published.sources()["wp512"])
    gcm = published.select("wp512", algorithm="aes-256-gcm")
    ours = finder.ours("accelerator", gcm)
    assert [(entry.implementation, entry.board, entry.jobs) for entry in ours] == [
        ("outwork", "zcu102", 1),
        ("outwork", "zcu102", 16),
    ]
    assert [entry.implementation for entry in finder.ours("software", gcm)] == ["wolfssl"], (
        "the likest of those measured"
    )
    (figure,) = published.select(
        "wp512",
        environment="FreeRTOS",
        algorithm="aes-256-gcm",
        operation="encrypt",
        size_bytes=16,
        engine="accelerator",
    )
    printed, theirs = beside.theirs([figure])[0]
    mine, ratio = beside.ours(finder.record(ours[0], figure), figure)
    cycles = (ALONE["fixed"] + 16 * ALONE["per_byte"]) * 100e6 / 16
    assert (printed.text, printed.kind) == ("4.012 MB/s", "published")
    assert (theirs.text, mine.text, mine.kind) == (digits(375e6 / 4.012e6 * 1), digits(cycles), "counted")
    assert (ratio.text, ratio.kind) == (digits(375 / 4.012 / cycles), "mixed")
    assert "published ÷ counted" in ratio.note
    assert [cell.look for cell in beside.ours(None, figure)] == ["missing", "missing"]


def test_each_table_takes_the_publications_own_board_however_much_another_has() -> None:
    """The board with most points was taken for all tables, and that was a better one than the publication's."""
    digests = device(1e-6, 1e-9, SIZES, board="reference", algorithm="sha3-384", operation="digest")
    finder = beside.Beside(View([*records(), *digests]), published.sources()["wp512"])
    gcm, sha3 = (published.select("wp512", algorithm=name) for name in ("aes-256-gcm", "sha3-384"))
    assert finder.board_text(finder.ours("accelerator", gcm)) == "board zcu102"
    only_reference = finder.board_text(finder.ours("accelerator", sha3))
    assert only_reference == "board reference; WP512's own board zcu102 was not measured"
    heads = [column.group for column in papers.comparison(finder, sha3).columns]
    assert f"Accelerator, cycles per byte (ours: {only_reference})" in heads


def test_a_source_that_changes_keys_is_compared_with_such_records() -> None:
    rows = device(1e-6, 1e-9, (32, 512), board="zc706", algorithm="128-eea3", keys="new-key")
    finder = beside.Beside(View(rows), published.sources()["wp437"])
    figures = published.select("wp437", algorithm="128-eea3")
    assert finder.board_text(finder.ours("accelerator", figures)) == "board zc706"


def test_a_source_without_a_clock_is_compared_in_speed_and_says_so() -> None:
    finder = beside.Beside(View(records()), published.sources()["zybo2014"])
    (figure,) = published.select("zybo2014", engine="accelerator", unit="MB/s")
    registers = finder.ours("accelerator", [figure])[0]
    mine, ratio = beside.ours(finder.record(registers, figure), figure)
    assert registers.implementation == "registers" and mine.kind == "modelled"
    assert ratio.text == digits(50 / 2.5) and ratio.small == "of MB/s, ours ÷ theirs"


def test_stages_add_up() -> None:
    row = next(
        row for row in records() if row.stages and row.jobs == 1 and row.size_bytes == 16 and len(row.stages) > 1
    )
    parts = stages.parts(row)
    assert sum(parts.values()) == pytest.approx(row.latency.p50)
    assert parts["rest"] == pytest.approx(row.latency.p50 - sum(range(1, 8)))


def test_one_board_stands_for_the_device() -> None:
    view = View(records())
    assert view.board(Work("aes-256-gcm", "encrypt")) == "reference"
    assert view.board(Work("aes-128-cbc", "encrypt")) == "zedboard"
    assert {line.board for line in view.main_lines(Work("aes-256-gcm", "encrypt"))} == {None, "reference"}


def test_many_works_are_shown_by_the_longest_key() -> None:
    rows = [
        replace(row, key_bits=bits, algorithm=f"aes-{bits}-{mode}", operation=operation)
        for bits in (128, 192, 256)
        for mode in ("gcm", "cbc", "ctr")
        for operation in ("encrypt", "decrypt")
        # Decryption of CBC is much faster, of the others the same.
        for row in device(1e-6, 1e-9 if (mode, operation) != ("cbc", "decrypt") else 1e-10, (16, 4096))
    ]
    featured = {(work.algorithm, work.operation) for work in View(rows).featured}
    assert featured == {
        ("aes-256-gcm", "encrypt"),
        ("aes-256-cbc", "encrypt"),
        ("aes-256-cbc", "decrypt"),
        ("aes-256-ctr", "encrypt"),
    }


def test_images(made: tuple[str, list[Path]]) -> None:
    names = [path.name for path in made[1]]
    assert sorted(names) == [
        "beside-wp512.png", "break-even.png", "stages-alone.png", "stages-many.png", "throughput.png", "what-if.png",
    ]  # fmt: skip
    for path in made[1]:
        data = path.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 5000


def test_names_from_records_cannot_break_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "of_plans", lambda _: [])
    bad = '"><script>alert(1)</script>/../x'
    rows = [
        replace(row, algorithm=bad, library=bad, board=bad, origin={"cpu": bad, "commit": bad})
        for row in device(1e-6, 1e-9, SIZES)
    ]
    (path, *images) = report.write(rows, [bad], tmp_path / "page.html", tmp_path / "images")
    page = read(path.read_text(encoding="utf-8"))
    assert len(page.all("script")) == 1
    assert bad.upper() in page.text
    assert all(image.parent == tmp_path / "images" for image in images)


def test_one_record_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "of_plans", lambda _: [])
    for row in (records()[0], next(row for row in records() if row.kind is Kind.MEASURED)):
        (path,) = report.write([row], [], tmp_path / "page.html")
        answer = section(read(path.read_text(encoding="utf-8")), "answer")
        assert "cannot say where the break-even lies" in answer.text


def test_numbers_in_words() -> None:
    assert [digits(value) for value in (0, 0.01234, 0.5, 1.999, 12.34, 123.4, 12345.6)] == [
        "0", "0.0123", "0.500", "2.00", "12.3", "123", "12,346",
    ]  # fmt: skip
    assert [duration(value) for value in (2.5, 2.5e-3, 2.5e-6, 2.5e-7, 2.5e-11)] == [
        "2.50 s", "2.50 ms", "2.50 µs", "250 ns", "0.0250 ns",
    ]  # fmt: skip


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", ["light", "dark"])
def test_contrast(name: str) -> None:
    """WCAG 2: 4.5 for text, 3 for what a figure is read by."""

    def contrast(one: str, other: str) -> float:
        lights = sorted(luminance(getattr(theme.SHADES[shade], name)) for shade in (one, other))
        return (lights[1] + 0.05) / (lights[0] + 0.05)

    for text in ("ink", "muted", "accent"):
        for ground in ("paper", "panel", "wins"):
            assert contrast(text, ground) >= 4.5, (text, ground)
    for shade in theme.SHADES:
        if shade.startswith(("outwork", "registers", "software", "cpu", "published")):
            assert contrast(shade, "paper") >= 3, shade
    for step in range(theme.HEAT_STEPS):
        assert contrast(f"heat-{step}", f"heat-ink-{step}") >= 4.5, step
