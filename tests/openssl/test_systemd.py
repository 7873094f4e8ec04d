# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The unit of `outwork board --listen`: systemd's own tools read its files, and its command serves a program."""

import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from openssl_host import Host, run
from programs import server

from outwork import paths

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="systemd's tools are missing"),
]
FOLDER = paths.PROJECT / "platform" / "systemd"
COMMAND = paths.PROJECT / ".venv" / "bin" / "outwork"


def test_unit(tmp_path: Path) -> None:
    unit = tmp_path / "outwork-board.service"
    unit.write_text((FOLDER / unit.name).read_text().replace("/usr/bin/outwork", str(COMMAND)))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, [line for line in done.stderr.splitlines() if unit.name in line]) == (0, [])


def test_user_and_folders(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    for folder, name in (("sysusers.d", "outwork.sysusers"), ("tmpfiles.d", "outwork.tmpfiles")):
        place = tmp_path / "usr/lib" / folder
        place.mkdir(parents=True)
        shutil.copy(FOLDER / name, place / "outwork.conf")
    run("systemd-sysusers", f"--root={tmp_path}", "outwork.conf")
    (line,) = [line for line in (tmp_path / "etc/passwd").read_text().splitlines() if line.startswith("outwork:")]
    number = int(line.split(":")[2])
    assert line.endswith(":/nonexistent:/usr/sbin/nologin")
    run("systemd-tmpfiles", f"--root={tmp_path}", "--create", "outwork.conf")
    made, counters = tmp_path / "run/outwork", tmp_path / "run/outwork/counters"
    assert (stat.S_IMODE(made.stat().st_mode), made.stat().st_uid) == (0o755, number)
    assert stat.S_IMODE(counters.stat().st_mode) == 0o1777


def test_command_of_the_unit(host: Host) -> None:
    """With the unit's umask, on a socket in the test's folder: a program's jobs are done there."""
    text = (FOLDER / "outwork-board.service").read_text()
    (command,) = re.findall(r"^ExecStart=/usr/bin/(.*)$", text, re.MULTILINE)
    (mask,) = re.findall(r"^UMask=(.*)$", text, re.MULTILINE)
    socket = host.folder / "board"
    words = command.replace("/run/outwork/board", str(socket)).split()
    settings = host.folder / "outwork.cnf"
    settings.write_text(
        settings.read_text().replace("[outwork_sect]\n", f"[outwork_sect]\nplatform = shared\nsocket = {socket}\n")
    )
    shell = ("sh", "-c", f'umask {mask}; exec "$@"', "sh", COMMAND.parent / words[0], *words[1:])
    with server(*shell, port=0, environment=None, cwd=host.folder, ready=socket.exists):
        assert stat.S_IMODE(socket.stat().st_mode) == 0o770
        sealed = ("openssl", "enc", "-aes-256-ctr", "-K", "5a" * 32, "-iv", "01" * 16)
        assert host.run(*sealed, stdin=bytes(100_000)) == run(*sealed, stdin=bytes(100_000))
    assert host.jobs()["aes-ctr"] >= 1 and host.kept() == {}
