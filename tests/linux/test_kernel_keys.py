# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Public keys in the kernel's keyrings on the device, under User Mode Linux: signatures, certificates, while the device fails."""

from typing import Any

import kernel_faults
import kernel_guest
import pytest
import uml_check

from outwork.soc import module

LOAD = (*kernel_guest.STEPS, "load /outwork.ko minimum_cipher=0", uml_check.BIND)
ROUNDS = 2
AGREEMENTS = 3
# Of a round: two RSA keys, of which each signs, verifies twice, encrypts and decrypts; two ECDSA keys, of which each is checked
# and verifies, three times; three certificates and three that are forged.
OPERATIONS = 2 * 5 + 2 * 3 * 2 + 2 * 3 + 2 * 2

pytestmark = pytest.mark.slow


def use(build: uml_check.Build, *command: Any) -> tuple[dict[str, int], dict[str, int]]:
    """Uses keys, while `command` disturbs the device. Returns what the guest has found, and what the module has counted."""
    script = kernel_guest.python("keys.py", str(ROUNDS), *command)
    run = uml_check.run([*LOAD, kernel_guest.SHOW, script, kernel_guest.SHOW], module.NO_TESTS, build)
    kernel_guest.check(run)
    (result,) = kernel_guest.results(run.output)
    assert result["status"] == 0, run.output.console
    assert result["rounds"] >= ROUNDS and result["wrong"] == result["forged"] == 0
    assert result["signed"] == result["sealed"] == result["opened"] == 2 * result["rounds"]
    assert result["verified"] == 4 * result["rounds"] and result["certificates"] == 3 * result["rounds"]
    assert not command or "wrong 0 late 0" in run.output.console
    return result, dict(kernel_guest.differences(run.output))


def test_keyrings_use_the_device(uml_build: uml_check.Build) -> None:
    """RSA with PKCS #1, ECDSA, certificates: compared with OpenSSL, in which the keys are made."""
    result, counters = use(uml_build)
    assert counters["operations"] >= result["rounds"] * OPERATIONS
    assert counters["queue0_device_jobs"] >= counters["operations"]
    assert counters["errors"] == counters["fallbacks_device"] == counters["fallbacks_absent"] == 0


@pytest.mark.parametrize("kind", ["reset", "lost", "device", "unbind"])
def test_no_operation_is_lost_when_the_device_fails(uml_build: uml_check.Build, kind: str) -> None:
    """Again and again, with operations at work, which software does then. `outwork_faults` compares requests of its own."""
    command = kernel_guest.load_command(uml_build, "faults/outwork_faults.ko", f"kind={kind}")
    _, counters = use(uml_build, *command)
    assert counters["operations"] > 0 and counters["errors"] == 0
    assert kind not in kernel_faults.RESETS or counters["queue0_resets"] > 0


def test_the_device_agrees_on_keys_with_software(uml_build: uml_check.Build) -> None:
    """ECDH and X25519: secrets that each side makes, equal ones, and peers that are no points or of a small order."""
    names = ("ecdh-nist-p256", "ecdh-nist-p384", "curve25519")
    steps = [f"load /outwork_agree.ko name={name} count={AGREEMENTS}" for name in names]
    run = uml_check.run([*LOAD, kernel_guest.python("seed.py"), *steps, kernel_guest.SHOW], module.NO_TESTS, uml_build)
    kernel_guest.check(run)
    for name in names:
        assert f"agree: {name} right {AGREEMENTS} wrong 0 status 0" in run.output.console
    counters = run.output.statistics(-1)
    # Two public keys and a shared secret each; the points that are none are refused by the device, and then by software.
    assert counters["operations"] == 3 * 3 * AGREEMENTS
    assert counters["fallbacks_form"] == 3 * AGREEMENTS
    assert counters["errors"] == counters["fallbacks_device"] == 0
