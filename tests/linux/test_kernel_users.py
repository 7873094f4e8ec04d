# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Users of the kernel module under User Mode Linux: TLS in the kernel, AF_ALG, cryptsetup."""

import re
import shutil

import kernel_guest
import pytest
import uml_check

from outwork.soc import module

LOAD = (
    *kernel_guest.STEPS,
    f"load /outwork_bench.ko instantiate={module.SOFTWARE}",
    "load /outwork.ko minimum_cipher=0 minimum_hash=0",
    uml_check.BIND,
    kernel_guest.SHOW,
)
TLS_BYTES = 300_000
RECORD_BYTES = 16_384
ROUNDS = 20  # of each of the six algorithms

pytestmark = pytest.mark.slow


def use(build: uml_check.Build, step: str) -> tuple[uml_check.Run, dict[str, int]]:
    """Carries out a step. Returns what the module has counted meanwhile."""
    run = uml_check.run([*LOAD, step, kernel_guest.SHOW], module.NO_TESTS, build)
    kernel_guest.check(run)
    counters = kernel_guest.differences(run.output)
    assert counters["errors"] == counters["fallbacks_device"] == 0
    return run, counters


@pytest.mark.skipif(shutil.which("ip") is None, reason="iproute2 is not installed")
def test_tls_in_the_kernel_is_as_openssl_has_it(uml_build: uml_check.Build) -> None:
    if uml_build is uml_check.DEBUG:
        pytest.skip("its checks of DMA complain, probably of records that share a cache line (docs/linux-kernel.md)")
    run, counters = use(uml_build, kernel_guest.python("ktls.py", str(TLS_BYTES)))
    (result,) = kernel_guest.results(run.output)
    assert result == {"passed": 6, "different": 0, "bytes": 8 * TLS_BYTES}
    # The kernel seals or opens the data eight times; a record is a job.
    assert counters["queue0_device_jobs"] >= 8 * (TLS_BYTES // RECORD_BYTES)


def test_af_alg_agrees_with_the_kernels_own_code(uml_build: uml_check.Build) -> None:
    """skcipher, aead and hash, by the names of the drivers."""
    run, counters = use(uml_build, kernel_guest.python("af_alg.py", str(ROUNDS)))
    (result,) = kernel_guest.results(run.output)
    assert result == {"vectors_wrong": 0, "compared": 6 * ROUNDS, "different": 0, "forged": 0}
    # Three ciphers in both directions, AES-GCM too, two hashes; forged messages and messages that end with a pad come on top.
    assert counters["queue0_device_jobs"] >= (3 * 2 + 2 + 2) * ROUNDS


@pytest.mark.skipif(shutil.which("cryptsetup") is None, reason="cryptsetup is not installed")
def test_cryptsetup_measures_the_device(uml_build: uml_check.Build) -> None:
    run, counters = use(
        uml_build, f"run chroot {kernel_guest.ROOT} {shutil.which('cryptsetup')} benchmark -c aes-xts -s 512"
    )
    assert re.search(r"aes-xts +512b +[\d.]+ MiB/s +[\d.]+ MiB/s", run.output.console)
    assert counters["queue0_device_jobs"] > 50
