# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The form of every command: `help` as a word, and usage lines in the style of manual pages."""

import inspect
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer._click import exceptions
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from outwork.errors import UsageError, nearest

# What an option takes, by the errors of pydantic.
KINDS = {"int_parsing": "a whole number", "int_from_float": "a whole number", "float_parsing": "a number"}
HELP_NAMES = {"help_option_names": ["-h", "--help"]}


class Command(TyperCommand):
    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.help = _paragraphs(self.help or "")

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _sentences(ctx):
            return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Returns a required argument without braces, which would look like a choice."""
        return [re.sub(r"[{}]", "", piece) for piece in super().collect_usage_pieces(ctx)]


class Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Treats `outwork help encrypt` as `outwork encrypt --help`."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        with _sentences(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        with _sentences(ctx):
            return super().resolve_command(ctx, args)


@contextmanager
def _sentences(context: Any) -> Iterator[None]:
    """Turns what the library says of a wrong command line into a sentence like those of the commands."""
    try:
        yield
    except exceptions.NoArgsIsHelpError:
        raise
    except exceptions.UsageError as error:
        sentence = _of_value(error) if isinstance(error, exceptions.BadParameter) else ""
        raise UsageError(sentence or _of_command_line(error, context.command_path)) from error


def _of_command_line(error: exceptions.UsageError, command: str) -> str:
    text = error.format_message().strip()
    if isinstance(error, exceptions.NoSuchOption):
        guess = f" Did you mean {error.possibilities[0]}?" if error.possibilities else ""
        text = f"No such option '{error.option_name}'.{guess}"
    end = "" if text.endswith((".", "?")) else "."
    return f"{text}{end} `{command} --help` says what the command takes."


def _of_value(error: exceptions.BadParameter) -> str:
    """Says that a value is of a wrong kind, or not one of an option's choices; empty: it is another error."""
    found: list[Any] = getattr(error.__cause__, "errors", list)()
    if not found or error.param is None:
        return ""
    name, value = error.param.opts[0], str(found[0]["input"])
    if found[0]["type"] in KINDS:
        return f"{name} takes {KINDS[found[0]['type']]}, not '{value}'."
    # The library has the choices in this text alone.
    _, is_choice, choices = found[0]["msg"].partition(" is not one of ")
    names = re.findall("'([^']*)'", choices)
    close = nearest(value, names)
    guess = f" Did you mean '{close}'?" if close else ""
    return f"{name} has no '{value}'.{guess} There are: {', '.join(names)}." if is_choice else ""


def plain_width() -> int:
    """Returns the columns for plain text: those of the terminal, at most 100."""
    return min(shutil.get_terminal_size().columns, 100)


def _paragraphs(text: str) -> str:
    """Returns a help text with one line for each paragraph, which the terminal's width then wraps. Examples stay as they are."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(each if each.startswith(" ") else each.replace("\n", " ") for each in paragraphs)


def _without_types(parameters: list[Any]) -> list[Any]:
    """Hides types in the help: a flag takes no value, and an argument's name says more than that it is a `str`."""
    for parameter in parameters:
        if isinstance(parameter, TyperArgument):
            parameter.display_type_rich = _no_type  # type: ignore[method-assign]
        elif isinstance(parameter, TyperOption) and parameter.is_flag:
            parameter.metavar = ""
    return parameters


def _no_type(ctx: Any) -> None:
    return None


class Application(typer.Typer):
    def __init__(self, about: str, add_completion: bool = False, cls: type[Group] = Group, **settings: Any) -> None:
        super().__init__(
            help=about,
            cls=cls,
            add_completion=add_completion,
            no_args_is_help=not settings.get("invoke_without_command"),
            pretty_exceptions_enable=False,
            context_settings=HELP_NAMES,
            **settings,
        )

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        return super().command(name, cls=Command, **settings)
