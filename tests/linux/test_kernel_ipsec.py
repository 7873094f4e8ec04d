# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""IPsec between network namespaces by the kernel module, under User Mode Linux: no datagram is lost or changed."""

import shutil
from typing import Any

import kernel_faults
import kernel_guest
import pytest
import uml_check

from outwork.soc import module

LOAD = (*kernel_guest.STEPS, "load /outwork.ko minimum_cipher=0", uml_check.BIND)
DATAGRAMS = 100  # at least, of each direction
IN_FLIGHT = 24  # of each direction
# So few that those of all four directions do not make the driver ring the doorbell: nothing moves after a lost interrupt until
# the watchdog looks.
FEW_IN_FLIGHT = 1
CIPHERS = ("gcm", "cbc")
IN_A_PACKET = 1438  # bytes of a datagram: the module keeps a copy of what it encrypts, until it is done
STRANGERS = 20  # datagrams of each direction under different keys, which are to be refused
FALLBACKS = ("small", "key", "form", "pieces", "aad", "ring", "map", "device", "absent")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("ip") is None, reason="iproute2 is not installed"),
]


def traffic(
    build: uml_check.Build, most: int, in_flight: int, *command: Any
) -> tuple[dict[str, int], uml_check.Run, int]:
    """Exchanges datagrams, of which none may be lost. Returns what the module has counted, and the requests that they take.

    `command` disturbs the device meanwhile.
    """
    script = kernel_guest.python("ipsec.py", str(DATAGRAMS), str(most), str(in_flight), *command)
    run = uml_check.run([*LOAD, kernel_guest.SHOW, script, kernel_guest.SHOW], module.NO_TESTS, build)
    kernel_guest.check(run)
    (result,) = kernel_guest.results(run.output)
    assert result["status"] == 0, run.output.console
    sent = [result[cipher]["sent"] for cipher in CIPHERS]
    for cipher in CIPHERS:
        assert result[cipher] == {"sent": result[cipher]["sent"], "lost": 0, "wrong": 0, "refused": {}}, result
    assert min(sent) >= 2 * DATAGRAMS
    assert result["heard"] == 0 and result["strangers"] == {"XfrmInStateProtoError": 2 * STRANGERS}
    return kernel_guest.differences(run.output), run, 2 * (sum(sent) + 2 * STRANGERS)


def fallbacks(counters: dict[str, int]) -> int:
    return sum(counters[f"fallbacks_{name}"] for name in FALLBACKS)


def test_datagrams_go_through_ipsec(uml_build: uml_check.Build) -> None:
    """AES-GCM (RFC 4106), and AES-CBC with HMAC-SHA-256: each datagram takes two jobs of the device, and no software."""
    counters, _, requests = traffic(uml_build, 20_000, IN_FLIGHT)
    assert counters["requests"] == requests
    assert counters["queue0_device_jobs"] == requests - 2 * STRANGERS
    assert fallbacks(counters) == 0 and counters["errors"] == 0


@pytest.mark.parametrize("kind", ["reset", "masked", "lost", "hang", "ring", "device", "unbind"])
def test_no_datagram_is_lost_when_the_device_fails(uml_build: uml_check.Build, kind: str) -> None:
    """Again and again, with datagrams in flight. The module `outwork_faults` has requests of its own, which it compares."""
    command = kernel_guest.load_command(uml_build, "faults/outwork_faults.ko", f"kind={kind}")
    in_flight = FEW_IN_FLIGHT if kind in kernel_faults.MISSED else IN_FLIGHT
    counters, run, _ = traffic(uml_build, IN_A_PACKET, in_flight, *command)
    assert "wrong 0 late 0" in run.output.console
    assert counters["requests"] > DATAGRAMS
    # The faults were found: after a lost interrupt only by the watchdog.
    assert kind not in kernel_faults.MISSED or counters["queue0_missed_interrupts"] > 0
    assert kind not in kernel_faults.RESETS or counters["queue0_resets"] > 0
