# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The `openssl` command with keys: results of the provider are valid without it, and the reverse."""

import random
import subprocess
import time
from pathlib import Path

import pytest
from openssl_host import MODULE, Host, run

MESSAGE = random.Random(12).randbytes(1_000)
DIGEST = bytes(range(32))
KINDS = {
    "rsa": ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"),
    "ec": ("-algorithm", "EC", "-pkeyopt", "group:P-256"),
}
SIGN = {"rsa": "rsa-private", "ec": "ec-sign"}
VERIFY = {"rsa": "rsa-public", "ec": "ec-verify"}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def make_key(host: Host, kind: str, name: str = "key") -> tuple[Path, Path]:
    """A private key made with the provider, and its public half."""
    private, public = host.folder / f"{name}.pem", host.folder / f"{name}-public.pem"
    host.run("openssl", "genpkey", *KINDS[kind], "-out", private)
    host.run("openssl", "pkey", "-in", private, "-pubout", "-out", public)
    return private, public


@pytest.mark.parametrize("options", [(), ("-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest")])
def test_dgst(host: Host, kind: str, options: tuple[str, ...]) -> None:
    if options and kind != "rsa":
        pytest.skip("a padding of RSA")
    private, public = make_key(host, kind)
    message, made = host.folder / "message", host.folder / "signature"
    message.write_bytes(MESSAGE)
    words = ("openssl", "dgst", "-sha256", *options)
    verify = (*words, "-verify", public, "-signature", made, message)
    host.run(*words, "-sign", private, "-out", made, message)
    assert host.jobs()[SIGN[kind]] == 1
    run(*verify)
    host.run(*verify)
    assert host.jobs()[VERIFY[kind]] == 1
    run(*words, "-sign", private, "-out", made, message)
    host.run(*verify)
    assert host.jobs()[VERIFY[kind]] == 2
    message.write_bytes(MESSAGE[1:])
    with pytest.raises(AssertionError, match="dgst"):
        host.run(*verify)
    assert "tag refused, checked again" in host.kept()


def test_pkeyutl_sign(host: Host, kind: str) -> None:
    private, public = make_key(host, kind)
    made = host.folder / "signature"
    digest = ("-pkeyopt", "digest:sha256")
    host.run("openssl", "pkeyutl", "-sign", "-inkey", private, "-out", made, *digest, stdin=DIGEST)
    verify = ("openssl", "pkeyutl", "-verify", "-pubin", "-inkey", public, "-sigfile", made, *digest)
    run(*verify, stdin=DIGEST)
    host.run(*verify, stdin=DIGEST)
    assert (host.jobs()[SIGN[kind]], host.jobs()[VERIFY[kind]]) == (1, 1)


@pytest.mark.parametrize("padding", ["oaep", "pkcs1"])
def test_pkeyutl_encrypt(host: Host, padding: str) -> None:
    private, public = make_key(host, "rsa")
    words = ("-pkeyopt", f"rsa_padding_mode:{padding}")
    encrypt = ("openssl", "pkeyutl", "-encrypt", "-pubin", "-inkey", public, *words)
    decrypt = ("openssl", "pkeyutl", "-decrypt", "-inkey", private, *words)
    assert run(*decrypt, stdin=host.run(*encrypt, stdin=DIGEST)) == DIGEST
    assert host.run(*decrypt, stdin=run(*encrypt, stdin=DIGEST)) == DIGEST
    assert host.jobs()["rsa-public"] == 1
    assert host.jobs().get("rsa-private", 0) == (1 if padding == "oaep" else 0)


def test_pkeyutl_derive(host: Host) -> None:
    ours, theirs = make_key(host, "ec", "ours"), make_key(host, "ec", "theirs")
    words = ("openssl", "pkeyutl", "-derive")
    secret = host.run(*words, "-inkey", ours[0], "-peerkey", theirs[1])
    assert len(secret) == 32
    assert secret == run(*words, "-inkey", theirs[0], "-peerkey", ours[1])
    assert host.jobs()["ec-multiply"] == 1


def test_x25519(host: Host) -> None:
    pairs = [(host.folder / f"{name}.pem", host.folder / f"{name}.public.pem") for name in ("ours", "theirs")]
    for private, public in pairs:
        host.run("openssl", "genpkey", "-algorithm", "X25519", "-out", private)
        host.run("openssl", "pkey", "-in", private, "-pubout", "-out", public)
    before = host.jobs().get("x25519", 0)
    words = ("openssl", "pkeyutl", "-derive")
    secret = host.run(*words, "-inkey", pairs[0][0], "-peerkey", pairs[1][1])
    assert len(secret) == 32
    assert secret == run(*words, "-inkey", pairs[1][0], "-peerkey", pairs[0][1])
    assert host.jobs()["x25519"] == before + 1


def test_forms_of_keys(host: Host, kind: str) -> None:
    """PEM, DER, encrypted, PKCS #12, and what the old commands make of it."""
    private, _ = make_key(host, kind)
    der, locked, old = host.folder / "key.der", host.folder / "locked.pem", host.folder / "old.pem"
    host.run("openssl", "pkey", "-in", private, "-outform", "DER", "-out", der)
    host.run("openssl", "pkcs8", "-topk8", "-iter", "50", "-in", private, "-passout", "pass:secret", "-out", locked)
    host.run("openssl", kind, "-in", private, "-out", old)
    text = run("openssl", "pkey", "-in", private, "-text")
    for form in (("-in", der, "-inform", "DER"), ("-in", locked, "-passin", "pass:secret"), ("-in", old)):
        assert host.run("openssl", "pkey", *form, "-text", "-check") == text.replace(
            b"-----BEGIN", b"Key is valid\n-----BEGIN", 1
        )
    certificate, bag = host.folder / "certificate.pem", host.folder / "bag.p12"
    host.run("openssl", "req", "-x509", "-key", private, "-subj", "/CN=localhost", "-days", "2", "-out", certificate)
    assert host.jobs()[SIGN[kind]] == 1
    run("openssl", "verify", "-check_ss_sig", "-CAfile", certificate, certificate)
    host.run("openssl", "verify", "-check_ss_sig", "-CAfile", certificate, certificate)
    assert host.jobs()[VERIFY[kind]] >= 1
    export = ("openssl", "pkcs12", "-export", "-iter", "50", "-passout", "pass:x", "-out", bag)
    host.run(*export, "-inkey", private, "-in", certificate)
    assert host.run("openssl", "pkcs12", "-in", bag, "-nodes", "-passin", "pass:x").count(b"-----BEGIN") == 2


@pytest.mark.parametrize("curve", ["SM2", "prime256v1", "secp224r1", "brainpoolP256r1", "sect163k1"])
def test_curves(host: Host, curve: str) -> None:
    """A key is made on any curve, the device's or not, and written in every form."""
    private, locked = host.folder / "key.pem", host.folder / "locked.pem"
    make = ("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}")
    host.run(*make, "-out", private)
    run("openssl", "pkey", "-in", private, "-check", "-noout")
    words = ("openssl", "pkey", "-in", private)
    for form in (("-text", "-noout"), ("-outform", "DER"), ("-pubout",)):
        assert host.run(*words, *form) == run(*words, *form)
    host.run(*make, "-aes-256-cbc", "-pass", "pass:secret", "-out", locked)
    run("openssl", "pkey", "-in", locked, "-passin", "pass:secret", "-check", "-noout")
    assert f"ASN1 OID: {curve}" in host.run(*make, "-text").decode()


def test_the_query_of_a_command(host: Host) -> None:
    """Without a configuration: both providers and a preference by name."""
    private, _ = make_key(host, "ec")
    environment = host.environment() | {
        "OPENSSL_CONF": "/dev/null",
        "OPENSSL_MODULES": str(MODULE.parent),
        "OUTWORK_LIBRARY": str(MODULE.parent.parent / "libow_board_128.so"),
        "OUTWORK_POLICY": "always",
        "OUTWORK_COUNTERS": str(host.counters),
    }
    words = ("-provider", "outwork", "-provider", "default", "-propquery", "?provider=outwork")
    made = run("openssl", "pkeyutl", *words, "-sign", "-inkey", private, stdin=DIGEST, environment=environment)
    (host.folder / "signature").write_bytes(made)
    run("openssl", "pkeyutl", "-verify", "-inkey", private, "-sigfile", host.folder / "signature", stdin=DIGEST)
    assert host.jobs()["ec-sign"] == 1


def test_the_policy_decides(host: Host) -> None:
    """A rule for keys has the bytes of a coordinate as length."""
    policy, made = host.folder / "policy", host.folder / "signature"
    policy.write_text("outwork-policy 1\n0x67 0 encrypt 1 48 -\n")
    host.configure(str(policy))
    for curve, jobs in (("P-256", {}), ("P-384", {"ec-sign": 1})):
        private = host.folder / f"{curve}.pem"
        run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", f"group:{curve}", "-out", private)
        host.run("openssl", "pkeyutl", "-sign", "-inkey", private, "-out", made, stdin=DIGEST)
        run("openssl", "pkeyutl", "-verify", "-inkey", private, "-sigfile", made, stdin=DIGEST)
        assert host.jobs() == jobs
    assert host.kept() == {"kept in software by policy": 1}


@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
def test_tls(host: Host, kind: str, version: str) -> None:
    """s_server and s_client, both with the provider, exchange keys on P-256."""
    private, certificate = host.folder / "key.pem", host.folder / "certificate.pem"
    new = KINDS[kind] if kind == "ec" else ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
    run("openssl", "genpkey", *new, "-out", private)
    run("openssl", "req", "-x509", "-key", private, "-subj", "/CN=localhost", "-days", "2", "-out", certificate)
    port = str(random.randrange(20_000, 60_000))
    server = subprocess.Popen(
        ["openssl", "s_server", "-accept", port, "-key", str(private), "-cert", str(certificate), version, "-www"],
        env=host.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    words = ("openssl", "s_client", "-verify_return_error", "-groups", "P-256", "-quiet", "-ign_eof")
    try:
        answer = b""
        for _ in range(30):
            client = subprocess.run(
                [*words, "-connect", f"localhost:{port}", "-CAfile", str(certificate), version],
                input=b"GET / HTTP/1.0\r\n\r\n",
                capture_output=True,
                env=host.environment(),
                timeout=120,
                check=False,
            )
            answer = client.stdout
            if answer:
                break
            time.sleep(0.1)
        assert b"HTTP/1.0 200 ok" in answer
    finally:
        server.kill()
        server.wait()
    jobs = host.jobs()
    assert jobs["ec-multiply"] >= 2
    assert jobs[SIGN[kind]] >= 1
    assert jobs[VERIFY[kind]] >= 1
