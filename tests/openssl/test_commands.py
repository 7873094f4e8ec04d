# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The `openssl` command with the provider installed: same results, and the device's job counter shows that it has done
them."""

import random
import re
import subprocess
import time
from pathlib import Path

import pytest
from openssl_host import Host, run

PLAIN = random.Random(11).randbytes(100_003)
PASSWORD = ("-pbkdf2", "-iter", "10", "-pass", "pass:correct horse")
MODES = {"ecb": "aes-ecb", "cbc": "aes-cbc", "ctr": "aes-ctr"}
DIGESTS = ("sha1", "sha224", "sha256", "sha384", "sha512", "sha512-224", "sha512-256")
DIGESTS += ("sha3-224", "sha3-256", "sha3-384", "sha3-512", "shake128", "shake256")


@pytest.fixture
def key(host: Host) -> Path:
    """A key pair and its certificate."""
    path = host.folder / "key.pem"
    words = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-subj", "/CN=localhost", "-days", "2")
    run("openssl", "req", "-x509", *words, "-keyout", path, "-out", host.folder / "certificate.pem")
    return path


@pytest.mark.parametrize("bits", ["128", "192", "256"])
@pytest.mark.parametrize("mode", MODES)
def test_enc(host: Host, mode: str, bits: str) -> None:
    sealed = host.run("openssl", "enc", f"-aes-{bits}-{mode}", *PASSWORD, stdin=PLAIN)
    assert run("openssl", "enc", "-d", f"-aes-{bits}-{mode}", *PASSWORD, stdin=sealed) == PLAIN
    forth = host.jobs()
    assert forth.keys() == {MODES[mode], "sha256"}, "and the hash of the password"
    other = run("openssl", "enc", f"-aes-{bits}-{mode}", *PASSWORD, stdin=PLAIN)
    assert host.run("openssl", "enc", "-d", f"-aes-{bits}-{mode}", *PASSWORD, stdin=other) == PLAIN
    assert host.jobs()[MODES[mode]] > forth[MODES[mode]]


@pytest.mark.parametrize("mode", ["ecb", "cbc"])
def test_enc_des(host: Host, mode: str) -> None:
    words = ["openssl", "enc", f"-des-ede3{'' if mode == 'ecb' else '-cbc'}", "-K", "0123456789abcdef" * 3]
    words += [] if mode == "ecb" else ["-iv", "0011223344556677"]
    sealed = host.run(*words, stdin=PLAIN)
    assert run(*words, "-d", stdin=sealed) == PLAIN
    assert host.run(*words, "-d", stdin=sealed) == PLAIN
    assert host.jobs().keys() == {f"tdes-{mode}"}


@pytest.mark.parametrize("digest", DIGESTS)
def test_dgst(host: Host, digest: str) -> None:
    words = ["openssl", "dgst", f"-{digest}", *(["-xoflen", "77"] if digest.startswith("shake") else [])]
    assert host.run(*words, stdin=PLAIN) == run(*words, stdin=PLAIN)
    assert host.jobs() == {digest: 2}, "100,003 bytes are two requests"


@pytest.mark.parametrize("digest", DIGESTS[:-2])
def test_hmac(host: Host, digest: str) -> None:
    words = ["openssl", "mac", "-digest", digest, "-macopt", "hexkey:" + "a5" * 33, "HMAC"]
    assert host.run(*words, stdin=PLAIN) == run(*words, stdin=PLAIN)
    assert host.jobs().keys() == {f"hmac-{digest}"}
    words = ["openssl", "dgst", f"-{digest}", "-hmac", "a key"]
    before = host.jobs()[f"hmac-{digest}"]
    assert host.run(*words, stdin=PLAIN) == run(*words, stdin=PLAIN)
    assert host.jobs()[f"hmac-{digest}"] > before


@pytest.mark.parametrize("bits", ["128", "256"])
def test_kmac(host: Host, bits: str) -> None:
    words = ["openssl", "mac", "-macopt", "hexkey:" + "a5" * 33, "-macopt", "size:100"]
    assert host.run(*words, f"KMAC-{bits}", stdin=PLAIN) == run(*words, f"KMAC-{bits}", stdin=PLAIN)
    assert host.jobs().keys() == {f"kmac{bits}"}
    custom = ["-macopt", "custom:mine", f"KMAC-{bits}"]
    assert host.run(*words, *custom, stdin=PLAIN) == run(*words, *custom, stdin=PLAIN)
    assert host.kept() == {"operation not in this build, or not in pieces": 1}


@pytest.mark.parametrize("name, cipher", [("CMAC", "AES-256-CBC"), ("GMAC", "AES-128-GCM")])
def test_mac(host: Host, name: str, cipher: str) -> None:
    words = ["openssl", "mac", "-cipher", cipher, "-macopt", f"hexkey:{'5a' * (int(cipher[4:7]) // 8)}"]
    words += ["-macopt", "hexiv:000102030405060708090a0b"] if name == "GMAC" else []
    assert host.run(*words, name, stdin=PLAIN) == run(*words, name, stdin=PLAIN)
    assert host.jobs().keys() == {f"aes-{name.lower()}"}


def test_what_the_device_does_not_do(host: Host) -> None:
    """Digests that it does not have, signatures of other kinds, random numbers: from the default provider, as ever."""
    plain, key, signature = host.folder / "plain", host.folder / "key.pem", host.folder / "signature"
    plain.write_bytes(PLAIN)
    assert host.run("openssl", "dgst", "-sm3", plain) == run("openssl", "dgst", "-sm3", plain)
    host.run("openssl", "genpkey", "-algorithm", "ed448", "-out", key)
    host.run("openssl", "pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", plain, "-out", signature)
    run("openssl", "pkeyutl", "-verify", "-inkey", key, "-rawin", "-in", plain, "-sigfile", signature)
    assert len(host.run("openssl", "rand", "1000")) == 1000
    assert host.jobs().keys() <= {"shake256"}, "which makes the signature's nonce"
    assert host.kept() == {}, "the random generator takes its AES from the provider"


def test_ed25519(host: Host) -> None:
    """Short messages are signed and verified on the device, long ones by the CPU."""
    key, signature = host.folder / "key.pem", host.folder / "signature"
    host.run("openssl", "genpkey", "-algorithm", "ed25519", "-out", key)
    once = {"ed25519-sign": 1, "ed25519-verify": 1}
    for length in (1000, len(PLAIN)):
        message = host.folder / f"message{length}"
        message.write_bytes(PLAIN[:length])
        words = ["openssl", "pkeyutl", "-inkey", key, "-rawin", "-in", message]
        host.run(*words, "-sign", "-out", signature)
        run(*words, "-verify", "-sigfile", signature)
        host.run(*words, "-verify", "-sigfile", signature)
        assert {name: jobs for name, jobs in host.jobs().items() if "ed25519" in name} == once, length
    assert set(host.kept()) == {"operation not in this build, or not in pieces"}


def test_cms(host: Host, key: Path) -> None:
    """A letter, encrypted by one and read by the other."""
    certificate = host.folder / "certificate.pem"
    letter = host.folder / "letter.pem"
    for cipher, algorithm in (("-aes-256-cbc", "aes-cbc"), ("-aes-128-gcm", "aes-gcm")):
        words = ("-binary", "-outform", "PEM", "-recip", certificate, "-out", letter)
        host.run("openssl", "cms", "-encrypt", cipher, *words, stdin=PLAIN)
        read = ("-decrypt", "-binary", "-inform", "PEM", "-inkey", key, "-in", letter)
        assert run("openssl", "cms", *read) == PLAIN
        assert host.jobs().get(algorithm, 0) >= 1
        before = host.jobs()[algorithm]
        assert host.run("openssl", "cms", *read) == PLAIN
        assert host.jobs()[algorithm] > before


def test_the_policy_decides(host: Host) -> None:
    policy = host.folder / "policy"
    policy.write_text("outwork-policy 1\n0x12 32 encrypt 1 2048 -\n")
    host.configure(str(policy))
    for size, jobs in ((2_047, {}), (2_048, {"aes-ctr": 1})):
        plain = host.folder / "plain"
        plain.write_bytes(PLAIN[:size])
        words = ("enc", "-aes-256-ctr", "-K", "00" * 32, "-iv", "00" * 16, "-in", plain)
        assert host.run("openssl", *words) == run("openssl", *words)
        assert host.jobs() == jobs
    assert host.kept() == {"kept in software by policy": 1}


def test_a_wrong_word_stops_nobody(host: Host) -> None:
    """No policy file, no board: everything works, on the CPU, and the counters say why."""
    host.configure("/nonexistent")
    assert host.run("openssl", "enc", "-aes-256-ctr", *PASSWORD, stdin=PLAIN)
    assert host.jobs() == {}
    host.configure("always")
    drop_in = host.folder / "outwork.cnf"
    drop_in.write_text(drop_in.read_text().replace("libow_board_128", "libow_board_absent"))
    sealed = host.run("openssl", "enc", "-aes-256-ctr", *PASSWORD, stdin=PLAIN)
    assert run("openssl", "enc", "-d", "-aes-256-ctr", *PASSWORD, stdin=sealed) == PLAIN
    assert host.jobs() == {}
    assert host.kept().keys() == {"kept in software by policy", "queue halted or device not answering"}


def test_speed(host: Host) -> None:
    """The device has done every message that openssl speed has counted, however many a second there are."""
    for words in ((), ("-async_jobs", "16"), ("-decrypt",)):
        before = host.jobs().get("aes-gcm", 0)
        command = ["openssl", "speed", "-seconds", "1", "-bytes", "4096", "-elapsed", *words, "-evp", "aes-256-gcm"]
        done = subprocess.run(command, env=host.environment(), capture_output=True, timeout=300, check=True)
        (counted,) = re.findall(rb" size blocks: (\d+) ", done.stderr)
        assert 0 < int(counted) <= host.jobs()["aes-gcm"] - before


@pytest.mark.parametrize("version, suite", [("-tls1_2", "ECDHE-ECDSA-AES256-GCM-SHA384"), ("-tls1_3", "")])
@pytest.mark.parametrize("whose", ["server", "client"])
def test_tls(host: Host, key: Path, whose: str, version: str, suite: str) -> None:
    """s_server and s_client, one of them with the provider: a page of 100,003 bytes arrives whole."""
    (host.folder / "page").write_bytes(PLAIN)
    chosen = ("-cipher", suite) if suite else ("-ciphersuites", "TLS_AES_128_GCM_SHA256")
    port = str(random.randrange(20_000, 60_000))
    words = ["openssl", "s_server", "-accept", port, "-key", str(key), "-cert", str(host.folder / "certificate.pem")]
    ours = host.environment()
    server = subprocess.Popen(
        [*words, version, *chosen, "-HTTP", "-quiet"],
        cwd=host.folder,
        env=ours if whose == "server" else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        answer = b""
        for _ in range(100):
            client = subprocess.run(
                ["openssl", "s_client", "-connect", f"localhost:{port}", version, *chosen, "-quiet", "-ign_eof"],
                input=b"GET /page HTTP/1.0\r\n\r\n",
                capture_output=True,
                env=ours if whose == "client" else None,
                timeout=60,
                check=False,
            )
            answer = client.stdout
            if answer:
                break
            time.sleep(0.1)
        assert answer.endswith(PLAIN)
    finally:
        server.kill()
        server.wait()
    assert host.jobs()["aes-gcm"] >= len(PLAIN) // 16_384
