# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a policy from records: turns break-evens into rules."""

import math
from collections.abc import Sequence

from outwork import algorithms
from outwork.algorithms.base import Operation
from outwork.choice.policy import LENGTH_MAX, Rule
from outwork.errors import OutworkError, UsageError
from outwork.lab import costs
from outwork.lab.costs import BreakEven
from outwork.lab.records import KeyUse, Kind, Record

NEVER = (1, 0)


def rules(records: Sequence[Record], board: str, against: str) -> list[Rule]:
    """Returns a rule for each algorithm, operation and number of messages in flight for which both engines were
    measured."""
    chosen = [record for record in records if _counts(record, board, against)]
    found: dict[tuple[int, int, bool, int], Rule] = {}
    for entry in costs.break_evens(chosen):
        rule = _rule(entry)
        found[rule.opcode, rule.key_bytes, rule.is_decrypt, rule.depth] = rule
    if not found:
        boards = sorted({record.board for record in records if record.kind is Kind.COUNTED and record.board})
        rivals = sorted({_name(record) for record in records if record.kind is Kind.MEASURED})
        raise OutworkError(
            f"The records do not compare board {board} with {against} at three sizes or more. They have "
            f"{', '.join(boards) or 'no board'} and {', '.join(rivals) or 'no CPU engine'}: run `outwork lab run policy`."
        )
    return [found[key] for key in sorted(found)]


def _name(record: Record) -> str:
    return f"{record.engine}/{record.implementation}"


def _counts(record: Record, board: str, against: str) -> bool:
    """Returns whether a record counts for a policy: messages in memory, a new IV each, one doorbell for all in flight,
    as the driver's queue works."""
    if record.keys != KeyUse.NEW_IV.value or record.alignment_bytes or record.environment.startswith("file"):
        return False
    if record.kind is Kind.COUNTED:
        return record.board == board and record.implementation == "outwork" and record.batch == record.jobs
    return _name(record) == against


def _rule(entry: BreakEven) -> Rule:
    cipher = algorithms.find(entry.setting.algorithm)
    is_decrypt = Operation(entry.setting.operation).is_inverse
    first, last = _span(entry)
    return Rule(cipher.opcode, cipher.single_key_bytes, is_decrypt, entry.setting.jobs, first, last)


def _span(entry: BreakEven) -> tuple[int, int]:
    if entry.outcome == "always":
        return 0, LENGTH_MAX
    if entry.outcome == "never":
        return NEVER
    assert entry.size_bytes is not None
    if entry.outcome == "until":
        return 0, min(math.floor(entry.size_bytes), LENGTH_MAX)
    first = math.ceil(round(entry.size_bytes, 3))  # 1120.0000000000002 is 1120
    return (first, LENGTH_MAX) if first <= LENGTH_MAX else NEVER


def comments(records: Sequence[Record], board: str, against: str) -> list[str]:
    """Returns the comments of a policy: when, on which CPU and against what it was measured."""
    device = [record for record in records if record.kind is Kind.COUNTED and record.board == board]
    rivals = [record for record in records if _name(record) == against]
    if not device:
        raise _no_board(records, board)
    if not rivals:
        raise UsageError(f"The records have no {against}.")
    newest = max(str(record.origin.get("time", "")) for record in (*device, *rivals))
    return [
        "Which messages pay for the device. Written by `outwork lab policy`; docs/policy.md says how to read it.",
        f"device: board {board}, cycles counted at {device[0].device_clock}",
        f"against: {against}, {rivals[0].library}; CPU time on {rivals[0].origin.get('cpu')}",
        f"measured: {newest}",
    ]


def _no_board(records: Sequence[Record], board: str) -> UsageError:
    """Returns the error for records without this board. A plan with `vary` has changed boards, whose names say so."""
    boards = sorted({record.board for record in records if record.kind is Kind.COUNTED and record.board})
    unchanged = "unchanged " if any(name.startswith(f"{board}, ") for name in boards) else ""
    have = f" (they have: {'; '.join(boards)})" if boards else ""
    return UsageError(
        f"The records have no {unchanged}board '{board}'{have}. Run `outwork lab run policy`, or name a board with --board."
    )
