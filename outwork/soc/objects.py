# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles sources of programs for the system on chip, and keeps the objects in build/soc/objects for the next program.

Most of a program is the driver and a library, which compile for seconds. An object's name is a hash of all that it is made of:
compiler, options, and the source with the headers that the compiler has read. The folder may be deleted.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Final

from outwork.errors import UsageError
from outwork.paths import PROJECT

OBJECTS: Final = PROJECT / "build/soc/objects"
HEADERS: Final = PROJECT / "build/soc/headers"
JOBS: Final = 4  # at most, side by side

Part = tuple[Path, Sequence[str]]  # a source, and the compiler with its options


def _hash(*parts: bytes) -> str:
    made = hashlib.sha256()
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.hexdigest()[:32]


def _new_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}.") from error


def headers(texts: Mapping[str, str]) -> Path:
    """Returns a folder with headers by their names: always the same one for the same texts."""
    folder = HEADERS / _hash(*(part.encode() for pair in sorted(texts.items()) for part in pair))
    if not folder.is_dir():
        _new_folder(HEADERS)
        with tempfile.TemporaryDirectory(dir=HEADERS) as name:
            made = Path(name) / folder.name
            for header, text in texts.items():
                (made / header).parent.mkdir(parents=True, exist_ok=True)
                (made / header).write_text(text, encoding="utf-8")
            try:
                made.rename(folder)
            except OSError:  # another process was first
                if not folder.is_dir():
                    raise
    return folder


@cache
def _version(compiler: str) -> bytes:
    return subprocess.run([compiler, "--version"], check=True, capture_output=True).stdout


def _read(dependencies: Path) -> list[bytes]:
    """Returns path and contents of every file that an object was made of, which the compiler has written as a rule of make.
    Raises OSError if one is missing."""
    _, _, paths = dependencies.read_text(encoding="utf-8").replace("\\\n", " ").partition(": ")
    names = [path.replace("\\ ", " ") for path in re.split(r"(?<!\\)\s+", paths.strip())]
    return [part for name in names for part in (name.encode(), Path(name).read_bytes())]


def _compile(source: Path, command: Sequence[str], scratch: Path) -> Path | None:
    """Returns the object; None if the compiler rejects the source. What it says goes to the standard error, and such an
    object is not kept, so that a warning comes again."""
    key = _hash(_version(command[0]), "\n".join(command).encode(), str(source).encode())
    rule = OBJECTS / f"{source.stem}-{key}.d"

    def kept() -> Path:
        return OBJECTS / f"{source.stem}-{_hash(key.encode(), *_read(rule))}.o"

    try:
        if (found := kept()).is_file():
            return found
    except OSError:
        pass  # it has not been compiled, or a header is gone
    new = scratch / f"{source.stem}-{key}"
    named = [new.with_suffix(suffix) for suffix in (".o", ".d")]
    done = subprocess.run(
        [*command, "-c", source, "-MD", "-MF", named[1], "-o", named[0]], check=False, capture_output=True, text=True
    )
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        return None
    if done.stderr:
        return named[0]
    named[1].replace(rule)
    return named[0].replace(kept())


@contextmanager
def compiled(parts: Sequence[Part]) -> Iterator[list[Path] | None]:
    """Returns the objects of sources in their order, while the context is open; None if the compiler rejects a source."""
    _new_folder(OBJECTS)
    with (
        tempfile.TemporaryDirectory(dir=OBJECTS) as scratch,
        ThreadPoolExecutor(min(JOBS, os.cpu_count() or 1)) as pool,
    ):
        made = list(pool.map(partial(_compile, scratch=Path(scratch)), *zip(*parts, strict=True)))
        found = [each for each in made if each is not None]
        yield found if len(found) == len(made) else None
