# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The policy file: which messages pay for the device. docs/policy.md describes it; driver/include/outwork/policy.h reads the same.

    outwork-policy 1
    # opcode, key bytes, direction, messages in flight, first byte, last byte (- is no end)
    0x13 32 encrypt 16 2048 -
    0x13 32 decrypt 16 never

A rule applies to its number of messages in flight and more, up to the next rule's number; a rule with 0 key bytes
applies to keys of any length or none. Messages without a rule are done in software.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from outwork.algorithms import ALGORITHMS
from outwork.algorithms.base import Algorithm, Operation
from outwork.errors import OutworkError, UsageError
from outwork.paths import LAB

VARIABLE: Final = "OUTWORK_POLICY"
DEFAULT_FILE: Final = LAB / "policy.txt"
FIRST_LINE: Final = "outwork-policy 1"
LENGTH_MAX: Final = (1 << 32) - 1
DEPTH_MAX: Final = (1 << 16) - 1
DIRECTIONS: Final = ("encrypt", "decrypt")


@dataclass(frozen=True)
class Rule:
    """Messages of `first` to `last` bytes go to the device; none if `first` is greater."""

    opcode: int
    key_bytes: int
    is_decrypt: bool
    depth: int
    first: int
    last: int

    @property
    def is_never(self) -> bool:
        return self.first > self.last


@dataclass(frozen=True)
class Decision:
    on_device: bool
    reason: str  # continues a sentence: "... because <reason>"


@dataclass(frozen=True)
class Policy:
    name: str
    rules: tuple[Rule, ...]

    def decide(self, cipher: Algorithm, operation: Operation, size_bytes: int, depth: int) -> Decision:
        best: Rule | None = None
        for rule in self.rules:
            fits = rule.key_bytes in (0, cipher.single_key_bytes)
            if (rule.opcode, rule.is_decrypt, fits) != (
                cipher.opcode,
                operation.is_inverse,
                True,
            ) or rule.depth > depth:
                continue
            if best is None or rule.depth >= best.depth:
                best = rule
        work = f"{cipher} {operation}, {size_bytes:,} bytes a message, {depth} in flight"
        if best is None:
            return Decision(False, f"{self.name} has no rule for {work}")
        depth_words = f"with {best.depth} or more in flight"
        if best.is_never:
            return Decision(False, f"{self.name} says that the device never pays for {work}")
        last = "any length" if best.last >= LENGTH_MAX else f"{best.last:,} bytes"
        span = f"{self.name} gives the device {best.first:,} bytes to {last} {depth_words}"
        return Decision(best.first <= size_bytes <= best.last, f"{span}, and this is {work}")


def read(path: Path) -> Policy:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise OutworkError(f"The policy {path} cannot be read: {why}.") from error
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise OutworkError(f"{path} is not a policy of this version: its first line must be '{FIRST_LINE}'.")
    rules: list[Rule] = []
    for number, line in enumerate(lines[1:], 2):
        words = line.partition("#")[0].split()
        if words:
            try:
                rules.append(_rule(words))
            except ValueError as error:
                raise OutworkError(
                    f"{path}, line {number}: {error}. A rule is: opcode, key bytes, encrypt or decrypt, messages in "
                    "flight, first byte, last byte or -; or never in place of the bytes."
                ) from error
    return Policy(str(path), tuple(rules))


def _rule(words: list[str]) -> Rule:
    is_never = words[-1] == "never"
    if len(words) != (5 if is_never else 6):
        raise ValueError(f"it has {len(words)} words")
    if words[2] not in DIRECTIONS:
        raise ValueError(f"'{words[2]}' is neither encrypt nor decrypt")
    opcode = _number(words[0], 0, 255)
    key_bytes = _number(words[1], 0, 255)
    depth = _number(words[3], 1, DEPTH_MAX)
    first, last = (1, 0) if is_never else (_number(words[4], 0, LENGTH_MAX), LENGTH_MAX)
    if not is_never and words[5] != "-":
        last = _number(words[5], first, LENGTH_MAX)
    return Rule(opcode, key_bytes, words[2] == "decrypt", depth, first, last)


def _number(word: str, least: int, most: int) -> int:
    digits = word.removeprefix("0x")
    base = 16 if digits != word else 10
    if not digits.isascii() or not digits.isalnum():
        raise ValueError(f"'{word}' is not a number")
    value = int(digits, base)
    if not least <= value <= most:
        raise ValueError(f"{word} is not from {least} to {most}")
    return value


def text_of(rules: list[Rule], comments: list[str]) -> str:
    names = {(int(entry.opcode), entry.single_key_bytes): entry.name for entry in ALGORITHMS.values()}
    lines = [FIRST_LINE, *(f"# {comment}" for comment in comments)]
    lines.append("# opcode, key bytes, direction, messages in flight, first byte, last byte (- is no end)")
    for rule in rules:
        last = "-" if rule.last >= LENGTH_MAX else str(rule.last)
        span = "never" if rule.is_never else f"{rule.first} {last}"
        lines.append(
            f"0x{rule.opcode:02x} {rule.key_bytes} {DIRECTIONS[rule.is_decrypt]} {rule.depth} {span}"
            f"  # {names.get((rule.opcode, rule.key_bytes), 'unknown')}"
        )
    return "\n".join(lines) + "\n"


def find(path: Path | None) -> Policy | None:
    """Returns the named policy; else the lab's own, if there is one; else None."""
    if path is not None:
        if not path.exists():
            raise UsageError(f"There is no policy {path}: write one with `outwork lab policy --output {path}`.")
        return read(path)
    return read(DEFAULT_FILE) if DEFAULT_FILE.exists() else None
