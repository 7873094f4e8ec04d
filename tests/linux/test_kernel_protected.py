# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Keys that never leave the device, by keyrings, AF_ALG and dm-crypt under User Mode Linux."""

import kernel_guest
import pytest
import uml_check

from outwork.soc import module

# The minimum is not for them: no software does their requests, nor those that a watchdog ends too early.
LOAD = (*kernel_guest.STEPS, f"load /outwork.ko minimum_cipher=100000 {uml_check.SLOW}", uml_check.BIND)

pytestmark = pytest.mark.slow


def test_protected_keys_serve_keyrings_and_disks(uml_build: uml_check.Build) -> None:
    """Compared with OpenSSL; revoked, expired, replaced, unlinked; and with the device unbound and bound."""
    script = kernel_guest.python("protected.py", uml_check.DM_CRYPT, uml_check.DRIVER, uml_check.FUNCTION)
    run = uml_check.run([*LOAD, kernel_guest.SHOW, script, kernel_guest.SHOW], module.NO_TESTS, uml_build)
    # The disk that can no longer be read: Linux says so.
    assert run.output.status == 0 and not run.output.faults, run.output.console
    (result,) = kernel_guest.results(run.output)
    assert result["compare"] == {"compared": 11 * 5, "different": 0, "left": 0}
    assert result["limits"] == {
        "not_keys": ["EINVAL"],
        "full": "EDQUOT",
        "keys": 4,
        "update": "EACCES",
        "expired": True,
        "expired_read": True,
        "replaced": True,
        "unlinked": True,
    }
    assert result["disk"] == {
        "token": 32,
        "token_has_key": False,
        "as_openssl": True,
        "back": True,
        "jobs": True,
        "revoked_read": "EIO",
        "revoked_token": "EKEYREVOKED",
        "revoked_jobs": 0,
        "revoked_keys": 0,
        "revoked_use": "ENOKEY",
    }
    assert result["rebind"] == {
        "before": "none",
        "absent": "ENODEV",
        "absent_add": "ENODEV",
        "absent_read": "ENODEV",
        "again": "ENOKEY",
        "again_use": "ENOKEY",
        "again_read": "ENOKEY",
        "again_disk": "EIO",
        "new": "none",
    }
    counters = run.output.statistics(-1)
    assert counters["protected_refused"] > 0
    # Nothing was for software, and no key went with a job.
    assert sum(counters[name] for name in counters if name.startswith("fallbacks_")) == 0
    assert counters["key_inline_jobs"] == counters["errors"] == 0
    assert run.board["violations"] == 0
