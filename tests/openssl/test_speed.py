# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork openssl speed`: the device's cycles are counted ones, and the figures fit together."""

import json
from pathlib import Path

import pytest
from commands import good, outwork, sentence

from outwork.lab import openssl_speed as speed
from outwork.lab.openssl_speed import Run


@pytest.fixture(scope="module")
def row() -> dict[str, float]:
    (line,) = good("openssl", "speed", "aes-128-ctr", "--size", "4096", "--json", "-").splitlines()
    return dict(json.loads(line))


def test_cycles_are_the_device_s(row: dict[str, float]) -> None:
    """16 bytes a cycle at best on the reference board, and about 150 cycles for everything else."""
    assert row["jobs_per_message"] == pytest.approx(1, abs=0.01)
    assert 256 < row["cycles_per_message"] < 256 + 250


def test_the_sum(row: dict[str, float]) -> None:
    seconds = row["cycles_per_message"] / row["clock_hz"] + row["cpu_share_seconds"]
    assert row["device_speed"] == pytest.approx(4096 / seconds)
    assert row["simulator_speed"] < row["device_speed"], "the simulator is no device"


def test_table() -> None:
    done = outwork("openssl", "speed", "aes-256-cbc", "--size", "1024")
    text = done.stdout.decode()
    assert (
        done.returncode == 0 and "through the simulator" in text and "1,024" in text and "at 100 MHz (assumed)" in text
    )


def test_a_file_is_replaced_by_force_only(tmp_path: Path) -> None:
    """And is seen before the measurement, which takes long."""
    path = tmp_path / "speed.json"
    path.write_text("what was there")
    words = ("openssl", "speed", "aes-128-ctr", "--size", "1024", "--seconds", "3", "--json", path)
    assert "exists already" in sentence(*words, status=1)
    assert path.read_text() == "what was there"
    speed.write([], path, force=True)
    assert path.read_text() == ""


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "aes-256-gcm" in sentence("openssl", "speed", "sm4", status=2)
    assert sentence("openssl", "speed", "--size", "0", status=2) == "--size is at least 1."
    monkeypatch.setattr(speed, "_run", lambda *_: Run(1000, 1.0, jobs=0, kept=1000))
    with pytest.raises(Exception, match="the device did 0 jobs of aes-128-ctr and the CPU kept 1000 requests"):
        speed.measure("aes-128-ctr", [16], 1)
