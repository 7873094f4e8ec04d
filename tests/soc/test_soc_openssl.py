# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""OpenSSL with the provider under Linux on the system on chip: its commands on the accelerator, counted by the device."""

import re
from collections import Counter
from pathlib import Path

import pytest
import soc_openssl_bench as bench
import soc_openssl_shares as shares

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


def test_an_operation_is_what_a_longer_run_has_more() -> None:
    """The program's start is in both runs; functions are grouped, and the groups are all of it."""
    short = shares.Profile(Counter({"start (openssl)": 5000, "memcpy (openssl)": 1000, "tick (vmlinux)": 50}), 10, 100)
    long = shares.Profile(
        Counter({"start (openssl)": 5000, "memcpy (openssl)": 3000, "tick (vmlinux)": 450, "memset (openssl)": 600}),
        30,
        500,
    )
    cycles, device_cycles = shares.one_operation(short, long)
    assert cycles["start (openssl)"] == 0 and cycles["memcpy (openssl)"] == 100 and device_cycles == 20
    text = "\n".join(shares.table(cycles, device_cycles))
    assert "An operation takes 150 cycles; in 20 of them" in text
    assert re.findall(r"\| ([\d,]+) \| (\d+) \|$", text, re.MULTILINE) == [
        ("100", "67"), ("30", "20"), ("20", "13"), ("0", "0"), ("0", "0"),
    ]  # fmt: skip
    assert "copying" in text.splitlines()[4] and "zero" in text.splitlines()[5] and "kernel" in text.splitlines()[6]
    with pytest.raises(OutworkError, match="10 operations"):
        shares.one_operation(long, short)


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
    """Every operation of `openssl speed` is a job; 4 KiB on the accelerator take an eighth of software's cycles at most."""
    found = bench.speeds([4096], 1)
    assert found["provider"][4096] < found["software"][4096] / 8
    assert found["provider"][4096] < found["instructions"][4096] < found["software"][4096]
