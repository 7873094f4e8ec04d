# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork lab algorithms`: lists what can be measured, and with which engines."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from outwork import messages
from outwork.algorithms import ALGORITHMS
from outwork.algorithms.base import Algorithm
from outwork.cli.options import DEFAULT_BOARD, LabBoard, LabEnvironment, check_output
from outwork.device import profiles
from outwork.device.profiles import Environment, Profile
from outwork.files import streams
from outwork.files.streams import STANDARD, check_target
from outwork.lab import abilities, engines
from outwork.lab.abilities import Ability
from outwork.lab.words import by_reason

if TYPE_CHECKING:
    from rich.table import Table

FAMILIES: Final = ("software", "cpu", "accelerator")


def algorithms(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            autocompletion=lambda: ALGORITHMS,
            help="Only these; a part of a name, such as sha3, is all that have it. \\[default: all]",
            show_default=False,
        ),
    ] = None,
    board: LabBoard = DEFAULT_BOARD,
    environment: LabEnvironment = None,
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="Write one JSON object a line instead, an algorithm each; - is standard output.",
            show_default=False,
            callback=check_output,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace the FILE of --json if it exists.")] = False,
) -> None:
    """List the algorithms and operations that bench and lab can measure, and with which engines.

    The engines of this machine are asked, so the list is what `outwork bench` and a plan would accept here. What is not
    installed or not built is named below the table, with the command that adds it.

    Examples:

      outwork lab algorithms

      outwork lab algorithms sha3 ml-kem

      outwork lab algorithms aes-256-gcm --environment bare-metal

      outwork lab algorithms --json - | jq .algorithm
    """
    if json_file is not None:
        check_target(str(json_file), force, is_binary=False)
    wanted = abilities.chosen(names or [])
    profile = profiles.load(board)
    if environment is not None:
        profile = profiles.in_environment(profile, environment)
    found = _ask(wanted, profile)
    if json_file is not None:
        lines = (json.dumps(abilities.as_json(each, found, profile)) + "\n" for each in wanted)
        streams.write_text(json_file, "".join(lines), force)
    if json_file is None or str(json_file) != STANDARD:
        _print(wanted, found, profile)


def _ask(wanted: Iterable[Algorithm], board: Profile) -> list[Ability]:
    efforts = [(each.name, 1.0) for each in abilities.of_environment(board)]
    with messages.progress_steps("asking engines", efforts) as steps:
        return abilities.ask(wanted, board, lambda candidate: steps.done(candidate.name, candidate.name, 1.0))


def _print(wanted: Sequence[Algorithm], found: Sequence[Ability], board: Profile) -> None:
    console = messages.console()
    console.print(_table(wanted, found), soft_wrap=not console.is_terminal)

    def say(text: str) -> None:
        console.print(text, style="dim", soft_wrap=True, highlight=False)

    many = f"{len(wanted)} algorithms" if len(wanted) > 1 else "1 algorithm"
    where = "this machine" if board.environment is Environment.HOST else str(board.environment)
    say(f"\n{many}; engines of {where}, the accelerator on the board {board.name}.")
    for text in by_reason([f"{each.candidate.name}: {each.missing}" for each in found if each.missing]):
        say(f"missing: {text}")
    for text in _elsewhere(board.environment):
        say(text)


def _table(wanted: Iterable[Algorithm], found: Sequence[Ability]) -> "Table":
    from rich.table import Table

    view = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("algorithm", "kind", "operations", "bytes", *FAMILIES):
        view.add_column(title, overflow="fold")  # never cut: these are the names to type
    for algorithm in wanted:
        columns = [_cell(algorithm, [each for each in found if each.candidate.engine == name]) for name in FAMILIES]
        view.add_row(
            algorithm.name,
            abilities.kind(algorithm),
            ", ".join(algorithm.operations),
            abilities.sizes_in_words(algorithm),
            *columns,
        )
    return view


def _cell(algorithm: Algorithm, found: Iterable[Ability]) -> str:
    """Names the implementations that can do it; in brackets the operations, where these are not all."""
    words = []
    for each in found:
        able = each.operations.get(algorithm.name, ())
        some = "" if able == algorithm.operations else f" ({', '.join(able)})"
        if able:
            words.append(f"{each.candidate.implementation}{some}")
    return " ".join(words)


def _elsewhere(here: Environment) -> Iterable[str]:
    """Says of every other environment whether it is there, or what would add it."""
    for environment in Environment:
        of_it = [entry for entry in engines.discover() if entry.environment is environment]
        if environment is here or not of_it:
            continue
        there = [entry for entry in of_it if not entry.missing]
        if there:
            yield f"also: --environment {environment}, with {', '.join(entry.name for entry in there)}"
        else:
            yield f"missing: --environment {environment}: {of_it[0].missing}"
