# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The documentation site in a real browser, in windows of three widths and both colour schemes: pages fit, links lead to
pages and parts that are there, text is legible, pictures are shown."""

import json
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from outwork import paths

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine"),
]
PAGES = (
    "index.html",
    "recipes/index.html",
    "benchmarks/index.html",
    "openssl/index.html",
    "simulated-board/index.html",
)
CONTRAST_MIN = 4.5

# Looks at a page in both schemes of the theme, and writes what it finds into the page.
LOOK = """
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (!/^rgba\\(.*, 0(\\.\\d+)?\\)$|transparent/.test(colour)) return colour;
  }
  return 'rgb(255, 255, 255)';
};
const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = (parts) => {
  const [r, g, b] = parts.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (text, paper) => {
  const [r, g, b, alpha = 1] = numbers(text);
  const below = numbers(paper).slice(0, 3);
  const mixed = [r, g, b].map((part, index) => alpha * part + (1 - alpha) * below[index]);
  const both = [light(mixed), light(below)].sort((a, b) => a - b);
  return (both[1] + 0.05) / (both[0] + 0.05);
};
const seen = (scheme) => {
  document.body.setAttribute('data-md-color-scheme', scheme);
  document.body.setAttribute('data-md-color-primary', 'blue-grey');
  const texts = [...document.querySelectorAll('article p, article li, article td, article th, article h1, article h2')]
    .filter((element) => element.getBoundingClientRect().width > 0 && element.textContent.trim());
  const pale = texts.map((element) => [contrast(getComputedStyle(element).color, ground(element)), element])
    .filter(([value]) => value < MINIMUM);
  return {
    width: innerWidth,
    overflow: document.documentElement.scrollWidth - innerWidth,
    texts: texts.length,
    pale: pale.slice(0, 5).map(([value, element]) => value.toFixed(2) + ' ' + element.textContent.trim().slice(0, 40)),
    paper: getComputedStyle(document.body).backgroundColor,
  };
};
addEventListener('load', () => {
  const style = document.createElement('style');
  style.textContent = '* { transition: none !important }';
  document.head.append(style);
  const result = document.createElement('pre');
  const found = {
    schemes: ['default', 'slate'].map(seen),
    blank: [...document.querySelectorAll('article img')].filter((one) => one.loading !== 'lazy' && one.naturalWidth === 0)
      .map((one) => one.getAttribute('src')),
    cut: [...document.querySelectorAll('article pre > code')]
      .filter((one) => one.closest('.language-sh') || one.textContent.includes('\u250c'))
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => one.textContent.trim().slice(0, 60)),
    pictures: document.querySelectorAll('article img').length,
    links: [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href')),
  };
  result.id = 'seen';
  result.textContent = JSON.stringify(found);
  document.body.append(result);
});
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="MkDocs is not installed: scripts/setup.sh docs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    done = subprocess.run(command, cwd=paths.PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def look(page: Path, width: int) -> Any:
    text = page.read_text(encoding="utf-8")
    copy = page.with_name(f"look-{width}.html")
    script = LOOK.replace("MINIMUM", str(CONTRAST_MIN))
    copy.write_text(text.replace("</body>", f"<script>{{{script}}}</script></body>"), encoding="utf-8")
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},900"]
    profile = f"--user-data-dir={page.parent}/profile-{width}"
    done = subprocess.run(
        [str(BROWSER), *words, profile, "--virtual-time-budget=5000", "--dump-dom", copy.as_uri()],
        capture_output=True,
        text=True,
        timeout=180,
        check=True,
    )
    copy.unlink()
    result = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert result, "the page's own script has failed"
    return json.loads(unescape(result.group(1)))


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [1280, 768, 500])
def test_page_in_a_window(site: Path, name: str, width: int) -> None:
    found = look(site / name, width)
    for scheme in found["schemes"]:
        assert scheme["width"] == width and scheme["overflow"] <= 0, "the page is wider than its window"
        assert scheme["texts"] > 20 and scheme["pale"] == []
    assert found["schemes"][0]["paper"] != found["schemes"][1]["paper"]
    assert found["blank"] == []
    assert found["cut"] == [], "commands or diagrams are wider than the page"


def test_links(site: Path) -> None:
    """Every link of every page leads to a file of the site, and to a part of it that is there."""
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    names = {path: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for path, text in pages.items()}
    dead = []
    for path, text in pages.items():
        if path.name == "404.html":  # its links begin at the site's address
            continue
        for target in re.findall(r'<a [^>]*href="([^"]*)"', text):
            place, _, anchor = unescape(target).partition("#")
            if re.match(r"[a-z]+:", place):
                continue
            goal = (path.parent / place).resolve() if place else path
            goal = goal / "index.html" if goal.is_dir() else goal
            if not goal.is_file() or (anchor and goal in names and anchor not in names[goal]):
                dead.append(f"{path.relative_to(site)}: {target}")
    assert len(pages) > 40 and dead == []
