# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs and outputs: files, standard input and output. A file gets its name only when it is complete."""

import contextlib
import errno
import io
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from outwork.errors import OutworkError, UsageError

STANDARD: Final = "-"
PRIVATE_MODE: Final = 0o600
HEAD_BYTES: Final = 4096
_DESCRIPTOR: Final = re.compile(r"/dev/(?:stdout|fd/(\d+))|/proc/self/fd/(\d+)")


class ByteSource:
    """An unbuffered input."""

    def __init__(self, raw: io.RawIOBase, name: str) -> None:
        self._raw, self.name = raw, name
        status = os.fstat(raw.fileno())
        self.may_block = not stat.S_ISREG(status.st_mode)
        self.size_bytes = None if self.may_block else status.st_size
        # Permissions for what is made of it; None: it is no file.
        self.mode = stat.S_IMODE(status.st_mode) & 0o777 if stat.S_ISREG(status.st_mode) else None

    def read_into(self, view: memoryview) -> int:
        """Fills the view; returns fewer bytes only at the end."""
        done = 0
        while done < len(view):
            try:
                count = self._raw.readinto(view[done:])
            except OSError as error:
                raise OutworkError(f"Reading {self.name} failed: {error.strerror}.") from error
            if not count:
                break
            done += count
        return done

    def read(self, length: int) -> bytes:
        data = bytearray(length)
        return bytes(data[: self.read_into(memoryview(data))])

    def read_all(self, limit_bytes: int) -> bytes:
        """Reads everything, up to a limit."""
        parts: list[bytes] = []
        total = 0
        while part := self.read(1 << 20):
            parts.append(part)
            total += len(part)
            if total > limit_bytes:
                raise OutworkError(f"{self.name} has more than {limit_bytes} bytes, too many for one message.")
        return b"".join(parts)


class ByteSink:
    """An unbuffered output. `is_temporary`: it is removed if a write fails."""

    def __init__(self, raw: io.RawIOBase, name: str, is_temporary: bool = False) -> None:
        self._raw, self.name, self._is_temporary = raw, name, is_temporary

    def write(self, data: bytes | memoryview) -> None:
        view = memoryview(data)
        while view:
            try:
                count = self._raw.write(view)
            except OSError as error:
                raise write_error(self.name, error, self._is_temporary) from error
            view = view[count or 0 :]


def write_error(name: str, error: OSError, is_removed: bool = False) -> OutworkError:
    """Returns the error for a failed write. is_removed: what was written before is removed."""
    end = " No part of it was kept." if is_removed else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutworkError(f"There is no space left for {name}; make room and start again.{end}")
    if error.errno == errno.EFBIG:
        return OutworkError(f"{name} would be larger than this system allows.{end}")
    if error.errno == errno.EPIPE:
        return OutworkError(f"The reader of {name} has closed it.")
    return OutworkError(f"Writing {name} failed: {error.strerror}.")


@contextmanager
def open_source(path: str) -> Iterator[ByteSource]:
    if path == STANDARD:
        with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as raw:
            yield ByteSource(raw, "standard input")
        return
    try:
        raw = Path(path).open("rb", buffering=0)  # noqa: SIM115 (closed below; errors of the body are not this one's)
    except IsADirectoryError as error:
        raise OutworkError(f"{path} is a folder, not a file; make an archive of it first (tar).") from error
    except OSError as error:
        raise OutworkError(f"{path} cannot be read: {error.strerror}.") from error
    with raw:
        yield ByteSource(raw, path)


def check_different(source: str, target: str) -> None:
    """Raises an error if input and output are the same file, which would be destroyed, or grow without an end."""
    with contextlib.suppress(OSError):
        given = os.fstat(sys.stdin.fileno()) if source == STANDARD else Path(source).stat()
        made = os.fstat(sys.stdout.fileno()) if target == STANDARD else Path(target).stat()
        if stat.S_ISREG(given.st_mode) and os.path.samestat(given, made):
            names = f"{_name(source, 'standard input')} and {_name(target, 'standard output')}"
            raise UsageError(f"{names} are the same file; give the result another name.")


def _name(path: str, standard: str) -> str:
    return standard if path == STANDARD else path


def check_one_standard_input(names: Mapping[str, str | Path | None]) -> None:
    """Raises an error if two inputs are standard input. Keys: the names of the arguments."""
    readers = [argument for argument, name in names.items() if name is not None and str(name) == STANDARD]
    if len(readers) > 1:
        raise UsageError(f"Only one of {' and '.join(readers)} can be standard input.")


def check_target(path: str, force: bool, is_binary: bool = True, own: bytes = b"") -> None:
    """Checks before the work whether the output may be written: overwrites no file, sends no binary data to a terminal.

    own: what the beginning of an older result has in it, which is replaced.
    """
    if not path:
        raise UsageError("OUT is empty: name a file.")
    if force:
        return
    if _descriptor(path) is None and kind_of(path) == stat.S_IFREG and not (own and own in _head(path)):
        raise _exists(path)
    if is_binary and _is_terminal(path):
        raise UsageError("The result is binary and does not go to a terminal: name a file or a pipe, or add --force.")


def _head(path: str) -> bytes:
    """Returns the beginning of a file; of one that cannot be read, nothing."""
    with contextlib.suppress(OSError), Path(path).open("rb") as file:
        return file.read(HEAD_BYTES)
    return b""


def kind_of(path: str) -> int:
    """Returns the type of a file to write, such as S_IFREG; 0: there is none. Raises an error if there cannot be one."""
    try:
        return stat.S_IFMT(Path(path).stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return 0
    except OSError as error:
        raise write_error(path, error) from error


def _exists(path: str) -> OutworkError:
    return OutworkError(f"{path} exists already: give another name, or --force to replace it.")


def _is_terminal(path: str) -> bool:
    descriptor = _descriptor(path)
    if descriptor is not None:
        return os.isatty(descriptor)
    if kind_of(path) != stat.S_IFCHR:
        return False
    with contextlib.suppress(OSError), Path(path).open("wb", buffering=0) as raw:
        return raw.isatty()
    return False


def _descriptor(path: str) -> int | None:
    """Returns the open file that `-`, /dev/stdout and /dev/fd/N stand for. Opening it again fails for some pipes and
    sockets, and would truncate a file that the shell appends to."""
    if path == STANDARD:
        return sys.stdout.fileno()
    found = _DESCRIPTOR.fullmatch(path)
    return found and int(found[1] or found[2] or 1)


@contextmanager
def open_sink(
    path: str, is_private: bool = False, force: bool = False, mode: int | None = None, keeps_old: bool = False
) -> Iterator[ByteSink]:
    """Creates the file when the block ends without an exception; else changes nothing. Replaces an existing file only
    with `force`, and with `keeps_old` leaves it as .bak. An output that is not a regular file is written directly.

    Only its owner can read a private file. mode: the permissions of a new file, which the umask limits.
    """
    descriptor = _descriptor(path)
    kind = 0 if descriptor is not None else kind_of(path)
    if kind == stat.S_IFDIR:
        raise UsageError(f"{path} is a folder; name a file in it.")
    if descriptor is not None or kind not in (0, stat.S_IFREG):
        try:
            raw = open(  # noqa: SIM115 (closed below; errors of the body are not this one's)
                path if descriptor is None else descriptor, "wb", buffering=0, closefd=descriptor is None
            )
        except OSError as error:
            raise write_error(path, error) from error
        with raw:
            yield ByteSink(raw, _name(path, "standard output"))
        return
    # Keeps a symbolic link; replaces the file that it points to.
    target = Path(os.path.realpath(path))
    try:
        part, name = tempfile.mkstemp(prefix=f".{target.name[:64]}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise OutworkError(f"No file can be made in {target.parent}: {error.strerror}.") from error
    try:
        with os.fdopen(part, "wb", buffering=0) as raw:
            yield ByteSink(raw, path, is_temporary=True)
            try:
                os.fchmod(part, PRIVATE_MODE if is_private else _mode(target, mode))
                os.fsync(part)
            except OSError as error:
                raise write_error(path, error, is_removed=True) from error
        try:
            _publish(Path(name), target, force, keeps_old)
        except FileExistsError as error:
            raise _exists(path) from error
        except OSError as error:
            raise write_error(path, error, is_removed=True) from error
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(target.parent)


def write_text(path: Path, text: str, force: bool = False) -> None:
    """Writes all of the text, or nothing; creates the file's folders. - is standard output."""
    make_folders(path)
    write_file(path, text.encode(), force=force)


def make_folders(path: Path) -> None:
    """Creates the folders of a file to write."""
    if str(path) != STANDARD:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutworkError(f"{path} cannot be written: {error.filename}: {error.strerror}.") from error


def write_file(
    path: str | Path,
    data: bytes,
    is_private: bool = False,
    force: bool = False,
    keeps_old: bool = False,
    mode: int | None = None,
) -> None:
    with open_sink(str(path), is_private, force, mode, keeps_old) as sink:
        sink.write(data)


def mode_of(path: str) -> int | None:
    """Returns the permissions for what is made of an input; None: it is no regular file."""
    with contextlib.suppress(OSError):
        status = Path(path).stat()
        if path != STANDARD and stat.S_ISREG(status.st_mode):
            return stat.S_IMODE(status.st_mode) & 0o777
    return None


def _keep(target: Path) -> None:
    """Gives the file a second name, with .bak at its end. A file that has this name is replaced."""
    if not target.is_file():
        return
    backup = target.with_name(f"{target.name}.bak")
    backup.unlink(missing_ok=True)
    try:
        backup.hardlink_to(target)
    except OSError:  # a file system without links, such as FAT
        shutil.copy2(target, backup)


def _publish(part: Path, target: Path, force: bool, keeps_old: bool) -> None:
    """Gives the finished file its name. Uses a link, which unlike renaming fails if a file has been created there
    meanwhile."""
    if force:
        if keeps_old:
            _keep(target)
        part.replace(target)
        return
    try:
        target.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, such as FAT
        if target.exists():
            raise FileExistsError from None
        part.rename(target)
        return
    part.unlink()


def _mode(target: Path, new_mode: int | None) -> int:
    """Returns the permissions of the replaced file, or those of a new file."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return (0o666 if new_mode is None else new_mode) & ~mask


def _sync_folder(folder: Path) -> None:
    """Makes the new name durable; not every file system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
