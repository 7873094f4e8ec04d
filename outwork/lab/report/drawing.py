# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Converts matplotlib figures to SVG inside the page: with the page's colour variables and font.

A figure is drawn by a function that gets the colours by name. For the page, a name stands for a placeholder colour,
which is replaced by `var(--name)` in the SVG; for a PNG (images.py) it is the light shade.
"""

import html
import io
import re
from collections.abc import Callable, Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from outwork.lab.report.theme import SHADES

Colour = Callable[[str], str]
Draw = Callable[[Colour], Figure]

UNITS_PER_INCH: Final = 72  # per user unit of an SVG
TEXT: Final = 10.5
LARGE_FROM: Final = 500  # wider figures scroll on a phone instead of shrinking
_NAMES: Final = tuple(SHADES)
_PLACEHOLDERS: Final = {name: f"#0e{number:02x}5a" for number, name in enumerate(_NAMES)}


def placeholder(name: str) -> str:
    return _PLACEHOLDERS[name]


def canvas(width: float, height: float, colour: Colour) -> Figure:
    """Returns a figure of this size in user units, with a transparent background on the page."""
    figure = Figure(figsize=(width / UNITS_PER_INCH, height / UNITS_PER_INCH), facecolor="none")
    figure.set_edgecolor(colour("paper"))
    return figure


def axes(figure: Figure, box: tuple[float, float, float, float], colour: Colour) -> Axes:
    """Returns axes whose inner box is (left, bottom, right, top) in user units from the figure's edges."""
    width, height = (inches * UNITS_PER_INCH for inches in figure.get_size_inches())
    left, bottom, right, top = box
    made = figure.add_axes(
        (left / width, bottom / height, (width - left - right) / width, (height - top - bottom) / height)
    )
    made.set_facecolor("none")
    made.tick_params(which="both", length=0, labelsize=TEXT, labelcolor=colour("muted"), pad=5)
    for side in made.spines.values():
        side.set_visible(False)
    made.spines["bottom"].set_visible(True)
    made.spines["bottom"].set_color(colour("rule"))
    made.set_axisbelow(True)
    return made


def gridlines(made: Axes, colour: Colour, axis: str = "y") -> None:
    made.grid(visible=True, axis=axis, which="major", color=colour("grid"), linewidth=1)  # type: ignore[arg-type]


Box = tuple[float, float, float, float]  # left, top, width, height


def boxes(made: Axes, places: Sequence[Box], shades: str | Sequence[str], colour: Colour, gap: float) -> None:
    """Draws rectangles with a gap around each, all at once: one by one they take ten times as long."""
    corners = [((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)) for x, y, wide, high in places]
    shown = PolyCollection(corners, facecolors=shades, edgecolors=colour("paper"), linewidths=gap)
    made.add_collection(shown, autolim=False)


def label(made: Axes, text: str, colour: Colour) -> None:
    """Writes the label of the vertical axis above it, horizontally."""
    # With a given height matplotlib does not search for one, which would take a quarter of the figure's time.
    made.set_title(text, loc="left", fontsize=TEXT, color=colour("muted"), pad=9, y=1.0)


def sizes_axis(made: Axes, sizes: Sequence[float], colour: Colour) -> None:
    """Draws a logarithmic axis of message sizes: every power of four that fits, in binary units."""
    low, high = min(sizes), max(sizes)
    made.set_xscale("log", base=2)
    made.set_xlim(low / 1.35, high * 1.35)
    powers = [power for power in range(31) if low / 1.36 <= 2**power <= high * 1.36]
    step = next(step for step in (1, 2, 4, 6) if len(powers[::step]) <= 7)
    ticks = [2**power for power in powers if power % step == 0] or [low]
    made.xaxis.set_major_locator(FixedLocator(ticks))
    made.xaxis.set_minor_locator(NullLocator())
    made.xaxis.set_major_formatter(FuncFormatter(lambda value, _: size_text(value)))
    made.set_xlabel("message size", fontsize=TEXT, color=colour("muted"), labelpad=5)


def decades_axis(made: Axes, low: float, high: float) -> None:
    made.set_yscale("log")
    made.set_ylim(low, high)
    made.yaxis.set_major_locator(FixedLocator([10.0**power for power in range(-4, 8) if low <= 10.0**power <= high]))
    made.yaxis.set_minor_locator(NullLocator())
    made.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def size_text(size_bytes: float) -> str:
    """`16 B`, `4 KiB`, `1.5 KiB`."""
    for factor, unit in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size_bytes >= factor:
            return f"{size_bytes / factor:.3g} {unit}"
    return f"{size_bytes:.0f} B"


def svg(draw: Draw, name: str, title: str, notes: dict[str, Sequence[str]] | None = None) -> str:
    """Returns the SVG. name: unique in the page. notes: for each group id, the tooltips of its markers."""
    import matplotlib

    figure = draw(placeholder)
    text = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "path.simplify": False}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _for_page(text.getvalue(), name, title, notes or {})


def _for_page(text: str, name: str, title: str, notes: dict[str, Sequence[str]]) -> str:
    text = text[text.index("<svg") :]
    text = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", text, flags=re.DOTALL)
    box = re.search(r'viewBox="0 0 ([\d.]+) [\d.]+"', text)
    assert box is not None
    size = "plot large" if float(box.group(1)) > LARGE_FROM else "plot"
    head = f'<svg {box.group()} role="img" aria-label="{html.escape(title)}" class="{size}">'
    text = head + text[text.index(">") + 1 :]
    text = re.sub(r'\b(id="|url\(#|xlink:href="#)', lambda found: found.group(1) + name + "-", text)
    text = text.replace("xlink:href", "href")
    text = re.sub(r"font: (?:\w+ )?([\d.]+)px [^;\"]+", r"font-size: \1px", text)
    text = re.sub(r' (?:d|x|y|points|transform)="[^"]*"', _shortened, text)
    for token, colour in _PLACEHOLDERS.items():
        text = text.replace(colour, f"var(--{token})")
    for group, titles in notes.items():
        text = _with_titles(text, f"{name}-{group}", titles)
    return re.sub(r"\s*\n\s*", "\n", text).strip()


def _shortened(attribute: re.Match[str]) -> str:
    """Rounds to hundredths of a unit, which is finer than any screen."""
    short = re.sub(
        r"-?\d+\.\d{3,}", lambda found: f"{float(found.group()):.2f}".rstrip("0").rstrip("."), attribute.group()
    )
    return re.sub(r"\s*\n\s*", " ", short)


def _with_titles(text: str, group: str, titles: Sequence[str]) -> str:
    """Returns the SVG with a title in each marker of the group, in their order."""
    begin = text.find(f'<g id="{group}"')
    if begin < 0:
        return text
    left = iter(titles)
    end = text.index("</g>", text.index("<use", begin))

    def titled(found: re.Match[str]) -> str:
        words = next(left, None)
        return found.group() if words is None else f"<use{found.group(1)}><title>{html.escape(words)}</title></use>"

    return text[:begin] + re.sub(r"<use([^>]*?)\s*/>", titled, text[begin:end]) + text[end:]
