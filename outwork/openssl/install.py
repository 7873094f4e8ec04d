# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Installs the provider for OpenSSL, names it in OpenSSL's configuration, and takes both back.

Nothing is changed here: functions return changes, which the command shows and then makes. The configuration is always the last
to be changed when installing and the first when uninstalling, because with a missing module every program reports an error.
"""

import contextlib
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from outwork.errors import OutworkError, UsageError
from outwork.openssl import places as files
from outwork.openssl import setup
from outwork.openssl.changes import Change, Manifest
from outwork.openssl.places import Places

WORDS: Final = ("always", "never")
HEAD: Final = re.compile(r"^\s*openssl_conf\s*=\s*openssl_init\s*$", re.MULTILINE)


def plan_install(places: Places, policy: str | None, configuration_only: bool = False) -> list[Change]:
    """Returns the changes that install everything, or that name in the configuration what is there. policy: `always`, `never`, a file with a policy, or None: as it is."""
    line = _with_line(places)
    if configuration_only:
        return [line] if line.old != line.content else []
    manifest = Manifest.read(places.manifest)
    found = [
        *_binaries(manifest, places),
        *_policy(manifest, places, policy),
        _drop_in(manifest, places, policy),
    ]
    changes = [change for change in found if change.old != change.content]
    is_new = line.old is None
    noted = [*changes, *([line] if is_new else [])]
    if noted:
        changes.append(manifest.with_files(noted))
    return [*changes, line] if line.old != line.content else changes


def plan_uninstall(places: Places, configuration_only: bool = False) -> list[Change]:
    """Returns the changes that take back what an installation has changed. Files that were edited since stay."""
    changes: list[Change] = []
    configuration = places.configuration
    manifest = Manifest.read(places.manifest)
    if configuration.is_file():
        text = configuration.read_text(encoding="utf-8")
        kept = "".join(line for line in text.splitlines(keepends=True) if line.rstrip("\n") != places.line)
        backup = Change(configuration, None).backup
        if kept != text:
            was_made_here = manifest.has(configuration)
            old = backup.read_bytes() if backup.is_file() else None
            # A newline that had to be added before the line goes too.
            same = old is not None and kept.encode() in (old, old + b"\n")
            content = None if was_made_here else old if same else kept.encode()
            changes.append(Change(configuration, content))
            if same:
                changes.append(Change(backup, None))
    if configuration_only:
        return changes
    for name in manifest.digests:
        path = Path(name)
        if path != configuration and manifest.has(path):
            backup = Change(path, None).backup
            changes.append(Change(path, backup.read_bytes() if backup.is_file() else None))
            if backup.is_file():
                changes.append(Change(backup, None))
    if places.manifest.is_file():
        changes.append(Change(places.manifest, None))
    return changes


def edited_files(places: Places) -> list[Path]:
    """Returns installed files that somebody has changed: uninstalling keeps them."""
    manifest = Manifest.read(places.manifest)
    return [Path(name) for name in manifest.digests if Path(name).is_file() and not manifest.has(Path(name))]


def remove_empty_folders(places: Places) -> None:
    for folder in (places.folder, places.libraries):
        with contextlib.suppress(OSError):
            folder.rmdir()


def check(places: Places, changes: list[Change]) -> None:
    """Starts a program with the new configuration before it becomes that of all programs. Raises an error if OpenSSL does
    not work with it. The other files must be in their places."""
    for change in changes:
        if change.path != places.configuration or change.content is None:
            continue
        with TemporaryDirectory() as folder:
            trial = Path(folder) / "openssl.cnf"
            trial.write_bytes(change.content)
            report = setup.probe(str(trial))
        lacking = [name for name in ("default", "outwork") if name not in report["providers"]]
        if lacking:
            reasons = "; ".join(report["errors"] + report.get("load_errors", [])) or "no reason given"
            raise OutworkError(
                f"With the new configuration OpenSSL does not have the provider {' and '.join(lacking)} ({reasons}), so "
                f"{places.configuration} was not changed. `outwork openssl uninstall` removes what was installed."
            )


def _is_foreign(manifest: Manifest, path: Path) -> bool:
    """Returns whether a file is there that was not installed by this command, or has been edited since."""
    return path.is_file() and not manifest.has(path)


def _binaries(manifest: Manifest, places: Places) -> list[Change]:
    """Returns the changes that install module and board; none if a package has installed them."""
    if files.built(files.MODULE) is None and places.module.is_file() and places.drop_in.is_file():
        return []
    return [
        _binary(manifest, places.module, files.MODULE),
        _binary(manifest, places.board, files.BOARD),
    ]


def _binary(manifest: Manifest, target: Path, name: str) -> Change:
    source = files.built(name)
    if source is None:
        raise OutworkError(f"{name} is not built: run `make build` in the project, or install Outwork's wheel.")
    return Change(target, source.read_bytes(), _is_foreign(manifest, target))


def _policy(manifest: Manifest, places: Places, policy: str | None) -> list[Change]:
    if policy is None or policy in WORDS:
        return []
    try:
        return [Change(places.policy, Path(policy).read_bytes(), _is_foreign(manifest, places.policy))]
    except OSError as error:
        raise UsageError(
            f"The policy {policy} cannot be read: {error.strerror}. Give {', '.join(WORDS)}, measure, or a file."
        ) from error


def _drop_in(manifest: Manifest, places: Places, policy: str | None) -> Change:
    """Returns the drop-in configuration. One that is there stays as it is, but for a policy that is given."""
    word = policy if policy in WORDS else str(places.policy)
    if not places.drop_in.is_file():
        return Change(places.drop_in, places.filled_template(word).encode())
    text = places.drop_in.read_text(encoding="utf-8")
    changed = text if policy is None else files.with_policy(text, word)
    return Change(places.drop_in, changed.encode(), _is_foreign(manifest, places.drop_in))


def _with_line(places: Places) -> Change:
    """Returns OpenSSL's configuration with the provider's line."""
    path = places.configuration
    if not path.is_file():
        if path == places.system_configuration or places.named_configuration is not None:
            raise OutworkError(f"There is no {path}: name OpenSSL's configuration in OPENSSL_CONF.")
        text = f"openssl_conf = openssl_init\n.include {places.system_configuration}\n{places.line}\n"
        return Change(path, text.encode())
    text = path.read_text(encoding="utf-8")
    if places.line in text.splitlines():
        return Change(path, text.encode())
    if not HEAD.search(text):
        raise OutworkError(
            f"{path} has no section openssl_init in use: write `openssl_conf = openssl_init` as its first line."
        )
    end = "" if text.endswith("\n") else "\n"
    return Change(path, f"{text}{end}{places.line}\n".encode(), keeps_backup=True)
