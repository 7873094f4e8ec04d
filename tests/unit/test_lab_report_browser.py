# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser, in windows of three widths and both colour schemes: it fits, its figures are drawn with
their tables, its links lead somewhere, all text is legible; and it prints."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from lab_records import device, series
from lab_set import SIZES, records

from outwork.lab import report
from outwork.lab.records import Record
from outwork.lab.report import coverage

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine"),
]
SECONDS_MAX = 120

# Looks at the page as a reader sees it, in both themes, and writes what it finds into the page.
LOOK = """
const paint = (element, name) => getComputedStyle(element)[name];
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    if (!/^rgba\\(.*, 0\\)$|transparent/.test(paint(at, 'backgroundColor'))) return paint(at, 'backgroundColor');
  }
  return 'rgb(255, 255, 255)';
};
const light = (colour) => {
  const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
};
const contrast = (one, other) => {
  const both = [light(one), light(other)].sort((a, b) => a - b);
  return (both[1] + 0.05) / (both[0] + 0.05);
};
const isShown = (element) => element.getBoundingClientRect().width > 0;
const texts = () => [...document.querySelectorAll('body *')].filter((element) => isShown(element)
  && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
const seen = () => {
  const shown = [...document.querySelectorAll('svg.plot')].filter(isShown);
  const outside = shown.filter((plot) => {
    const box = plot.closest('.drawing').getBoundingClientRect();
    return box.left < -1 || box.right > innerWidth + 1;
  });
  const pale = texts().map((element) => {
    const isDrawn = element.namespaceURI.endsWith('svg');
    return [contrast(isDrawn ? paint(element, 'fill') : paint(element, 'color'), ground(element)), element];
  }).filter(([value, element]) => value < 4.5 && !element.closest('[style*="heat-ink"]'));
  return {
    width: innerWidth,
    overflow: document.documentElement.scrollWidth - innerWidth,
    shown: shown.length,
    flat: shown.filter((plot) => plot.getBoundingClientRect().height < 40).length,
    outside: outside.length,
    cut: shown.flatMap((plot) => [...plot.querySelectorAll('text')].filter((text) => {
      const [inner, outer] = [text.getBoundingClientRect(), plot.getBoundingClientRect()];
      return inner.left < outer.left - 2 || inner.right > outer.right + 2;
    }).map((text) => text.textContent.trim())),
    broken: [...document.querySelectorAll('.name')].filter((name) => name.getClientRects().length > 1)
      .map((name) => name.textContent),
    names: document.querySelectorAll('h1 .name, .answer .name').length,
    answer_ends: Math.round(document.querySelector('#break-even').getBoundingClientRect().bottom + scrollY),
    texts: texts().length,
    pale: pale.slice(0, 5).map(([value, element]) => value.toFixed(2) + ' ' + element.textContent.trim().slice(0, 40)),
    paper: paint(document.body, 'backgroundColor'),
    curve: paint(document.querySelector('svg.plot use'), 'stroke'),
    button: document.getElementById('theme').textContent,
  };
};
const found = [seen()];
document.getElementById('theme').click();
found.push(seen());
const options = [...document.querySelectorAll('.choice > input')].map((input) => {
  input.click();
  return document.querySelectorAll('.choice > .option:not([style]) svg.plot').length
    && [...document.querySelectorAll('.choice > .option')].filter((one) => getComputedStyle(one).display !== 'none').length;
});
document.querySelectorAll('details').forEach((fold) => { fold.open = true; });
found.push(seen());
const links = [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'));
const result = document.createElement('pre');
result.id = 'seen';
result.textContent = JSON.stringify({
  found, options,
  links: links.length,
  dead: links.filter((href) => !href.startsWith('#') || !document.getElementById(href.slice(1))),
  bare: [...document.querySelectorAll('figure')].filter((one) => !one.querySelector('table tbody td')
    || (isShown(one) && !isShown(one.querySelector('table')))).map((one) => one.id),
});
document.body.append(result);
"""


def _long_name() -> list[Record]:
    name = "aes-256-cbc-hmac-sha-256"
    return [
        *device(2e-6, 10e-9, SIZES, board="reference", algorithm=name),
        *series(1e-7, 5e-9, SIZES, engine="cpu", algorithm=name),
    ]


def browse(*arguments: str) -> str:
    assert BROWSER is not None
    done = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *arguments],
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "of_plans", lambda _: [])
        return report.write([*records(), *_long_name()], [], folder / "report.html")[0]


def look(made: Path, width: int) -> Any:
    text = made.read_text(encoding="utf-8").replace("</body>", f"<script>{{{LOOK}}}</script></body>")
    page = made.with_name(f"look-{width}.html")
    page.write_text(text, encoding="utf-8")
    dom = browse(
        f"--user-data-dir={made.parent / 'profile'}", f"--window-size={width},900", "--dump-dom", page.as_uri()
    )
    result = re.search(r'<pre id="seen">(.*?)</pre>', dom, re.DOTALL)
    assert result, "the page's own script has failed"
    return json.loads(unescape(result.group(1)))


@pytest.mark.parametrize("width", [1280, 768, 500])
def test_page_in_a_window(made: Path, width: int) -> None:
    result = look(made, width)
    light, dark, opened = result["found"]
    for seen in result["found"]:
        assert seen["width"] == width
        assert seen["overflow"] <= 0, "the page is wider than its window"
        assert seen["outside"] == seen["flat"] == 0
        assert seen["cut"] == [], "no text of a figure is cut at its edges"
        assert seen["names"] > 2 and seen["broken"] == [], "no line ends within the name of an algorithm"
        assert seen["texts"] > 100 and seen["pale"] == []
    assert light["answer_ends"] < 900, "the sentence and its figure are on the first screen"
    assert light["shown"] > 10 and opened["shown"] >= light["shown"]
    assert {light["button"], dark["button"]} == {"Dark", "Light"}
    assert light["paper"] != dark["paper"] and light["curve"] != dark["curve"]
    assert result["options"] == [1, 1, 1], "each choice shows one set of figures"
    assert result["links"] > 10 and result["dead"] == [], "every link leads to a part of the page"
    assert result["bare"] == [], "every figure has its numbers in a table"


def test_page_prints(made: Path) -> None:
    target = made.with_suffix(".pdf")
    browse(f"--print-to-pdf={target}", "--no-pdf-header-footer", made.as_uri())
    data = target.read_bytes()
    assert data.startswith(b"%PDF")
    assert 4 <= len(re.findall(rb"/Type\s*/Page\b", data)) <= 40
