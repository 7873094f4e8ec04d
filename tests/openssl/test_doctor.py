# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork doctor` finds each known problem of an installation, and says what to do."""

from pathlib import Path

import pytest
from commands import outwork
from openssl_host import MODULE, Host

from outwork.openssl import setup
from outwork.openssl.setup import Severity


def consult(configuration: Path, **environment: str) -> tuple[int, str]:
    done = outwork("doctor", "--configuration", configuration, environment=environment)
    assert done.stderr == b""
    return done.returncode, done.stdout.decode()


def wrongs(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("wrong")]


def change(host: Host, old: str, new: str) -> Path:
    drop_in = host.folder / "outwork.cnf"
    assert old in drop_in.read_text()
    drop_in.write_text(drop_in.read_text().replace(old, new))
    return host.folder / "openssl.cnf"


def test_all_is_well(host: Host) -> None:
    status, text = consult(host.folder / "openssl.cnf")
    assert status == 0, text
    assert "65,536 bytes of AES-256-GCM: the device did them (1 more on its job counter)" in text


def test_default_switched_off(host: Host) -> None:
    """openssl#16249: naming any provider switches the default one off, and ssh no longer lets one in."""
    status, text = consult(change(host, "default = default_sect", "#"))
    assert status == 1
    assert "The default provider is not active" in wrongs(text)[0]


def test_not_activated(host: Host) -> None:
    path = change(host, "outwork = outwork_sect", "#")
    status, text = consult(path, OPENSSL_MODULES=str(MODULE.parent))
    assert status == 1
    assert "does not activate it" in wrongs(text)[0]


def test_module_not_there(host: Host) -> None:
    path = change(host, f"module = {MODULE}", "module = /nonexistent/outwork.so")
    status, text = consult(path, OPENSSL_MODULES=str(host.folder))
    assert status == 1
    assert f"outwork.so is not in {host.folder}" in wrongs(text)[0]


def test_module_that_cannot_be_loaded(host: Host) -> None:
    (host.folder / "outwork.so").write_bytes(b"not a module")
    path = change(host, f"module = {MODULE}", f"module = {host.folder / 'outwork.so'}")
    status, text = consult(path, OPENSSL_MODULES=str(host.folder))
    assert status == 1
    assert "cannot be loaded" in wrongs(text)[0]


def test_not_preferred(host: Host) -> None:
    status, text = consult(change(host, "alg_section = outwork_choice", "#"))
    assert status == 1
    assert "from default, not from Outwork's provider" in wrongs(text)[0]


def test_no_policy(host: Host) -> None:
    status, text = consult(change(host, "policy = always", "#"))
    assert status == 1
    assert "everything stays on the CPU" in wrongs(text)[0]


def test_policy_that_cannot_be_read(host: Host) -> None:
    status, text = consult(change(host, "policy = always", "policy = /nonexistent"))
    assert status == 1
    assert "the policy file cannot be read: /nonexistent" in wrongs(text)[0]
    assert "outwork lab run policy && outwork lab policy -o /nonexistent" in text


def test_policy_that_keeps_everything(host: Host) -> None:
    """What a server CPU's policy says is no fault of the installation."""
    policy = host.folder / "policy"
    policy.write_text("outwork-policy 1\n0x13 32 encrypt 1 never\n")
    host.configure(str(policy))
    status, text = consult(host.folder / "openssl.cnf")
    assert status == 0, text
    assert "note   The policy sends none of these messages to the device" in text


def test_no_device(host: Host) -> None:
    status, text = consult(change(host, "libow_board_128", "libow_board_absent"))
    assert status == 1
    assert "library cannot be loaded" in wrongs(text)[0]
    assert "Nothing reached the device" in wrongs(text)[1]


def test_configuration_that_is_not_there(host: Host) -> None:
    status, text = consult(host.folder / "absent.cnf")
    assert status == 1
    assert "does not exist" in wrongs(text)[0]


@pytest.mark.parametrize(
    "running, built, severity",
    [
        ("OpenSSL 3.0.19 27 Jan 2026", "for OpenSSL 3.0.2 15 Mar 2022", Severity.GOOD),
        ("OpenSSL 3.5.1 1 Jul 2025", "for OpenSSL 3.0.19 27 Jan 2026", Severity.GOOD),
        ("OpenSSL 3.0.19 27 Jan 2026", "for OpenSSL 3.5.1 1 Jul 2025", Severity.WRONG),
        ("OpenSSL 4.0.3 1 Jun 2026", "for OpenSSL 3.0.19 27 Jan 2026", Severity.WRONG),
    ],
)
def test_releases(running: str, built: str, severity: Severity) -> None:
    assert [finding.severity for finding in setup._release(running, built)] == [severity]
