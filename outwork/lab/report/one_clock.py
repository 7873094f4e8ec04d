# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Software, the CPU's instructions and the accelerator on the system on chip, in cycles of its one clock."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from outwork.lab.records import Record
from outwork.lab.report import linux_stages
from outwork.lab.report.blocks import Block, Prose, Section, TableBlock
from outwork.lab.report.tables import MISSING, Cell, Column, Table
from outwork.lab.report.view import Work, work_of

TITLE: Final = "One clock"
ENGINES: Final = {"software": "software", "cpu": "instructions", "lite": "registers", "accelerator": "accelerator"}

# The same engines behind the calls of a library, which have tables of their own in docs/soc.md.
THROUGH_A_LIBRARY: Final = ("psa", "psa-software")

# By work, jobs and size: the records of one board, by engine.
Rows = dict[tuple[Work, int, int], dict[str, Record]]


def section(records: Sequence[Record]) -> Section:
    """Returns the section of the records that are on the system on chip."""
    found: dict[tuple[str, str], Rows] = defaultdict(lambda: defaultdict(dict))
    for record in records:
        if record.is_on_soc and record.board and record.implementation not in THROUGH_A_LIBRARY:
            engine = record.implementation if record.implementation == "lite" else record.engine
            what = "file" if record.environment.startswith("file") else "message"
            found[record.board, what][work_of(record), record.jobs, record.size_bytes][engine] = record
    if not found:
        text = "None of these records is of the system on chip: `outwork lab run soc` measures it."
        return Section("one-clock", TITLE, [Prose(text)])
    blocks: list[Block] = [
        Prose(
            "CPU, caches, memory and device in one simulated system, counted in cycles of its one clock. The accelerator's "
            "cycles are those of the driver, the caches and the device together; software and instructions run on the same "
            "CPU. The CPU's own cycles are what a message takes of it: the rest is free for other tasks."
        )
    ]
    blocks += [
        TableBlock(_table(f"Cycles of a {what}, {board}.", rows)) for (board, what), rows in sorted(found.items())
    ]
    return Section("one-clock", TITLE, [*blocks, *linux_stages.blocks(records)])


def _table(caption: str, rows: Rows) -> Table:
    shown = [name for name in ENGINES if name != "lite" or any(name in engines for engines in rows.values())]
    columns = [Column("bytes"), Column("in flight"), *(Column(ENGINES[name]) for name in shown)]
    columns += [Column("of the CPU"), Column("faster than software")]
    columns += [Column(f"than {ENGINES[name]}") for name in shown[1:-1]]
    made = Table(columns, caption=caption, heads=2)
    last = None
    for (work, jobs, size), engines in sorted(rows.items(), key=lambda entry: entry[0]):
        if work != last:
            made.add_group(work.name)
            last = work
        # Software takes one message at a time, whatever is in flight.
        alone = rows.get((work, 1, size), {})
        costs = [(engines.get(name) or alone.get(name)) for name in shown]
        device = costs[-1]
        made.add(
            f"{size:,}",
            f"{jobs}",
            *(Cell(f"{row.cost.p50:,.0f}", row.kind.value) if row else MISSING for row in costs),
            Cell(f"{device.cpu_cycles:,.0f}", device.kind.value) if device else MISSING,
            *(f"{row.cost.p50 / device.cost.p50:,.1f}" if row and device else MISSING for row in costs[:-1]),
        )
    return made
