# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The text of --help: words in square brackets are printed, not removed as markup."""

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from commands import good, outwork
from typer._click.core import Context

from outwork.cli import app, registry
from outwork.spec import Engine

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("encrypt", "default: aes-256-gcm"),
        ("encrypt", "default: scrypt"),
        ("encrypt", "default: 600000"),
        ("bench", "default: aes-256-gcm"),
        ("bench", "default: all that fit"),
    ],
)
def test_defaults_are_shown(command: str, words: str) -> None:
    text = good(command, "--help", environment={"COLUMNS": "200"}).decode()
    assert f"[{words}" in " ".join(text.split())


def test_help_is_a_command_too() -> None:
    assert good("help") == good("--help")
    assert good("help", "encrypt") == good("encrypt", "--help")
    assert good("pka", "help") == good("help", "pka") == good("pka", "--help")
    assert good("help", "pka", "genkey") == good("pka", "genkey", "--help")
    assert outwork("help", "nothing").returncode == 2


def test_listed_help_is_that_of_the_commands() -> None:
    for name, entry in registry.COMMANDS.items():
        assert registry.load(name).help.split("\n\n")[0].replace("\n", " ") == entry.help, name


def test_help_imports_little() -> None:
    """What makes it take 0.1 s and not 1 s."""
    script = (
        "import sys, outwork.cli; sys.argv = ['outwork', '--help']\n"
        "try: outwork.cli.main()\n"
        "except SystemExit: print([name for name in ('cffi', 'cryptography', 'rich', 'outwork.device') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        (("encrypt",), "outwork encrypt [OPTIONS] IN OUT"),
        (("digest",), "outwork digest [OPTIONS] ALGORITHM [FILE]..."),
        (("openssl", "speed"), "outwork openssl speed [OPTIONS] [ALGORITHM]"),
        (("lab", "export"), "outwork lab export [OPTIONS] TABLE [RECORDS]..."),
    ],
)
def test_usage(command: tuple[str, ...], usage: str) -> None:
    text = good(*command, "--help", environment={"COLUMNS": "200"}).decode()
    assert f"Usage: {usage}" in [line.strip() for line in text.splitlines()]


@pytest.mark.parametrize("command", [(), ("pka",), ("encrypt",), ("pka", "genkey"), ("bench",)])
def test_flags_have_no_type(command: tuple[str, ...]) -> None:
    assert "bool" not in good(*command, "--help").decode()


def every(command: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yields every command with its words, groups too."""
    yield names, command
    if hasattr(command, "list_commands"):
        context = Context(command)
        for name in command.list_commands(context):
            yield from every(command.get_command(context, name), *names, name)


ALL = dict(every(typer.main.get_command(app)))


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_every_value_has_a_name_and_a_sentence(names: tuple[str, ...]) -> None:
    """Not Python's names of types, and not a default alone."""
    text = good(*names, "--help", environment={"COLUMNS": "200"}).decode()
    assert re.findall(r"<(?:str|int|float|path|list|bool)\W.*|\[\[|\.{4,}", text) == []
    silent = [
        parameter.opts
        for parameter in ALL[names].get_params(Context(ALL[names]))
        if not getattr(parameter, "hidden", False) and not re.match(r"`?[\w-]", parameter.help or "")
    ]
    assert silent == []


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_paragraphs_are_wrapped_once(names: tuple[str, ...]) -> None:
    """By the terminal's width, not by that of the source too."""
    paragraphs = inspect.cleandoc(ALL[names].help or "").split("\n\n")
    assert [text for text in paragraphs if "\n" in text and not text.startswith(" ")] == []


def test_every_command_is_in_the_manual() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert [name for name in commands if f"\n| `{name}" not in page] == []


def test_front_page_leads_to_every_engine_and_plug_in() -> None:
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    engines = [engine.name.lower() for engine in Engine if engine is not Engine.SHELL]
    plug_ins = [path.name for path in (ROOT / "plugins").iterdir() if (path / "README.md").exists()]
    pages = (*engines, *plug_ins, "lab", "policy", "security", "simulated-board", "command-line")
    assert [name for name in pages if f"({name}.md)" not in page] == []
