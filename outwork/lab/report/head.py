# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The top of the page: the plan, its publication, and warnings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from outwork.lab import published
from outwork.lab.published import Source
from outwork.lab.records import Kind, Record
from outwork.lab.report.view import View, work_of
from outwork.lab.words import join

WORKS_MAX: Final = 3
SKIPPED_MAX: Final = 3


@dataclass(frozen=True)
class Head:
    over: str  # a line above the title
    title: str
    papers: list[str]
    warnings: list[str]
    measured: str  # a line below the answer


def head(view: View, skipped: Sequence[str], stopped: Sequence[str]) -> Head:
    plans = {
        str(row.origin["plan"]): str(row.origin.get("plan_title", "")) for row in view.records if "plan" in row.origin
    }
    sources = [source for name, source in published.sources().items() if name in plans]
    papers = _papers(sources)
    if not plans:
        over, title = "Outwork lab report", _works(view.records)
    elif len(plans) == 1:
        ((name, words),) = plans.items()
        over, title = f"Outwork lab report, plan {name}", words
    elif len(sources) == len(plans):
        over = f"Outwork lab report, plans {join(plans)}"
        title = f"{join([source.name for source in sources])}, measured again"
    else:
        over, title = f"Outwork lab report, {len(plans)} plans", f"Plans {join(plans)}"
    return Head(over, title, papers, warnings(view.records, skipped, stopped), _measured(view.records))


def _papers(sources: Sequence[Source]) -> list[str]:
    """Returns what the figures are compared with: in full if it is one publication, else by names in one line, so that the
    answer stays on the first screen."""
    if len(sources) < 2:
        return [f"Compared with {source.citation}" for source in sources]
    return [f"Compared with {join([f'{source.name} ({source.year})' for source in sources])}: [their figures](#papers)"]


def _works(records: Sequence[Record]) -> str:
    names = list(dict.fromkeys(work_of(row).name for row in records))
    more = len(names) - WORKS_MAX
    return join([*names[:WORKS_MAX], *([f"{more} more"] if more > 0 else [])])


def _measured(records: Sequence[Record]) -> str:
    """Returns one line; the section `setting` has the details."""
    cpus = sorted({str(row.origin["cpu"]) for row in records if row.kind is Kind.MEASURED and row.origin.get("cpu")})
    boards = sorted({row.board for row in records if row.board})
    days = sorted({str(row.origin["time"])[:10] for row in records if row.origin.get("time")})
    words = [
        f"{len(records):,} points",
        f"measured on {join(cpus)}" if cpus else "",
        f"simulated board{'s' if len(boards) > 1 else ''} {join(boards)}" if boards else "",
        f"{days[0]} to {days[-1]}" if len(days) > 1 else "".join(days),
    ]
    return f"{'; '.join(filter(None, words))}. [Versions, machine and boards](#setting)"


def warnings(records: Sequence[Record], skipped: Sequence[str], stopped: Sequence[str]) -> list[str]:
    """Returns reasons to doubt the results, the most serious first."""
    found = [f"**Not complete.** {text}" for text in stopped]
    found += _busy(records)
    cpus = {row.origin.get("cpu") for row in records if row.kind is Kind.MEASURED}
    if len(cpus) > 1:
        found.append(
            f"The CPU figures come from {len(cpus)} different CPUs; curves and break-evens mix them. Make a report for each."
        )
    if not any(row.kind is Kind.COUNTED for row in records):
        found.append("No record is of the device: break-evens need it. `outwork lab run wp512` measures both.")
    if not any(row.kind is Kind.MEASURED for row in records):
        found.append("No record is of this CPU: break-evens need one. `outwork lab run wp512` measures both.")
    found += [f"Skipped: {text}" for text in skipped[:SKIPPED_MAX]]
    if skipped[SKIPPED_MAX:]:
        found.append(f"Skipped: {len(skipped) - SKIPPED_MAX} more lines of the files.")
    return found


def _busy(records: Sequence[Record]) -> list[str]:
    """Returns a warning if the machine was busy: then caches are shared and the clock is lower, even for CPU time."""
    rows = [row for row in records if row.kind is Kind.MEASURED and row.origin.get("cpus")]
    busy = [row for row in rows if float(row.origin.get("load", 0)) > int(row.origin["cpus"])]
    if not busy:
        return []
    worst = max(busy, key=lambda row: float(row.origin["load"]))
    return [
        f"**The machine was busy.** The load was up to {worst.origin['load']:g} on {worst.origin['cpus']} CPUs while "
        f"{len(busy)} of the {len(rows)} points of this CPU were measured. They may be slower than they should be, and the "
        "device then looks better than it is. Measure again with `--fresh` on a quiet machine."
    ]


def stopped(path: object, records: Sequence[Record]) -> list[str]:
    """Returns the plans in the records of one file whose last run ended before its last point."""
    last: dict[str, tuple[str, int]] = {}
    for row in records:
        if "points_left" in row.origin:
            plan, left = str(row.origin["plan"]), int(row.origin["points_left"])
            time = str(row.origin.get("time", ""))
            before, least = last.get(plan, ("", left))
            if time > before or (time == before and left < least):
                last[plan] = (time, left)
    return [
        f"The run of the plan {plan} was interrupted: {left} of its points are missing. Run the plan again with "
        f"`-o {path}`; it continues where it stopped."
        for plan, (_, left) in last.items()
        if left
    ]
