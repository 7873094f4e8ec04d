# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""libkcapi's commands on the kernel module under User Mode Linux: files as OpenSSL has them."""

import shutil

import kernel_guest
import pytest
import uml_check

from outwork.soc import module

# Loaded without the kernel's own code taking part: what is compared is OpenSSL.
LOAD = (*kernel_guest.STEPS, "load /outwork.ko minimum_cipher=0 minimum_hash=0", uml_check.BIND)
ROUNDS = 3
# Of a round: four ciphers in both directions, two AEADs in both and a forged message, five hashes, four keyed ones.
FILES = 4 * 2 + 2 * 3 + 5 + 4

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("kcapi-enc") is None, reason="kcapi-tools is not installed"),
]


def test_kcapi_agrees_with_openssl(uml_build: uml_check.Build) -> None:
    run = uml_check.run(
        [*LOAD, kernel_guest.SHOW, kernel_guest.python("kcapi.py", str(ROUNDS)), kernel_guest.SHOW],
        module.NO_TESTS,
        uml_build,
    )
    kernel_guest.check(run)
    (result,) = kernel_guest.results(run.output)
    assert result == {"right": ROUNDS * FILES}
    counters = kernel_guest.differences(run.output)
    assert counters["errors"] == counters["fallbacks_absent"] == 0
    # Each file is a job, or several; a forged one is none that ended well.
    assert counters["queue0_device_jobs"] >= ROUNDS * (FILES - len(("gcm", "ccm")))
