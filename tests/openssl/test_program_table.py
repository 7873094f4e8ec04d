# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of a table, unchanged, with the provider: their results are those without it, and the device has done the work."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from openssl_host import MODULE, Host, plain_environment, run
from program_table import CLIENTS, SERVERS, Program
from program_table_files import FILES, MAIL_AND_MORE
from programs import answers, free_port, server

from outwork.spec import Opcode

pytestmark = pytest.mark.slow

PROGRAMS = (*CLIENTS, *SERVERS, *FILES, *MAIL_AND_MORE)
# Lines of text, which every client shows as they are.
DATA = (
    "".join(hashlib.sha256(number.to_bytes(4, "big")).hexdigest() + "\n" for number in range(3077))[:200_002].encode()
    + b"\n"
)
SELECTED = hashlib.sha256(b"outwork" * 30_000 + b"\n").hexdigest() + "  -\n"
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
HTTPS = """
import functools, http.server, ssl, sys
http.server.SimpleHTTPRequestHandler.extensions_map = {"": "text/plain"}
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[2])
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2] + "/both.pem")
with http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler) as web:
    web.socket = context.wrap_socket(web.socket, server_side=True)
    web.serve_forever()
"""
# Where a key derivation has a hundred thousand rounds: ciphers to the device, hashes to the CPU.
CIPHERS = "outwork-policy 1\n" + "".join(
    f"{Opcode[name]:#04x} {length} {direction} 1 16 -\n"
    for name in ("AES_CTR", "AES_CBC", "AES_GCM")
    for length in (16, 32)
    for direction in ("encrypt", "decrypt")
)


@pytest.fixture
def host() -> Iterator[Host]:
    """Not in pytest's folder, which only its user may enter: servers have others."""
    assert MODULE.is_file(), "the provider is not built: libssl-dev is missing"
    with TemporaryDirectory(prefix="outwork-programs-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Host(Path(name))


def shell(script: str, folder: Path, environment: dict[str, str], ports: dict[str, str]) -> bytes:
    words = {"PATH": PATH, "HOME": str(folder), "LC_ALL": "C.UTF-8", "USER": "root", "BORG_PASSPHRASE": "correct horse"}
    words |= {
        "BORG_BASE_DIR": str(folder),
        "SOFTHSM2_CONF": str(folder / "softhsm2.conf"),
        "SNMP_PERSISTENT_DIR": str(folder),
    }
    done = subprocess.run(["bash", "-euc", script], cwd=folder, env=environment | words | ports, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=300, check=False)  # fmt: skip
    assert done.returncode == 0, (script, done.stdout[-500:], done.stderr.decode(errors="replace")[-3000:])
    return done.stdout


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What every program finds in its folder."""
    folder = tmp_path_factory.mktemp("material")
    (folder / "page").write_bytes(DATA)
    for name, certificate, kind in (
        ("key.pem", "certificate.pem", ("ec", "-pkeyopt", "ec_paramgen_curve:P-256")),
        ("rsa.pem", "rsa.crt", ("rsa:2048",)),
    ):
        words = (
            "-noenc",
            "-subj",
            "/CN=localhost",
            "-days",
            "2",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
        )
        run("openssl", "req", "-x509", "-newkey", *kind, *words, "-keyout", folder / name, "-out", folder / certificate)
    (folder / "both.pem").write_bytes((folder / "key.pem").read_bytes() + (folder / "certificate.pem").read_bytes())
    for name in ("user_key", "host_key"):
        run("ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", folder / name)
    (folder / "authorized").write_bytes((folder / "user_key.pub").read_bytes())
    return folder


@contextmanager
def sshd(folder: Path, port: int) -> Iterator[None]:
    """An OpenSSH server without the provider."""
    Path("/run/sshd").mkdir(exist_ok=True)
    options = (f"HostKey={folder}/host_key", f"AuthorizedKeysFile={folder}/authorized", "StrictModes=no", "UsePAM=no",
               "ListenAddress=127.0.0.1", "PidFile=none", "Subsystem=sftp internal-sftp")  # fmt: skip
    words = [word for option in options for word in ("-o", option)]
    with server(
        "/usr/sbin/sshd",
        "-D",
        "-e",
        "-f",
        "/dev/null",
        "-p",
        str(port),
        *words,
        port=port,
        environment=None,
        cwd=folder,
    ):
        yield


@contextmanager
def running(script: str, folder: Path, environment: dict[str, str], ports: dict[str, str]) -> Iterator[None]:
    """A server, from when it answers on $PORT until the end of the block; what it has started ends with it."""
    log = folder / "server.log"
    words = {"PATH": PATH, "SNMP_PERSISTENT_DIR": str(folder)}
    with log.open("wb") as out:
        process = subprocess.Popen(["bash", "-euc", script], cwd=folder, env=environment | words | ports, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=subprocess.STDOUT, start_new_session=True)  # fmt: skip
    try:
        until = time.monotonic() + 60
        while not answers(int(ports["PORT"])):
            assert process.poll() is None and time.monotonic() < until, log.read_text(errors="replace")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def play(entry: Program, material: Path, folder: Path, environment: dict[str, str]) -> bytes:
    """Runs a program's commands. Returns their result."""
    shutil.copytree(material, folder)
    folder.chmod(0o755)
    port, port2, port3 = free_port(), free_port(), free_port()
    ports = {"PORT": str(port), "PORT2": str(port2), "PAGE": str(folder), "URL": f"https://localhost:{port3}"}
    ports["EXE"] = str(next(Path(sys.prefix).rglob("distlib/t64.exe")))
    plain = plain_environment()
    with ExitStack() as stack:
        if entry.before == "SSHD":
            stack.enter_context(sshd(folder, port2))
        elif entry.before:
            shell(entry.before, folder, plain, ports)
        if (
            "$URL" in entry.ours
            or '"URL"' in entry.ours
            or "{URL" in entry.ours
            or "env.URL" in entry.ours
            or "env(URL)" in entry.ours
        ):
            stack.enter_context(
                server(sys.executable, "-c", HTTPS, str(port3), str(folder), port=port3, environment=None, cwd=folder)
            )
        if entry.beside:
            stack.enter_context(running(entry.beside, folder, plain, ports))
        if entry.is_server:
            stack.enter_context(running(entry.ours, folder, environment, ports))
        else:
            result = shell(entry.ours, folder, environment, ports)
        if entry.after:
            result = shell(entry.after, folder, plain, ports)
    return result


def is_there(entry: Program) -> bool:
    return all(
        Path(each).exists() if each.startswith("/") else shutil.which(each, path=PATH) for each in entry.needs.split()
    )


@pytest.mark.parametrize("entry", PROGRAMS, ids=lambda entry: entry.name)
def test_program(host: Host, material: Path, entry: Program) -> None:
    if not is_there(entry):
        pytest.skip(f"{entry.name} is not installed here: apt-get install {entry.package}")
    if entry.name == "borg":
        (host.folder / "policy").write_text(CIPHERS)
        host.configure(str(host.folder / "policy"))
    host.counters.chmod(0o1777)
    got = play(entry, material, host.folder / "with", host.environment())
    known = {"page": DATA, "17-of-outwork": SELECTED.encode()}
    if entry.gives is not None:
        assert got == known.get(entry.gives, entry.gives.encode())
    else:
        assert got == play(entry, material, host.folder / "without", plain_environment())
    done = sum(jobs for name, jobs in host.jobs().items() if name.startswith(entry.counts))
    assert done >= entry.least, host.jobs()


def test_table() -> None:
    """Enough programs, each once, each with a package to install."""
    names = [entry.name for entry in PROGRAMS]
    assert len(names) == len(set(names)) >= 40 and all(entry.package and entry.least for entry in PROGRAMS)
