# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where cycles go under Linux: functions by what they do, and the bars of the report."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from lab_records import on_soc

from outwork.lab import soc_shares
from outwork.lab.records import Record
from outwork.lab.report import linux_stages, one_clock
from outwork.lab.report.blocks import figures_of


@pytest.mark.parametrize(
    ("function", "group"),
    [
        ("ow_queue_prepare", "driver"),
        ("owk_aead_crypt", "module"),
        ("owk_side_map", "mapping"),
        ("owk_queue_interrupt", "interrupt"),
        ("queue_map", "mapping"),
        ("queue_write32", "driver"),
        ("ow_lab_run", "caller"),
        ("memcpy", "copies"),
    ],
)
def test_functions_of_programs_and_of_the_module(function: str, group: str) -> None:
    assert soc_shares.group_of(function, of_kernel=False) == group


@pytest.mark.parametrize(
    ("function", "group"),
    [
        ("dma_direct_map_sg", "mapping"),
        ("plic_handle_irq", "interrupt"),
        ("__local_bh_enable_ip", "interrupt"),
        ("crypto_aead_encrypt", "crypto API"),
        ("__schedule", "scheduling"),
        ("try_to_wake_up", "scheduling"),
        ("ksys_write", "system call"),
        ("memset", "copies"),
        ("n_tty_write", "other kernel"),
    ],
)
def test_functions_of_the_kernel(function: str, group: str) -> None:
    assert soc_shares.group_of(function, of_kernel=True) == group


def test_a_message_is_what_the_longer_run_has_more() -> None:
    short = {"ow_queue_prepare (outwork.ko)": 400, "memcpy (vmlinux)": 40, "(elsewhere)": 7000, "once (vmlinux)": 9}
    long = {"ow_queue_prepare (outwork.ko)": 1200, "memcpy (vmlinux)": 120, "(elsewhere)": 100, "once (vmlinux)": 9}
    found = soc_shares.grouped(soc_shares.difference(short, long, 8), total=150.0)
    assert found["driver"] == 100 and found["copies"] == 10
    assert found["caller"] == 40  # what no function has
    assert sum(found.values()) == 150


def test_the_callers_functions_are_not_counted() -> None:
    """They wait for the point too."""
    cycles = {"ow_lab_run (outwork.elf)": 90.0, "main (outwork.elf)": 5000.0, "ow_queue_poll (outwork.elf)": 50.0}
    found = soc_shares.grouped(cycles, total=110.0)
    assert (found["caller"], found["driver"]) == (60, 50)


def record(size: int, environment: str, stages: Mapping[str, float] | None) -> Record:
    made = on_soc(size, 1000.0, environment=environment, board=f"soc, {environment}")
    return replace(made, stages=dict(stages) if stages else None)


def test_the_report_has_a_bar_for_each_size_of_an_environment() -> None:
    stages = {"driver": 100.0, "module": 200.0, "interrupt": 300.0, "system call": 50.0, "other kernel": 25.0}
    records = [record(size, "linux-kernel", stages) for size in (4096, 16)] + [record(16, "linux", None)]
    section = one_clock.section(records)
    (figure,) = figures_of(section.blocks)
    assert [row[0].text for row in figure.table.rows] == ["16", "4,096"]
    titles = [column.title for column in figure.table.columns]
    assert figure.table.rows[0][titles.index("module")].text == "200"
    assert figure.table.rows[0][titles.index("other kernel")].text == "75.0"
    assert figure.table.rows[0][-1].text == "675"
    assert "<svg" in figure.svg
    assert linux_stages.blocks([record(16, "linux-queue", None)]) == []
