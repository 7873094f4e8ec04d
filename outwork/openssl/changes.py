# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of files: shown before they are made, made in one step each, and taken back."""

import contextlib
import difflib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from outwork.errors import OutworkError
from outwork.openssl.places import BACKUP_SUFFIX

NEW_MODE = 0o644


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class Change:
    """The new content of a file; None removes it."""

    path: Path
    content: bytes | None
    keeps_backup: bool = False  # the file as it was stays beside it, under another name

    @property
    def backup(self) -> Path:
        return self.path.with_name(self.path.name + BACKUP_SUFFIX)

    @property
    def old(self) -> bytes | None:
        return self.path.read_bytes() if self.path.is_file() else None

    def shown(self) -> str:
        """Returns what changes: the lines of a text, the length of anything else."""
        old, new = self.old, self.content
        try:
            before, after = (data.decode().splitlines() if data is not None else [] for data in (old, new))
        except UnicodeDecodeError:
            verb = "remove " if new is None else "create " if old is None else "replace"
            return f"{verb} {self.path} ({len(new or old or b''):,} bytes)"
        names = ("/dev/null" if old is None else str(self.path), "/dev/null" if new is None else str(self.path))
        return "\n".join(difflib.unified_diff(before, after, *names, lineterm="", n=1))

    def make(self) -> None:
        """Replaces the file in one step; keeps owner and permissions."""
        try:
            if self.content is None:
                self.path.unlink(missing_ok=True)
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.keeps_backup and self.path.is_file() and not self.backup.exists():
                _copy(self.path, self.backup)
            _replace(self.path, self.content)
        except OSError as error:
            raise OutworkError(
                f"{self.path} cannot be changed: {error.strerror}. Run this as root, or give --root FOLDER for an "
                "installation in a folder of your own."
            ) from error


def _copy(source: Path, target: Path) -> None:
    shutil.copy2(source, target)
    status = source.stat()
    with contextlib.suppress(PermissionError):
        os.chown(target, status.st_uid, status.st_gid)


def _replace(path: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        if path.exists():
            status = path.stat()
            Path(name).chmod(status.st_mode & 0o7777)
            with contextlib.suppress(PermissionError):
                os.chown(name, status.st_uid, status.st_gid)
        else:
            Path(name).chmod(NEW_MODE)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@dataclass
class Manifest:
    """The files that were installed, with the digest of each, so that nothing else is removed."""

    path: Path
    digests: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Manifest":
        if not path.is_file():
            return cls(path)
        try:
            return cls(path, dict(json.loads(path.read_text(encoding="utf-8"))))
        except (OSError, ValueError) as error:
            raise OutworkError(f"{path} cannot be read ({error}); remove it if you do not need `uninstall`.") from error

    def with_files(self, changes: Iterable[Change]) -> Change:
        """Returns the change of the manifest that notes these files."""
        noted = self.digests | {str(change.path): digest(change.content or b"") for change in changes}
        return Change(self.path, (json.dumps(noted, indent=2) + "\n").encode())

    def has(self, path: Path) -> bool:
        """Returns whether the file is as it was installed."""
        return path.is_file() and self.digests.get(str(path)) == digest(path.read_bytes())
