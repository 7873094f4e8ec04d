# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The publications' ratios beside those of the system on chip."""

from dataclasses import replace

from lab_records import on_soc

from outwork.lab import published
from outwork.lab.records import Record
from outwork.lab.report import one_system_figures, same_system
from outwork.lab.report.tables import Table

SOURCES = published.sources()


def rows(table: Table | None) -> list[list[str]]:
    assert table is not None
    return [[cell.text for cell in row] for row in table.rows if len(row) > 1]


def three(environment: str, cycles: tuple[float, float, float]) -> list[Record]:
    names = (("software", "mbedtls"), ("cpu", "zkn"), ("accelerator", "outwork"))
    return [
        on_soc(16, cost, engine=engine, implementation=name, environment=environment)
        for (engine, name), cost in zip(names, cycles, strict=True)
    ]


def test_theirs_and_ours_are_ratios_of_one_system_each() -> None:
    """WP512 under FreeRTOS, 16 bytes: Table 1's three speeds give the ratios."""
    figures = published.select("wp512")
    found = same_system.table(SOURCES["wp512"], figures, three("freertos", (8000, 1200, 1000)))
    assert found is not None
    assert [column.title for column in found.columns[2:]] == ["than software", "than instructions"] * 2
    theirs = {figure.engine: figure.value for figure in figures if (figure.place, figure.size_bytes) == ("Table 1", 16)}
    first = next(row for row in rows(found) if row[1].endswith("FreeRTOS"))
    assert first[0] == "16" and first[4:] == ["8.00", "1.20"]
    assert abs(float(first[2]) - theirs["accelerator"] / theirs["software"]) < 0.01
    assert abs(float(first[3]) - theirs["accelerator"] / theirs["cpu"]) < 0.001


def test_each_environment_has_its_columns() -> None:
    records = [*three("linux", (9000, 1300, 1500)), *three("freertos", (8000, 1200, 1000))]
    found = same_system.table(SOURCES["wp512"], published.select("wp512"), records)
    assert found is not None
    assert list(dict.fromkeys(column.group for column in found.columns[2:])) == [
        "theirs",
        "ours, FreeRTOS",
        "ours, Linux",
    ]
    assert rows(found)[0][4:] == ["8.00", "1.20", "6.00", "0.867"]


def test_the_fastest_software_of_a_source_is_compared() -> None:
    """The i.MX RT comparison prints software without and with optimisation; 1.00 is SHA-512 against the faster one."""
    records = [
        on_soc(1024, cost, engine=engine, implementation=name, algorithm="sha-512", operation="digest")
        for engine, name, cost in (("software", "mbedtls", 70_000), ("accelerator", "outwork", 1000))
    ]
    found = same_system.table(SOURCES["imxrt"], published.select("imxrt"), records)
    assert [row[2:] for row in rows(found)] == [["1.00", "70.0"], ["0.999", "70.0"]]


def test_a_source_without_sizes_is_beside_each_of_ours() -> None:
    """ZYBO 2014 gives one speed of registers and one of software; Outwork lite and the rings have columns each."""
    names = (("software", "mbedtls"), ("accelerator", "outwork"), ("accelerator", "lite"))
    records = [
        on_soc(size, cost, engine=engine, implementation=name, algorithm="aes-128-cbc", environment="bare-metal")
        for size, costs in ((1024, (90_000, 2000, 6000)), (16, (1600, 800, 320)))
        for (engine, name), cost in zip(names, costs, strict=True)
    ]
    found = same_system.table(SOURCES["zybo2014"], published.select("zybo2014"), records)
    assert found is not None
    groups = ["theirs", "ours, bare metal", "ours by registers, bare metal"]
    assert [column.group for column in found.columns[2:]] == groups
    assert [(row[0], row[2:]) for row in rows(found)] == [
        ("16", ["0.210", "2.00", "5.00"]),
        ("1,024", ["0.210", "45.0", "15.0"]),
    ]


def test_other_points_make_no_table() -> None:
    figures = published.select("wp437")
    assert same_system.table(SOURCES["wp437"], figures, three("bare-metal", (1, 1, 1))) is None
    assert same_system.table(SOURCES["wp437"], figures, []) is None


def test_software_of_any_process_is_beside_a_queue_of_its_own() -> None:
    records = [
        *three("linux", (1000, 200, 50)),
        on_soc(16, 40, engine="accelerator", implementation="outwork", environment="linux-queue"),
    ]
    found = same_system.table(SOURCES["wp512"], published.select("wp512"), records)
    assert found is not None
    (row,) = rows(found)[:1]
    assert row[-4:] == ["20.0", "4.00", "25.0", "5.00"]
    assert same_system.LENT in found.caption
    own = same_system.table(
        SOURCES["wp512"], published.select("wp512"), [*records, *three("linux-queue", (800, 160, 40))]
    )
    assert own is not None and rows(own)[0][-2:] == ["20.0", "4.00"] and same_system.LENT not in own.caption


def files(size: int, software: float, device: float) -> list[Record]:
    names = (("software", "mbedtls-files", software), ("accelerator", "outwork-files", device))
    return [
        on_soc(
            size,
            cost,
            engine=engine,
            implementation=name,
            environment="file, linux",
            board="soc, linux",
            algorithm="aes-256-ctr",
        )
        for engine, name, cost in names
    ]


def test_files_are_compared_with_files_and_the_largest_with_larger_ones() -> None:
    """Cowart et al. print how many times faster at 131,072 bytes, and both speeds at 64 MiB: 350 and 55 MB/s."""
    messages = [
        replace(record, environment="linux", implementation=record.implementation.removesuffix("-files"))
        for record in files(131_072, 9.0, 1.0)
    ]
    found = same_system.table(
        SOURCES["cowart2017"],
        published.select("cowart2017"),
        [*files(131_072, 7000, 1000), *files(524_288, 32_000, 4000), *messages],
    )
    assert found is not None and "Files are read from memory" in found.caption
    assert rows(found) == [
        ["67,108,864", "ZedBoard, Zynq-7020, Linux", "6.36", "8.00 at 524,288"],
        ["131,072", "ZedBoard, Zynq-7020, Linux", "1.00", "7.00"],
    ]
    assert same_system.table(SOURCES["cowart2017"], published.select("cowart2017"), messages) is None
    assert same_system.table(SOURCES["wp512"], published.select("wp512"), files(16, 2, 1)) is None


def test_environments_are_drawn_beside_those_of_the_source() -> None:
    """WP512 prints cycles per byte of its accelerator under FreeRTOS and Linux: 375 MHz / 4.012 and / 0.151 MB/s at 16 bytes."""
    records = [
        on_soc(size, cost, engine="accelerator", implementation="outwork", environment=environment)
        for environment, per_message in (("freertos", 1200.0), ("linux-queue", 1280.0), ("linux-kernel", 16_000.0))
        for size, cost in ((16, per_message), (528, per_message + 100), (1024, per_message + 200))
    ]
    (figure,) = one_system_figures.figures(SOURCES["wp512"], published.select("wp512"), records)
    assert [column.title for column in figure.table.columns[1:]] == [
        *("FreeRTOS", "Linux"),
        *("FreeRTOS", "Linux, own queue", "Linux, crypto API"),
    ]
    assert [cell.text for cell in figure.table.rows[0]] == ["16", "93.5", "2,483", "75.0", "80.0", "1,000"]
    assert "Linux, crypto API" in figure.svg and "WP512, Linux" in figure.svg
    assert one_system_figures.figures(SOURCES["wp512"], published.select("wp512"), records[:2]) == []
