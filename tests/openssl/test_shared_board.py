# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that share one simulated board: `outwork board --listen`, and the provider's platform `shared`."""

import os
import random
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from openssl_host import Host, run
from programs import server

from outwork import paths

PLAIN = random.Random(23).randbytes(300_007)
CTR = ("openssl", "enc", "-aes-256-ctr", "-K", "5a" * 32, "-iv", "01" * 16)


@pytest.fixture
def shared(host: Host) -> Iterator[Host]:
    """The provider's programs have the board of another process."""
    path = host.folder / "board"
    settings = host.folder / "outwork.cnf"
    words = f"[outwork_sect]\nplatform = shared\nsocket = {path}\n"
    settings.write_text(settings.read_text().replace("[outwork_sect]\n", words))
    command = (paths.PROJECT / ".venv" / "bin" / "outwork", "board", "--listen", path)
    with server(*command, port=0, environment=None, cwd=host.folder, ready=path.exists):
        yield host
    assert not path.exists()


def begin(host: Host, words: tuple[str, ...], source: Path, target: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*words, "-in", source, "-out", target], env=host.environment())


def test_side_by_side(shared: Host) -> None:
    source = shared.folder / "plain"
    source.write_bytes(PLAIN)
    expected = run(*CTR, stdin=PLAIN)
    targets = [shared.folder / f"sealed{number}" for number in range(3)]
    for process in [begin(shared, CTR, source, target) for target in targets]:
        assert process.wait(120) == 0
    assert [target.read_bytes() == expected for target in targets] == [True] * 3
    assert shared.jobs()["aes-ctr"] >= 3 * len(PLAIN) // 65536
    assert shared.kept() == {}


def test_more_programs_than_queues(shared: Host) -> None:
    """Those without a queue go on with the CPU."""
    source = shared.folder / "plain"
    source.write_bytes(PLAIN)
    targets = [shared.folder / f"sealed{number}" for number in range(7)]
    processes = [begin(shared, CTR, source, target) for target in targets]
    assert [process.wait(120) for process in processes] == [0] * 7
    assert {target.read_bytes() for target in targets} == {run(*CTR, stdin=PLAIN)}
    assert shared.jobs()["aes-ctr"] > 0


def test_one_is_killed(shared: Host) -> None:
    victim = subprocess.Popen(
        ["openssl", "speed", "-seconds", "60", "-bytes", "16384", "-evp", "aes-256-gcm"],
        env=shared.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while shared.jobs().get("aes-gcm", 0) < 3:
        assert victim.poll() is None
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    for _ in range(5):  # one more than there are queues
        assert shared.run(*CTR, stdin=PLAIN) == run(*CTR, stdin=PLAIN)
    assert shared.kept() == {}


def test_without_a_server(host: Host) -> None:
    settings = host.folder / "outwork.cnf"
    words = f"[outwork_sect]\nplatform = shared\nsocket = {host.folder / 'nobody'}\n"
    settings.write_text(settings.read_text().replace("[outwork_sect]\n", words))
    assert host.run(*CTR, stdin=PLAIN) == run(*CTR, stdin=PLAIN)
    assert host.jobs() == {}
    assert host.kept().keys() == {"queue halted or device not answering"}


def test_a_path_that_is_taken(shared: Host) -> None:
    command = (paths.PROJECT / ".venv" / "bin" / "outwork", "board", "--listen", shared.folder / "board")
    done = subprocess.run(command, capture_output=True, timeout=60, check=False, env=os.environ.copy())
    assert done.returncode != 0
    assert b"stop the server that listens there" in done.stderr
    assert shared.run(*CTR, stdin=PLAIN) == run(*CTR, stdin=PLAIN)  # the first one still serves
    assert shared.jobs()["aes-ctr"] >= 1
