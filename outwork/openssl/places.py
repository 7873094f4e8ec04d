# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where the provider's files are: as built, as installed, and where OpenSSL looks for its own."""

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from outwork import paths
from outwork.errors import OutworkError

MODULE: Final = "outwork.so"
BOARD: Final = f"libow_board_128{paths.SUFFIX}"
NULL_BOARD: Final = f"libow_board_null{paths.SUFFIX}"
TEMPLATE: Final = "openssl.cnf.in"
BACKUP_SUFFIX: Final = ".before-outwork"
CONFIGURATION_VARIABLE: Final = "OPENSSL_CONF"


def built(name: str) -> Path | None:
    """Returns a file of this package or of the project's build: the module, or a library of a board."""
    for folder in paths.library_folders():
        for path in (folder / "ossl-modules" / name, folder / name):
            if path.is_file():
                return path
    return None


def template() -> str:
    """Returns the drop-in configuration with its places still to be filled in."""
    for path in (paths.PACKAGE / TEMPLATE, paths.PROJECT / "plugins" / "openssl" / TEMPLATE):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise OutworkError(f"{TEMPLATE} is missing: the installation is incomplete. Install Outwork again.")


def _ask_openssl(option: str) -> Path:
    """Returns a folder that the `openssl` program names: -m for modules, -d for the configuration."""
    try:
        said = subprocess.run(["openssl", "version", option], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise OutworkError("The `openssl` program does not run: install it (Debian: apt install openssl).") from error
    found = re.search(r'"(.*)"', said)
    if found is None:
        raise OutworkError(f"`openssl version {option}` names no folder: OpenSSL 3 or newer is needed.")
    return Path(found[1])


@dataclass(frozen=True)
class Places:
    """Paths of an installation. `root` is in front of all but a configuration that is named."""

    root: Path = Path("/")
    named_configuration: Path | None = None

    def _under(self, path: Path) -> Path:
        return self.root / path.relative_to("/")

    @cached_property
    def module(self) -> Path:
        return self._under(_ask_openssl("-m") / MODULE)

    @cached_property
    def libraries(self) -> Path:
        return self._under(Path("/usr/local/lib/outwork"))

    @property
    def board(self) -> Path:
        return self.libraries / BOARD

    @property
    def folder(self) -> Path:
        return self._under(Path("/etc/outwork"))

    @property
    def drop_in(self) -> Path:
        return self.folder / "openssl.cnf"

    @property
    def policy(self) -> Path:
        return self.folder / "policy.txt"

    @property
    def manifest(self) -> Path:
        """Names what `outwork openssl install` wrote, so that uninstalling removes nothing else."""
        return self.folder / "installed.json"

    @cached_property
    def system_configuration(self) -> Path:
        return (_ask_openssl("-d") / "openssl.cnf").resolve()

    @cached_property
    def configuration(self) -> Path:
        if self.named_configuration is not None:
            return Path(os.path.realpath(self.named_configuration))
        return self._under(self.system_configuration)

    @property
    def line(self) -> str:
        """The line that OpenSSL's configuration gets."""
        return f".include {self.drop_in}"

    def filled_template(self, policy: str) -> str:
        """Returns the drop-in configuration of this installation."""
        text = template().replace("\n#library = ", "\nlibrary = ")
        for name, path in (
            ("OUTWORK_OPENSSL_MODULESDIR", self.module.parent),
            ("OUTWORK_LIBDIR", self.libraries),
            ("OUTWORK_CONFDIR", self.folder),
        ):
            text = text.replace(f"@{name}@", str(path))
        return with_policy(text, policy)


def with_policy(text: str, policy: str) -> str:
    """Returns the drop-in configuration with another policy."""
    return re.sub(r"^policy = .*$", lambda _: f"policy = {policy}", text, flags=re.MULTILINE)
