# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The subcommands by name. A module is imported when its command runs, because all of them together take most of a second."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand

from outwork.cli.application import Application, Group, plain_width

FILES: Final = "Files"
DEVICE: Final = "The device"
MEASURE: Final = "Measure"


@dataclass(frozen=True)
class Entry:
    """A subcommand. The module has a function of its name, or, for a group of commands, `app`."""

    section: str
    help: str  # the first sentence of its help; a test compares them


COMMANDS: Final = {
    "encrypt": Entry(FILES, "Encrypt a file."),
    "decrypt": Entry(FILES, "Decrypt a file."),
    "digest": Entry(FILES, "Write digests of files as sha256sum does, or check them."),
    "mac": Entry(FILES, "Write the MACs of files, a line each, or verify one."),
    "pka": Entry(
        FILES,
        "RSA, elliptic curves, ML-KEM, ML-DSA: make keys, sign, verify, encrypt, decrypt, derive and encapsulate secrets.",
    ),
    "crypt": Entry(FILES, "Put one raw message through a cipher, from standard input to standard output."),
    "radio": Entry(
        FILES,
        "Radio algorithms of LTE and 5G: ZUC, SNOW 3G and AES, with COUNT, BEARER, DIRECTION and lengths in bits.",
    ),
    "openssl": Entry(
        DEVICE, "The provider for OpenSSL: install it, take it back, read what `openssl speed` says with it."
    ),
    "doctor": Entry(
        DEVICE,
        "Check OpenSSL's provider: module, configuration, versions, policy, and whether a message reaches the device.",
    ),
    "status": Entry(
        DEVICE, "Show the board's capabilities, key slots, counters and reasons for falling back to software."
    ),
    "selftest": Entry(
        DEVICE,
        "Check the standards' known answers: ciphers in both directions and with wrong tags, hashes, MACs, radio, public keys.",
    ),
    "board": Entry(
        DEVICE, "Simulated boards: serve one to other processes, list those that there are, check a board file."
    ),
    "soc": Entry(DEVICE, "A simulated system on chip: RISC-V CPU, caches, memory and the accelerator on one clock."),
    "bench": Entry(MEASURE, "Measure throughput and latency of an engine over message sizes."),
    "lab": Entry(
        MEASURE,
        "Experiments: software, CPU instructions and the accelerator over message sizes; break-evens, policy, report.",
    ),
}


def load(name: str) -> Any:
    """Imports a subcommand and returns it."""
    module = import_module(f"outwork.cli.{name}")
    if hasattr(module, "app"):
        group = typer.main.get_command(module.app)
        group.name = name
        return group
    alone = Application("")
    alone.command()(getattr(module, name))
    return typer.main.get_command_from_info(
        alone.registered_commands[0], pretty_exceptions_short=False, rich_markup_mode=alone.rich_markup_mode
    )


class LazyGroup(Group):
    """The `outwork` command itself. Its help needs no subcommand's module."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # Stand-ins, for suggestions and completion. get_command() returns the real ones.
        self.commands = {name: TyperCommand(name, help=entry.help) for name, entry in COMMANDS.items()}
        self._loaded: dict[str, Any] = {}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self._loaded:
            self._loaded[cmd_name] = load(cmd_name)
        return self._loaded[cmd_name]

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        from typer._click.shell_completion import CompletionItem

        words = [
            CompletionItem(name, help=entry.help) for name, entry in COMMANDS.items() if name.startswith(incomplete)
        ]
        # Options, from the class above the group.
        return [*words, *super(typer.core.TyperGroup, self).shell_complete(ctx, incomplete)]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes plain text, because formatting with `rich` takes longer than everything else."""
        formatter.width = plain_width()
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        formatter.write_text(str(self.help))
        for section in dict.fromkeys(entry.section for entry in COMMANDS.values()):
            with formatter.section(section):
                formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items() if entry.section == section])
        with formatter.section("Options"):
            formatter.write_dl([record for record in (p.get_help_record(ctx) for p in self.get_params(ctx)) if record])
        formatter.write_paragraph()
        formatter.write_text("`outwork help COMMAND` explains a command.")
