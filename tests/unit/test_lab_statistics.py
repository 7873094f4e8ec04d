# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of data with known results."""

import random

import pytest
from lab_records import device, on_soc, record, series

from outwork.lab import costs, statistics
from outwork.lab.records import Kind

SIZES = (16, 64, 256, 1024, 4096, 16384, 65536)


def test_percentiles() -> None:
    assert statistics.percentile([4, 1, 3, 2], 0.5) == 2.5
    assert statistics.percentile([1, 2, 3, 4, 5], 0.05) == pytest.approx(1.2)
    assert statistics.percentile([7], 0.95) == 7
    found = statistics.spread([5, 1, 4, 2, 3])
    assert (found.p5, found.p50, found.p95) == (pytest.approx(1.2), 3, pytest.approx(4.8))


def test_a_wide_point_says_so() -> None:
    assert not statistics.is_wide([1.0, 1.01, 1.02])
    assert statistics.is_wide([1.0, 1.1, 1.2])
    assert record(16, [1, 2, 3]).is_wide


def test_ratio_has_the_truth_in_its_interval() -> None:
    source = random.Random(7)
    hits = 0
    for number in range(40):
        above = [2 * source.gauss(1, 0.05) for _ in range(15)]
        below = [source.gauss(1, 0.05) for _ in range(15)]
        found = statistics.ratio(above, below, seed=number)
        hits += found.low <= 2 <= found.high
        assert found.low <= found.value <= found.high
    assert hits >= 34  # 95 of 100 are promised


def test_a_model_is_found_again() -> None:
    model = costs.model_of(series(1e-6, 2e-9, SIZES))
    assert model is not None
    assert model.fixed_seconds == pytest.approx(1e-6)
    assert model.seconds_per_byte == pytest.approx(2e-9)
    assert max(map(abs, model.residuals)) < 1e-9
    assert costs.model_of(series(1e-6, 2e-9, SIZES[:2])) is None


def test_no_cost_below_zero() -> None:
    """A cost that falls with the size, or goes through zero, is no reason for a negative one."""
    falling = costs.fit([16, 1024, 65536], [3e-6, 2e-6, 1e-6])
    assert falling.seconds_per_byte == 0 and falling.fixed_seconds > 0
    steep = costs.fit([16, 1024, 65536], [1e-12, 2e-6, 1.4e-4])
    assert steep.fixed_seconds >= 0 and steep.seconds_per_byte > 0


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.05])
def test_break_even_lies_in_its_interval(noise: float) -> None:
    """Device: 3 us and 0.5 ns a byte; software: 0.2 us and 3 ns a byte. They meet at 1,120 bytes."""
    truth = (3e-6 - 0.2e-6) / (3e-9 - 0.5e-9)
    records = [
        *device(3e-6, 0.5e-9, SIZES),
        *series(0.2e-6, 3e-9, SIZES, noise=noise, engine="software"),
    ]
    (found,) = costs.break_evens(records)
    assert found.outcome == "from" and not found.is_extrapolated
    assert found.low_bytes is not None and found.high_bytes is not None
    assert found.low_bytes - 1 <= truth <= found.high_bytes + 1
    if noise == 0:
        assert found.size_bytes == pytest.approx(truth)


@pytest.mark.parametrize(
    ("device_costs", "rival_costs", "outcome", "words"),
    [
        ((3e-6, 5e-9), (1e-6, 1e-9), "never", "never"),
        ((1e-7, 1e-9), (1e-6, 2e-9), "always", "always at any size"),
        ((1e-7, 3e-9), (1e-6, 2e-9), "until", "until 900 bytes"),
        ((1e-6, 1e-9), (1e-7, 2e-9), "from", "from 900 bytes"),
        ((1e-3, 1e-9), (1e-7, 2e-9), "from", "beyond the measured sizes"),
    ],
)
def test_verdicts(
    device_costs: tuple[float, float], rival_costs: tuple[float, float], outcome: str, words: str
) -> None:
    (found,) = costs.break_evens([*device(*device_costs, SIZES), *series(*rival_costs, SIZES)])
    assert found.outcome == outcome
    assert words in costs.in_words(found)


def test_only_what_is_alike_is_compared() -> None:
    """Files stand against files, and a setting against the same."""
    cpu = series(1e-7, 2e-9, SIZES)
    assert not costs.break_evens([*device(1e-6, 1e-9, SIZES, environment="file, simulated board"), *cpu])
    assert not costs.break_evens([*device(1e-6, 1e-9, SIZES, algorithm="aes-128-gcm"), *cpu])
    assert not costs.break_evens([*device(1e-6, 1e-9, SIZES, keys="new-key"), *cpu])
    # One message a call stands for a CPU engine at every depth, unless it was measured with as many.
    many = device(1e-6, 1e-9, SIZES, jobs=16)
    assert [entry.rival_model.fixed_seconds for entry in costs.break_evens([*many, *cpu])] == [pytest.approx(1e-7)]
    own = series(5e-8, 2e-9, SIZES, jobs=16)
    assert [entry.rival_model.fixed_seconds for entry in costs.break_evens([*many, *cpu, *own])] == [
        pytest.approx(5e-8)
    ]


def test_a_system_on_chip_is_compared_with_itself() -> None:
    sizes = (16, 1024, 16384)
    soc = [on_soc(size, 100 + size, engine="accelerator", implementation="outwork") for size in sizes]
    slow = [on_soc(size, 1000 + 50 * size, engine="software", implementation="mbedtls") for size in sizes]
    tasks = [on_soc(size, 5000, engine="software", implementation="mbedtls", board="soc, freertos") for size in sizes]
    host = [*series(1e-7, 2e-9, SIZES), *device(1e-6, 1e-9, SIZES)]
    found = costs.break_evens([*soc, *slow, *tasks, *host])
    assert {(entry.device, entry.rival) for entry in found} == {
        ("outwork on soc", "software/mbedtls"),
        ("outwork on reference", "cpu/openssl"),
    }
    assert next(entry for entry in found if entry.device == "outwork on soc").outcome == "always"


def test_a_model_of_a_design_is_a_rival() -> None:
    model = device(1e-7, 1e-7, SIZES, implementation="registers", kind=Kind.MODELLED)
    (found,) = costs.break_evens([*device(1e-6, 1e-9, SIZES), *model])
    assert found.rival == "accelerator/registers"
