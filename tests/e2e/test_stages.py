# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The device's counters of cycles per stage: each stage has its known cycles, and no more."""

from pathlib import Path

import pytest

from outwork.algorithms import find_cipher
from outwork.algorithms.base import Operation
from outwork.device.profiles import Profile, load
from outwork.lab.engines import accelerator
from outwork.lab.records import KeyUse, Point

REFERENCE = load("reference")
READ_LATENCY = REFERENCE.parameters["read_latency"]
POP_TO_OUT = 19  # cycles of the AES engine from the pop of a word to its output (aes_uop_pkg)


def stages(size_bytes: int, profile: Profile = REFERENCE, **fields: object) -> tuple[dict[str, float], float]:
    point = Point(find_cipher("aes-256-gcm"), Operation.ENCRYPT, size_bytes, **fields)  # type: ignore[arg-type]
    with accelerator.Accelerator(profile) as engine:
        work = engine.prepare(point)
        latency = work.sample().latency
        found = work.stages()
        work.close()
    assert found is not None
    return found, latency


@pytest.mark.parametrize("size_bytes", [16, 1024, 16384])
def test_one_job_alone(size_bytes: int) -> None:
    found, latency = stages(size_bytes)
    words = size_bytes // 16
    assert READ_LATENCY < found["fetch"] < READ_LATENCY + 14
    assert READ_LATENCY < found["prepare"] < READ_LATENCY + 15
    assert words - 1 <= found["data"] < 1.05 * words + 4
    assert POP_TO_OUT <= found["tag"] < POP_TO_OUT + 10
    assert found["write"] > REFERENCE.parameters["write_response"]
    # What no stage counts: the doorbell, and the record's way to memory.
    rest = latency - sum(found.values())
    assert REFERENCE.parameters["write_response"] <= rest < REFERENCE.parameters["write_response"] + 15


def test_slower_memory_shows_in_the_stages_that_wait_for_it(tmp_path: Path) -> None:
    text = REFERENCE.path.read_text().replace("read_latency = 40", "read_latency = 140")
    (tmp_path / "slow.toml").write_text(text)
    fast, _ = stages(1024)
    slow, _ = stages(1024, load(str(tmp_path / "slow.toml")))
    assert slow["fetch"] - fast["fetch"] == 100
    assert slow["prepare"] - fast["prepare"] == 100
    assert slow["tag"] == fast["tag"]


def test_a_key_that_travels_shows_in_its_stage() -> None:
    kept, _ = stages(64)
    inline, _ = stages(64, keys=KeyUse.NEW_KEY)
    assert inline["data"] > kept["data"]
    assert inline["tag"] == kept["tag"]


def test_jobs_wait_when_there_are_more_than_streams() -> None:
    few, _ = stages(4096, jobs=2, batch=2)
    many, _ = stages(4096, jobs=64, batch=64)
    assert many["wait"] > 10 * few["wait"]
