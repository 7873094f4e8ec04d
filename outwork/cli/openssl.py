# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork openssl`: installs the provider for OpenSSL, takes it back, and reads `openssl speed`."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from outwork import messages
from outwork.cli.application import Application
from outwork.cli.options import check_output
from outwork.errors import ExitCode, OutworkError, UsageError
from outwork.files.streams import check_target
from outwork.lab import openssl_speed as measurement
from outwork.openssl import install as plans
from outwork.openssl.changes import Change, Manifest
from outwork.openssl.places import CONFIGURATION_VARIABLE, Places
from outwork.simulated import IN_CYCLES, patience

MEASURE = "measure"

app = Application("The provider for OpenSSL: install it, take it back, read what `openssl speed` says with it.")

Root = Annotated[
    Path,
    typer.Option("--root", metavar="FOLDER", help="Put this folder in front of every path that is installed."),
]
Configuration = Annotated[
    Path | None,
    typer.Option(
        "--configuration",
        envvar=CONFIGURATION_VARIABLE,
        metavar="FILE",
        help="Configuration of OpenSSL to change, instead of the system's.",
        show_default=False,
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", "-n", help="Show the changes, and make none.")]
ConfigurationOnly = Annotated[
    bool,
    typer.Option(
        "--configuration-only",
        help="Change OpenSSL's configuration and nothing else: a package has installed the files.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Make the changes without asking.")]


@app.command()
def install(
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="NAME|FILE",
            help="What goes to the device: never, always, a file of `outwork lab policy`, or measure, which takes minutes. "
            "\\[default: as it is; else the CPU keeps everything]",
            show_default=False,
        ),
    ] = None,
    configuration: Configuration = None,
    root: Root = Path("/"),
    configuration_only: ConfigurationOnly = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Install the provider, and name it in OpenSSL's configuration, so that programs use it.

    Shows every change first, and asks. The configuration as it was is kept beside it, with .before-outwork at the end of its
    name. A second time it changes nothing. Before the configuration is replaced, a program is started with the new one;
    if OpenSSL does not work with it, nothing is replaced.

    Examples:

      sudo outwork openssl install --policy measure

      outwork openssl install --dry-run

      outwork openssl install --root ~/outwork --policy always
    """
    places = _places(root, configuration)
    with TemporaryDirectory() as folder:
        if policy == MEASURE:
            policy = "always" if dry_run else str(_measured(Path(folder)))
        changes = plans.plan_install(places, policy, configuration_only)
        if not _agreed(changes, places, dry_run, yes, "installed"):
            return
        for change in changes:
            # With --configuration-only and a root the files are those of a package, which are not yet in their places.
            if change.path == places.configuration and not (configuration_only and places.root != Path("/")):
                plans.check(places, [change])
            change.make()
    print(f"openssl: installed; {places.configuration} names it. `outwork doctor` checks it.")
    if places.configuration != places.system_configuration:
        print(f"openssl: programs use it with {CONFIGURATION_VARIABLE}={places.configuration}")


@app.command()
def uninstall(
    configuration: Configuration = None,
    root: Root = Path("/"),
    configuration_only: ConfigurationOnly = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Take the provider out of OpenSSL's configuration, and remove what was installed.

    Files that were edited since they were installed stay, and are named.

    Example:

      sudo outwork openssl uninstall
    """
    places = _places(root, configuration)
    edited = [] if configuration_only else plans.edited_files(places)
    changes = plans.plan_uninstall(places, configuration_only)
    if not _agreed(changes, places, dry_run, yes, "removed"):
        return
    for change in changes:
        change.make()
    plans.remove_empty_folders(places)
    print(f"openssl: removed; {places.configuration} does not name the provider.")
    for path in edited:
        if path != places.configuration:
            print(f"openssl: kept, because it was edited: {path}")


@app.command()
def status(configuration: Configuration = None, root: Root = Path("/")) -> None:
    """Show what is installed. Ends with status 1 if OpenSSL's configuration does not name the provider.

    `outwork doctor` checks whether it works.
    """
    places = _places(root, configuration)
    text = places.configuration.read_text(encoding="utf-8") if places.configuration.is_file() else ""
    is_named = places.line in text.splitlines()
    manifest = Manifest.read(places.manifest)
    for name, path in (
        ("module", places.module),
        ("board", places.board),
        ("drop-in", places.drop_in),
        ("policy", places.policy),
    ):
        how = "" if not path.is_file() else "  as installed" if manifest.has(path) else "  edited, or from elsewhere"
        print(f"{name:<14} {path if path.is_file() else 'none'}{how}")
    print(f"{'configuration':<14} {places.configuration}  {'names the provider' if is_named else 'does not name it'}")
    backup = Change(places.configuration, None).backup
    print(f"{'as it was':<14} {backup if backup.is_file() else 'no copy'}")
    if not is_named:
        raise typer.Exit(ExitCode.FAILED)


@app.command()
def speed(
    algorithm: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM",
            autocompletion=lambda: measurement.ALGORITHMS,
            help="A cipher as `openssl speed -evp` takes it.",
            show_default=True,
        ),
    ] = measurement.DEFAULT_ALGORITHM,
    size: Annotated[
        list[int] | None,
        typer.Option(
            "--size", metavar="BYTES", help="Size of a message; may be repeated. \\[default: 16, 1024, 16384]"
        ),
    ] = None,
    seconds: Annotated[int, typer.Option("--seconds", metavar="N", min=1, help="CPU time of each figure.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="Also write the figures as JSON lines; - is standard output.",
            show_default=False,
            callback=check_output,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace the FILE of --json if it exists.")] = False,
) -> None:
    """Run `openssl speed` without and with the provider, and show what its figures mean.

    With a simulated device `openssl speed` shows the simulator's speed. This table has beside it what the device would do:
    the cycles that the device has counted in the same messages, at the board's clock, and the CPU's time for each message,
    measured with a board that takes none.

    Example:

      outwork openssl speed aes-256-gcm --size 1024 --size 16384 --seconds 3
    """
    if output is not None:
        check_target(str(output), force, is_binary=False)
    with patience(True, IN_CYCLES):
        rows = measurement.measure(algorithm, size or list(measurement.DEFAULT_SIZES), seconds)
    if output is not None:
        measurement.write(rows, output, force)
    if output is None or str(output) != "-":
        measurement.show(rows, messages.console())


def _places(root: Path, configuration: Path | None) -> Places:
    return Places(root.resolve(), configuration)


def _measured(folder: Path) -> Path:
    """Measures this machine and returns its policy file."""
    records, policy = folder / "policy.jsonl", folder / "policy.txt"
    for words in (["run", "policy", "-o", str(records)], ["policy", str(records), "-o", str(policy)]):
        done = subprocess.run([sys.executable, "-m", "outwork", "lab", *words], check=False)
        if done.returncode != 0:
            raise OutworkError("The policy was not measured; nothing was changed.")
    return policy


def _agreed(changes: list[Change], places: Places, dry_run: bool, yes: bool, done: str) -> bool:
    """Shows the changes. Returns whether to make them."""
    if not changes:
        print(f"openssl: nothing to change; everything is {done} already.")
        return False
    for change in changes:
        if change.path != places.manifest:
            print(change.shown())
    if dry_run:
        print("openssl: nothing was changed (--dry-run).")
        return False
    if yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("There is no terminal to ask whether to make these changes: add --yes.")
    if not typer.confirm("Make these changes?"):
        print("openssl: nothing was changed.")
        return False
    return True
