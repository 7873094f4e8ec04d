# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Single faults in a source text: the places for a fault, and the text with it."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

C, SV, PY = "c", "sv", "py"
LANGUAGES: Final = {".c": C, ".h": C, ".sv": SV, ".py": PY}

_C_COMMENT: Final = r"//[^\n]*|/\*.*?\*/"
_HIDDEN: Final = {
    # Preprocessor lines and compiler assertions are hidden with their contents: a fault in them does not compile.
    C: rf'{_C_COMMENT}|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ ]*\#(?:[^\n]*\\\n)*[^\n]*|^OW_STATIC_ASSERT[^;]*;',
    SV: rf'{_C_COMMENT}|"(?:\\.|[^"\\\n])*"|\(\*.*?\*\)|^[ ]*`[^\n]*|^[ ]*import[^;]*;',
    PY: r'[rbfu]*"""(?:.*?)"""|[rbfu]*"(?:\\.|[^"\\\n])*"|[rbfu]*\'(?:\\.|[^\'\\\n])*\'|\#[^\n]*',
}

# Operators with spaces around them, as formatters leave them.
_SWAPS: Final = {
    "==": "!=",
    "!=": "==",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "//": "*",
    "%": "/",
    "<<": ">>",
    ">>": "<<",
    "+=": "-=",
    "-=": "+=",
    "&&": "||",
    "||": "&&",
    "&": "|",
    "|": "&",
    "^": "|",
    "|=": "&=",
    "&=": "|=",
    "^=": "|=",
    "and": "or",
    "or": "and",
    "is not": "is",
    "not in": "in",
}
_NOT_IN: Final = {
    PY: {"|", "&"},
    C: {"//", "and", "or", "is not", "not in"},
    SV: {"//", "and", "or", "is not", "not in"},
}
_NUMBER: Final = re.compile(
    r"(?<![\w.'])(?:(\d+)'([hdb])([0-9a-fA-F_]+)|(0[xX][0-9a-fA-F]+|\d+)([uU]?[lL]*))(?![\w.'])"
)
_FILL: Final = re.compile(r"'([01])(?!\w)")
_STATEMENTS: Final = {
    C: re.compile(r"^( +)((?:\(void\))?[*\w][^;{}\n]*);$", re.MULTILINE),
    SV: re.compile(r"^( +)(assign [^;{}\n]+|[\w.\[\]:' +\-*$]+? <?= [^;{}\n]+);$", re.MULTILINE),
    PY: re.compile(r"^( +)(\w[\w.]*(?: [-+|&]?= [^\n]+|\([^\n]*\)))$", re.MULTILINE),
}
_NO_STATEMENT: Final = {
    C: re.compile(
        r"(?:return|break|continue|goto|case|default|else|for|typedef|static|const|struct|enum|union)\b|\w+ [*\w]"
    ),
    SV: re.compile(
        r"(?:localparam|parameter|logic|int|automatic|typedef|return|genvar)\b|(?!assign)\w+ [\w\[]+ =|for\b"
    ),
    PY: re.compile(r"(?:return|raise|yield|assert|import|from)\b|super\("),
}
_CONDITION: Final = {C: re.compile(r"\bif \("), SV: re.compile(r"\bif \(")}
_PY_CONDITION: Final = re.compile(r"^ *(?:el)?if ([^\n]+):$", re.MULTILINE)
_INDEX: Final = re.compile(r"(?<=[\w\])])\[([^\[\]:;,{}\n]+)\]")
_C_DECLARATION: Final = re.compile(
    r"^\s*(?:(?:static|const|struct|volatile|OW_ALIGNED\(\d+\)) )*(?!return\b)\w+ \**\w+\["
)
_SV_DECLARATION: Final = re.compile(r"^\s*(?:input|output|logic|localparam|parameter|typedef|function)\b")


@dataclass(frozen=True)
class Fault:
    """A part of a file, and its replacement."""

    file: str
    start: int  # offset in characters
    line: int
    kind: str
    before: str
    after: str

    def apply(self, text: str) -> str:
        end = self.start + len(self.before)
        assert text[self.start : end] == self.before, f"{self.file} has changed since the fault was chosen"
        return text[: self.start] + self.after + text[end:]

    def describe(self) -> str:
        before, after = (" ".join(part.split()) for part in (self.before, self.after))
        return f"{self.file}:{self.line}: {self.kind}: `{before}` becomes `{after}`"


def hide(text: str, language: str) -> str:
    """Returns the text with spaces in place of everything that is not code."""
    flags = re.MULTILINE | re.DOTALL
    return re.sub(_HIDDEN[language], lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=flags)


def _close(code: str, start: int) -> int | None:
    """Returns where the parenthesis that opens at `start` closes."""
    depth = 0
    for at in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return at
    return None


def _line_before(code: str, at: int) -> str:
    return code[code.rfind("\n", 0, at) + 1 : at]


def _is_assignment(code: str, at: int) -> bool:
    """Returns whether `<=` is an assignment in SystemVerilog: not inside parentheses, nor right of another assignment."""
    before = _line_before(code, at)
    return before.count("(") == before.count(")") and " = " not in before and "return" not in before


def _operators(code: str, language: str) -> Iterator[tuple[int, str, str]]:
    words = sorted((word for word in _SWAPS if word not in _NOT_IN[language]), key=len, reverse=True)
    for match in re.finditer(rf"(?<= )({'|'.join(map(re.escape, words))})(?=[ \n])", code):
        if not (language == SV and match[0] == "<=" and _is_assignment(code, match.start())):
            yield match.start(), match[0], _SWAPS[match[0]]


def _numbers(code: str, language: str) -> Iterator[tuple[int, str, str]]:
    for match in _NUMBER.finditer(code):
        width, base, digits, plain, suffix = match.groups()
        if width is not None and language == SV:
            radix = {"h": 16, "d": 10, "b": 2}[base]
            value = int(digits.replace("_", ""), radix)
            for other in sorted({(value + 1) % (1 << int(width)), (value - 1) % (1 << int(width))} - {value}):
                yield (
                    match.start(),
                    match[0],
                    f"{width}'{base}{other:{'x' if radix == 16 else 'b' if radix == 2 else 'd'}}",
                )
        elif plain is not None:
            is_hex = plain[:2].lower() == "0x"
            value = int(plain, 16 if is_hex else 10)
            for other in (value + 1, value - 1):
                if other >= 0:
                    yield match.start(), match[0], f"{hex(other) if is_hex else other}{suffix}"
    if language == SV:
        for match in _FILL.finditer(code):
            yield match.start(), match[0], "'1" if match[1] == "0" else "'0"


def _conditions(code: str, language: str) -> Iterator[tuple[int, str, str]]:
    if language == PY:
        for match in _PY_CONDITION.finditer(code):
            yield match.start(1), match[1], f"not ({match[1]})"
        return
    for match in _CONDITION[language].finditer(code):
        end = _close(code, match.end() - 1)
        if end is not None:
            inside = code[match.end() : end]
            yield match.end(), inside, f"!({inside})"


def _statements(code: str, language: str) -> Iterator[tuple[int, str, str]]:
    for match in _STATEMENTS[language].finditer(code):
        body = match[2].rstrip()
        if all(body.count(a) == body.count(b) for a, b in ("()", "[]", "{}")) and not _NO_STATEMENT[language].match(
            body
        ):
            yield match.start(2), body, "pass" if language == PY else ""


def _indices(code: str, language: str) -> Iterator[tuple[int, str, str]]:
    declaration = {C: _C_DECLARATION, SV: _SV_DECLARATION}.get(language)
    for match in _INDEX.finditer(code) if declaration else ():
        if declaration is not None and not declaration.match(_line_before(code, match.end())):
            yield match.start(1), match[1], f"{match[1]} + 1"


_KINDS: Final = {
    "operator": _operators,
    "constant": _numbers,
    "condition": _conditions,
    "statement": _statements,
    "index": _indices,
}


def faults(file: str, text: str, language: str) -> Iterator[Fault]:
    """Returns every fault that can be planted in a file."""
    code = hide(text, language)
    for kind, find in _KINDS.items():
        for start, hidden, after in find(code, language):
            before = text[start : start + len(hidden)]
            yield Fault(file, start, text.count("\n", 0, start) + 1, kind, before, after.replace(hidden, before, 1))


def sample(candidates: list[Fault], count: int, seed: int) -> list[Fault]:
    """Returns a sample with the same number of faults of every kind, if there are enough; a longer sample starts with a
    shorter one."""
    dice = Random(seed)
    by_kind: dict[str, list[Fault]] = defaultdict(list)
    for fault in candidates:
        by_kind[fault.kind].append(fault)
    for kind in sorted(by_kind):
        dice.shuffle(by_kind[kind])
    chosen: list[Fault] = []
    while len(chosen) < count and any(by_kind.values()):
        for kind in sorted(by_kind):
            if by_kind[kind] and len(chosen) < count:
                chosen.append(by_kind[kind].pop())
    return chosen
