# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where bytes come from and go to: files, standard input and output; a result takes its name only when it is whole."""

import contextlib
import errno
import io
import os
import re
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
_DESCRIPTOR: Final = re.compile(r"/dev/(?:stdout|fd/(\d+))|/proc/self/fd/(\d+)")


class ByteSource:
    """An input without a buffer of its own."""

    def __init__(self, raw: io.RawIOBase, name: str) -> None:
        self._raw, self.name = raw, name
        status = os.fstat(raw.fileno())
        self.may_block = not stat.S_ISREG(status.st_mode)
        self.size_bytes = None if self.may_block else status.st_size

    def read_into(self, view: memoryview) -> int:
        """Fills the view, or as much as there is."""
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
        """Everything, up to a limit."""
        parts: list[bytes] = []
        total = 0
        while part := self.read(1 << 20):
            parts.append(part)
            total += len(part)
            if total > limit_bytes:
                raise OutworkError(f"{self.name} has more than {limit_bytes} bytes, too many for one message.")
        return b"".join(parts)


class ByteSink:
    """An output without a buffer of its own."""

    def __init__(self, raw: io.RawIOBase, name: str) -> None:
        self._raw, self.name = raw, name

    def write(self, data: bytes | memoryview) -> None:
        view = memoryview(data)
        while view:
            try:
                count = self._raw.write(view)
            except OSError as error:
                raise write_error(self.name, error) from error
            view = view[count or 0 :]


def write_error(name: str, error: OSError) -> OutworkError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutworkError(f"There is no space left for {name}; make room and start again. No part of it was kept.")
    if error.errno == errno.EFBIG:
        return OutworkError(f"{name} would be larger than this system allows. No part of it was kept.")
    if error.errno == errno.EPIPE:
        return OutworkError(f"Whoever reads {name} has stopped reading.")
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
    """Reading and writing one file would destroy it."""
    if STANDARD in (source, target):
        return
    with contextlib.suppress(OSError):
        if Path(source).is_file() and Path(source).samefile(target):
            raise UsageError(f"{source} and {target} are the same file; give the result another name.")


def check_one_standard_input(names: Mapping[str, str | Path | None]) -> None:
    """Standard input can be read once only. What the files are called, by the name of the argument."""
    readers = [argument for argument, name in names.items() if name is not None and str(name) == STANDARD]
    if len(readers) > 1:
        raise UsageError(f"Only one of {' and '.join(readers)} can be standard input.")


def check_target(path: str, force: bool, is_binary: bool = True) -> None:
    """Whether a result may go there, asked before the work is done: no file is lost, no terminal upset."""
    if force:
        return
    if _descriptor(path) is None and Path(path).is_file():
        raise _exists(path)
    if is_binary and _is_terminal(path):
        raise UsageError("The result is binary and does not go to a terminal: name a file or a pipe, or add --force.")


def _exists(path: str) -> OutworkError:
    return OutworkError(f"{path} exists already: give another name, or --force to replace it.")


def _is_terminal(path: str) -> bool:
    descriptor = _descriptor(path)
    if descriptor is not None:
        return os.isatty(descriptor)
    if not Path(path).is_char_device():
        return False
    with contextlib.suppress(OSError), Path(path).open("wb", buffering=0) as raw:
        return raw.isatty()
    return False


def _descriptor(path: str) -> int | None:
    """The open file that `-`, /dev/stdout and /dev/fd/N stand for. Opened anew, a pipe or socket may have no name, and a
    file would lose what the shell has put there."""
    if path == STANDARD:
        return sys.stdout.fileno()
    found = _DESCRIPTOR.fullmatch(path)
    return found and int(found[1] or found[2] or 1)


@contextmanager
def open_sink(path: str, is_private: bool = False, force: bool = False) -> Iterator[ByteSink]:
    """The file appears when the block ends without an exception; else nothing changes. One that exists is replaced only
    with `force`. What is no regular file is written as the data comes.

    Nobody but its owner reads a private one.
    """
    descriptor = _descriptor(path)
    given = Path(path)
    if descriptor is None and given.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it.")
    if descriptor is not None or (given.exists() and not given.is_file()):
        try:
            raw = open(  # noqa: SIM115 (closed below; errors of the body are not this one's)
                path if descriptor is None else descriptor, "wb", buffering=0, closefd=descriptor is None
            )
        except OSError as error:
            raise write_error(path, error) from error
        with raw:
            yield ByteSink(raw, "standard output" if path == STANDARD else path)
        return
    # The link itself stays; what it points to is replaced.
    target = Path(os.path.realpath(path))
    try:
        part, name = tempfile.mkstemp(prefix=f".{target.name[:64]}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise OutworkError(f"No file can be made in {target.parent}: {error.strerror}.") from error
    try:
        with os.fdopen(part, "wb", buffering=0) as raw:
            yield ByteSink(raw, path)
            try:
                os.fchmod(part, PRIVATE_MODE if is_private else _mode(target))
                os.fsync(part)
            except OSError as error:
                raise write_error(path, error) from error
        try:
            _publish(Path(name), target, force)
        except FileExistsError as error:
            raise _exists(path) from error
        except OSError as error:
            raise write_error(path, error) from error
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(target.parent)


def write_text(path: Path, text: str, force: bool = False) -> None:
    """All of the text, or nothing; makes the file's folders. - is standard output."""
    if str(path) != STANDARD:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutworkError(f"{path} cannot be written: {error.filename}: {error.strerror}.") from error
    write_file(path, text.encode(), force=force)


def write_file(path: str | Path, data: bytes, is_private: bool = False, force: bool = False) -> None:
    with open_sink(str(path), is_private, force) as sink:
        sink.write(data)


def _publish(part: Path, target: Path, force: bool) -> None:
    """Gives the finished file its name. A link, unlike a renaming, fails if a file has come there meanwhile."""
    if force:
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


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those that a new file gets."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Makes the new name last; not every file system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
