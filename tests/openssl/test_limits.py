# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that may start no thread, or have little memory: the provider does not make them fail."""

import os
import random
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from openssl_host import MODULE, Host, run

from outwork import paths

NOBODY = 65534
PLAIN = random.Random(12).randbytes(50_000)


@pytest.fixture
def open_host() -> Iterator[Host]:
    """A host with copies of module and board that every user may read: root may start threads whatever the limit says,
    so that its tests run their programs as nobody."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        host = Host(folder)
        drop_in = folder / "outwork.cnf"
        for file in (MODULE, Path(paths.library_file("ow_board_128"))):
            shutil.copy(file, folder)
            drop_in.write_text(drop_in.read_text().replace(str(file), str(folder / file.name)))
        (folder / "plain").write_bytes(PLAIN)
        host.counters.chmod(0o777)
        yield host


def digest(host: Host, environment: dict[str, str], limit: Callable[[], None]) -> subprocess.CompletedProcess[bytes]:
    is_root = os.geteuid() == 0
    return subprocess.run(
        ["openssl", "dgst", "-sha256", str(host.folder / "plain")],
        capture_output=True,
        env=environment,
        preexec_fn=limit,
        user=NOBODY if is_root else None,
        group=NOBODY if is_root else None,
        extra_groups=[] if is_root else None,
        timeout=300,
        check=False,
    )


def test_no_thread(open_host: Host) -> None:
    """Dovecot's login processes may start none. The board in the process needs none."""
    done = digest(open_host, open_host.environment(), lambda: resource.setrlimit(resource.RLIMIT_NPROC, (0, 0)))
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == run("openssl", "dgst", "-sha256", open_host.folder / "plain")
    assert open_host.jobs() == {"sha256": 1}


@pytest.mark.parametrize("kibibytes", [12 << 10, *range(16 << 10, (24 << 10) + 1, 512)])
def test_little_memory(open_host: Host, kibibytes: int) -> None:
    """Too little for the board or its queues, wherever it ends."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (kibibytes << 10, kibibytes << 10))

    plain = {name: text for name, text in open_host.environment().items() if name != "OPENSSL_CONF"}
    wanted = digest(open_host, plain, limit)
    if wanted.returncode != 0:
        pytest.skip("that is too little for OpenSSL itself")
    done = digest(open_host, open_host.environment(), limit)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == wanted.stdout
    assert open_host.jobs() == {"sha256": 1} or sum(open_host.kept().values()) >= 1
