# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""OpenSSL with the provider under Linux on the system on chip: its commands on the accelerator, counted by the device."""

from pathlib import Path

import pytest
import soc_openssl_bench as bench

from outwork.errors import OutworkError
from outwork.paths import has_library
from outwork.soc import linux

runs = pytest.mark.skipif(
    not (has_library("ow_soc_128") and linux.IMAGE.is_file() and bench.OPENSSL.is_file()),
    reason="OpenSSL for the system on chip is not built: make soc-openssl",
)
RUN = bench.Run("Doing AES-256-GCM ops for 2s on 16 size blocks: 400 AES-256-GCM ops in 1.99s\n", 1000, 401)


def test_what_speed_prints_becomes_cycles() -> None:
    assert RUN.speed() == (1.99 * bench.CYCLES_PER_SECOND / 400, 400)
    with pytest.raises(OutworkError, match="has not measured"):
        bench.Run("speed: Unknown option", 0, 0).speed()


def test_who_did_the_work_is_checked() -> None:
    bench.check_jobs("provider", RUN, 400)
    with pytest.raises(OutworkError, match="401 jobs for 402 operations"):
        bench.check_jobs("provider", RUN, 402)
    with pytest.raises(OutworkError, match="401 jobs"):
        bench.check_jobs("software", RUN, 400)


def test_a_table_has_the_ratios() -> None:
    lines = bench.table({"16": {"software": 9000.0, "instructions": 4000.0, "provider": 2000.0}}, "bytes")
    assert lines[-1] == "| 16 | 9,000 | 4,000 | 2,000 | 4.5 | 2.0 |"


def test_missing_openssl_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench, "OPENSSL", tmp_path / "openssl")
    with pytest.raises(OutworkError, match="make soc-openssl"):
        bench.run([["version"]])


@runs
@pytest.mark.slow
def test_enc_and_dgst_on_the_accelerator() -> None:
    """The same files and digests in every way; with the provider the device has counted jobs, without it none."""
    for name, costs in bench.tools(65_536).items():
        assert name == "version" or costs["provider"] < costs["software"]


@runs
@pytest.mark.slow
def test_speed_on_the_accelerator() -> None:
    """Every operation of `openssl speed` is a job; 4 KiB on the accelerator take a tenth of software's cycles at most."""
    found = bench.speeds([4096], 1)
    assert found["provider"][4096] < found["software"][4096] / 10
    assert found["provider"][4096] < found["instructions"][4096] < found["software"][4096]
