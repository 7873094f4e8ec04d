# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the `outwork` command as a user does, but for the time that Python needs to start.

A server that has imported the command and run it once (warm_command.py) forks for each run: a process of its own, in a session of its own, with the
words, standard streams, environment and folder of that run. `started` starts Python as a shell would.
"""

import contextlib
import functools
import multiprocessing
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path

from outwork.cli import registry

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("OUTWORK_") or "PATH" in name}
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["warm_command", *(f"outwork.cli.{name}" for name in registry.COMMANDS)])
PATIENCE_S = 600

Done = subprocess.CompletedProcess[bytes]


@functools.cache
def _start_server() -> None:
    """Starts the server where it finds warm_command.py: it has the search path of a new Python, and ignores what it cannot import."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *([before] if before else [])])
    try:
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before


def _run(words: list[str], environment: dict[str, str], cwd: str | Path, streams: list[Connection]) -> None:
    """In the forked process: the command, with these streams as standard input, output and errors."""
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - as long as the process
    sys.argv = ["outwork", *words]
    from outwork.cli import main

    main()


def _in_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def outwork(
    *words: str | Path, stdin: bytes = b"", environment: dict[str, str] | None = None, cwd: str | Path = "."
) -> Done:
    """Never a terminal: standard input is a pipe, and the session has none to ask on."""
    _start_server()
    (their_in, our_in), (our_out, their_out), (our_err, their_err) = (CONTEXT.Pipe(duplex=False) for _ in range(3))
    theirs = [their_in, their_out, their_err]
    arguments = [str(word) for word in words]
    process = CONTEXT.Process(
        target=_run, args=(arguments, ENVIRONMENT | (environment or {}), Path(cwd).resolve(), theirs)
    )
    process.start()
    for stream in theirs:
        stream.close()
    texts: dict[Connection, bytes] = {}

    def write() -> None:
        rest = stdin
        with our_in, contextlib.suppress(BrokenPipeError):  # a command need not read it
            while rest:
                rest = rest[os.write(our_in.fileno(), rest) :]

    def read(stream: Connection) -> None:
        with stream:
            texts[stream] = b"".join(iter(lambda: os.read(stream.fileno(), 1 << 16), b""))

    threads = [_in_thread(write), *(_in_thread(lambda stream=s: read(stream)) for s in (our_out, our_err))]
    for thread in threads:
        thread.join(PATIENCE_S)
    process.join(PATIENCE_S)
    if process.exitcode is None:
        process.kill()
        raise AssertionError(f"outwork {' '.join(arguments)} does not end")
    return subprocess.CompletedProcess(arguments, process.exitcode, texts[our_out], texts[our_err])


def started(
    *words: str | Path, stdin: bytes = b"", environment: dict[str, str] | None = None, **settings: object
) -> Done:
    """The same in a new Python; the settings are those of subprocess.run()."""
    return subprocess.run(
        [sys.executable, "-m", "outwork", *map(str, words)],
        input=stdin,
        capture_output=True,
        env=ENVIRONMENT | (environment or {}),
        start_new_session=True,
        timeout=PATIENCE_S,
        check=False,
        **settings,  # type: ignore[call-overload]
    )


def good(*words: str | Path, stdin: bytes = b"", **settings: object) -> bytes:
    """Standard output of a command that must end well."""
    done = outwork(*words, stdin=stdin, **settings)  # type: ignore[arg-type]
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def sentence(*words: str | Path, stdin: bytes = b"", status: int, **settings: object) -> str:
    """The error of a command that must end badly: one line, no traceback, nothing on standard output."""
    return error_of(outwork(*words, stdin=stdin, **settings), status)  # type: ignore[arg-type]


def error_of(done: Done, status: int) -> str:
    """The same of a command that has been run."""
    text = done.stderr.decode()
    assert done.returncode == status, (done.returncode, text)
    assert "Traceback" not in text
    assert done.stdout == b""
    lines = [line for line in text.splitlines() if not line.startswith("outwork: warning:")]
    assert len(lines) == 1, text
    assert lines[0].startswith("outwork: ") and lines[0].endswith("."), text
    return lines[0].removeprefix("outwork: ")


def device_jobs(*words: str | Path) -> int:
    """Runs a command; the jobs that the device has counted."""
    done = outwork(*words, "--stats")
    assert done.returncode == 0, done.stderr
    found = re.search(rb"jobs on the device: (\d+), and 0 that failed", done.stderr)
    assert found
    return int(found[1])
