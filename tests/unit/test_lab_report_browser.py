# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser: it fits its window, its figures are drawn, both themes are legible, it prints."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from lab_set import records

from outwork.lab import report
from outwork.lab.report import coverage

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine"),
]
SECONDS_MAX = 120

# Looks at the page as a reader sees it, in both themes, and writes what it finds into the page.
LOOK = """
const seen = () => {
  const paint = (element, name) => getComputedStyle(element)[name];
  const plots = [...document.querySelectorAll('svg.plot')];
  const shown = plots.filter((plot) => plot.getBoundingClientRect().width > 0);
  const outside = shown.filter((plot) => {
    const box = plot.closest('.drawing').getBoundingClientRect();
    return box.left < -1 || box.right > innerWidth + 1;
  });
  return {
    width: innerWidth,
    overflow: document.documentElement.scrollWidth - innerWidth,
    shown: shown.length,
    flat: shown.filter((plot) => plot.getBoundingClientRect().height < 40).length,
    outside: outside.length,
    paper: paint(document.body, 'backgroundColor'),
    ink: paint(document.body, 'color'),
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
const result = document.createElement('pre');
result.id = 'seen';
result.textContent = JSON.stringify({found, options});
document.body.append(result);
"""


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
        return report.write(records(), [], folder / "report.html")[0]


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


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    lights = sorted((luminance(one), luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.mark.parametrize("width", [1280, 500])
def test_page_in_a_window(made: Path, width: int) -> None:
    result = look(made, width)
    light, dark, opened = result["found"]
    for seen in result["found"]:
        assert seen["width"] == width
        assert seen["overflow"] <= 0, "the page is wider than its window"
        assert seen["outside"] == seen["flat"] == 0
        assert contrast(seen["paper"], seen["ink"]) > 10 and contrast(seen["paper"], seen["curve"]) > 3
    assert light["shown"] > 10 and opened["shown"] >= light["shown"]
    assert {light["button"], dark["button"]} == {"Dark", "Light"}
    assert light["paper"] != dark["paper"] and light["curve"] != dark["curve"]
    assert result["options"] == [1, 1, 1], "each choice shows one set of figures"


def test_page_prints(made: Path) -> None:
    target = made.with_suffix(".pdf")
    browse(f"--print-to-pdf={target}", "--no-pdf-header-footer", made.as_uri())
    data = target.read_bytes()
    assert data.startswith(b"%PDF")
    assert 4 <= len(re.findall(rb"/Type\s*/Page\b", data)) <= 40
