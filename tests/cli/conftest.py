# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Fixtures: keys, a password and a plain file, in a new folder."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass
class Desk:
    """What a user has at hand."""

    folder: Path
    plain: Path
    key: Path  # 32 bytes
    password: Path

    def file(self, name: str, data: bytes = b"", mode: int = 0o600) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        path.chmod(mode)
        return path

    def path(self, name: str) -> Path:
        return self.folder / name

    def names(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path, tmp_path / "plain", tmp_path / "key", tmp_path / "password")
    # More than one chunk, and no multiple of anything.
    desk.file("plain", random.Random(5).randbytes(700_001))
    desk.file("key", bytes(range(32)).hex().encode() + b"\n")
    desk.file("password", b"correct horse\n")
    return desk
