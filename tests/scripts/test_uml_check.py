# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A guest that hangs is ended, though it prints nothing; one that ends has printed all that it prints, complaints included."""

from pathlib import Path

import pytest
import uml_check

from outwork.errors import OutworkError
from outwork.soc import module


def test_a_guest_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uml_check, "LIMIT_SECONDS", 0.2)
    with pytest.raises(OutworkError, match="has not ended"):
        uml_check.console(["/bin/sleep", "60"], tmp_path, show=False)


def test_a_long_run_may_take_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uml_check, "LIMIT_SECONDS", 0.2)
    assert uml_check.console(["/bin/sleep", "0.5"], tmp_path, show=False, more_seconds=600) == ""


def test_a_guest_that_ends(tmp_path: Path) -> None:
    assert uml_check.console(["/bin/echo", "init: status 0"], tmp_path, show=False) == "init: status 0\n"


@pytest.mark.parametrize(
    "line",
    [
        "BUG: KASAN: global-out-of-bounds in owk_probe+0x12/0x34 [outwork]",
        "WARNING: possible circular locking dependency detected",
        "WARNING: CPU: 0 PID: 1 at kernel/dma/debug.c:1071 check_unmap+0x1b/0x2c",
        "unreferenced object 0x0000000061234567 (size 64):",
        "kmemleak: Kernel memory leak detector disabled",
        "DMA-API: debugging out of memory - disabling",
        "INFO: lockdep is turned off.",
        "alg: aead: gcm-aes-outwork encryption failed",
    ],
)
def test_what_the_kernels_checks_report_is_a_fault(line: str) -> None:
    usual = ["DMA-API: debugging enabled by kernel config", "kmemleak: Kernel memory leak detector initialized"]
    assert module.Output("\n".join([*usual, line]), 0).faults == [line]
