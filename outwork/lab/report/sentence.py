# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The answer in one sentence, as a person would say it. It is about one work; the figure below it has the others."""

from collections.abc import Mapping, Sequence
from typing import Final

from outwork.lab.costs import BreakEven
from outwork.lab.records import Record
from outwork.lab.report import theme
from outwork.lab.report.drawing import size_text
from outwork.lab.report.tables import digits
from outwork.lab.report.view import Line, View, Work, is_example, order_of_engines
from outwork.lab.words import join

_VERBS: Final = {
    "encrypt": "encrypts {}",
    "decrypt": "decrypts {}",
    "digest": "computes {}",
    "mac": "authenticates with {}",
    "verify": "verifies {}",
}
_FAVOURITE: Final = "openssl"  # of several engines of one kind
By_depth = Mapping[int, Mapping[str, BreakEven]]  # break-evens by messages in flight and rival


def of_messages(rows: Mapping[tuple[Work, str, int], Mapping[str, BreakEven]]) -> str:
    """Returns the sentence about the work that stands for all, else the first one. `rows` must not be empty."""
    works = list(dict.fromkeys(work for work, _, _ in rows))
    work = next((work for work in works if is_example(work)), works[0])
    by_depth = {jobs: entries for (of, _, jobs), entries in rows.items() if of == work}
    verb = _VERBS.get(work.operation, f"does {work.operation} of {{}}").format(work.algorithm.upper())
    verb += " in whole files" if work.is_file else ""
    wins, never = [], []
    for rival in _rivals(by_depth):
        name = theme.title(*rival.split("/", 1))
        text = _wins(by_depth, rival)
        if text:
            wins.append(f"faster than {name} {text}")
        else:
            never.append(name)
    if not wins:
        return f"The accelerator **never** {verb} faster than {' or '.join(never)}."
    tail = f"; it is **never** faster than {' or '.join(never)}" if never else ""
    return f"The accelerator {verb} {', and '.join(wins)}{tail}."


def _rivals(by_depth: By_depth) -> list[str]:
    """Returns one software engine and one with crypto instructions, of those that were measured."""
    names = sorted({rival for entries in by_depth.values() for rival in entries}, key=order_of_engines)
    chosen: dict[str, str] = {}
    for name in names:
        engine, _, implementation = name.partition("/")
        if engine not in chosen or implementation.removesuffix("-files") == _FAVOURITE:
            chosen[engine] = name
    return [chosen[engine] for engine in ("software", "cpu") if engine in chosen] or names[:1]


def _wins(by_depth: By_depth, rival: str) -> str:
    """Returns at which sizes the device wins, and with how many messages in flight; empty: never."""
    depths: dict[str, list[int]] = {}
    for jobs, entries in by_depth.items():
        if rival in entries:
            depths.setdefault(_sizes(entries[rival]), []).append(jobs)
    without = depths.pop("", [])
    if not depths:
        return ""
    if len(depths) == 1 and not without:
        return next(iter(depths))
    texts = [f"{sizes} with {_in_flight(jobs)}" for sizes, jobs in depths.items()]
    return join([*texts, *([f"never with {_in_flight(without)}"] if without else [])])


def _sizes(entry: BreakEven) -> str:
    if entry.size_bytes is None:
        return "at any message size" if entry.outcome == "always" else ""
    size = size_text(entry.size_bytes).replace(" ", "\u00a0")  # number and unit stay in one line
    return f"from {size} on" if entry.outcome == "from" else f"up to {size}"


def _in_flight(jobs: Sequence[int]) -> str:
    many = sorted(number for number in jobs if number > 1)
    words = ["one message at a time"] if 1 in jobs else []
    return join([*words, *([f"{' or '.join(map(str, many))} in flight"] if many else [])])


def of_operations(view: View) -> str:
    """Returns the sentence about the first operation on public keys that was measured on the device and on a CPU; empty
    if none was."""
    for work in view.operations:
        rates: dict[bool, list[tuple[Line, Record]]] = {True: [], False: []}
        for line, rows in view.main_lines(work).items():
            if line.is_plain:
                rates[line.is_device].append((line, rows[0]))
        if rates[True] and rates[False]:
            (_, ours), (rival, theirs) = rates[True][0], rates[False][0]
            return (
                f"The accelerator does {digits(1 / ours.seconds)} {work.name} operations a second, {rival.engine_title} on one "
                f"core of this CPU {digits(1 / theirs.seconds)}."
            )
    return ""
