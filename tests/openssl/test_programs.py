# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Existing programs, unchanged, with the provider installed: their results are correct, and the device has done the
work.

Each test has a program of one side with the provider, and of the other without, and asserts the job counter of the one.
"""

import os
import random
import sys
from pathlib import Path

import pytest
from openssl_host import Host, plain_environment, run
from programs import free_port, program, server

pytestmark = pytest.mark.slow

PAGE = random.Random(17).randbytes(200_003)
RECORDS = len(PAGE) // 16_384  # of TLS, at least
TLS = {"1.2": "ECDHE-ECDSA-AES256-GCM-SHA384", "1.3": ""}
GCM = "aes-gcm"


@pytest.fixture
def site(host: Host) -> Host:
    """The folder with a page, a key and a certificate."""
    (host.folder / "page").write_bytes(PAGE)
    words = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-subj", "/CN=localhost", "-days", "2")
    out = ("-keyout", host.folder / "key.pem", "-out", host.folder / "certificate.pem")
    run("openssl", "req", "-x509", *words, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", *out)
    pair = (host.folder / "key.pem").read_text() + (host.folder / "certificate.pem").read_text()
    (host.folder / "both.pem").write_text(pair)
    return host


def nginx(site: Host, port: int) -> list[str | Path]:
    folder = site.folder
    text = f"""
daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/error.log;
{"user root;" if os.geteuid() == 0 else ""}
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{
    listen 127.0.0.1:{port} ssl; root {folder};
    ssl_certificate certificate.pem; ssl_certificate_key key.pem;
    ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers {TLS["1.2"]};
  }}
}}
"""
    (folder / "nginx.conf").write_text(text)
    return [program("nginx"), "-c", folder / "nginx.conf", "-p", folder, "-e", folder / "error.log"]


def fetch(site: Host, url: str, version: str = "1.3", environment: dict[str, str] | None = None) -> bytes:
    chosen = (f"--tlsv{version}", "--tls-max", version) + (("--ciphers", TLS[version]) if TLS[version] else ())
    words = (program("curl"), "-sS", "--cacert", site.folder / "certificate.pem", *chosen, url)
    return run(*words, environment=environment)


@pytest.mark.parametrize("version", TLS)
def test_curl(site: Host, version: str) -> None:
    port = free_port()
    with server(*nginx(site, port), port=port, environment=None, cwd=site.folder):
        assert fetch(site, f"https://localhost:{port}/page", version, site.environment()) == PAGE
    assert site.jobs("curl")[GCM] >= RECORDS


@pytest.mark.parametrize("version", TLS)
def test_nginx(site: Host, version: str) -> None:
    port = free_port()
    with server(*nginx(site, port), port=port, environment=site.environment(), cwd=site.folder):
        for _ in range(3):
            assert fetch(site, f"https://localhost:{port}/page", version) == PAGE
    assert site.jobs("nginx")[GCM] >= 3 * RECORDS


def test_git_over_https(site: Host) -> None:
    """The objects of a repository, from nginx with the provider."""
    port, work, bare = free_port(), site.folder / "work", site.folder / "served.git"
    git = program("git")
    run(git, "init", "-q", work)
    (work / "page").write_bytes(PAGE)
    author = ("-c", "user.name=A", "-c", "user.email=a@localhost")
    run(git, "-C", work, "add", "page")
    run(git, "-C", work, *author, "commit", "-q", "-m", "A page")
    run(git, "clone", "-q", "--bare", work, bare)
    run(git, "-C", bare, "update-server-info")
    with server(*nginx(site, port), port=port, environment=site.environment(), cwd=site.folder):
        trusted = plain_environment() | {"GIT_SSL_CAINFO": str(site.folder / "certificate.pem")}
        url = f"https://localhost:{port}/served.git"
        run(git, "clone", "-q", url, site.folder / "got", environment=trusted)
    assert (site.folder / "got" / "page").read_bytes() == PAGE
    assert site.jobs("nginx")[GCM] >= RECORDS


def test_lighttpd(site: Host) -> None:
    if not Path("/usr/lib/lighttpd/mod_openssl.so").exists():
        pytest.skip("its TLS is not installed here: apt-get install lighttpd-mod-openssl")
    port = free_port()
    text = f"""
server.modules = ("mod_openssl")
server.document-root = "{site.folder}"
server.bind = "127.0.0.1"
server.port = {port}
ssl.engine = "enable"
ssl.pemfile = "{site.folder}/both.pem"
"""
    (site.folder / "lighttpd.conf").write_text(text)
    words = (program("lighttpd"), "-D", "-f", site.folder / "lighttpd.conf")
    with server(*words, port=port, environment=site.environment(), cwd=site.folder):
        assert fetch(site, f"https://localhost:{port}/page") == PAGE
    assert site.jobs("lighttpd")[GCM] >= RECORDS


def test_stunnel(site: Host) -> None:
    """TLS in front of a server that has none."""
    inner, port = free_port(), free_port()
    text = f"""
foreground = yes
pid =
[web]
accept = 127.0.0.1:{port}
connect = 127.0.0.1:{inner}
cert = {site.folder}/both.pem
ciphersuites = TLS_AES_256_GCM_SHA384
"""
    (site.folder / "stunnel.conf").write_text(text)
    web = (sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(inner))
    tunnel = (program("stunnel"), site.folder / "stunnel.conf")
    with (
        server(*web, port=inner, environment=None, cwd=site.folder),
        server(*tunnel, port=port, environment=site.environment(), cwd=site.folder),
    ):
        assert fetch(site, f"https://localhost:{port}/page") == PAGE
    assert site.jobs()[GCM] >= RECORDS


def test_haproxy(site: Host) -> None:
    inner, port = free_port(), free_port()
    text = f"""
defaults
  mode http
  timeout connect 5s
  timeout client 20s
  timeout server 20s
frontend tls
  bind 127.0.0.1:{port} ssl crt {site.folder}/both.pem
  default_backend web
backend web
  server one 127.0.0.1:{inner}
"""
    (site.folder / "haproxy.cfg").write_text(text)
    web = (sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(inner))
    proxy = (program("haproxy"), "-db", "-f", site.folder / "haproxy.cfg")
    with (
        server(*web, port=inner, environment=None, cwd=site.folder),
        server(*proxy, port=port, environment=site.environment(), cwd=site.folder),
    ):
        assert fetch(site, f"https://localhost:{port}/page") == PAGE
    assert site.jobs("haproxy")[GCM] >= RECORDS


def test_socat(site: Host) -> None:
    port = free_port()
    listen = f"OPENSSL-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork,verify=0,cert={site.folder}/both.pem"
    words = (program("socat"), "-u", f"OPEN:{site.folder}/page", listen)
    with server(*words, port=port, environment=site.environment(), cwd=site.folder):
        call = f"OPENSSL:localhost:{port},cafile={site.folder}/certificate.pem"
        assert run(program("socat"), "-u", call, "-") == PAGE
    assert site.jobs("socat")[GCM] >= RECORDS


def test_redis(site: Host) -> None:
    port = free_port()
    files = ("--tls-cert-file", site.folder / "certificate.pem", "--tls-key-file", site.folder / "key.pem")
    words = (program("redis-server"), "--port", "0", "--tls-port", str(port), *files, "--tls-auth-clients", "no")
    with server(*words, "--save", "", port=port, environment=site.environment(), cwd=site.folder):
        call = (program("redis-cli"), "--tls", "--cacert", site.folder / "certificate.pem", "-p", str(port))
        assert run(*call, "-x", "set", "page", stdin=PAGE) == b"OK\n"
        assert run(*call, "get", "page") == PAGE + b"\n"
    assert site.jobs("redis-server")[GCM] >= 2 * RECORDS


@pytest.mark.parametrize("cipher", ["aes256-gcm@openssh.com", "aes128-ctr"])
@pytest.mark.parametrize("whose", ["server", "client"])
def test_openssh(site: Host, whose: str, cipher: str) -> None:
    port, folder = free_port(), site.folder
    for name in ("host_key", "user_key"):
        run(program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", folder / name)
    (folder / "authorized").write_bytes((folder / "user_key.pub").read_bytes())
    options = (f"HostKey={folder}/host_key", f"AuthorizedKeysFile={folder}/authorized", "StrictModes=no", "UsePAM=no")
    words = [program("sshd"), "-D", "-e", "-f", "/dev/null", "-p", str(port)]
    words += [word for option in (*options, "ListenAddress=127.0.0.1", "PidFile=none") for word in ("-o", option)]
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where it locks its unprivileged half in
    ours = site.environment()
    with server(*words, port=port, environment=ours if whose == "server" else None, cwd=folder):
        known = ("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR")
        call = (program("ssh"), "-F", "/dev/null", "-i", folder / "user_key", "-p", str(port), "-c", cipher, *known)
        got = run(*call, "localhost", "cat", folder / "page", environment=ours if whose == "client" else None)
    assert got == PAGE
    mode = GCM if "gcm" in cipher else "aes-ctr"
    assert site.jobs("sshd" if whose == "server" else "ssh")[mode] >= 6  # packets of 32 KiB


def test_python_ssl(site: Host) -> None:
    port = free_port()
    client = f"""
import ssl, urllib.request
context = ssl.create_default_context(cafile="{site.folder}/certificate.pem")
print(len(urllib.request.urlopen("https://localhost:{port}/page", context=context).read()))
"""
    python = sys.executable
    if b"libcrypto" not in run(python, "-c", "import _ssl; print(open('/proc/self/maps').read())"):
        pytest.skip("this Python brings an OpenSSL of its own")
    with server(*nginx(site, port), port=port, environment=None, cwd=site.folder):
        assert run(python, "-c", client, environment=site.environment()) == b"%d\n" % len(PAGE)
    assert site.jobs()[GCM] >= RECORDS


def test_openvpn(site: Host) -> None:
    """Its test of a data channel's cipher, both directions in one process."""
    run(program("openvpn"), "--genkey", "secret", site.folder / "static.key")
    words = ("--test-crypto", "--secret", site.folder / "static.key")
    site.run(program("openvpn"), *words, "--cipher", "AES-256-CBC")
    assert site.jobs("openvpn")["aes-cbc"] >= 1000


def test_sqlcipher(site: Host) -> None:
    """A database that is encrypted page by page: written with the provider, read without, and the other way round."""
    for number, (writer, reader) in enumerate([(site.environment(), None), (None, site.environment())]):
        database = site.folder / f"data{number}"
        # Few rounds of PBKDF2, which the simulated device would take minutes for.
        key = "PRAGMA key = 'correct horse'; PRAGMA kdf_iter = 1000;"
        fill = f"{key} CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(300000));"
        run(program("sqlcipher"), database, environment=writer, stdin=fill.encode())
        assert b"SQLite" not in database.read_bytes()[:16]
        got = run(program("sqlcipher"), database, environment=reader, stdin=f"{key} SELECT length(x) FROM t;".encode())
        assert b"300000" in got
    assert site.jobs("sqlcipher")["aes-cbc"] >= 2 * 300_000 // 4096


def test_python_cryptography(site: Host) -> None:
    """A user of the EVP interface behind a language's library: GCM, with associated data."""
    code = """
import hashlib
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
sealed = AESGCM(bytes(32)).encrypt(bytes(12), bytes(range(256)) * 400, b"who")
print(hashlib.sha256(sealed).hexdigest())
"""
    python = "/usr/bin/python3"
    if not Path(python).exists() or b"libcrypto" not in run(
        python,
        "-c",
        "try:\n import cryptography.hazmat.bindings._rust\nexcept ImportError: pass\n"
        "try:\n import cryptography.hazmat.bindings._openssl\nexcept ImportError: pass\n"
        "print(open('/proc/self/maps').read())",
    ):
        pytest.skip("python3-cryptography that uses the system's OpenSSL is not installed here")
    assert run(python, "-c", code, environment=site.environment()) == run(python, "-c", code)
    assert site.jobs()[GCM] >= 2
