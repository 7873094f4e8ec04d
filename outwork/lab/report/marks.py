# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The legend's marks: a curve's line and marker, or a coloured area, as a small SVG."""

from typing import Final

from markupsafe import Markup

from outwork.lab.report.blocks import Key

#: In a box of 8 units around its middle, by matplotlib's names.
_SHAPES: Final = {
    "o": '<circle r="3.4"/>',
    "s": '<rect x="-3.2" y="-3.2" width="6.4" height="6.4"/>',
    "D": '<path d="M0-4.2 4.2 0 0 4.2-4.2 0Z"/>',
    "d": '<path d="M0-4.4 2.9 0 0 4.4-2.9 0Z"/>',
    "^": '<path d="M0-3.8 3.8 3.2-3.8 3.2Z"/>',
    "v": '<path d="M0 3.8 3.8-3.2-3.8-3.2Z"/>',
    "<": '<path d="M-3.8 0 3.2-3.8 3.2 3.8Z"/>',
    ">": '<path d="M3.8 0-3.2-3.8-3.2 3.8Z"/>',
    "X": '<path d="M-3.6-1.8-1.8-3.6 0-1.8 1.8-3.6 3.6-1.8 1.8 0 3.6 1.8 1.8 3.6 0 1.8-1.8 3.6-3.6 1.8-1.8 0Z"/>',
    "P": '<path d="M-1.3-3.8H1.3V-1.3H3.8V1.3H1.3V3.8H-1.3V1.3H-3.8V-1.3H-1.3Z"/>',
}


def key_mark(key: Key) -> Markup:
    colour = f"var(--{key.shade})"
    if not key.marker:
        return Markup(
            f'<svg class="mark" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">'
            f'<rect x="1" y="1" width="12" height="12" rx="2" style="fill: {colour}"/></svg>'
        )
    dash = ' stroke-dasharray="4 2.5"' if key.is_dashed else ""
    fill = "var(--paper)" if key.is_hollow else colour
    return Markup(
        f'<svg class="mark" viewBox="-15 -6 30 12" width="30" height="12" aria-hidden="true">'
        f'<path d="M-15 0H15" style="stroke: {colour}; stroke-width: 1.6"{dash}/>'
        f'<g style="fill: {fill}; stroke: {colour}; stroke-width: 1.2">{_SHAPES[key.marker]}</g></svg>'
    )
