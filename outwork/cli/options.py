# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Options that several subcommands share, and checks of their values."""

import os
import string
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from outwork import engines
from outwork.choice import policy, process_statistics
from outwork.choice.engine import AUTO
from outwork.device import profiles
from outwork.device.profiles import DEFAULT_BOARD, Environment
from outwork.errors import UsageError
from outwork.files import kdf
from outwork.files.formats import openssl
from outwork.files.kdf import Kdf
from outwork.files.streams import STANDARD, check_one_standard_input


class KdfName(StrEnum):
    SCRYPT = "scrypt"
    PBKDF2 = "pbkdf2"


# What reads and writes the file needs a processor too, and models of the device compete for the caches.
BOARDS_MAX = 4

# Headings of options that few need.
DEVICE_PANEL = "The device"
KDF_PANEL = "From password to key"

Source = Annotated[str, typer.Argument(metavar="IN", help="File to read; - is standard input.", show_default=False)]
Target = Annotated[
    str,
    typer.Argument(
        metavar="OUT",
        help="File to write, once everything is in order; - is standard output.",
        show_default=False,
    ),
]
Force = Annotated[
    bool,
    typer.Option("--force", "-f", help="Replace OUT if it exists; write binary data to a terminal."),
]
EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        envvar="OUTWORK_ENGINE",
        metavar="NAME",
        autocompletion=lambda: [*engines.available(), AUTO],
        help="Engine: accelerator, software, or auto, which follows the policy.",
    ),
]
FixedEngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        envvar="OUTWORK_ENGINE",
        metavar="NAME",
        autocompletion=engines.available,
        help="Engine: accelerator or software.",
    ),
]


def _board(more: str = ".", **settings: Any) -> Any:
    """Declares --board, with more to say about it."""
    return typer.Option(
        "--board",
        metavar="PROFILE",
        autocompletion=profiles.available,
        help=f"The accelerator's board: a name, or a .toml file{more}",
        **settings,
    )


def _environment(about: str) -> Any:
    """Declares --environment; the default is that of the board."""
    return typer.Option(
        "--environment",
        metavar=f"<{'|'.join(Environment)}>",
        help=f"Where the engines run{about} \\[default: the board's]",
        show_default=False,
    )


BoardName = Annotated[str, _board(envvar="OUTWORK_BOARD", rich_help_panel=DEVICE_PANEL)]
Boards = Annotated[
    int | None,
    typer.Option(
        "--boards",
        metavar="N",
        min=1,
        max=BOARDS_MAX,
        help="Simulated boards that share a large file, each on a processor of its own. "
        f"\\[default: one for each processor, at most {BOARDS_MAX}]",
        show_default=False,
        rich_help_panel=DEVICE_PANEL,
    ),
]
# Of the lab, whose records name the board: no variable changes it.
LabBoard = Annotated[str, _board()]
LabBoards = Annotated[list[str] | None, _board(f"; may be repeated. \\[default: {DEFAULT_BOARD}]", show_default=False)]
LabEnvironment = Annotated[
    Environment | None,
    _environment(
        ". Those of the system on chip are compiled and started to be asked, which takes up to a minute for all algorithms."
    ),
]
LabEnvironments = Annotated[
    list[Environment] | None,
    _environment(
        ": on this machine, or on the CPU of the system on chip, whose memory and bus are the board's; may be repeated."
    ),
]
PasswordFile = Annotated[
    Path | None,
    typer.Option(
        "--password-file",
        metavar="FILE",
        help="The password is the first line of this file; - is standard input.",
        show_default=False,
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The key itself, in hexadecimal or as it is; no password; - is standard input.",
        show_default=False,
    ),
]
KdfOption = Annotated[
    KdfName | None,
    typer.Option(
        "--kdf",
        help="How the password becomes a key. \\[default: scrypt]",
        show_default=False,
        rich_help_panel=KDF_PANEL,
    ),
]
Iterations = Annotated[
    int | None,
    typer.Option(
        "--iterations",
        metavar="N",
        help=f"Iterations of PBKDF2. \\[default: {kdf.PBKDF2_ITERATIONS}; {openssl.ITERATIONS} with --format openssl]",
        show_default=False,
        rich_help_panel=KDF_PANEL,
    ),
]
CostlyKdf = Annotated[
    bool,
    typer.Option(
        kdf.COSTLY_OPTION,
        help=f"Accept a file whose key takes much work: scrypt with up to {kdf.SCRYPT_BYTES_MAX >> 20} MiB "
        f"(else {kdf.SCRYPT_BYTES_TRUSTED >> 20}), PBKDF2 with up to {kdf.PBKDF2_ITERATIONS_MAX} iterations "
        f"(else {kdf.PBKDF2_ITERATIONS_TRUSTED}).",
        rich_help_panel=KDF_PANEL,
    ),
]
PolicyFile = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        envvar=policy.VARIABLE,
        help="With --engine auto: what `outwork lab policy` wrote.",
        show_default=False,
        rich_help_panel=DEVICE_PANEL,
    ),
]
Counters = Annotated[
    Path | None,
    typer.Option(
        "--counters",
        metavar="FOLDER",
        envvar=process_statistics.VARIABLE,
        help="Folder in which plug-ins write the counters of each process.",
        show_default=False,
    ),
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Print why this engine was chosen.", rich_help_panel=DEVICE_PANEL)
]
Stats = Annotated[
    bool, typer.Option("--stats", help="Print the device's counters at the end.", rich_help_panel=DEVICE_PANEL)
]

DEFAULT_ENGINE = "accelerator"
__all__ = ["DEFAULT_BOARD", "DEFAULT_ENGINE"]


def check_output(context: typer.Context, parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    """Checks the name of a file to write, and returns it. Without this, `--json --size 16` would write to a file with the name --size."""
    if path is not None and str(path).startswith("-") and str(path) != STANDARD:
        raise UsageError(
            f"{parameter.opts[0]} needs the name of a file, or - for standard output, and got '{path}'. "
            f"Write ./{path} for a file with that name."
        )
    return path


def number_of_boards(wanted: int | None) -> int:
    """Returns the value of --boards, or its default: the processors of this process, at most `BOARDS_MAX`."""
    return wanted or min(len(os.sched_getaffinity(0)), BOARDS_MAX)


def check_one_secret(source: str, password_file: Path | None, key_file: Path | None) -> None:
    if password_file is not None and key_file is not None:
        raise UsageError("Give --password-file or --key-file, not both.")
    check_one_standard_input({"IN": source, "--password-file": password_file, "--key-file": key_file})


def openssl_iterations(name: KdfName | None, iterations: int | None, key_file: Path | None) -> int:
    """Returns the iterations of `openssl enc -pbkdf2 -iter N`. Checks that the options ask for nothing else."""
    if key_file is not None:
        raise UsageError("--format openssl makes its key and IV from a password: give --password-file, not --key-file.")
    if name is KdfName.SCRYPT:
        raise UsageError("--format openssl does not support scrypt: leave --kdf out, or give --kdf pbkdf2.")
    return Kdf.pbkdf2(openssl.ITERATIONS if iterations is None else iterations).cost


def file_kdf(name: KdfName | None, iterations: int | None, key_file: Path | None) -> Kdf:
    """Returns the key derivation for a new file."""
    if key_file is not None and (name is not None or iterations is not None):
        raise UsageError("--key-file gives the key itself, so --kdf and --iterations cannot be used with it.")
    if name is KdfName.PBKDF2:
        return Kdf.pbkdf2(kdf.PBKDF2_ITERATIONS if iterations is None else iterations)
    if iterations is not None:
        raise UsageError("--iterations goes with --kdf pbkdf2.")
    return Kdf.scrypt()


def from_hexadecimal(text: str, option: str) -> bytes:
    """Returns the bytes. The text of an error does not repeat them, since they may be a key."""
    digits = "".join(text.removeprefix("0x").split())
    wrong = next((letter for letter in digits if letter not in string.hexdigits), "")
    if wrong or len(digits) % 2:
        found = f"not '{wrong}'" if wrong else f"and has {len(digits)} digits"
        raise UsageError(f"{option} takes pairs of hexadecimal digits, {found}.")
    return bytes.fromhex(digits)
