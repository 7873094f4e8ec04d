# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes manual pages of all commands, from the same texts as their --help: man_pages.py FOLDER"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer
from typer._click.core import Context

from outwork import __version__
from outwork.cli import app, registry

PAGE_OF: Final = "outwork"
STATUSES: Final = {
    "0": "done",
    "1": "failed: a file cannot be read or written, the output exists already, the device reported an error",
    "2": "the request makes no sense: unknown name, wrong key length, options that do not go together",
    "3": "wrong password or key, damaged data, or data that is not of the format",
    "4": "no board: its library is not built, or the device does not answer",
}


def escaped(text: str) -> str:
    """Returns text for roff: backslashes, hyphens that may be copied, and no line that looks like a request."""
    text = text.replace("\\[", "[").replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def bold(text: str) -> str:
    return f"\\fB{escaped(text)}\\fP" if text else ""


def italic(text: str) -> str:
    return f"\\fI{escaped(text)}\\fP" if text else ""


def value_name(parameter: Any, context: Any) -> str:
    """Returns what --help has for the value: its name, or what may be chosen."""
    return (parameter.metavar or parameter.display_type(context) or "").strip("<>")


def options(command: Any, context: Any) -> Iterator[str]:
    for parameter in command.get_params(context):
        if getattr(parameter, "hidden", False):
            continue
        names = ", ".join((*parameter.opts, *parameter.secondary_opts)) if parameter.param_type_name == "option" else ""
        metavar = "" if getattr(parameter, "is_flag", False) else value_name(parameter, context)
        said = escaped(getattr(parameter, "help", None) or "")
        if getattr(parameter, "envvar", None):
            said += f" Environment: \\fB{escaped(parameter.envvar)}\\fP."
        default = parameter.default
        if (
            names
            and getattr(parameter, "show_default", False)
            and isinstance(default, str | int)
            and default is not False
        ):
            said += f" Default: {escaped(str(default))}."
        head = " ".join(filter(None, (bold(names), italic(metavar))))
        yield f".TP\n{head}\n{said}"


def described(text: str) -> Iterator[str]:
    """Yields the paragraphs of a help text; those that are indented are commands."""
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.startswith("  "):
            yield f".PP\n.EX\n{escaped(paragraph)}\n.EE"
        else:
            yield f".PP\n{escaped(' '.join(paragraph.split()))}"


def usage(command: Any, context: Any) -> str:
    words = escaped(" ".join(command.collect_usage_pieces(context)))
    return f"\\fB{escaped(context.command_path)}\\fP {words}"


def sections(command: Any, context: Any) -> Iterator[str]:
    yield f".SH DESCRIPTION\n{chr(10).join(described(command.help or ''))}"
    yield f".SH OPTIONS\n{chr(10).join(options(command, context))}"
    inside = {} if command.name == PAGE_OF else getattr(command, "commands", {})
    for name, sub in inside.items():
        inner = Context(sub, info_name=name, parent=context)
        yield f".SH {escaped(name.upper())}\n{usage(sub, inner)}\n{chr(10).join(described(sub.help or ''))}"
        yield "\n".join(options(sub, inner))


def page(command: Any, context: Any, others: str) -> str:
    title = context.command_path.replace(" ", "-")
    summary = escaped((command.help or "").split("\n\n")[0].replace("\n", " ").rstrip("."))
    statuses = "\n".join(f".TP\n{code}\n{escaped(words)}" for code, words in STATUSES.items())
    parts = (
        f'.TH {escaped(title.upper())} 1 "" "Outwork {__version__}" "Outwork"',
        f".SH NAME\n{escaped(title)} \\- {summary}",
        f".SH SYNOPSIS\n{usage(command, context)}",
        *sections(command, context),
        f".SH EXIT STATUS\n{statuses}\n.PP\nA signal gives 128 and its number.",
        f".SH SEE ALSO\n{others}",
    )
    return "\n".join(parts) + "\n"


def pages() -> dict[str, str]:
    """Returns the text of each page by its file's name."""
    root = typer.main.get_command(app)
    root.name = PAGE_OF
    context = Context(root, info_name=PAGE_OF)
    everywhere = ", ".join(f"{bold('outwork-' + name)}(1)" for name in registry.COMMANDS)
    found = {"outwork.1": page(root, context, everywhere)}
    for name in registry.COMMANDS:
        command = registry.load(name)
        command.name = name
        inner = Context(command, info_name=name, parent=context)
        found[f"outwork-{name}.1"] = page(command, inner, "\\fBoutwork\\fP(1)")
    return found


def main() -> int:
    if len(sys.argv) != 2:
        print("man_pages: name the folder to write to", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
