# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where the cycles of a message go under Linux on the system on chip, by the functions that the CPU was in: a bar for each
message size."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from matplotlib.figure import Figure as Canvas

from outwork.lab.records import Record
from outwork.lab.report import drawing, stages
from outwork.lab.report.blocks import Block, Figure, Grid, Key, Legend, Prose
from outwork.lab.report.drawing import Colour
from outwork.lab.report.tables import Column, Table, digits, number
from outwork.lab.report.view import Work, work_of

# What the groups of outwork/lab/soc_shares.py contain, and their shades.
MEANING: Final = {
    "driver": ("driver: job, descriptor, completion; polls in a process", "stage-fetch"),
    "module": ("module: the kernel module around the driver", "stage-wait"),
    "crypto API": ("crypto API: the kernel's calls of it", "stage-prepare"),
    "mapping": ("mapping: memory for the device", "stage-data"),
    "copies": ("copies: memory copied and set", "stage-tag"),
    "interrupt": ("interrupt: its way to the handler, what runs after it, ticks of the timer", "stage-write"),
    "scheduling": ("scheduling: sleep, wake, change of thread", "stage-complete"),
    "other kernel": ("the rest of the kernel, system calls included", "heat-3"),
    "caller": ("caller: the loop over the messages, and waits", "stage-rest"),
}
JOINED: Final = {"system call": "other kernel"}
PLACES: Final = {
    "linux-queue": "a process with a queue of its own",
    "linux-kernel": "the kernel's crypto API",
}


def blocks(records: Sequence[Record]) -> list[Block]:
    """Returns the figures of the records that say where their cycles went; nothing if there are none."""
    found: dict[tuple[str, Work, int], list[Record]] = defaultdict(list)
    for record in records:
        if record.stages and record.environment in PLACES:
            found[record.environment, work_of(record), record.jobs].append(record)
    if not found:
        return []
    figures = [_figure(*key, rows) for key, rows in sorted(found.items(), key=lambda entry: entry[0])]
    return [
        Prose(
            "Where the cycles of a message go under Linux, counted by the address of each instruction that ends, between few "
            "messages and more of them. The device works meanwhile; a process polls, which is in its driver's cycles."
        ),
        Legend([Key(text, shade) for text, shade in MEANING.values()]),
        Grid(figures),
    ]


def parts(row: Record) -> dict[str, float]:
    found = dict.fromkeys(MEANING, 0.0)
    for name, cycles in (row.stages or {}).items():
        found[JOINED.get(name, name)] += cycles
    return found


def _figure(environment: str, work: Work, jobs: int, rows: Sequence[Record]) -> Figure:
    rows = sorted(rows, key=lambda row: row.size_bytes)
    depth = f"{jobs} in flight" if jobs > 1 else "one at a time"
    return Figure(
        f"linux-stages-{environment}-{work.slug}-{jobs}",
        f"{work.name}, {depth}",
        lambda colour: draw(colour, rows),
        _table(rows),
        f"Linux, {PLACES[environment]}.",
        keys=[Key(text, shade) for text, shade in MEANING.values()],
    )


def draw(colour: Colour, rows: Sequence[Record]) -> Canvas:
    found = [parts(row) for row in rows]
    names = [drawing.size_text(row.size_bytes) for row in rows]
    shades = {name: shade for name, (_, shade) in MEANING.items()}
    totals = [[digits(sum(shares.values()))] for shares in found]
    return stages.bars(colour, names, found, shades, ["cycles"], totals)


def _table(rows: Sequence[Record]) -> Table:
    columns = [Column(name, "cycles of a message", text) for name, (text, _) in MEANING.items()]
    made = Table(
        [Column("bytes"), *columns, Column("sum")],
        caption="Cycles of an average message, counted by functions. A run has ticks of the timer, so that the sum may differ from "
        "the message's cost in another run.",
    )
    for row in rows:
        found = parts(row)
        cells = [number(cycles, row.kind) for cycles in found.values()]
        made.add(f"{row.size_bytes:,}", *cells, number(sum(found.values()), row.kind))
    return made
