# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The short answer: from which message size the device wins, against each engine, and where it never does."""

from collections.abc import Sequence
from typing import Final

from matplotlib.figure import Figure as Canvas

from outwork.lab import costs
from outwork.lab.costs import BreakEven
from outwork.lab.report import drawing, theme
from outwork.lab.report.blocks import Block, Figure, Fold, Key, Legend, Prose, Section, TableBlock
from outwork.lab.report.drawing import Colour, size_text
from outwork.lab.report.tables import MISSING, Cell, Column, Table, join
from outwork.lab.report.view import View, Work

WIDTH: Final = 660
ROW: Final = 30
BOX: Final = (206, 40, 70, 12)
COMPARED: Final = "the device's cycles at its board's clock against CPU time of this machine"
Row = tuple[Work, str, int]  # with board and jobs


def section(view: View) -> Section:
    found = costs.break_evens(view.records)
    if not found:
        return Section(
            "answer",
            "The short answer",
            [
                Prose(
                    "These records cannot say where the break-even lies: no work was measured both on the device and on this "
                    "CPU, each at three sizes or more. `outwork lab run wp512` measures both."
                )
            ],
        )
    shown = _shown(view, found)
    rivals = list(dict.fromkeys(entry.rival for entry in sorted(found, key=lambda entry: entry.rival)))
    blocks: list[Block] = [Prose(text) for text in _sentences(shown, rivals)]
    featured = {row: entries for row, entries in shown.items() if row[0] in view.featured}
    used = [rival for rival in rivals if any(rival in entries for entries in shown.values())]
    blocks += [
        Legend([_key(rival) for rival in used]),
        Figure(
            "break-even",
            "From which message size on the device wins",
            lambda colour: draw(colour, featured, used),
            matrix({row: shown[row] for row in featured}, used),
            "Point: break-even. Bar: 95 % interval. Hollow: outside the sizes that were measured. "
            "Where the device wins up to a size instead of from it, the point is an arrow to the left.",
            is_key=True,
        ),
    ]
    if len(shown) > len(featured):
        blocks.append(Fold(f"All {len(shown)} settings", [TableBlock(matrix(shown, used))]))
    if len(found) > sum(map(len, shown.values())):
        blocks.append(Fold(f"All boards, key uses and alignments ({len(found)} rows)", [TableBlock(_full(found))]))
    blocks.append(
        Prose(
            f"Every break-even compares two kinds of figures: {COMPARED}. It holds for this CPU; on the CPU of a "
            "system-on-chip the device wins earlier. Run the same plans there to know by how much. Intervals are 95 % "
            "bootstrap intervals over the samples and over what the cost model leaves unexplained.",
            "note",
        )
    )
    return Section("answer", "The short answer", blocks)


def _board(entry: BreakEven) -> str:
    return entry.device.rpartition(" on ")[2]


def _work(entry: BreakEven) -> Work:
    return Work(entry.setting.algorithm, entry.setting.operation, "-files on " in entry.device)


def _shown(view: View, found: Sequence[BreakEven]) -> dict[Row, dict[str, BreakEven]]:
    """One board for each work, a new IV and aligned data for every message: by row, then by rival."""
    rows: dict[Row, dict[str, BreakEven]] = {}
    for entry in found:
        work, setting = _work(entry), entry.setting
        if work not in view.lines or _board(entry) != view.board(work):
            continue
        if setting.keys == "new-iv" and not setting.alignment_bytes:
            rows.setdefault((work, _board(entry), setting.jobs), {})[entry.rival] = entry
    places = {work: place for place, work in enumerate(view.works)}
    return dict(sorted(rows.items(), key=lambda item: (places[item[0][0]], -item[0][2])))


def _key(rival: str) -> Key:
    engine, _, implementation = rival.partition("/")
    style = theme.style(engine, implementation)
    return Key(f"against {theme.title(engine, implementation)}", style.shade, style.marker)


def _sentences(shown: dict[Row, dict[str, BreakEven]], rivals: Sequence[str]) -> list[str]:
    """For each rival: how often the device wins, and from which sizes."""
    texts = []
    for rival in rivals:
        entries = [row[rival] for row in shown.values() if rival in row]
        if not entries:
            continue
        name = theme.title(*rival.split("/", 1))
        never = [entry for entry in entries if entry.verdict == "never"]
        always = sum(entry.verdict == "always" for entry in entries)
        until = sum(entry.verdict == "until" for entry in entries)
        sizes = sorted(entry.size_bytes for entry in entries if entry.verdict == "from" and entry.size_bytes)
        words = []
        if always:
            words.append(f"wins at any size in {always}")
        if sizes:
            span = size_text(sizes[0]) if len(sizes) == 1 else f"{size_text(sizes[0])} to {size_text(sizes[-1])}"
            words.append(f"wins from {span} on in {len(sizes)}")
        if until:
            words.append(f"wins only small messages in {until}")
        if never:
            words.append(f"never wins in {len(never)}" if len(never) < len(entries) else "never wins")
        of = f" of {len(entries)} settings" if len(never) < len(entries) else f" in any of {len(entries)} settings"
        texts.append(f"**Against {name}** the device {join(words)}{of}.")
    return texts


def draw(colour: Colour, rows: dict[Row, dict[str, BreakEven]], rivals: Sequence[str]) -> Canvas:
    height = BOX[1] + BOX[3] + ROW * len(rows)
    canvas = drawing.canvas(WIDTH, height, colour)
    axes = drawing.axes(canvas, BOX, colour)
    entries = [entry for of_row in rows.values() for entry in of_row.values()]
    measured = [size for entry in entries for size in entry.device_model.sizes_bytes]
    drawing.sizes_axis(axes, measured, colour)
    drawing.gridlines(axes, colour, "x")
    low, high = axes.get_xlim()
    axes.set_xlim(low / 1.5, high)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows], fontsize=drawing.TEXT, color=colour("ink"))
    for place in range(1, len(rows)):
        axes.axhline(place - 0.5, color=colour("grid"), linewidth=1)
    step = min(0.2, 0.72 / max(len(rivals), 1))
    for place, of_row in enumerate(rows.values()):
        for number, rival in enumerate(rivals):
            if rival in of_row:
                _point(axes, colour, of_row[rival], place + (number - (len(rivals) - 1) / 2) * step)
    axes.annotate("never", (1, 0), (18, -11), "axes fraction", "offset points", fontsize=9.5, color=colour("muted"))
    axes.axvline(high, color=colour("rule"), linewidth=1)
    return canvas


def _label(row: Row) -> str:
    work, _, jobs = row
    return f"{work.name.replace(', whole', '')}, {jobs}" if jobs > 1 or not work.is_file else work.name.replace(", whole", "")


def _point(axes, colour: Colour, entry: BreakEven, height: float) -> None:  # type: ignore[no-untyped-def]
    style = theme.style(*entry.rival.split("/", 1))
    shade = colour(style.shade)
    low, high = axes.get_xlim()
    look = {"color": shade, "markersize": 6, "clip_on": False, "linestyle": "none"}
    if entry.verdict == "never":
        axes.plot([1.055], [height], style.marker, transform=axes.get_yaxis_transform(), mfc="none", **look)
        return
    if entry.verdict == "always":
        axes.plot([low, high], [height, height], color=shade, linewidth=1.2, alpha=0.35)
        axes.plot([low], [height], style.marker, **look)
        return
    assert entry.size_bytes is not None
    size = min(max(entry.size_bytes, low), high)
    ends = (size, high) if entry.verdict == "from" else (low, size)
    axes.plot(ends, [height, height], color=shade, linewidth=1.2, alpha=0.35)
    interval = [min(max(value, low), high) for value in (entry.low_bytes or low, entry.high_bytes or high)]
    axes.plot(interval, [height, height], color=shade, linewidth=3.2, solid_capstyle="butt")
    marker = style.marker if entry.verdict == "from" else "<"
    axes.plot([size], [height], marker, mfc=colour("paper") if entry.is_extrapolated else shade, **look)


def matrix(rows: dict[Row, dict[str, BreakEven]], rivals: Sequence[str]) -> Table:
    table = Table(
        [
            Column("work"),
            Column("in flight"),
            Column("board"),
            *(Column(f"against {theme.title(*rival.split('/', 1))}", "the device wins") for rival in rivals),
        ],
        caption=f"Break-evens: {COMPARED}; 95 % intervals below.",
        heads=3,
    )
    for (work, board, jobs), entries in rows.items():
        cells = (_cell(entries[rival]) if rival in entries else MISSING for rival in rivals)
        table.add(work.name, str(jobs), board, *cells)
    return table


def _cell(entry: BreakEven) -> Cell:
    if entry.size_bytes is None:
        words = "at any size" if entry.verdict == "always" else entry.verdict
        return Cell(words, "mixed", note=COMPARED, look="wins" if entry.verdict == "always" else "loses")
    low = "less" if entry.low_bytes is None else f"{entry.low_bytes:,.0f}"
    high = "more" if entry.high_bytes is None else f"{entry.high_bytes:,.0f}"
    beyond = "; beyond the measured sizes" if entry.is_extrapolated else ""
    return Cell(
        f"{entry.verdict} {entry.size_bytes:,.0f} bytes",
        "mixed",
        f"{low} to {high}{beyond}",
        COMPARED,
        "wins" if entry.verdict == "from" else "",
    )


def _full(found: Sequence[BreakEven]) -> Table:
    table = Table(
        [
            Column("work"),
            Column("in flight"),
            Column("keys"),
            Column("bytes off"),
            Column("device"),
            Column("against"),
            Column("the device wins"),
        ],
        caption=f"All break-evens: {COMPARED}.",
        heads=6,
    )
    for entry in found:
        setting = entry.setting
        table.add(
            _work(entry).name,
            str(setting.jobs),
            setting.keys.replace("-", " "),
            str(setting.alignment_bytes),
            entry.device,
            entry.rival,
            _cell(entry),
        )
    return table


