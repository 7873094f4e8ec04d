# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs programs of this machine as servers and clients: finds them or skips the test, starts, waits for and ends them."""

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from openssl_host import plain_environment

FOLDERS = "/usr/sbin"


def program(name: str) -> str:
    """Its path. Without it there is nothing to show: the test is skipped, and the run says which program is missing."""
    path = shutil.which(name) or shutil.which(name, path=FOLDERS)
    if path is None:
        pytest.skip(f"{name} is not installed here")
    return path


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


def answers(port: int) -> bool:
    with socket.socket() as caller:
        caller.settimeout(1)
        return caller.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def server(
    *words: str | Path,
    port: int,
    environment: dict[str, str] | None,
    cwd: Path,
    ready: Callable[[], bool] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A server in the foreground, from when it answers until the end of the block. Without an environment: a program that
    has never heard of the provider."""
    log = cwd / f"{Path(words[0]).name}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            list(map(str, words)),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=plain_environment() if environment is None else environment,
        )
        try:
            until = time.monotonic() + 30
            while not (ready() if ready else answers(port)):
                assert process.poll() is None, (words, log.read_text(errors="replace"))
                assert time.monotonic() < until, (words, log.read_text(errors="replace"))
                time.sleep(0.05)
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
