# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Outputs replace files only when they are complete."""

import errno
import os
import stat
from pathlib import Path

import pytest

from outwork.errors import OutworkError, UsageError
from outwork.files.streams import (
    check_different,
    check_one_standard_input,
    check_target,
    open_sink,
    open_source,
    write_file,
)


def test_appears_only_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with open_sink(str(target)) as sink:
        sink.write(b"data")
        assert not target.exists()
    assert target.read_bytes() == b"data"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_failure_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"old")
    with pytest.raises(RuntimeError), open_sink(str(target)) as sink:
        sink.write(b"new")
        raise RuntimeError
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_existing_file_stays(tmp_path: Path) -> None:
    """Also one that appears while the result is made."""
    target = tmp_path / "out"
    with (
        pytest.raises(OutworkError, match="exists already: give another name, or --force"),
        open_sink(str(target)) as sink,
    ):
        sink.write(b"new")
        target.write_bytes(b"old")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    target = tmp_path / "out"
    write_file(target, b"new")
    assert target.read_bytes() == b"new"
    with pytest.raises(OutworkError, match="exists already"):
        write_file(target, b"newer")
    assert target.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_private_file_is_never_open_to_others(tmp_path: Path) -> None:
    target = tmp_path / "key"
    target.touch(0o644)
    write_file(target, b"key", is_private=True, force=True)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_open_descriptors_are_written_where_they_are(tmp_path: Path) -> None:
    """A pipe, and a file that the shell has opened to append to it."""
    reading, writing = os.pipe()
    write_file(f"/dev/fd/{writing}", b"through the pipe")
    os.close(writing)
    assert os.read(reading, 100) == b"through the pipe"
    os.close(reading)
    log = tmp_path / "log"
    log.write_bytes(b"before ")
    with log.open("ab") as file:
        write_file(f"/proc/self/fd/{file.fileno()}", b"and after")
    assert log.read_bytes() == b"before and after"
    with pytest.raises(OutworkError, match="Bad file descriptor"):
        write_file("/dev/fd/1023", b"nowhere")


def test_named_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    check_target(str(pipe), force=False)
    write_file(pipe, b"data")
    assert os.read(reading, 100) == b"data"
    os.close(reading)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_only_one_reads_standard_input() -> None:
    check_one_standard_input({"IN": "-", "--password-file": None})
    with pytest.raises(UsageError, match="Only one of IN and --password-file can be standard input"):
        check_one_standard_input({"IN": "-", "KEY": "key", "--password-file": Path("-")})


def test_other_names_of_the_old_file_keep_it(tmp_path: Path) -> None:
    """The result is another file that takes the name; nobody who has the old one sees a part of it."""
    target, other = tmp_path / "out", tmp_path / "other"
    target.write_bytes(b"old")
    other.hardlink_to(target)
    with target.open("rb") as reader:
        with open_sink(str(target), force=True) as sink:
            sink.write(b"new")
        assert reader.read() == b"old"
    assert other.read_bytes() == b"old"
    assert target.read_bytes() == b"new"


def test_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        fresh, old = tmp_path / "fresh", tmp_path / "old"
        old.touch()
        old.chmod(0o604)
        for target in (fresh, old):
            with open_sink(str(target), force=True) as sink:
                sink.write(b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o640
    assert stat.S_IMODE(old.stat().st_mode) == 0o604


def test_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    with open_sink(str(link), force=True) as sink:
        sink.write(b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_device_is_written_and_not_replaced() -> None:
    with open_sink("/dev/null") as sink:
        sink.write(b"x")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_full_device() -> None:
    with pytest.raises(OutworkError, match="no space left for /dev/full"), open_sink("/dev/full") as sink:
        sink.write(b"x" * 10)


def test_same_file(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"x")
    other.hardlink_to(one)
    for target in (one, other, tmp_path / "." / "one"):
        with pytest.raises(UsageError, match="are the same file"):
            check_different(str(one), str(target))
    check_different(str(one), str(tmp_path / "third"))
    check_different("-", "-")


def test_sources(tmp_path: Path) -> None:
    with pytest.raises(OutworkError, match="is a folder"), open_source(str(tmp_path)):
        pass
    with (
        pytest.raises(OutworkError, match="cannot be read: No such file"),
        open_source(str(tmp_path / "none")),
    ):
        pass
    file = tmp_path / "file"
    file.write_bytes(b"0123456789")
    with open_source(str(file)) as source:
        assert (source.size_bytes, source.may_block) == (10, False)
        assert source.read(4) == b"0123"
        assert source.read_all(100) == b"456789"
    with open_source(str(file)) as source, pytest.raises(OutworkError, match="more than 9 bytes"):
        source.read_all(9)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(OutworkError, match="No file can be made in"), open_sink(str(tmp_path / "no" / "out")):
        pass
